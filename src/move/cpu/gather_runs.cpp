// Fetches what will be read or written at a table's place long before: random places then wait for memory together, not one after the
// other. Destinations that follow each other leave by whole lines, past the caches.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/gather_runs.hpp"
#include "base/sizes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace crinkle {
namespace {

using simd::Kernels, simd::LineWriter;

constexpr std::int64_t ahead = 192;            // entries
constexpr std::int64_t ahead_bytes = 8 << 10;  // of longer runs
constexpr std::int64_t most_staged = 128;      // bytes
constexpr std::int64_t least_streamed = 192;   // bytes

// The places of the entries of one side: evenly apart, or in a table of narrow or wide offsets.
template <class Byte>
struct Even {
  static constexpr bool is_table = false;
  Byte* at;
  std::int64_t step, first;
  Byte* operator()(std::int64_t j) const { return at + (j - first) * step; }
};
template <class Byte>
struct Narrow {
  static constexpr bool is_table = true;
  Byte* at;
  const std::uint32_t* offsets;
  int shift;
  Byte* operator()(std::int64_t j) const { return at + (static_cast<std::int64_t>(offsets[j]) << shift); }
};
template <class Byte>
struct Wide {
  static constexpr bool is_table = true;
  Byte* at;
  const std::int64_t* offsets;
  Byte* operator()(std::int64_t j) const { return at + offsets[j]; }
};

// Beside entry j, entry j + entries is sent for, that far from it.
struct Fetch {
  std::int64_t entries;
  Distance from;
};

// By value: what is written could otherwise be taken for the places themselves, which are then read again for every entry.
template <std::int64_t bytes, class From, class To>
void copy_each(EntryRange r, const From from, const To to, const Fetch fetch) {
  constexpr bool may_straddle = !simd::is_unit(bytes);
#pragma GCC unroll 4  // random places are quicker so (docs/tuning.md)
  for (std::int64_t j = r.first; j < r.last; ++j) {
    if constexpr (From::is_table) {
      const std::byte* const next = from(j + fetch.entries) + fetch.from.src;
      __builtin_prefetch(next);
      if constexpr (may_straddle) __builtin_prefetch(next + bytes - 1);
    }
    if constexpr (To::is_table) {
      std::byte* const next = to(j + fetch.entries) + fetch.from.dst;
      __builtin_prefetch(next, 1);
      if constexpr (may_straddle) __builtin_prefetch(next + bytes - 1, 1);
    }
    std::memcpy(to(j), from(j), bytes);
  }
}

template <class From, class To>
void copy_each(EntryRange r, const From& from, const To& to, const Fetch& fetch, std::int64_t bytes, const Kernels& kernels) {
  switch (bytes) {
    case 1: return copy_each<1>(r, from, to, fetch);
    case 2: return copy_each<2>(r, from, to, fetch);
    case 4: return copy_each<4>(r, from, to, fetch);
    case 8: return copy_each<8>(r, from, to, fetch);
    case 12: return copy_each<12>(r, from, to, fetch);
    case 16: return copy_each<16>(r, from, to, fetch);
    case 32: return copy_each<32>(r, from, to, fetch);
    case 64: return copy_each<64>(r, from, to, fetch);
    default: break;
  }
  for (std::int64_t j = r.first; j < r.last; ++j) {
    for (std::int64_t at = 0; at < bytes + cache_line - 1; at += cache_line) {
      const std::int64_t i = std::min(at, bytes - 1);
      if constexpr (From::is_table) __builtin_prefetch(from(j + fetch.entries) + fetch.from.src + i);
      if constexpr (To::is_table) __builtin_prefetch(to(j + fetch.entries) + fetch.from.dst + i, 1);
    }
    kernels.copy(from(j), to(j), bytes);
  }
}

// Calls body(range, fetch) first for the entries that have others after them, then for the last ones.
template <class Body>
void with_fetch(EntryRange all, Distance to_next, const Body& body) {
  const std::int64_t n = all.last - all.first, n_before = std::max(n - ahead, std::int64_t{0});
  if (n_before > 0) body(EntryRange{all.first, all.last - ahead}, Fetch{ahead, {}});
  body(EntryRange{all.first + n_before, all.last}, Fetch{-n_before, to_next});
}

// Short runs.
template <class From, class To>
void copy_short(EntryRange all, const From& from, const To& to, Distance to_next, std::int64_t bytes, const Kernels& kernels) {
  with_fetch(all, to_next, [&](EntryRange r, const Fetch& fetch) { copy_each(r, from, to, fetch, bytes, kernels); });
}

// The bytes of long runs in the order in which they will be read, sent for.
template <class Side, int is_written>
class Ahead {
 public:
  Ahead(const Side& side, EntryRange entries, std::int64_t bytes) : side_(&side), entries_(entries), bytes_(bytes) {}
  void fetch(std::int64_t n) {
    while (n > 0 && entries_.first < entries_.last) {
      const std::int64_t some = std::min(n, bytes_ - at_);
      const auto* const p = (*side_)(entries_.first) + at_;
      for (std::int64_t i = 0; i < some; i += cache_line) __builtin_prefetch(p + i, is_written);
      n -= some;
      at_ += some;
      if (at_ < bytes_) return;
      __builtin_prefetch(p + some - 1, is_written);
      at_ = 0;
      ++entries_.first;
    }
  }

 private:
  const Side* side_;
  EntryRange entries_;
  std::int64_t bytes_, at_ = 0;
};

// Short runs that follow each other in the destination.
template <class From>
void pack_short(EntryRange all, const From& from, Distance to_next, std::int64_t bytes, const Kernels& kernels, LineWriter& writer) {
  const std::int64_t most = LineWriter::capacity / bytes;
  with_fetch(all, to_next, [&](EntryRange r, const Fetch& fetch) {
    for (EntryRange some{r.first, 0}; some.first < r.last; some.first = some.last) {
      some.last = std::min(some.first + most, r.last);
      copy_each(some, from, Even<std::byte>{writer.room(), bytes, some.first}, fetch, bytes, kernels);
      writer.wrote((some.last - some.first) * bytes);
      writer.flush();
    }
  });
}

constexpr std::int64_t turn = 1024;  // bytes copied between two fetches

template <class From, class To>
void copy_long(EntryRange all, const From& from, const To& to, std::int64_t bytes, const Kernels& kernels, bool is_streaming,
               LineWriter& writer) {
  Ahead<From, 0> reads(from, all, bytes);
  Ahead<To, 1> writes(to, all, bytes);
  const bool is_written_early = To::is_table && !is_streaming;
  reads.fetch(ahead_bytes);
  for (std::int64_t j = all.first; j < all.last; ++j) {
    if (is_streaming) writer.go_to(to(j));
    for (std::int64_t at = 0; at < bytes; at += turn) {
      const std::int64_t some = std::min(turn, bytes - at);
      reads.fetch(some);
      if (is_streaming) {
        writer.copy(from(j) + at, some);
      } else {
        if (is_written_early) writes.fetch(some);
        kernels.copy(from(j) + at, to(j) + at, some);
      }
    }
  }
}

template <class From, class To>
void copy_any(EntryRange all, const From& from, const To& to, Distance to_next, std::int64_t bytes, const Kernels& kernels,
              bool is_streaming, LineWriter& writer) {
  if (bytes >= least_streamed) return copy_long(all, from, to, bytes, kernels, is_streaming, writer);
  if constexpr (!To::is_table) {
    if (is_streaming && to.step == bytes) {
      writer.go_to(to(all.first));
      if (bytes <= most_staged) return pack_short(all, from, to_next, bytes, kernels, writer);
      return copy_long(all, from, to, bytes, kernels, true, writer);
    }
  }
  copy_short(all, from, to, to_next, bytes, kernels);
}

template <class Byte>
Even<Byte> even(const EntryOffsets& offsets, Byte* at) {
  return {at + offsets.first, offsets.step, 0};
}
template <class Byte>
Narrow<Byte> narrow(const EntryOffsets& offsets, Byte* at) {
  return {at + offsets.first, offsets.narrow.data(), offsets.shift};
}
template <class Byte>
Wide<Byte> wide(const EntryOffsets& offsets, Byte* at) {
  return {at, offsets.wide.data()};
}

}  // namespace

void copy_runs(const EntryTable& table, EntryRange entries, const std::byte* src, std::byte* dst, Distance to_next, std::int64_t bytes,
               const Kernels& kernels, bool is_streaming, LineWriter& writer) {
  using Kind = EntryOffsets::Kind;
  const EntryOffsets &from = table.src, &to = table.dst;
  const auto copy = [&](const auto& f, const auto& t) { copy_any(entries, f, t, to_next, bytes, kernels, is_streaming, writer); };
  if (from.kind == Kind::even && to.kind == Kind::even) return copy(even(from, src), even(to, dst));
  if (from.kind == Kind::narrow && to.kind == Kind::even) return copy(narrow(from, src), even(to, dst));
  if (from.kind == Kind::wide && to.kind == Kind::even) return copy(wide(from, src), even(to, dst));
  if (from.kind == Kind::even && to.kind == Kind::narrow) return copy(even(from, src), narrow(to, dst));
  if (from.kind == Kind::even && to.kind == Kind::wide) return copy(even(from, src), wide(to, dst));
  if (from.kind == Kind::narrow && to.kind == Kind::narrow) return copy(narrow(from, src), narrow(to, dst));
  copy(wide(from, src), wide(to, dst));
}

}  // namespace crinkle
