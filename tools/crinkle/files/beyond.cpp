// SPDX-License-Identifier: BSD-3-Clause
#include "files/beyond.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/checked.hpp"
#include "base/number_element.hpp"
#include "base/number_lines.hpp"
#include "files/arrays.hpp"

namespace crinkle::tool {
namespace {

enum class NotFinite : std::uint8_t { infinite, either };

bool is_of_floats(const ElementType& type) { return type.name.starts_with("float") || type.name.starts_with("complex"); }

template <class Bits>
bool is_one(Bits bits, NotFinite wanted) {
  constexpr auto exponent = static_cast<Bits>(sizeof(Bits) == 2 ? 0x7C00 : sizeof(Bits) == 4 ? 0x7F800000 : 0x7FF0000000000000);
  const Bits size = static_cast<Bits>(bits & static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1));
  return wanted == NotFinite::infinite ? size == exponent : size >= exponent;
}

template <class Bits>
Bits swapped(Bits bits) {
  Bits other = 0;
  for (std::size_t b = 0; b < sizeof(Bits); ++b) other = static_cast<Bits>(other << 8 | (bits >> (8 * b) & 0xFF));
  return other;
}

template <class Bits>
std::int64_t count_of(std::span<const std::byte> numbers, bool is_swapped, NotFinite wanted, Executor& executor) {
  constexpr std::int64_t part = 1 << 18, bytes = sizeof(Bits);
  const std::int64_t n = std::ssize(numbers) / bytes;
  std::atomic<std::int64_t> n_found = 0;
  executor.parallel_for(ceil_divide(n, part), [&](std::int64_t chunk) {
    std::int64_t n_here = 0;
    for (std::int64_t i = chunk * part; i < std::min(n, (chunk + 1) * part); ++i) {
      Bits bits;
      std::memcpy(&bits, numbers.data() + i * bytes, sizeof bits);
      n_here += is_one(is_swapped ? swapped(bits) : bits, wanted) ? 1 : 0;
    }
    n_found += n_here;
  });
  return n_found;
}

std::int64_t count_of(std::span<const std::byte> numbers, const ElementType& type, NotFinite wanted, Executor& executor) {
  if (!is_of_floats(type) || !type.has_parts || type.parts.empty()) return 0;
  const bool is_swapped = type.parts[0].order != '|' && type.parts[0].order != native_order;
  switch (type.parts[0].item_bytes) {
    case 2: return count_of<std::uint16_t>(numbers, is_swapped, wanted, executor);
    case 4: return count_of<std::uint32_t>(numbers, is_swapped, wanted, executor);
    case 8: return count_of<std::uint64_t>(numbers, is_swapped, wanted, executor);
    default: return 0;  // long double, which no output has that is computed
  }
}

// All elements, in pieces that lie in one piece each.
template <class Use>
void each_piece(const Source& source, Use&& use) {
  const ArrayFacts& facts = source.facts();
  Layout from_data = facts.layout;
  from_data.offset = 0;
  if (from_data.is_dense())
    return use(source.bytes().subspan(static_cast<std::size_t>(facts.layout.offset), static_cast<std::size_t>(from_data.n_bytes())));
  for_each_element(facts.layout, [&](std::int64_t, std::int64_t at) {
    use(source.bytes().subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(facts.type.bytes)));
  });
}

std::int64_t count_of(const Source& source, NotFinite wanted, Executor& executor) {
  const ElementType& type = source.facts().type;
  std::int64_t n = 0;
  if (is_of_floats(type)) each_piece(source, [&](std::span<const std::byte> piece) { n += count_of(piece, type, wanted, executor); });
  return n;
}

// The least and the greatest number of a type; of floats they are infinite.
std::array<double, 2> range_of(Number number) {
  std::array<double, 2> range = {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  with_element(number, [&](auto e) {
    using E = decltype(e);
    if constexpr (std::is_integral_v<E>)
      range = {static_cast<double>(std::numeric_limits<E>::min()), static_cast<double>(std::numeric_limits<E>::max())};
  });
  return range;
}

struct Lost {
  std::int64_t n_nan = 0, n_beyond = 0;

  template <class T>
  void add(std::span<const T> numbers, double least, double greatest) {
    for (const T number : numbers) {
      const auto wide = static_cast<double>(number);
      n_nan += std::isnan(wide) ? 1 : 0;
      n_beyond += wide < least - 0.5 || wide > greatest + 0.5 ? 1 : 0;  // halves are rounded to even
    }
  }
};

// add(begin, end, lost) for parts of n numbers.
template <class Add>
Lost lost_of(std::int64_t n, Executor& executor, const Add& add) {
  constexpr std::int64_t part = 1 << 14;
  std::atomic<std::int64_t> n_nan = 0, n_beyond = 0;
  executor.parallel_for(ceil_divide(n, part), [&](std::int64_t chunk) {
    Lost lost;
    add(chunk * part, std::min(n, (chunk + 1) * part), lost);
    n_nan += lost.n_nan;
    n_beyond += lost.n_beyond;
  });
  return {n_nan, n_beyond};
}

void note_saturated(const std::string& path, std::int64_t n, const ElementType& type) {
  if (n > 0) fmt::print(stderr, "crinkle: note: {}: {} numbers are beyond {}, and become its least or greatest\n", path, n, type.name);
}

}  // namespace

std::int64_t count_infinite(std::span<const std::byte> numbers, const ElementType& type, Executor& executor) {
  return count_of(numbers, type, NotFinite::infinite, executor);
}

std::int64_t count_not_finite(std::span<const std::byte> numbers, const ElementType& type, Executor& executor) {
  return count_of(numbers, type, NotFinite::either, executor);
}
std::int64_t count_not_finite(const Source& source, Executor& executor) { return count_of(source, NotFinite::either, executor); }

bool has_infinite(const Source& source, Executor& executor) { return count_of(source, NotFinite::infinite, executor) > 0; }

bool is_beyond_float64(const std::byte* number, NumberType type) {
  if (type.number != Number::int64 && type.number != Number::uint64) return false;
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  std::uint64_t bits = 0;
  std::memcpy(&bits, number, sizeof bits);
  if (type.is_swapped) bits = swapped(bits);
  return (type.number == Number::int64 && bits >> 63 != 0 ? 0 - bits : bits) > most;
}

bool has_beyond_float64(std::span<const std::byte> numbers, const ElementType& type, Executor& executor) {
  if (type.name != "int64" && type.name != "uint64") return false;
  constexpr std::int64_t part = 1 << 18, bytes = 8;
  const NumberType its{type.name == "int64" ? Number::int64 : Number::uint64, type.descr.starts_with('>')};
  const std::int64_t n = std::ssize(numbers) / bytes;
  std::atomic<bool> is_there = false;
  executor.parallel_for(ceil_divide(n, part), [&](std::int64_t chunk) {
    bool is_here = false;
    for (std::int64_t i = chunk * part; i < std::min(n, (chunk + 1) * part); ++i)
      is_here = is_here || is_beyond_float64(numbers.data() + i * bytes, its);
    if (is_here) is_there = true;
  });
  return is_there;
}

bool has_beyond_float64(const Source& source, Executor& executor) {
  const ArrayFacts& facts = source.facts();
  if (facts.type.name != "int64" && facts.type.name != "uint64") return false;
  bool is_there = false;
  each_piece(source, [&](std::span<const std::byte> piece) { is_there = is_there || has_beyond_float64(piece, facts.type, executor); });
  return is_there;
}

std::string beyond_float64(const std::string& type, const std::string& becomes) {
  return fmt::format("there are numbers of {} beyond 2^53, which are rounded to {}", type, becomes);
}

void check_constants(const std::vector<Faces>& boundary, const ElementType& type, const std::string& path) {
  if (is_of_floats(type)) return;
  const std::array<double, 2> range = range_of(number_written(type, path).number);
  for (const Faces& faces : boundary)
    for (const Face& face : {faces.low, faces.high})
      if (face.bound == Bound::constant && !(face.value >= range[0] && face.value <= range[1]))
        throw Error(ErrorCode::bad_notation,
                    fmt::format("--boundary {}: {} is of {}, which goes from {:.0f} to {:.0f}; --dtype float32 goes beyond", print(face),
                                path, type.name, range[0], range[1]));
}

void note_beyond(const std::string& output, std::span<const std::byte> numbers, const ElementType& type,
                 const std::function<bool()>& were_infinite, const std::string& instead, Executor& executor) {
  const std::int64_t n = count_infinite(numbers, type, executor);
  if (n == 0 || were_infinite()) return;
  fmt::print(stderr, "crinkle: note: {}: {} numbers are beyond {}, and infinite{}\n", output, n, type.name,
             instead.empty() ? "" : "; " + instead);
}

void note_made_integers(const Source& source, const ElementType& type, Executor& executor) {
  const ArrayFacts& facts = source.facts();
  if (is_of_floats(type) || facts.type.name == type.name || facts.type.name == "bool") return;
  const NumberType from = number_read(facts.type, facts.path);
  const std::array<double, 2> range = range_of(number_written(type, facts.path).number), all = range_of(from.number);
  if (range[0] <= all[0] && range[1] >= all[1]) return;
  Layout from_data = facts.layout;
  from_data.offset = 0;
  Lost lost;
  if (from_data.is_dense()) {
    lost = lost_of(facts.layout.n_elements(), executor, [&](std::int64_t begin, std::int64_t end, Lost& here) {
      std::vector<double> numbers(static_cast<std::size_t>(end - begin));
      const std::byte* const at = source.bytes().data() + facts.layout.offset + begin * facts.type.bytes;
      load_line(numbers.data(), 1, at, facts.type.bytes, end - begin, from);
      here.add(std::span<const double>(numbers), range[0], range[1]);
    });
  } else {
    for_each_element(facts.layout, [&](std::int64_t, std::int64_t at) {
      double number = 0;
      load_line(&number, 1, source.bytes().data() + at, 0, 1, from);
      lost.add(std::span<const double>(&number, 1), range[0], range[1]);
    });
  }
  if (lost.n_nan > 0)
    fmt::print(stderr, "crinkle: note: {}: {} numbers are NaN, which {} has none of: where they count there is 0\n", facts.path, lost.n_nan,
               type.name);
  note_saturated(facts.path, lost.n_beyond, type);
}

template <class T>
void note_made_integers(const std::string& path, std::span<const T> numbers, const ElementType& type, Executor& executor) {
  if (is_of_floats(type)) return;
  const std::array<double, 2> range = range_of(number_written(type, path).number);
  const Lost lost = lost_of(std::ssize(numbers), executor, [&](std::int64_t begin, std::int64_t end, Lost& here) {
    here.add(numbers.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), range[0], range[1]);
  });
  note_saturated(path, lost.n_beyond, type);
}
template void note_made_integers(const std::string&, std::span<const float>, const ElementType&, Executor&);
template void note_made_integers(const std::string&, std::span<const double>, const ElementType&, Executor&);

}  // namespace crinkle::tool
