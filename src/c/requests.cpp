// The C interface: a maker for every request. Words are those of the command.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <vector>

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

/// One of several words, the first where it is left out.
template <class Value>
struct Word {
  const char* text;
  Value value;
};
template <class Value>
Value value_of(const char* text, const char* name, std::initializer_list<Word<Value>> words) {
  if (text == nullptr) return words.begin()->value;
  std::string all;
  for (const Word<Value>& word : words) {
    if (std::string(word.text) == text) return word.value;
    all += (all.empty() ? "\"" : ", \"") + std::string(word.text) + '"';
  }
  throw Error(ErrorCode::bad_notation, std::string(name) + " is \"" + text + "\"; it is one of " + all);
}

FftReal real_of(const char* text) {
  return value_of<FftReal>(text, "real", {{"float32", FftReal::float32}, {"float64", FftReal::float64}, {"float16", FftReal::float16}});
}

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

Real real_type(const char* text) { return value_of<Real>(text, "type", {{"float32", Real::float32}, {"float64", Real::float64}}); }

}  // namespace
}  // namespace crinkle::c

using namespace crinkle;
using namespace crinkle::c;

extern "C" {

crinkle_status crinkle_make_fft(const crinkle_fft* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_fft& of = given(request, "request");
    FftRequest r{.in = layout_of(&of.in, "in"), .out = layout_of(&of.out, "out"), .axes = list_of(of.axes, of.n_axes, "axes")};
    r.kind = value_of<FftKind>(of.kind, "kind",
                               {{"complex", FftKind::complex_to_complex},
                                {"real to complex", FftKind::real_to_complex},
                                {"complex to real", FftKind::complex_to_real},
                                {"cosine", FftKind::cosine},
                                {"sine", FftKind::sine}});
    r.direction = of.is_inverse != 0 ? FftDirection::inverse : FftDirection::forward;
    r.norm = of.norm == nullptr ? FftNorm::backward : parse_fft_norm(of.norm);
    r.real = real_of(of.real);
    if (of.sizes != nullptr) r.sizes = list_of(of.sizes, of.n_axes, "sizes");
    r.shift = value_of<FftShift>(
        of.shift, "shift", {{"none", FftShift::none}, {"input", FftShift::input}, {"output", FftShift::output}, {"both", FftShift::both}});
    return plan(r, on);
  });
}

crinkle_status crinkle_make_convolve(const crinkle_convolve* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_convolve& of = given(request, "request");
    ConvolveRequest r{.a = layout_of(&of.a, "a"), .b = layout_of(&of.b, "b"), .out = layout_of(&of.out, "out")};
    r.mode = value_of<ConvolveMode>(of.mode, "mode",
                                    {{"full", ConvolveMode::full}, {"same", ConvolveMode::same}, {"valid", ConvolveMode::valid}});
    r.real = real_of(of.real);
    r.axes = list_of(of.axes, of.n_axes, "axes");
    r.is_correlation = of.is_correlation != 0;
    return plan(r, on);
  });
}

crinkle_status crinkle_make_stencil(const crinkle_stencil* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_stencil& of = given(request, "request");
    Sweep sweep;
    sweep.source = layout_of(&of.source, "source");
    sweep.destination = layout_of(&of.destination, "destination");
    sweep.source_type = {parse_number(text_of(of.source_type, "source_type"))};
    sweep.destination_type = {parse_number(text_of(of.destination_type, "destination_type"))};
    sweep.axes = axes_of(of.axes, of.n_axes, sweep.source.extents.size());
    StencilAxes axes{.numbers = sweep.axes};
    const std::string names = "tzyx";
    for (std::size_t a = 0; a < sweep.axes.size(); ++a)
      axes.names.push_back(sweep.axes.size() <= names.size() ? names.substr(names.size() - sweep.axes.size() + a, 1)
                                                             : "a" + std::to_string(a));
    for (int& axis : axes.numbers) axis += axis < 0 ? static_cast<int>(sweep.source.extents.size()) : 0;
    sweep.stencil = parse_stencil(text_of(of.stencil, "stencil"), axes);
    sweep.boundary = faces_of(of.boundary, of.n_axes);
    sweep.steps = of.steps == 0 ? 1 : of.steps;
    return plan(sweep, on);
  });
}

crinkle_status crinkle_make_resample(const crinkle_resample* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_resample& of = given(request, "request");
    Resampling r;
    r.source = layout_of(&of.source, "source");
    r.destination = layout_of(&of.destination, "destination");
    r.source_type = {parse_number(text_of(of.source_type, "source_type"))};
    r.destination_type = {parse_number(text_of(of.destination_type, "destination_type"))};
    const std::size_t rank = r.source.extents.size();
    r.axes = axes_of(of.axes, of.n_axes, rank);
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
    r.by = of.by == nullptr ? ResampleBy::linear : parse_resample_by(of.by);
    r.boundary = faces_of(of.boundary, of.n_axes);
    r.nodata = of.nodata;
    return plan(r, on);
  });
}

crinkle_status crinkle_make_distances(const crinkle_distances* request, int device, int n_threads, crinkle_plan** made) {
  return planned(made, device, n_threads, [&](Device on) {
    const crinkle_distances& of = given(request, "request");
    const Real type = real_type(of.type);
    const Metric metric = of.metric == nullptr ? Metric::euclidean : parse_metric(of.metric);
    if (of.m == 0)
      return plan(DistanceRequest{of.n, of.n_features, type, metric, of.form == nullptr ? PairForm::condensed : parse_pair_form(of.form)},
                  on);
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
