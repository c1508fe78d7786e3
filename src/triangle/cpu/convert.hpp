// The CPU's two ways through a piece share this: a piece is cut at its lines in the destination, into parts of about as many pairs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cpu/habits.hpp"
#include "cpu/kernels.hpp"
#include "tile/triangle_part.hpp"
#include "tile/triangle_parts.hpp"

namespace crinkle {

/// One conversion under way.
struct TriangleRun {
  const std::byte* src = nullptr;
  std::byte* dst = nullptr;
  std::int64_t src_bytes = 0;  // that may be read
  std::int64_t element = 1;    // bytes
  const simd::Kernels* kernels = nullptr;
  bool is_streaming = false;  // by non-temporal stores
  simd::Habits habits = {};

  const std::byte* from(std::int64_t place) const { return src + place * element; }
  std::byte* to(std::int64_t place) const { return dst + place * element; }
};

/// Lines of a destination, first ≤ line < last.
struct LineRange {
  std::int64_t first = 0, last = 0;
};

/// Part p of n_parts. Ensures: the parts of a piece are disjoint and all of it; no two differ by more pairs than a line has.
LineRange lines_of(const tile::PartByLines& lines, std::int64_t p, std::int64_t n_parts);

/// dst[to.place(i, j)] = src[from.place(i, j)] for all pairs of the piece in these lines. Requires lines along the same count.
void copy_lines(const TriangleRun& run, const TrianglePiece& piece, LineRange range);

/// The same where lines cross. `beside`, lines as the source's, gets each element off the diagonal, too, while the caches hold it.
void cross_lines(const TriangleRun& run, const TrianglePiece& piece, const std::optional<TriangleLines>& beside, LineRange range);

}  // namespace crinkle
