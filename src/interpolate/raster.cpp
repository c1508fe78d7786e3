// Rasters that cover an extent: as many cells as bin() puts samples in.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "interpolate/bin_cells.hpp"

namespace crinkle {

std::int64_t Raster::n_cells() const {
  std::int64_t n = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0) throw Error(ErrorCode::bad_shape, fmt::format("a raster of {} × {} × {} cells", extents[0], extents[1], extents[2]));
    n = multiply(n, extent);
  }
  return n;
}

namespace {

// Cells that cover [low, high], from its lower end upwards or from its upper end down: those that bin() puts samples in.
enum class Way : std::uint8_t { up, down };
std::int64_t cells_along(double low, double high, double cell, char axis, Way way = Way::up) {
  constexpr double most = 0x1p53;
  if (!(std::isfinite(low) && std::isfinite(high) && low < high))
    throw Error(ErrorCode::bad_shape,
                fmt::format("an extent from {} to {} along {}; the first is to be less, and both finite", low, high, axis));
  if (!(cell > 0 && std::isfinite(cell))) throw Error(ErrorCode::bad_shape, fmt::format("a cell of {}; it is above 0", cell));
  const double n = (high - low) / cell;
  if (!(n < most))
    throw Error(ErrorCode::too_large, fmt::format("{} to {} along {} in cells of {} are {} cells", low, high, axis, cell, n));
  const double edges =
      way == Way::up ? interpolation::edges_before(high, low + cell / 2, cell) : interpolation::edges_before(low, high - cell / 2, -cell);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(edges)));
}

// Throws where 64 bits do not count the cells.
Raster countable(const Raster& raster) {
  const auto [nx, ny, nz] = raster.extents;
  try {
    raster.n_cells();
  } catch (const Error& e) {
    throw Error(e.code(), fmt::format("{} × {}{} cells of {} are more than fit 64 bits; take larger ones", nx, ny,
                                      nz == 1 ? "" : fmt::format(" × {}", nz), raster.step[0]));
  }
  return raster;
}

}  // namespace

Raster raster_over(double x0, double y0, double x1, double y1, double cell) {
  return countable({.first = {x0 + cell / 2, y1 - cell / 2, 0},
                    .step = {cell, -cell, 1},
                    .extents = {cells_along(x0, x1, cell, 'x'), cells_along(y0, y1, cell, 'y', Way::down), 1}});
}

Raster raster_over(double x0, double y0, double z0, double x1, double y1, double z1, double cell) {
  Raster raster = raster_over(x0, y0, x1, y1, cell);
  raster.extents[2] = cells_along(z0, z1, cell, 'z');
  raster.first[2] = z0 + cell / 2;
  raster.step[2] = cell;
  return countable(raster);
}

}  // namespace crinkle
