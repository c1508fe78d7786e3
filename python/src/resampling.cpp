// Resampling: which map the words of ck.resample() say, and its run.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/resample.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "computed.hpp"
#include "crinkle/sweeper.hpp"
#include "kept_calls.hpp"

namespace crinkle {

// For the key of a request, whose map is none of coordinates that are given.
inline void add_to_key(detail::RequestKey& key, const CoordinateMap& map) {
  detail::add_to_key(key, map.index());
  if (const auto* affine = std::get_if<AffineMap>(&map)) detail::add_to_key(key, *affine);
  if (const auto* polar = std::get_if<PolarMap>(&map)) detail::add_to_key(key, *polar);
}

}  // namespace crinkle

namespace crinkle::python {
namespace {

using Numbers = std::optional<std::vector<double>>;
using Shape = std::optional<std::vector<std::int64_t>>;

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, "resample: " + text); }

/// A map and the shape that it makes of the resampled axes.
struct Request {
  CoordinateMap map;
  std::vector<std::int64_t> shape;

  Request(const std::vector<std::int64_t>& source, const Shape& wanted, const Numbers& zoom, const std::string& keep,
          const std::optional<double>& rotate, const std::vector<double>& affine, const std::optional<std::string>& polar,
          bool is_logarithmic, const Numbers& centre, const std::optional<double>& radius, const Shape& field) {
    const int n = (zoom ? 1 : 0) + (rotate ? 1 : 0) + (affine.empty() ? 0 : 1) + (polar ? 1 : 0) + (field ? 1 : 0);
    if (n > 1 || (n == 0 && !wanted)) refuse("give one of shape, zoom, rotate, matrix, polar and coordinates");
    if (wanted && (zoom || field)) refuse("shape is what zoom and coordinates already say");
    if (keep != "edges" && keep != "centres") refuse("keep is 'edges' or 'centres', not '" + keep + "'");
    if (field) {
      map = CoordinateField();
      shape = *field;
    } else if (rotate) {
      shape = wanted ? *wanted : rotated_extents(*rotate, source);
      map = rotation_map(*rotate, source, shape);
    } else if (!affine.empty()) {
      shape = wanted ? *wanted : source;
      map = affine_of(source.size(), affine);
    } else if (polar) {
      set_polar(source, wanted, *polar, is_logarithmic ? PolarScale::logarithmic : PolarScale::linear, centre, radius);
    } else {
      shape = wanted ? *wanted : zoomed(source, *zoom);
      map = zoom_map(source, shape, keep == "centres" ? ZoomKeeps::centres : ZoomKeeps::edges);
    }
    if (!field && shape.size() != source.size())
      refuse("a shape of " + std::to_string(shape.size()) + " axes for " + std::to_string(source.size()));
  }

 private:
  static std::int64_t extent_of(double n) {
    if (!(n < 0x1p52)) throw Error(ErrorCode::too_large, "resample: an axis of " + std::to_string(n) + " elements");
    return std::max<std::int64_t>(1, std::llrint(n));
  }
  static std::vector<std::int64_t> zoomed(const std::vector<std::int64_t>& source, const std::vector<double>& factors) {
    std::vector<std::int64_t> result;
    for (std::size_t a = 0; a < source.size(); ++a) {
      if (!(factors[a] > 0)) refuse("zoom by " + std::to_string(factors[a]) + "; give numbers above 0");
      result.push_back(extent_of(static_cast<double>(source[a]) * factors[a]));
    }
    return result;
  }
  static AffineMap affine_of(std::size_t n, const std::vector<double>& numbers) {
    AffineMap map;
    map.rank = static_cast<int>(n);
    if (n > 3) refuse("a matrix of " + std::to_string(n) + " axes; name 1 to 3 of them in axes");
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) map.matrix[a][b] = numbers[a * n + b];
      map.offset[a] = numbers[n * n + a];
    }
    return map;
  }
  void set_polar(const std::vector<std::int64_t>& source, const Shape& wanted, const std::string& direction, PolarScale scale,
                 const Numbers& centre, std::optional<double> radius) {
    if (direction != "to" && direction != "from") refuse("polar is 'to' or 'from', not '" + direction + "'");
    if (source.size() != 2) refuse("polar coordinates are of 2 axes; name them in axes");
    if (centre && centre->size() != 2) refuse("centre is two numbers");
    const bool is_to = direction == "to";
    if (!is_to && !radius) {
      if (scale == PolarScale::logarithmic) refuse("polar='from' with log=True needs the radius that the array was made with");
      radius = static_cast<double>(source[1]);
    }
    if (!is_to) {
      const std::int64_t all = 2 * extent_of(std::ceil(*radius)) + 1;
      shape = wanted ? *wanted : std::vector<std::int64_t>{all, all};
    }
    const std::vector<std::int64_t>& plane = is_to ? source : shape;
    if (plane.size() != 2) refuse("a shape of 2 axes");
    const std::array<double, 2> middle = {static_cast<double>(plane[0] - 1) / 2, static_cast<double>(plane[1] - 1) / 2};
    const std::array<double, 2> about = centre ? std::array<double, 2>{(*centre)[0], (*centre)[1]} : middle;
    if (is_to) {
      if (!radius) radius = std::max(farthest_corner(source, about), 1.5);  // of one element it is 0
      shape = wanted ? *wanted : std::vector<std::int64_t>{360, extent_of(std::ceil(*radius))};
    }
    map = polar_map(is_to ? PolarMap::Direction::to_polar : PolarMap::Direction::from_polar, is_to ? shape : source, about, *radius, scale);
  }
};

// The result's shape, and which of its axes are the resampled ones: where theirs were, or from the first of them on.
std::pair<std::vector<std::int64_t>, std::vector<int>> resampled_shape(std::vector<std::int64_t> shape, std::vector<int> axes,
                                                                       const std::vector<std::int64_t>& resampled) {
  const auto rank = static_cast<int>(shape.size());
  for (int& axis : axes) axis = axis < 0 ? axis + rank : axis;
  if (axes.size() == resampled.size()) {
    for (std::size_t a = 0; a < axes.size(); ++a) shape.at(static_cast<std::size_t>(axes[a])) = resampled[a];
    return {shape, axes};
  }
  std::vector<std::int64_t> result;
  std::vector<int> places;
  const int first = axes.empty() ? 0 : *std::min_element(axes.begin(), axes.end());
  for (int a = 0; a < rank; ++a) {
    for (std::size_t b = 0; a == first && b < resampled.size(); ++b) {
      places.push_back(static_cast<int>(result.size()));
      result.push_back(resampled[b]);
    }
    if (std::find(axes.begin(), axes.end(), a) == axes.end()) result.push_back(shape[static_cast<std::size_t>(a)]);
  }
  return {result, places};
}

// A call that was made before; None where it is not kept.
nb::object resample_again(nb::handle x, nb::handle out, nb::handle words) {
  return Call(crinkle::detail::kind_of_key<Resampling>(), x, out, words).again();
}

// `words`: of the call, by which it is kept, its output being new or not; None: it is not. Returns skipping_scale().
double resample_arrays(const Request& request, nb::handle in, nb::handle out, nb::handle coordinates, const std::vector<int>& axes,
                       const std::vector<int>& destination_axes, const std::string& by,
                       const std::vector<std::pair<std::string, std::string>>& boundary, const std::pair<std::string, bool>& from,
                       const std::pair<std::string, bool>& to, double nodata, bool is_antialiased, nb::handle words, bool is_new) {
  const View source = view_of(in), destination = output_view(out);
  if (destination.device != source.device) refuse("the array and its output lie on different devices; bring them together first");
  Resampling r{
      request.map, source.layout(), destination.layout(), {parse_number(from.first), from.second}, {parse_number(to.first), to.second}};
  r.axes = axes;
  r.destination_axes = destination_axes;
  r.by = parse_resample_by(by);
  for (const auto& [low, high] : boundary) r.boundary.emplace_back(parse_face(low), parse_face(high));
  r.nodata = nodata;
  r.is_antialiased = is_antialiased;
  if (!coordinates.is_none()) {
    const View field = view_of(coordinates);
    if (field.device != source.device) refuse("the array and its coordinates lie on different devices; bring them together first");
    r.map = CoordinateField{field.layout(), field.element_bytes == 4 ? Real::float32 : Real::float64, field.source()};
    run_new_request(r, in, source, {source.source()}, {destination.destination()}, coordinates);
    return 0;
  }
  const Operation operation = kept_operation(r, source);
  const ConstBuffer read = source.source();
  const Buffer made = destination.destination();
  run_or_plan(operation, in, source, {&read, 1}, {&made, 1});
  const double scale = skipping_scale(r);
  // Of other types numbers are looked at before they are computed with.
  const bool is_said_by_words =
      r.source_type == r.destination_type && r.source_type.number != Number::int64 && r.source_type.number != Number::uint64;
  if (is_said_by_words)
    Call(crinkle::detail::kind_of_key<Resampling>(), in, is_new ? nb::none() : nb::borrow(out), words).keep(operation, scale);
  return scale;
}

}  // namespace

void bind_resampling(nb::module_& module) {
  nb::class_<Request>(module, "Resampling")
      .def(nb::init<const std::vector<std::int64_t>&, const Shape&, const Numbers&, const std::string&, const std::optional<double>&,
                    const std::vector<double>&, const std::optional<std::string>&, bool, const Numbers&, const std::optional<double>&,
                    const Shape&>(),
           nb::arg("source"), nb::arg("shape").none(), nb::arg("zoom").none(), nb::arg("keep"), nb::arg("rotate").none(), nb::arg("affine"),
           nb::arg("polar").none(), nb::arg("log"), nb::arg("centre").none(), nb::arg("radius").none(), nb::arg("field").none())
      .def_ro("shape", &Request::shape);
  module.def("resampled_shape", &resampled_shape);
  module.def("resample_again", &resample_again, nb::arg("x").none(), nb::arg("out").none(), nb::arg("words").none());
  module.def("resample", &resample_arrays, nb::arg("request"), nb::arg("x"), nb::arg("out"), nb::arg("coordinates").none(), nb::arg("axes"),
             nb::arg("destination_axes"), nb::arg("by"), nb::arg("boundary"), nb::arg("source"), nb::arg("destination"), nb::arg("nodata"),
             nb::arg("antialias"), nb::arg("words").none(), nb::arg("is_new"));
}

}  // namespace crinkle::python
