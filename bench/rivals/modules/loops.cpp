// A programmer's loops without a library, as a module of drive.py: one loop over records, all fields in its body, their number and
// sizes known to the compiler. Compiled with -O3 -march=native, for the machine that it is built on.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace {

/// Records first … last: to `arrays[k]` from records that lie one behind the other, or back. Requires alignment to a field's size where all
/// fields have the same.
struct RecordLoops {
  void (*take_apart)(const std::byte* records, std::byte* const* arrays, std::int64_t first, std::int64_t last) = nullptr;
  void (*put_together)(std::byte* records, const std::byte* const* arrays, std::int64_t first, std::int64_t last) = nullptr;
};

// --- fields of one size: arrays of T -------------------------------------------------------------------------------------

template <class T, std::size_t... k, class... Ts>
void apart_loop(std::index_sequence<k...>, const T* __restrict records, std::int64_t first, std::int64_t last, Ts* __restrict... arrays) {
  constexpr std::int64_t n = sizeof...(k);
  for (std::int64_t i = first; i < last; ++i) ((arrays[i] = (records + i * n)[k]), ...);
}

template <class T, std::size_t... k, class... Ts>
void together_loop(std::index_sequence<k...>, T* __restrict records, std::int64_t first, std::int64_t last,
                   const Ts* __restrict... arrays) {
  constexpr std::int64_t n = sizeof...(k);
  for (std::int64_t i = first; i < last; ++i) (((records + i * n)[k] = arrays[i]), ...);
}

template <class T, std::size_t... k>
RecordLoops equal_loops(std::index_sequence<k...>) {
  RecordLoops loops;
  loops.take_apart = [](const std::byte* records, std::byte* const* arrays, std::int64_t first, std::int64_t last) {
    apart_loop(std::index_sequence<k...>(), reinterpret_cast<const T*>(records), first, last, reinterpret_cast<T*>(arrays[k])...);
  };
  loops.put_together = [](std::byte* records, const std::byte* const* arrays, std::int64_t first, std::int64_t last) {
    together_loop(std::index_sequence<k...>(), reinterpret_cast<T*>(records), first, last, reinterpret_cast<const T*>(arrays[k])...);
  };
  return loops;
}

// --- fields of several sizes, packed ---------------------------------------------------------------------------------------

template <std::size_t... offset, class... Ts>
void mixed_apart_loop(std::index_sequence<offset...>, const std::byte* __restrict records, std::int64_t first, std::int64_t last,
                      Ts* __restrict... arrays) {
  constexpr auto record = static_cast<std::int64_t>((sizeof(Ts) + ...));
  for (std::int64_t i = first; i < last; ++i) (std::memcpy(arrays + i, records + i * record + offset, sizeof(Ts)), ...);
}

template <std::size_t... offset, class... Ts>
void mixed_together_loop(std::index_sequence<offset...>, std::byte* __restrict records, std::int64_t first, std::int64_t last,
                         const Ts* __restrict... arrays) {
  constexpr auto record = static_cast<std::int64_t>((sizeof(Ts) + ...));
  for (std::int64_t i = first; i < last; ++i) (std::memcpy(records + i * record + offset, arrays + i, sizeof(Ts)), ...);
}

template <class... Ts, std::size_t... k, std::size_t... offset>
RecordLoops mixed_loops(std::index_sequence<k...>, std::index_sequence<offset...>) {
  RecordLoops loops;
  loops.take_apart = [](const std::byte* records, std::byte* const* arrays, std::int64_t first, std::int64_t last) {
    mixed_apart_loop(std::index_sequence<offset...>(), records, first, last, reinterpret_cast<Ts*>(arrays[k])...);
  };
  loops.put_together = [](std::byte* records, const std::byte* const* arrays, std::int64_t first, std::int64_t last) {
    mixed_together_loop(std::index_sequence<offset...>(), records, first, last, reinterpret_cast<const Ts*>(arrays[k])...);
  };
  return loops;
}

// --- which there are -------------------------------------------------------------------------------------------------------

using Loops = std::map<std::vector<std::int64_t>, RecordLoops>;

template <class T, std::size_t... n>
void add_equal(std::index_sequence<n...>, Loops& loops) {
  ((loops[std::vector<std::int64_t>(n + 2, std::int64_t{sizeof(T)})] = equal_loops<T>(std::make_index_sequence<n + 2>())), ...);
}

Loops all_loops() {
  Loops loops;
  constexpr auto counts = std::make_index_sequence<8>();  // 2 … 9
  add_equal<std::uint8_t>(counts, loops);
  add_equal<std::uint16_t>(counts, loops);
  add_equal<std::uint32_t>(counts, loops);
  add_equal<std::uint64_t>(counts, loops);
  loops[{1, 1, 2, 4, 8}] = mixed_loops<std::uint8_t, std::uint8_t, std::uint16_t, float, double>(std::make_index_sequence<5>(),
                                                                                                 std::index_sequence<0, 1, 2, 4, 8>());
  loops[{4, 4, 8}] = mixed_loops<std::uint32_t, float, double>(std::make_index_sequence<3>(), std::index_sequence<0, 4, 8>());
  loops[{1, 4, 8}] = mixed_loops<std::uint8_t, float, double>(std::make_index_sequence<3>(), std::index_sequence<0, 1, 5>());
  return loops;
}

}  // namespace

/// 0 and the records of a part moved; 1 where no loop was compiled for fields of these bytes: 2 to 9 of 1, 2, 4 or 8, and 1+1+2+4+8, 4+4+8,
/// 1+4+8.
extern "C" int rival_loop(const std::int64_t* field_bytes, int n_fields, int takes_apart, void* records, void* const* arrays,
                          std::int64_t first, std::int64_t last) {
  static const Loops loops = all_loops();
  const auto found = loops.find({field_bytes, field_bytes + n_fields});
  if (found == loops.end()) return 1;
  if (takes_apart != 0)
    found->second.take_apart(static_cast<const std::byte*>(records), reinterpret_cast<std::byte* const*>(arrays), first, last);
  else found->second.put_together(static_cast<std::byte*>(records), reinterpret_cast<const std::byte* const*>(arrays), first, last);
  return 0;
}
