// SPDX-License-Identifier: BSD-3-Clause
#include "resample/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "crinkle/error.hpp"
#include "form/array_check.hpp"
#include "form/check.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

NumberType number_type(Real real) { return {real == Real::float32 ? Number::float32 : Number::float64}; }

std::int64_t rank_of(const CoordinateMap& map) {
  if (const auto* affine = std::get_if<AffineMap>(&map)) return affine->rank;
  if (const auto* field = std::get_if<CoordinateField>(&map)) return field->layout.extents.empty() ? 0 : field->layout.extents[0];
  return 2;
}

void check_map(const CoordinateMap& map) {
  const std::int64_t rank = rank_of(map);
  if (const auto* field = std::get_if<CoordinateField>(&map)) {
    if (field->layout.extents.size() < 2)
      refuse(fmt::format("coordinates of shape {}; their first extent is the number of coordinates, and the result's axes follow",
                         print_shape(field->layout.extents)));
    check_array(field->layout, number_type(field->type), "array of coordinates");
  }
  if (rank < 1 || rank > slots) refuse(fmt::format("{} coordinates an element; arrays are resampled along 1 to 3 axes", rank));
  bool is_finite = true;
  if (const auto* affine = std::get_if<AffineMap>(&map)) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
      is_finite = is_finite && std::isfinite(affine->offset[a]) && std::isfinite(affine->size[a]);
      for (std::size_t b = 0; b < static_cast<std::size_t>(rank); ++b) is_finite = is_finite && std::isfinite(affine->matrix[a][b]);
    }
  }
  if (const auto* polar = std::get_if<PolarMap>(&map)) {
    for (const double x :
         {polar->centre[0], polar->centre[1], polar->first_angle, polar->angle_step, polar->first_radius, polar->radius_step})
      is_finite = is_finite && std::isfinite(x);
    if (polar->angle_step == 0 || polar->radius_step == 0) refuse("a polar map with a step of 0; steps of angle and radius are not 0");
  }
  if (!is_finite) refuse("a map with a number that is not finite; give finite ones");
}

// Counted from 0. `whose`: "source".
void check_axes(std::vector<int>& axes, std::size_t n, const Extents& extents, const char* whose) {
  const auto rank = static_cast<int>(extents.size());
  if (axes.size() != n) refuse(fmt::format("{} axes of the {} for a map of {}; name one for each", axes.size(), whose, n));
  for (int& axis : axes) {
    const int named = axis;
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) refuse(fmt::format("axis {} of the {} of {} axes; give {} to {}", named, whose, rank, -rank, rank - 1));
    if (std::count(axes.begin(), axes.end(), axis) > 1) refuse(fmt::format("axis {} of the {} is named twice", named, whose));
  }
}

std::vector<std::size_t> axes_beside(const std::vector<int>& axes, std::size_t rank) {
  std::vector<std::size_t> beside;
  for (std::size_t a = 0; a < rank; ++a)
    if (std::find(axes.begin(), axes.end(), static_cast<int>(a)) == axes.end()) beside.push_back(a);
  return beside;
}

void check_extents(const Resampling& r) {
  const Extents &in = r.source.extents, &out = r.destination.extents;
  if (in.size() > most_form_axes || out.size() > most_form_axes)
    throw Error(ErrorCode::unsupported,
                fmt::format("arrays of {} and {} axes are not resampled; join axes to at most {}", in.size(), out.size(), most_form_axes));
  Extents beside_in, beside_out;
  for (const std::size_t a : axes_beside(r.axes, in.size())) beside_in.push_back(in[a]);
  for (const std::size_t a : axes_beside(r.destination_axes, out.size())) beside_out.push_back(out[a]);
  if (beside_in != beside_out)
    refuse(fmt::format("beside the resampled axes the source is {}, the destination {}; those axes are the same", print_shape(beside_in),
                       print_shape(beside_out)));
  if (const auto* field = std::get_if<CoordinateField>(&r.map)) {
    Extents resampled;
    for (const int a : r.destination_axes) resampled.push_back(out[static_cast<std::size_t>(a)]);
    const Extents of_field(field->layout.extents.begin() + 1, field->layout.extents.end());
    if (of_field != resampled)
      refuse(fmt::format("coordinates for {} and a result of {} along its resampled axes; give one for each element", print_shape(of_field),
                         print_shape(resampled)));
  }
  for (const int a : r.axes) {
    const std::int64_t n = in[static_cast<std::size_t>(a)];
    if (n == 0 && r.destination.n_elements() > 0) refuse(fmt::format("axis {} of the source is empty: there is nothing to interpolate", a));
    if (static_cast<double>(n) >= 0x1p52) throw Error(ErrorCode::too_large, fmt::format("an axis of {} elements to interpolate along", n));
  }
}

void check_faces(std::vector<Faces>& boundary, std::size_t n) {
  if (boundary.size() == 1) boundary.resize(n, boundary[0]);
  if (boundary.size() != n)
    refuse(fmt::format("boundaries of {} axes for a map of {}; give one an axis, or one for all", boundary.size(), n));
  for (const Faces& faces : boundary) {
    if (faces.low.bound == Bound::function || faces.high.bound == Bound::function)
      refuse("a boundary that is a function, which only stencils have; give periodic, edge, reflect, symmetric or constant");
    if ((faces.low.bound == Bound::periodic) != (faces.high.bound == Bound::periodic))
      refuse("an axis that is periodic at one end alone; periodic joins both ends");
  }
}

// Beyond an edge nothing counts; others than periodic faces have no meaning here.
void set_growing_faces(Resampling& r, std::size_t n) {
  if (r.is_antialiased && (r.by == ResampleBy::nearest || r.by == ResampleBy::spline))
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} has no kernel that is antialiased; linear and cubic have, and area, mode and lanczos grow with the scale of "
                    "themselves",
                    name_of(r.by)));
  for (const Faces& faces : r.boundary)
    for (const Face& face : {faces.low, faces.high})
      if (face.bound != Bound::periodic && face.bound != Bound::edge)
        refuse(fmt::format(
            "a boundary that continues the array, for {}{}: what lies beyond an edge does not count there; leave it out, or give "
            "edge or periodic",
            r.is_antialiased ? "antialiased " : "", name_of(r.by)));
  if (r.boundary.empty()) r.boundary.assign(n, Faces(Bound::edge));
}

}  // namespace

bool is_growing(const Resampling& r) { return r.is_antialiased || r.by > ResampleBy::spline; }

Resampling checked(Resampling r) {
  check_array(r.source, r.source_type, "source");
  check_array(r.destination, r.destination_type, "destination");
  check_map(r.map);
  const auto n_in = static_cast<std::size_t>(rank_of(r.map));
  const auto* field = std::get_if<CoordinateField>(&r.map);
  const std::size_t n_out = field != nullptr ? field->layout.extents.size() - 1 : n_in;
  check_axes(r.axes, n_in, r.source.extents, "source");
  if (r.destination_axes.empty()) r.destination_axes = r.axes;
  check_axes(r.destination_axes, n_out, r.destination.extents, "destination");
  check_extents(r);
  if (is_growing(r)) set_growing_faces(r, n_in);
  if (r.boundary.empty()) r.boundary = usual_boundary(r);
  check_faces(r.boundary, n_in);
  check_no_overlap(r.destination);
  return r;
}

bool is_float32(const Resampling& r) {
  const auto is_short = [](Number n) { return n == Number::float32 || n == Number::float16 || bytes_of(n) < 4; };
  return is_short(r.source_type.number) && is_short(r.destination_type.number);
}

void check_growing(const Resampling& r, const Form& form) {
  if (form.growing == Growing::none) return;
  const std::string what = std::string(r.is_antialiased ? "antialiased " : "") + name_of(r.by);
  if (!is_separable(form))
    throw Error(ErrorCode::unsupported,
                fmt::format("{} of a map whose axes do not scale one by one; shrink by a zoom first, and turn or warp the result", what));
  constexpr double most_turns = 8;
  for (int a = 0; a < form.map.n_in; ++a) {
    const FormAxis& axis = form.in[slots - form.map.n_in + a];
    const double scale = std::abs(form.map.matrix[a][a]), n = static_cast<double>(axis.extent);
    if (scale == 0) refuse(fmt::format("{} of a map with a scale of 0, which covers nothing", what));
    if (!(scale < 0x1p52)) refuse(fmt::format("{} of a map with a scale of {}; give one below 2^52", what, scale));
    if (axis.low == Bound::periodic && scale > most_turns * n)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{} with a scale of {} on a periodic axis of {}, which goes round it more than {} times", what, scale,
                              axis.extent, most_turns));
  }
}

Fingerprint fingerprint_of(const Resampling& r, bool is_on_host) {
  Fingerprint all;
  all.of(r.map.index(), r.source, r.destination, r.source_type, r.destination_type, r.axes, r.destination_axes, r.by, r.is_antialiased,
         r.boundary, r.nodata);
  if (const auto* affine = std::get_if<AffineMap>(&r.map)) {
    all.of(affine->rank, affine->usual).bytes(&affine->matrix, sizeof affine->matrix);
    all.bytes(&affine->offset, sizeof affine->offset).bytes(&affine->size, sizeof affine->size);
  } else if (const auto* polar = std::get_if<PolarMap>(&r.map)) {
    all.of(polar->direction, polar->first_angle, polar->angle_step, polar->first_radius, polar->radius_step, polar->is_logarithmic);
    all.bytes(&polar->centre, sizeof polar->centre);
  } else {
    const auto& field = std::get<CoordinateField>(r.map);
    all.of(field.layout.extents, field.type);
    const auto* const data = static_cast<const std::byte*>(field.data.data);
    if (is_on_host)
      for_each_index(field.layout.extents, [&](const Extents& index) {
        std::int64_t at = field.layout.offset;
        for (std::size_t a = 0; a < index.size(); ++a) at += index[a] * field.layout.strides[a];
        all.bytes(data + at, field.layout.element_bytes);
      });
  }
  return all;
}

}  // namespace crinkle::resampling
