// A piece of a conversion between triangles' layouts (tile/triangle_parts.hpp) as the tiles of a GPU have it, and what they reckon with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/triangle_blocks.hpp"

namespace crinkle::tile {

/// A piece of a conversion in one device's memory. An element is some units, to which all addresses are aligned. Offsets are bytes from the
/// source's and the destination's first.
struct TriangleMove {
  TrianglePart part;
  TriangleLines from, to;
  std::int64_t element = 1;  // bytes
  std::int32_t unit = 1;
  std::int32_t src_phase = 0, dst_phase = 0;  // the addresses modulo 128
  std::int64_t src_bytes = 0;                 // that may be read
};

constexpr std::int64_t ceil_quotient(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
/// The highest power of two that is at most n, n ≥ 1.
constexpr std::int64_t power_at_most(std::int64_t n) {
  std::int64_t power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}
/// How many of an element are a multiple of `bytes`, a power of two.
constexpr std::int64_t elements_in(std::int64_t bytes, std::int64_t element) {
  std::int64_t n = bytes;
  while (n > 1 && element % 2 == 0) {
    element /= 2;
    n /= 2;
  }
  return n;
}

/// A window of a line of the destination, side · element bytes long, as bytes: it is at dst, `late` bytes before what it would begin with
/// if it did not begin at a multiple of `align` bytes of memory; bytes begin to end − 1 of it are the line's.
struct LineWindow {
  std::int64_t dst = 0, late = 0, begin = 0, end = 0;
};
CRINKLE_HD constexpr LineWindow line_window(const TriangleMove& move, const TriangleBlocks& blocks, std::int64_t line, std::int64_t window,
                                            std::int64_t align) {
  const std::int64_t e = move.element, at = (move.to.start(line) + blocks.origin) * e, size = blocks.side * e;
  LineWindow w;
  w.late = (at + move.dst_phase) & (align - 1);
  w.dst = at - w.late + window * size;
  w.begin = at + (blocks.lines.begin(line) - blocks.origin) * e - w.dst;
  w.end = at + (blocks.lines.end(line) - blocks.origin) * e - w.dst;
  w.begin = w.begin < 0 ? 0 : w.begin;
  w.end = w.end < size ? w.end : size;
  return w;
}

}  // namespace crinkle::tile
