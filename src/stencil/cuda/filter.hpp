// What a kernel of filters is told when it runs (filter.cuh): plain values, the same for host and device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/stencil_boundary.hpp"

namespace crinkle {

inline constexpr int most_filter_outer = 16;

/// Extents in elements of the line, cells of the others; strides in bytes.
struct FilterAxis {
  std::int64_t extent = 1, in = 0, out = 0;
};
/// What lies beyond an axis, where that is a number.
struct FilterFaces {
  double low = 0, high = 0;
};

/// A list of weights over an array, or two behind each other. A block makes `strip` rows of a tile of the line, one after the other.
struct FilterTask {
  FilterAxis line, rows, outer[most_filter_outer];  // rows follow each other along the axis that blocks march along
  FilterFaces of_rows, of_line;
  std::int64_t strip = 1, n_tiles = 1, n_strips = 1;
  std::int32_t n_outer = 0;
  bool is_aligned_in = true, is_aligned_out = true;  // vectors begin at multiples of their size
};

}  // namespace crinkle
