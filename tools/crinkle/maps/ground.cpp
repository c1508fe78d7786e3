// SPDX-License-Identifier: BSD-3-Clause
#include "maps/ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "crinkle/error.hpp"

namespace crinkle::tool {

std::string place_otherwise(const RasterFacts& raster) {
  if (raster.transform || (raster.n_control_points == 0 && !raster.has_polynomials)) return {};
  return fmt::format(
      "its place is said by {}, which are not used; gdalwarp makes a map of it",
      raster.n_control_points > 0 ? fmt::format("{} ground control points", raster.n_control_points) : "polynomials of a camera (RPC)");
}

CellGrid grid_of(const RasterFacts& raster, const std::string& path) {
  if (!raster.transform) {
    const std::string place = place_otherwise(raster);
    throw Error(ErrorCode::unsupported,
                path + ": " + (place.empty() ? "does not say where its cells lie (it has no geotransform)" : place));
  }
  const Geotransform& t = *raster.transform;
  if (is_turned_against_x(t))
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: its rows are turned against x (geotransform {} {} {} {}); warp it to one that goes along x and y first",
                            path, t[1], t[2], t[4], t[5]));
  return {.cells = raster.cells, .corner = {t[0], t[3]}, .step = {t[1], t[5]}};
}

bool is_turned_against_x(const Geotransform& t) { return t[2] != 0 || t[4] != 0; }

Geotransform transform_of(const CellGrid& grid) { return {grid.corner[0], grid.step[0], 0, grid.corner[1], 0, grid.step[1]}; }

// With centres at (column + ½, row + ½): p ↦ M_from⁻¹ (M_to (p + ½) + t_to − t_from) − ½.
AffineMap map_between(const Geotransform& to, const Geotransform& from) {
  const double area = from[1] * from[5] - from[2] * from[4];
  if (area == 0 || !std::isfinite(area))
    throw Error(ErrorCode::unsupported, fmt::format("cells of no area (geotransform {} {} {} {})", from[1], from[2], from[4], from[5]));
  const auto columns_of = [&](double x, double y) { return is_turned_against_x(from) ? (from[5] * x - from[2] * y) / area : x / from[1]; };
  const auto rows_of = [&](double x, double y) { return is_turned_against_x(from) ? (from[1] * y - from[4] * x) / area : y / from[5]; };
  AffineMap map;
  map.rank = 2;
  map.usual = Bound::edge;
  map.matrix[0] = {rows_of(to[2], to[5]), rows_of(to[1], to[4]), 0};
  map.matrix[1] = {columns_of(to[2], to[5]), columns_of(to[1], to[4]), 0};
  const double x = to[0] - from[0], y = to[3] - from[3];
  map.offset = {rows_of(x, y), columns_of(x, y), 0};
  for (std::size_t a = 0; a < 2; ++a) map.offset[a] += (map.matrix[a][0] + map.matrix[a][1]) / 2 - 0.5;
  const double far_x = std::max(std::abs(to[0]), std::abs(from[0])), far_y = std::max(std::abs(to[3]), std::abs(from[3]));
  map.size = {far_y / std::abs(from[5]), far_x / std::abs(from[1]), 0};
  if (is_turned_against_x(from))
    map.size = {(std::abs(from[1]) * far_y + std::abs(from[4]) * far_x) / std::abs(area),
                (std::abs(from[5]) * far_x + std::abs(from[2]) * far_y) / std::abs(area), 0};
  return map;
}

Geotransform carried(const Geotransform& raster, const AffineMap& map) {
  const auto& m = map.matrix;
  // The corner of the first cell, in rows and columns from the raster's own.
  const double row = map.offset[0] + 0.5 - (m[0][0] + m[0][1]) / 2, column = map.offset[1] + 0.5 - (m[1][0] + m[1][1]) / 2;
  const auto [x, along_x, down_x, y, along_y, down_y] = raster;
  return {x + along_x * column + down_x * row, along_x * m[1][1] + down_x * m[0][1], along_x * m[1][0] + down_x * m[0][0],
          y + along_y * column + down_y * row, along_y * m[1][1] + down_y * m[0][1], along_y * m[1][0] + down_y * m[0][0]};
}

}  // namespace crinkle::tool
