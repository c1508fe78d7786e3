// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/fused.hpp"

#include <algorithm>

namespace crinkle {
namespace {

constexpr std::int64_t most_fused_points = 512;                                  // down the rows
constexpr std::int64_t seen_bytes = 384 << 10;                                   // of the source, by one row: a second cache
constexpr std::int64_t least_fused_row = 1 << 10, longest_fused_row = 16 << 10;  // bytes of a tile's
constexpr std::int64_t least_fused_rows = 64, times_reach = 8, times_aside = 4;  // of a tile; so that little is read or made twice

bool reaches_only(const SweepShape& shape, const Stage& stage, std::size_t axis) {
  for (std::size_t a = 0; a < shape.axes.size(); ++a)
    if (a != axis && (stage.below[a] != 0 || stage.above[a] != 0)) return false;
  return true;
}

}  // namespace

bool are_fused(const SweepShape& shape, const Stage& down, const Stage& across) {
  const std::size_t n = shape.axes.size();
  if (n < 2 || !reaches_only(shape, down, n - 2) || !reaches_only(shape, across, n - 1) || across.n_points() == 0) return false;
  if (down.n_points() == 0 || down.n_points() > most_fused_points) return false;
  for (std::size_t k = 1; k < down.coefficients.size(); ++k)
    if (down.offsets[k * n + n - 2] != down.offsets[(k - 1) * n + n - 2] + 1) return false;
  return true;
}

AxisNumbers shape_of_fused_tile(const SweepShape& shape, const Stage& down, const Stage& across, std::int64_t element_bytes) {
  const std::size_t line = shape.axes.size() - 1;
  const std::int64_t cell = element_bytes * shape.width, row = std::clamp(seen_bytes / down.n_points(), least_fused_row, longest_fused_row);
  AxisNumbers tile;
  tile.fill(1);
  tile[line] = std::max<std::int64_t>({1, row / cell, times_aside * (across.below[line] + across.above[line])});
  tile[line - 1] = std::max(least_fused_rows, times_reach * (down.below[line - 1] + down.above[line - 1]));
  return tile;
}

}  // namespace crinkle
