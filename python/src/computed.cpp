// SPDX-License-Identifier: BSD-3-Clause
#include "computed.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "api/cache.hpp"
#include "arguments.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/sweeper.hpp"
#include "cuda/runtime.hpp"
#include "interruptible.hpp"
#include "moves.hpp"
#include "operations.hpp"
#include "sweepers.hpp"

namespace crinkle::python {
namespace {

void fft(nb::handle in, nb::handle out, std::vector<std::int64_t> axes, std::vector<std::int64_t> sizes, const std::string& kind,
         bool is_inverse, const std::string& norm, bool is_float64) {
  const View source = view_of(in), destination = output_of(source, out, "fft");
  FftRequest request{.in = source.layout(), .out = destination.layout(), .axes = std::move(axes)};
  request.kind = parse_fft_kind(kind);
  request.direction = is_inverse ? FftDirection::inverse : FftDirection::forward;
  request.norm = parse_fft_norm(norm);
  const bool is_real = request.kind == FftKind::cosine || request.kind == FftKind::sine;
  const bool is_float16 = request.in.element_bytes == (is_real || request.kind == FftKind::real_to_complex ? 2 : 4) ||
                          request.out.element_bytes == (is_real || request.kind == FftKind::complex_to_real ? 2 : 4);
  request.real = is_float64 ? FftReal::float64 : is_float16 ? FftReal::float16 : FftReal::float32;
  request.sizes = std::move(sizes);
  run_request(request, in, source, {source.source()}, {destination.destination()});
}

void convolve(nb::handle a, nb::handle b, nb::handle out, std::vector<std::int64_t> axes, const std::string& mode, bool is_correlation,
              bool is_float64) {
  const View first = view_of(a), second = view_of(b), destination = output_of(first, out, "convolve");
  check_alike(a, first, b, second, "in2");
  ConvolveRequest request{.a = first.layout(), .b = second.layout(), .out = destination.layout(), .axes = std::move(axes)};
  request.mode = parse_convolve_mode(mode);
  request.real = is_float64 ? FftReal::float64 : FftReal::float32;
  request.is_complex = request.out.element_bytes == (is_float64 ? 16 : 8);
  request.is_correlation = is_correlation;
  run_request(request, a, first, {first.source(), second.source()}, {destination.destination()});
}

Extents convolve_shape(const Extents& a, const Extents& b, const std::vector<std::int64_t>& axes, const std::string& mode) {
  return convolve_extents(a, b, parse_convolve_mode(mode), axes);
}

Extents fft_shape(const Extents& in, const std::vector<std::int64_t>& axes, const std::string& kind,
                  const std::vector<std::int64_t>& sizes) {
  return fft_extents(in, axes, parse_fft_kind(kind), sizes);
}

LinearStencil stencil_of(nb::handle what, const StencilAxes& axes, bool is_convolution) {
  if (PyUnicode_Check(what.ptr())) return parse_stencil(nb::cast<std::string>(what), axes, {"weights as an array"});
  const View weights = dense_view(host_view(what, "stencil"), "stencil weights");
  const Layout layout = weights.layout();
  return from_array({reinterpret_cast<const double*>(weights.data), static_cast<std::size_t>(layout.n_elements())}, layout.extents,
                    is_convolution ? Orientation::convolution : Orientation::correlation);
}

// `number` and `is_swapped` of both arrays; `what` is a text or float64 weights.
Sweep sweep_of(const View& source, const View& destination, nb::handle what, const std::vector<std::string>& names, bool is_convolution,
               const std::pair<std::string, bool>& from, const std::pair<std::string, bool>& to, const std::vector<int>& axes,
               const std::vector<std::pair<std::string, std::string>>& boundary, std::int64_t steps) {
  Sweep sweep;
  StencilAxes named{names, {}, axes};
  for (int& axis : named.numbers) axis += axis < 0 ? static_cast<int>(source.rank) : 0;
  sweep.stencil = stencil_of(what, named, is_convolution);
  sweep.source = source.layout();
  sweep.destination = destination.layout();
  sweep.source_type = {parse_number(from.first), from.second};
  sweep.destination_type = {parse_number(to.first), to.second};
  sweep.axes = axes;
  for (const auto& [low, high] : boundary) sweep.boundary.emplace_back(parse_face(low), parse_face(high));
  sweep.steps = steps;
  return sweep;
}

void stencil(nb::handle in, nb::handle out, nb::handle what, const std::vector<std::string>& names, bool is_convolution,
             const std::pair<std::string, bool>& from, const std::pair<std::string, bool>& to, const std::vector<int>& axes,
             const std::vector<std::pair<std::string, std::string>>& boundary, std::int64_t steps) {
  const View source = view_of(in), destination = output_of(source, out, "stencil");
  const Sweep sweep = sweep_of(source, destination, what, names, is_convolution, from, to, axes, boundary, steps);
  if (source.device < 0 || Planning::now() != nullptr)
    return run_request(sweep, in, source, {source.source()}, {destination.destination()});
  const Stream stream = stream_of(source);
  const auto place = reinterpret_cast<std::uintptr_t>(stream.get());
  const auto key = crinkle::detail::key_of(crinkle::detail::kind_of_key<Sweepers>(), source.device, place, sweep);
  const auto sweepers = kept<Sweepers>(key, [&] { return std::make_shared<const Sweepers>(sweep, source.crinkle_device()); });
  const Unlocked unlocked;
  sweepers->run(source.source(), destination.destination(), stream);
}

void pdist(nb::handle in, nb::handle out, const std::string& metric, const std::string& form, bool is_float64) {
  const View points = dense_view(view_of(in), "pdist"), pairs = dense_view(output_view(out), "pdist");
  if (points.rank != 2) throw Error(ErrorCode::bad_shape, "pdist: points are an array [n][features], not one of shape " + points.shape());
  check_alike(in, points, out, pairs, "out");
  const DistanceRequest request{points.extents[0], points.extents[1], real_of(is_float64), parse_metric(metric), parse_pair_form(form)};
  run_request(request, in, points, {points.source()}, {pairs.destination()});
}

void cdist(nb::handle a, nb::handle b, nb::handle out, const std::string& metric, bool is_float64) {
  const View rows = dense_view(view_of(a), "cdist"), columns = dense_view(view_of(b), "cdist"), square = output_view(out);
  for (const View* points : {&rows, &columns})
    if (points->rank != 2) throw Error(ErrorCode::bad_shape, "cdist: points are arrays [n][features], not one of shape " + points->shape());
  if (rows.extents[1] != columns.extents[1])
    throw Error(ErrorCode::bad_shape,
                "cdist: points of " + std::to_string(rows.extents[1]) + " and of " + std::to_string(columns.extents[1]) + " features");
  check_alike(a, rows, b, columns, "the second array");
  check_alike(a, rows, out, square, "out");
  const CrossDistanceRequest request{rows.extents[0],     columns.extents[0],   rows.extents[1],
                                     real_of(is_float64), parse_metric(metric), square.layout()};
  run_request(request, a, rows, {rows.source(), columns.source()}, {square.destination()});
}

std::int64_t pdist_elements(std::int64_t n, const std::string& form) {
  return distance_bytes(n, parse_pair_form(form), Real::float32) / bytes_of(Real::float32);
}

void triangle(nb::handle in, nb::handle out, const std::string& from, const std::string& to, std::int64_t n) {
  const View source = dense_view(view_of(in), "triangle"), destination = dense_view(output_view(out), "triangle");
  check_alike(in, source, out, destination, "out");
  const TriangleLayout a = TriangleLayout::parse(from, n, source.element_bytes), b = TriangleLayout::parse(to, n, source.element_bytes);
  run_request(TriangleRequest{a, b}, in, source, {source.source()}, {destination.destination()});
}

std::int64_t triangle_elements(const std::string& form, std::int64_t n) { return TriangleLayout::parse(form, n, 1).n_elements(); }

void synchronize(int device) {
  const Unlocked unlocked;
  const gpu::OnDevice on(device);
  Stream().synchronize();
}

}  // namespace

void bind_computed(nb::module_& module) {
  module.def("synchronize", &synchronize);
  module.def("fft", &fft);
  module.def("fft_shape", &fft_shape);
  module.def("convolve", &convolve);
  module.def("convolve_shape", &convolve_shape);
  module.def("stencil", &stencil);
  module.def("pdist", &pdist);
  module.def("cdist", &cdist);
  module.def("pdist_elements", &pdist_elements);
  module.def("triangle", &triangle);
  module.def("triangle_elements", &triangle_elements);
  bind_interpolation(module);
}

}  // namespace crinkle::python
