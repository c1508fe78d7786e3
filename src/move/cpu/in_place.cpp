// Exchanges, each cut into parts that touch disjoint pairs. A piece of one side goes into a buffer in L1, turned as it has to be, the other
// side into its place, and the buffer into the other's. Lines are read before they are written, so that ordinary stores cost nothing extra.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/in_place.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "move/cpu/in_place_tiles.hpp"
#include "move/cpu/parts.hpp"
#include "move/cpu/reversed.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t exchanged_turn = 4096;   // of each side, exchanged at once
constexpr std::int64_t reversed_turn = 1024;    // the same, with the next ones fetched: one side is gone through backwards
constexpr std::int64_t piece_bytes = 64 << 10;  // of a long row that are a piece of their own

using planning::Exchange;
using planning::Exchanged;

struct Stage {
  alignas(64) std::byte bytes[exchanged_turn];
};

class Exchanging {
 public:
  Exchanging(const Exchange& x, std::span<std::byte* const> buffers, const simd::Kernels& kernels)
      : x_(x), buffers_(buffers), k_(kernels) {}

  void run(std::int64_t part, std::int64_t n_parts) {
    if (x_.kind == Exchanged::tiles || x_.kind == Exchanged::squares) return exchange_tiles(x_, buffers_, k_, part, n_parts);
    const std::int64_t row_bytes = x_.n * x_.element;
    const std::int64_t n_pieces = x_.kind == Exchanged::panels ? 1 : ceil_divide(row_bytes, piece_bytes);
    ExchangeWalk walk(x_);
    const std::int64_t n = multiply(walk.size(), n_pieces);
    const std::int64_t first = cut(n, part, n_parts), last = cut(n, part + 1, n_parts);
    if (first == last) return;
    walk.seek(first / n_pieces);
    const bool is_fetched =
        x_.kind == Exchanged::runs && row_bytes >= 4 * cache_line && row_bytes <= exchanged_turn && walk.n_in_line() == 1;
    for (std::int64_t t = first; t < last;) {
      const Spot& spot = walk.spot();
      std::byte* dst = buffers_[static_cast<std::size_t>(spot.dst_slot)] + spot.dst;
      std::byte* src = buffers_[static_cast<std::size_t>(spot.src_slot)] + spot.src;
      if (is_fetched && t + 1 < last) {  // the next run of either side
        ExchangeWalk next = walk;
        next.skip(1);
        const std::byte* next_dst = buffers_[static_cast<std::size_t>(next.spot().dst_slot)] + next.spot().dst;
        const std::byte* next_src = buffers_[static_cast<std::size_t>(next.spot().src_slot)] + next.spot().src;
        for (std::int64_t b = 0; b < row_bytes; b += cache_line) fetch(next_dst, b), fetch(next_src, b);
      }
      if (n_pieces > 1) {
        piece(dst, src, t % n_pieces, n_pieces);
        if (++t % n_pieces == 0) walk.skip(1);
        continue;
      }
      const bool are_rows = x_.kind == Exchanged::runs || x_.kind == Exchanged::turned;
      const std::int64_t n_rows = are_rows ? std::min(last - t, walk.n_in_line()) : 1;
      switch (x_.kind) {
        case Exchanged::runs: runs(dst, src, n_rows, walk.line()); break;
        case Exchanged::turned: turned(dst, n_rows, walk.line().dst_stride); break;
        case Exchanged::reversed: reversed_rows(dst, src, 0, x_.n); break;
        case Exchanged::ordered:
          if (src < dst) runs(dst, src, 1, {});
          break;
        case Exchanged::panels: panel(dst); break;
        default: break;
      }
      t += n_rows;
      walk.skip(n_rows);
    }
  }

 private:
  static std::int64_t cut(std::int64_t n, std::int64_t p, std::int64_t of) { return n / of * p + n % of * p / of; }

  void piece(std::byte* dst, std::byte* src, std::int64_t p, std::int64_t n_pieces) {
    const std::int64_t item = x_.kind == Exchanged::reversed ? x_.element : std::max<std::int64_t>(1, x_.swapped);
    const std::int64_t n = x_.n * x_.element / item, each = ceil_divide(n, n_pieces);
    const std::int64_t from = std::min(n, p * each), to = std::min(n, from + each);
    if (x_.kind == Exchanged::reversed) return reversed_rows(dst, src, from, to);
    if (x_.kind == Exchanged::turned) return turn(dst + from * item, (to - from) * item);
    if (x_.kind == Exchanged::ordered && src >= dst) return;
    run(dst + from * item, src + from * item, (to - from) * item);
  }

  void runs(std::byte* dst, std::byte* src, std::int64_t n_rows, const Axis& step) {
    const std::int64_t bytes = x_.element, together = std::max<std::int64_t>(1, exchanged_turn / bytes);
    if (x_.swapped != 0 || together == 1) {
      for (std::int64_t r = 0; r < n_rows; ++r) run(dst + r * step.dst_stride, src + r * step.src_stride, bytes);
      return;
    }
    Stage kept;
    for (std::int64_t r = 0; r < n_rows; r += together) {
      const std::int64_t n = std::min(together, n_rows - r);
      std::byte *a = dst + r * step.dst_stride, *b = src + r * step.src_stride;
      k_.copy_rows(a, step.dst_stride, kept.bytes, bytes, n, bytes);
      k_.copy_rows(b, step.src_stride, a, step.dst_stride, n, bytes);
      k_.copy_rows(kept.bytes, bytes, b, step.src_stride, n, bytes);
    }
  }

  // One run with another.
  void run(std::byte* a, std::byte* b, std::int64_t bytes) {
    Stage kept;
    const std::int64_t item = std::max<std::int64_t>(1, x_.swapped), most = exchanged_turn / item * item;
    for (std::int64_t at = 0, n; at < bytes; at += n) {
      n = std::min(most, bytes - at);
      k_.copy(a + at, kept.bytes, n);
      put(b + at, a + at, n);
      put(kept.bytes, b + at, n);
    }
  }
  void put(const std::byte* in, std::byte* out, std::int64_t bytes) {
    x_.swapped == 0 ? k_.copy(in, out, bytes) : k_.swap_bytes(in, bytes, static_cast<int>(x_.swapped), out);
  }

  void turned(std::byte* at, std::int64_t n_rows, std::int64_t stride) {
    for (std::int64_t r = 0; r < n_rows; ++r) turn(at + r * stride, x_.element);
  }
  void turn(std::byte* row, std::int64_t bytes) {
    Stage kept;
    const std::int64_t most = exchanged_turn / x_.swapped * x_.swapped;
    for (std::int64_t at = 0, n; at < bytes; at += n) {
      n = std::min(most, bytes - at);
      k_.copy(row + at, kept.bytes, n);
      put(kept.bytes, row + at, n);
    }
  }

  // The address is made as a number: it may lie outside of every array, where this does nothing.
  static void fetch(const std::byte* p, std::int64_t distance) {
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(distance)), 1, 3);
  }

  // Elements [from, to) of a row: element i at dst + i·element, its other one at src − i·element.
  void reversed_rows(std::byte* dst, std::byte* src, std::int64_t from, std::int64_t to) {
    const std::int64_t e = x_.element, most = reversed_turn / e;
    Stage kept, other;
    for (std::int64_t i = from, n; i < to; i += n) {
      n = std::min(most, to - i);
      std::byte *a = dst + i * e, *b = src - (i + n - 1) * e;
      for (std::int64_t ahead = 0; ahead < n * e; ahead += cache_line) {
        fetch(a, n * e + ahead);
        fetch(b, ahead - n * e);
      }
      reversed(k_, a, n, e, kept.bytes);
      if (x_.swapped == 0) {
        reversed(k_, b, n, e, a);
        k_.copy(kept.bytes, b, n * e);
      } else {
        reversed(k_, b, n, e, other.bytes);
        put(other.bytes, a, n * e);
        put(kept.bytes, b, n * e);
      }
    }
  }

  void panel(std::byte* at) {
    alignas(64) std::byte moved[planning::most_panel_bytes];
    const std::byte* in = at;
    std::byte* out = moved;
    for (const planning::Schedule& schedule : x_.schedules) run_part({&schedule, {&in, 1}, {&out, 1}, &k_, false, 0, 0}, 0, 1);
    k_.copy(moved, at, x_.n);
  }

  const Exchange& x_;
  std::span<std::byte* const> buffers_;
  const simd::Kernels& k_;
};

}  // namespace

void run_in_place(const std::vector<Exchange>& exchanges, std::span<std::byte* const> buffers, Executor& executor,
                  const simd::Kernels& kernels, const CpuLimits& limits) {
  std::int64_t n_bytes = 0;
  for (const Exchange& x : exchanges) n_bytes += x.n_bytes;
  const bool is_parted = n_bytes >= limits.parted_bytes && executor.n_workers() > 1;
  const std::int64_t n_parts = is_parted ? parts_per_worker * executor.n_workers() : 1;
  const auto run = [&](std::int64_t part) {
    std::int64_t n_small = 0;
    for (const Exchange& x : exchanges) {
      if (x.n_bytes >= limits.parted_bytes || n_parts == 1) {
        Exchanging(x, buffers, kernels).run(part, n_parts);
      } else if (n_small++ % n_parts == part) {  // small ones are dealt out whole
        Exchanging(x, buffers, kernels).run(0, 1);
      }
    }
  };
  if (n_parts == 1) return run(0);
  executor.parallel_for(n_parts, std::ref(run));  // a reference fits into std::function, so that running allocates nothing
}

}  // namespace crinkle
