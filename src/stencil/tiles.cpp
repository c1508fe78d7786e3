// Of tiles that are made plane by plane: what of the source a tile sees at once stays in a second cache, or, where tiles would be little
// more than their halo, in the last one: of every axis as many cells as let it, times the places from which the axes before it are seen.
// Tiles are walked along the first axis, where they share what they see; so it is cut, for threads, wherever that copies no plane twice.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/tiles.hpp"

#include <algorithm>
#include <vector>

#include "base/checked.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t longest_line = 4096, longest_alone = 256;  // elements, with axes before the last two and without
constexpr std::int64_t most_plane_points = 4096;
constexpr std::int64_t window_bytes = 384 << 10;  // what of the source stays in a cache from row to row
constexpr double second_cache = 384 << 10, last_cache = 6 << 20, most_copies = 16 << 20;  // bytes
constexpr std::int64_t wanted_tiles = 64, most_planes_in_place = 5;

// From how many places along the axes before each the cells behind it are seen.
std::vector<std::int64_t> places_before(const Stage& stage, std::size_t n) {
  std::vector<std::vector<std::int64_t>> points;
  for (std::int64_t k = 0; k < stage.n_points(); ++k) {
    const auto its = stage.offsets.begin() + k * static_cast<std::int64_t>(n);
    points.emplace_back(its, its + static_cast<std::int64_t>(n));
  }
  std::sort(points.begin(), points.end());
  std::vector<std::int64_t> counts(n, 1);
  for (std::size_t k = 1; k < points.size(); ++k) {
    const auto differ = std::mismatch(points[k].begin(), points[k].end(), points[k - 1].begin()).first - points[k].begin();
    for (auto a = static_cast<std::size_t>(differ) + 1; a < n; ++a) ++counts[a];
  }
  return counts;
}

// How far apart along each axis are planes that have to be copied.
AxisNumbers reach_of_copies(const Stage& stage, std::size_t n) {
  const bool are_near_copied = copies_near_planes(stage, n);
  AxisNumbers low = {}, high = {};
  for (std::size_t k = 0; k < stage.coefficients.size(); ++k) {
    const std::int64_t* const o = &stage.offsets[k * n];
    if (o[n - 1] == 0 && o[n - 2] == 0 && !(are_near_copied && is_near(o, n))) continue;
    for (std::size_t a = 0; a + 2 < n; ++a) {
      low[a] = std::min(low[a], o[a]);
      high[a] = std::max(high[a], o[a]);
    }
  }
  for (std::size_t a = 0; a < n; ++a) high[a] -= low[a];
  return high;
}

}  // namespace

AxisNumbers shape_of_direct_tile(const SweepShape& shape, const Stage& stage, std::int64_t element_bytes) {
  const std::size_t n = shape.axes.size();
  AxisNumbers tile;
  tile.fill(1);
  double window = static_cast<double>(element_bytes * shape.width);
  for (std::size_t a = 0; a < n; ++a) window *= static_cast<double>(stage.below[a] + stage.above[a] + 1);
  for (std::size_t a = n; a-- > 0;) {
    const auto reach = static_cast<double>(stage.below[a] + stage.above[a]);
    const double room = std::max(1.0, window_bytes / (window / (reach + 1)) - reach);
    const bool is_slowest = a == 0 || (stage.below[a - 1] == 0 && stage.above[a - 1] == 0 && a == 1);
    tile[a] = std::min(shape.axes[a].extent, static_cast<std::int64_t>(room));
    if (is_slowest) tile[a] = std::max<std::int64_t>(tile[a], std::min<std::int64_t>(shape.axes[a].extent, 256));
    window = window / (reach + 1) * (static_cast<double>(std::max<std::int64_t>(tile[a], 1)) + reach);  // also of an empty array
  }
  return tile;
}

bool copies_near_planes(const Stage& stage, std::size_t n) {
  bool is_any_copied = false;
  for (std::size_t k = 0; k < stage.coefficients.size(); ++k)
    is_any_copied = is_any_copied || stage.offsets[k * n + n - 1] != 0 || stage.offsets[k * n + n - 2] != 0;
  return is_any_copied && n > 2 && stage.below[n - 3] + stage.above[n - 3] >= most_planes_in_place;
}

Region Tiles::tile(std::int64_t t, std::size_t n_axes) const {
  Region result;
  const auto take = [&](std::size_t a) {
    const std::int64_t i = t % counts[a];
    t /= counts[a];
    result.low[a] = region.low[a] + i * shape[a];
    result.high[a] = std::min(region.high[a], result.low[a] + shape[a]);
  };
  const std::size_t first = first_axis_is_fastest ? 1 : 0;
  if (first > 0) take(0);
  for (std::size_t a = n_axes; a-- > first;) take(a);
  return result;
}

std::int64_t Region::n_cells(std::size_t n_axes) const {
  std::int64_t n = 1;
  for (std::size_t a = 0; a < n_axes; ++a) n = multiply(n, high[a] - low[a]);
  return n;
}

std::optional<AxisNumbers> shape_of_planes(const SweepShape& shape, const Region& region, const Stage& stage, std::int64_t element_bytes) {
  const std::size_t n = shape.axes.size(), line = n - 1;
  if (n < 2 || stage.n_points() > most_plane_points || region.n_cells(n) == 0) return std::nullopt;
  const auto extent = [&](std::size_t a) { return region.high[a] - region.low[a]; };
  const auto reach = [&](std::size_t a) { return stage.below[a] + stage.above[a]; };
  if (multiply(extent(line), shape.width) > (n > 2 ? longest_line : longest_alone)) return std::nullopt;
  const std::vector<std::int64_t> before = places_before(stage, n);
  const AxisNumbers copied = reach_of_copies(stage, n);
  AxisNumbers tile = {};
  tile[line] = extent(line);
  const double row_bytes = static_cast<double>(element_bytes * shape.width) * static_cast<double>(extent(line) + reach(line));
  double bytes = row_bytes, copies = row_bytes;
  std::int64_t n_tiles = 1;
  for (std::size_t a = line; a-- > 1;) {
    const auto room = [&](double cache) { return cache / (static_cast<double>(before[a]) * bytes) - static_cast<double>(reach(a)); };
    double most = room(second_cache);
    if (most <= static_cast<double>(std::max<std::int64_t>(reach(a), 1))) most = room(last_cache);
    tile[a] = std::max({std::int64_t{1}, reach(a), static_cast<std::int64_t>(std::min(most, static_cast<double>(extent(a))))});
    const std::int64_t count = ceil_divide(extent(a), std::min(tile[a], extent(a)));
    tile[a] = ceil_divide(extent(a), count);
    n_tiles = multiply(n_tiles, count);
    bytes *= static_cast<double>(tile[a] + reach(a));
    copies *= static_cast<double>(tile[a] + (a + 1 == line ? reach(a) : copied[a]));
  }
  const std::int64_t again = 8 * (line == 1 ? reach(0) : copied[0]);
  tile[0] = std::clamp<std::int64_t>(ceil_divide(multiply(extent(0), n_tiles), wanted_tiles),
                                     std::min(extent(0), std::max<std::int64_t>(again, 1)), extent(0));
  copies *= static_cast<double>(line == 1 ? tile[0] + reach(0) : copied[0] + 1);
  if (copies > most_copies) return std::nullopt;
  return tile;
}

}  // namespace crinkle
