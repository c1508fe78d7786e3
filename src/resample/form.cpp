// A resampling as plain numbers. Axes beside the resampled ones are near where their elements lie closer than those of the resampled axes,
// as channels do: one place then serves all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "base/decimals.hpp"
#include "resample/check.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

FormMap form_of_map(const Resampling& r) {
  FormMap form;
  form.n_in = static_cast<std::int32_t>(r.axes.size());
  form.n_out = static_cast<std::int32_t>(r.destination_axes.size());
  if (const auto* affine = std::get_if<AffineMap>(&r.map)) {
    for (std::size_t a = 0; a < at(form.n_in); ++a) {
      form.offset[a] = affine->offset[a];
      form.size[a] = std::max(std::abs(affine->offset[a]), affine->size[a]);
      std::copy(affine->matrix[a].begin(), affine->matrix[a].end(), form.matrix[a]);
    }
  }
  if (const auto* polar = std::get_if<PolarMap>(&r.map)) {
    form.kind = polar->direction == PolarMap::Direction::to_polar ? MapKind::to_polar : MapKind::from_polar;
    std::copy(polar->centre.begin(), polar->centre.end(), form.centre);
    form.first[0] = polar->first_angle;
    form.first[1] = polar->first_radius;
    form.step[0] = polar->angle_step;
    form.step[1] = polar->radius_step;
    const double turn = 2 * std::numbers::pi / std::abs(polar->angle_step);
    form.turn = decimals::settled(turn, turn);
    form.is_logarithmic = polar->is_logarithmic;
  }
  if (const auto* field = std::get_if<CoordinateField>(&r.map)) {
    form.kind = MapKind::field;
    form.is_float = field->type == Real::float32;
    form.field = static_cast<const std::byte*>(field->data.data) + field->layout.offset;
    form.field_stride = field->layout.strides[0];
    std::copy(field->layout.strides.begin() + 1, field->layout.strides.end(), form.field_strides);
  }
  return form;
}

Growing growing_of(const Resampling& r) {
  switch (r.by) {
    case ResampleBy::area: return Growing::area;
    case ResampleBy::mode: return Growing::mode;
    case ResampleBy::lanczos: return Growing::lanczos;
    case ResampleBy::cubic: return r.is_antialiased ? Growing::cubic : Growing::none;
    case ResampleBy::linear: return r.is_antialiased ? Growing::linear : Growing::none;
    default: return Growing::none;
  }
}

constexpr double keys[4][4] = {{0, -0.5, 1, -0.5}, {1, 0, -2.5, 1.5}, {0, 0.5, 2, -1.5}, {0, 0, -0.5, 0.5}};
constexpr double b_spline[4][4] = {{1.0 / 6, -0.5, 0.5, -1.0 / 6}, {2.0 / 3, 0, -1, 0.5}, {1.0 / 6, 0.5, 0.5, -0.5}, {0, 0, 0, 1.0 / 6}};

}  // namespace

Form form_of(const Resampling& r) {
  Form form;
  form.map = form_of_map(r);
  form.nodata = r.nodata;
  form.n_taps = r.by == ResampleBy::nearest ? 1 : r.by == ResampleBy::linear ? 2 : 4;
  form.growing = growing_of(r);
  for (int k = 0; k < 4; ++k) std::copy_n(r.by == ResampleBy::spline ? b_spline[k] : keys[k], 4, form.weights[k]);
  std::int64_t least_stride = INT64_MAX;
  for (std::size_t a = 0; a < r.axes.size(); ++a) {
    const std::size_t axis = at(r.axes[a]);
    const Faces& faces = r.boundary[a];
    form.in[at(slots) - r.axes.size() + a] = {r.source.extents[axis], r.source.strides[axis], 0, faces.low.bound, faces.high.bound,
                                              faces.low.value,        faces.high.value};
    if (r.source.extents[axis] > 1) least_stride = std::min(least_stride, std::abs(r.source.strides[axis]));
  }
  for (std::size_t b = 0; b < r.destination_axes.size(); ++b) {
    const std::size_t axis = at(r.destination_axes[b]);
    form.out[b] = {r.destination.extents[axis], 0, r.destination.strides[axis]};
  }
  const auto is_resampled = [](const std::vector<int>& axes, std::size_t a) {
    return std::find(axes.begin(), axes.end(), static_cast<int>(a)) != axes.end();
  };
  std::size_t b = 0;
  for (std::size_t a = 0; a < r.source.extents.size(); ++a) {
    if (is_resampled(r.axes, a)) continue;
    while (is_resampled(r.destination_axes, b)) ++b;
    const Loop loop{r.source.extents[a], r.source.strides[a], r.destination.strides[b++]};
    if (loop.extent == 1) continue;
    if (std::abs(loop.in) < least_stride && loop.in != 0) form.near[form.n_near++] = loop;
    else form.outer[form.n_outer++] = loop;
  }
  return form;
}

bool is_separable(const Form& form) {
  const FormMap& map = form.map;
  if (map.kind != MapKind::affine) return false;
  for (int a = 0; a < map.n_in; ++a) {
    for (int b = 0; b < map.n_out; ++b)
      if (a != b && map.matrix[a][b] != 0) return false;
    for (const std::int64_t i : {std::int64_t{0}, std::max<std::int64_t>(form.out[a].extent - 1, 0)}) {
      std::int64_t p[most_form_axes] = {};
      p[a] = i;
      if (!is_near(row_begin(map, a, p).at(index_of(map, map.n_out - 1, p[map.n_out - 1])))) return false;
    }
  }
  return true;
}

}  // namespace crinkle::resampling
