// SPDX-License-Identifier: BSD-3-Clause
#include "resampling/needed_cells.hpp"

#include <algorithm>
#include <cmath>

namespace crinkle::tool {
namespace {

bool stays_at_its_end(Bound bound) { return bound == Bound::edge || bound == Bound::constant; }

}  // namespace

CellBox needed_cells(const Resampling& r, const Extents& out, const Extents& in) {
  CellBox box{{0, 0}, {in[0], in[1]}};
  const auto* const affine = std::get_if<AffineMap>(&r.map);
  if (affine == nullptr || affine->rank != 2 || out.size() != 2 || r.by == ResampleBy::spline) return box;
  const bool is_growing = r.is_antialiased || r.by > ResampleBy::spline;
  for (std::size_t a = 0; a < 2; ++a) {
    double low = affine->offset[a], high = low;
    for (std::size_t b = 0; b < 2; ++b) {
      const double way = affine->matrix[a][b] * static_cast<double>(std::max<std::int64_t>(0, out[b] - 1));
      low += std::min(0.0, way);
      high += std::max(0.0, way);
    }
    const double reach = is_growing ? 3 * std::max(1.0, std::abs(affine->matrix[a][a])) : 2;  // what lanczos reads, or cubic
    const double beside = std::ceil(reach) + 1;                                               // and one for rounding
    low = std::floor(low) - beside;
    high = std::ceil(high) + beside;
    const auto last = static_cast<double>(in[a] - 1);
    const Faces faces = r.boundary.empty() ? Faces(Bound::edge) : r.boundary[r.boundary.size() == 1 ? 0 : a];
    const bool is_inside = (low >= 0 || stays_at_its_end(faces.low.bound)) && (high <= last || stays_at_its_end(faces.high.bound));
    if (!std::isfinite(low) || !std::isfinite(high) || !is_inside) continue;
    box.first[a] = static_cast<std::int64_t>(std::clamp(low, 0.0, last));
    box.extents[a] = static_cast<std::int64_t>(std::clamp(high, 0.0, last)) - box.first[a] + 1;
  }
  return box;
}

CoordinateMap within(CoordinateMap map, const CellBox& box) {
  auto* const affine = std::get_if<AffineMap>(&map);
  for (std::size_t a = 0; a < 2 && affine != nullptr; ++a) {
    const auto way = static_cast<double>(box.first[a]);
    affine->size[a] =
        std::max(affine->size[a], way == 0 ? 0 : std::max(way, std::abs(affine->offset[a])));  // it was computed from such numbers
    affine->offset[a] -= way;
  }
  return map;
}

}  // namespace crinkle::tool
