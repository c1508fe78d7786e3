// The C interface: a maker for every request. Words are those of the command.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "c/shared.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"
#include "crinkle/triangle.hpp"

namespace crinkle::c {
namespace {

std::vector<std::int64_t> list_of(const std::int64_t* numbers, int n, const char* name) {
  if (n < 0) throw Error(ErrorCode::bad_shape, std::to_string(n) + " " + name);
  if (n > 0) given(numbers, name);
  return {numbers, numbers + n};
}

/// One of several words, whose values count from 0 on; the first where it is left out.
template <class Value>
Value value_of(const char* text, const char* name, std::initializer_list<const char*> words) {
  return text == nullptr ? Value{} : static_cast<Value>(number_of(text, {words.begin(), words.size()}, name));
}
/// The value of a text as the library reads it.
template <class Value>
Value value_of(const char* text, Value (*parse)(std::string_view), Value left_out = {}) {
  return text == nullptr ? left_out : parse(text);
}

FftReal real_of(const char* text) { return value_of<FftReal>(text, "real", {"float32", "float64", "float16"}); }

std::vector<int> axes_of(const std::int64_t* numbers, int n, std::size_t rank) {
  std::vector<int> axes;
  for (const std::int64_t axis : list_of(numbers, n, "axes")) {
    if (axis < -static_cast<std::int64_t>(rank) || axis >= static_cast<std::int64_t>(rank))
      throw Error(ErrorCode::bad_shape, "axis " + std::to_string(axis) + " of an array of " + std::to_string(rank) + " axes");
    axes.push_back(static_cast<int>(axis));
  }
  return axes;
}

std::vector<Faces> faces_of(const char* const* words, int n) {
  std::vector<Faces> faces;
  for (int a = 0; words != nullptr && a < n; ++a) {
    const Face face = parse_face(text_of(words[a], "boundary"));
    faces.emplace_back(face, face);
  }
  return faces;
}

/// The members that a sweep and a resampling have in common.
template <class Request, class Given>
Request arrays_of(const Given& of) {
  Request r;
  r.source = layout_of(&of.source, "source");
  r.destination = layout_of(&of.destination, "destination");
  r.source_type = {parse_number(text_of(of.source_type, "source_type"))};
  r.destination_type = {parse_number(text_of(of.destination_type, "destination_type"))};
  r.axes = axes_of(of.axes, of.n_axes, r.source.extents.size());
  r.boundary = faces_of(of.boundary, of.n_axes);
  return r;
}

}  // namespace
}  // namespace crinkle::c

using namespace crinkle;
using namespace crinkle::c;

extern "C" {

crinkle_status crinkle_make_fft(const crinkle_fft* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_fft& of = given(request, "request");
    FftRequest r{.in = layout_of(&of.in, "in"), .out = layout_of(&of.out, "out"), .axes = list_of(of.axes, of.n_axes, "axes")};
    r.kind = value_of(of.kind, parse_fft_kind);
    r.direction = of.is_inverse != 0 ? FftDirection::inverse : FftDirection::forward;
    r.norm = value_of(of.norm, parse_fft_norm);
    r.real = real_of(of.real);
    if (of.sizes != nullptr) r.sizes = list_of(of.sizes, of.n_axes, "sizes");
    r.shift = value_of<FftShift>(of.shift, "shift", {"none", "input", "output", "both"});
    return plan(r, on);
  });
}

crinkle_status crinkle_make_convolve(const crinkle_convolve* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_convolve& of = given(request, "request");
    ConvolveRequest r{.a = layout_of(&of.a, "a"), .b = layout_of(&of.b, "b"), .out = layout_of(&of.out, "out")};
    r.mode = value_of(of.mode, parse_convolve_mode);
    r.real = real_of(of.real);
    r.axes = list_of(of.axes, of.n_axes, "axes");
    r.is_correlation = of.is_correlation != 0;
    return plan(r, on);
  });
}

crinkle_status crinkle_make_stencil(const crinkle_stencil* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_stencil& of = given(request, "request");
    auto sweep = arrays_of<Sweep>(of);
    StencilAxes axes{.numbers = sweep.axes};
    const std::string names = "tzyx";
    for (std::size_t a = 0; a < sweep.axes.size(); ++a)
      axes.names.push_back(sweep.axes.size() <= names.size() ? names.substr(names.size() - sweep.axes.size() + a, 1)
                                                             : "a" + std::to_string(a));
    for (int& axis : axes.numbers) axis += axis < 0 ? static_cast<int>(sweep.source.extents.size()) : 0;
    sweep.stencil = parse_stencil(text_of(of.stencil, "stencil"), axes);
    sweep.steps = of.steps == 0 ? 1 : of.steps;
    return plan(sweep, on);
  });
}

crinkle_status crinkle_make_resample(const crinkle_resample* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_resample& of = given(request, "request");
    auto r = arrays_of<Resampling>(of);
    const std::size_t rank = r.source.extents.size();
    if (of.n_axes < 1 || of.n_axes > 3) throw Error(ErrorCode::bad_shape, std::to_string(of.n_axes) + " axes are resampled; give 1 to 3");
    if (r.destination.extents.size() != rank)
      throw Error(ErrorCode::bad_shape, "from " + std::to_string(rank) + " axes to " + std::to_string(r.destination.extents.size()));
    if (of.matrix == nullptr && of.offset == nullptr) {
      Extents from, to;
      for (const int axis : r.axes) {
        const auto a = static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(rank) : axis);
        from.push_back(r.source.extents[a]);
        to.push_back(r.destination.extents[a]);
      }
      r.map = zoom_map(from, to);
    } else {
      AffineMap map{.rank = of.n_axes};
      for (int a = 0; a < of.n_axes; ++a) {
        const auto i = static_cast<std::size_t>(a);
        for (int b = 0; b < of.n_axes; ++b) {
          const auto j = static_cast<std::size_t>(b);
          map.matrix[i][j] = of.matrix == nullptr ? (a == b ? 1 : 0) : of.matrix[a * of.n_axes + b];
        }
        map.offset[i] = of.offset == nullptr ? 0 : of.offset[a];
      }
      r.map = map;
    }
    r.by = value_of(of.by, parse_resample_by, ResampleBy::linear);
    r.nodata = of.nodata;
    r.is_antialiased = of.antialias != 0;
    return plan(r, on);
  });
}

crinkle_status crinkle_make_distances(const crinkle_distances* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_distances& of = given(request, "request");
    const auto type = value_of<Real>(of.type, "type", {"float32", "float64"});
    const Metric metric = value_of(of.metric, parse_metric);
    if (of.m == 0) return plan(DistanceRequest{of.n, of.n_features, type, metric, value_of(of.form, parse_pair_form)}, on);
    if (of.form != nullptr) throw Error(ErrorCode::bad_notation, "form is of pairs of one set of points; m asks for two sets");
    return plan(CrossDistanceRequest{.n = of.n, .m = of.m, .n_features = of.n_features, .type = type, .metric = metric}, on);
  });
}

crinkle_status crinkle_make_triangle(const char* from, const char* to, int64_t n, int64_t element_bytes, int device, int n_threads,
                                     crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    return plan(TriangleRequest{TriangleLayout::parse(text_of(from, "from"), n, element_bytes),
                                TriangleLayout::parse(text_of(to, "to"), n, element_bytes)},
                on);
  });
}

}  // extern "C"
