// SPDX-License-Identifier: BSD-3-Clause
#include "resampling/resample_ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/caret.hpp"
#include "base/decimals.hpp"
#include "command_line/options.hpp"
#include "crinkle/error.hpp"
#include "maps/crs.hpp"
#include "maps/ground.hpp"
#include "maps/sample_file.hpp"

namespace crinkle::tool {
namespace {

constexpr double most_cells = 0x1p31;  // of an axis, which GDAL counts in int

GroundMap like_another(const ResampleWords& words, const RasterFacts& raster, const std::string& path) {
  const Gdal& geographic = gdal(words.like, "say --size");
  const RasterFacts other = geographic.raster(words.like);
  if (!other.transform) grid_of(other, words.like);  // which says why not
  if (raster.crs.is_known() && other.crs.is_known() && !geographic.is_same(raster.crs, other.crs)) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{} is in {}, and --like {} in {}; maps are not brought from one system to another: gdalwarp -t_srs does that",
                            path, raster.crs.name, words.like, other.crs.name));
  }
  const Extents extents = {other.cells[1], other.cells[0]};
  return {map_between(*other.transform, *raster.transform), extents, *other.transform};
}

// x0, x1, y0, y1.
std::array<double, 4> box_of(const ResampleWords& words, const CellGrid& grid) {
  std::array<double, 4> box{};
  if (words.extent.empty()) {
    for (std::size_t a = 0; a < 2; ++a) {
      const double end = grid.corner[a] + static_cast<double>(grid.cells[a]) * grid.step[a];
      box[2 * a] = std::min(grid.corner[a], end);
      box[2 * a + 1] = std::max(grid.corner[a], end);
    }
    return box;
  }
  const std::vector<std::string> parts = split(words.extent);
  if (parts.size() != 4) refuse(fmt::format("--extent '{}' has {} numbers; it needs 4, X0,Y0,X1,Y1", shown(words.extent), parts.size()));
  for (std::size_t i = 0; i < 4; ++i) box[2 * (i % 2) + i / 2] = parse_real("--extent", parts[i]);
  for (std::size_t a = 0; a < 2; ++a)
    if (!(box[2 * a] < box[2 * a + 1]) || !std::isfinite(box[2 * a + 1] - box[2 * a]))
      refuse(fmt::format("--extent '{}' goes from {} to {} along {}; give the lower end first", shown(words.extent), box[2 * a],
                         box[2 * a + 1], "xy"[a]));
  return box;
}

}  // namespace

GroundMap ground_map(const ResampleWords& words, const RasterFacts& raster, const std::string& path, const Extents& sizes) {
  if (!raster.transform) grid_of(raster, path);
  if (!words.like.empty()) return like_another(words, raster, path);
  const CellGrid grid = grid_of(raster, path);
  if (words.cell && (!(*words.cell > 0) || !std::isfinite(*words.cell)))
    refuse(fmt::format("--cell {}: give a number above 0", *words.cell));
  const std::array<double, 4> box = box_of(words, grid);
  CellGrid cells;
  for (std::size_t a = 0; a < 2; ++a) {
    const double width = box[2 * a + 1] - box[2 * a];
    const double step = !sizes.empty() ? width / static_cast<double>(sizes[1 - a]) : words.cell.value_or(std::abs(grid.step[a]));
    const double ends = std::max(std::abs(box[2 * a]), std::abs(box[2 * a + 1]));
    const double n = std::max(1.0, std::round(decimals::settled(width / step, ends / step, decimals::to_halves)));
    if (!(n < most_cells))
      throw Error(ErrorCode::too_large, fmt::format("cells of {} make a map of {} along {}; give larger ones", step, n, "xy"[a]));
    cells.cells[a] = static_cast<std::int64_t>(n);
    cells.step[a] = std::copysign(step, grid.step[a]);
    cells.corner[a] = grid.step[a] > 0 ? box[2 * a] : box[2 * a + 1];
    if (words.extent.empty()) cells.corner[a] = grid.corner[a];
  }
  note_degrees(raster.crs, {}, 2, Raster{.step = {cells.step[0], cells.step[1], 1}, .extents = {cells.cells[0], cells.cells[1], 1}});
  const Geotransform transform = transform_of(cells);
  const Extents extents = {cells.cells[1], cells.cells[0]};
  return {map_between(transform, *raster.transform), extents, transform};
}

RasterFacts spread_over(const RasterFacts& other, std::int64_t rows, std::int64_t columns) {
  RasterFacts raster;
  raster.cells = {columns, rows};
  raster.crs = other.crs;
  if (!other.transform) return raster;
  const AffineMap map = zoom_map({other.cells[1], other.cells[0]}, {rows, columns});
  raster.transform = carried(*other.transform, map);
  return raster;
}

}  // namespace crinkle::tool
