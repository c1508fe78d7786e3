// Requests over several devices, drawn, for logical devices of a CPU and of a GPU alike.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "crinkle/devices.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/interpolate.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"
#include "distribute/layouts.hpp"
#include "operation/model.hpp"

namespace crinkle::spread {

/// An operation, for any device, and layouts of its arrays.
struct Case {
  std::string name;
  std::function<Operation(Device)> make;
  std::vector<Distribution> in;
  Distribution out;
};

template <class Request>
Case case_of(const std::string& name, const Request& request, std::int64_t n, Draw& draw) {
  const Operation whole = plan(request);
  std::vector<Distribution> in;
  for (const Port& port : whole.inputs()) in.push_back(drawn(port.layout.extents, n, draw));
  return {name, [=](Device device) { return plan(request, device); }, in, drawn(whole.outputs()[0].layout.extents, n, draw)};
}

inline Case stencil_case(std::int64_t n, Draw& draw) {
  Sweep sweep;
  sweep.stencil = average(2, draw.pick(1, 2), draw.chance(2) ? StencilShape::box : StencilShape::star);
  sweep.source = sweep.destination = Layout::dense({draw.pick(1, 20), draw.pick(1, 20), draw.pick(1, 6)}, 4);
  sweep.source_type = sweep.destination_type = {Number::float32};
  sweep.axes = {0, 1};
  const Bound bounds[] = {Bound::periodic, Bound::edge, Bound::constant, Bound::reflect};
  sweep.boundary = {{bounds[draw.pick(0, 3)]}, {bounds[draw.pick(0, 3)]}};
  sweep.steps = draw.pick(1, 3);
  Case made = case_of("stencil", sweep, n, draw);
  if (draw.chance(2)) made.out = made.in[0];
  return made;
}

inline Case transform_case(std::int64_t n, Draw& draw) {
  const Extents extents{draw.pick(1, 12), draw.pick(1, 12), draw.pick(2, 12)};
  const bool is_real = draw.chance(3);
  Extents half = extents;
  half[2] = extents[2] / 2 + 1;
  FftRequest request;
  request.in = Layout::dense(extents, is_real ? 8 : 16);
  request.out = Layout::dense(is_real ? half : extents, 16);
  request.axes = draw.chance(2) ? std::vector<std::int64_t>{0, 1, 2} : std::vector<std::int64_t>{1, 2};
  request.real = FftReal::float64;
  if (is_real) request.kind = FftKind::real_to_complex;
  return case_of("transform", request, n, draw);
}

inline Case move_case(std::int64_t n, Draw& draw) {
  const char* specs[] = {"y x -> (x y)", "(y:4 a) x -> a (y x)", "y x -> x y"};
  return case_of("move", parse(specs[draw.pick(0, 2)], Layout::dense({12, 7}, 8)), n, draw);
}

/// Targets in parts, samples in the request; or a raster, which has no input.
inline Case interpolation_case(std::int64_t n, Draw& draw) {
  static const auto [places, values] = [] {
    Draw its{std::mt19937_64(31)};
    std::pair<std::vector<double>, std::vector<double>> samples;
    for (int k = 0; k < 60; ++k) {
      samples.first.push_back(static_cast<double>(its.pick(0, 1000)) / 100);
      samples.first.push_back(static_cast<double>(its.pick(0, 1000)) / 100);
      samples.second.push_back(static_cast<double>(its.pick(-50, 50)));
    }
    return samples;
  }();
  InterpolateRequest request;
  request.samples = {.places = places, .values = values, .n_dimensions = 2, .n_columns = 1};
  request.how.neighbours = 5;
  request.type = Real::float64;
  request.targets = TargetPlaces{.n = 37, .type = Real::float64};
  if (draw.chance(2)) request.targets = raster_over(0, 0, 10, 10, 0.75);
  Case made = case_of("interpolation", request, n, draw);
  if (!made.in.empty()) made.in = {Distribution({37, 2}, {}, "@0:cyclic(" + std::to_string(n) + ",3)")};
  if (!made.in.empty()) made.out = Distribution({1, 37}, {}, "@1:block(" + std::to_string(n) + ")");
  return made;
}

inline Case distance_case(std::int64_t n, Draw& draw) {
  Case made = case_of("distances", CrossDistanceRequest{.n = 23, .m = 17, .n_features = 3, .type = Real::float64}, n, draw);
  made.in = {Distribution({23, 3}, {}, "@0:block(" + std::to_string(n) + ")"),
             Distribution({17, 3}, {}, "@0:cyclic(" + std::to_string(n) + ")")};
  return made;
}

inline Case spline_case(std::int64_t n, Draw& draw) {
  Resampling zoom;
  zoom.source = Layout::dense({9, 11, 3}, 4);
  zoom.destination = Layout::dense({14, 7, 3}, 4);
  zoom.source_type = zoom.destination_type = {Number::float32};
  zoom.map = zoom_map({9, 11}, {14, 7});
  zoom.axes = {0, 1};
  zoom.by = draw.chance(2) ? ResampleBy::spline : ResampleBy::linear;
  return case_of("zoom", zoom, n, draw);
}

/// A transform between two layouts that goes in slabs.
inline Case transform_of(const FftRequest& request, const std::string& from, const std::string& to) {
  return {"transform",
          [=](Device device) { return plan(request, device); },
          {Distribution(request.in.extents, {}, from)},
          Distribution(request.out.extents, {}, to)};
}

/// Of complex numbers along all three axes, or the last two.
inline FftRequest transform_in_three(const Extents& extents, bool is_of_two = false) {
  FftRequest request;
  request.in = request.out = Layout::dense(extents, 16);
  request.axes = is_of_two ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{0, 1, 2};
  request.real = FftReal::float64;
  return request;
}

/// Cases whose plans go in slabs of any size, and in how many.
struct CaseInSlabs {
  Case of;
  std::int64_t n_devices = 1, n_slabs = 1;
};
inline std::vector<CaseInSlabs> cases_in_slabs() {
  std::vector<CaseInSlabs> all;
  for (const std::int64_t n : {2, 3, 4}) {
    const std::string of_n = "block(" + std::to_string(n) + ")", cyclic = "cyclic(" + std::to_string(n) + ",2)";
    const Extents extents{13, 9, 10};
    const std::int64_t n_slabs = 13 / n;
    const auto add = [&](const FftRequest& request, const std::string& from, const std::string& to) {
      all.push_back({transform_of(request, from, to), n, std::min<std::int64_t>(8, from[1] == '0' ? n_slabs : 13)});
    };
    add(transform_in_three(extents), "@0:" + of_n, "@1:" + of_n);
    add(transform_in_three(extents), "@0:" + of_n, "@0:" + of_n);
    add(transform_in_three(extents, true), "@0:" + of_n, "@2:" + cyclic);
    add(transform_in_three(extents), "@1:" + of_n, "@0:" + cyclic);  // a slab goes to one device
    FftRequest real = transform_in_three(extents);
    real.kind = FftKind::real_to_complex;
    real.in = Layout::dense(extents, 8);
    real.out = Layout::dense({13, 9, 6}, 16);
    add(real, "@0:" + of_n, "@1:" + of_n);
    std::swap(real.in, real.out);
    real.kind = FftKind::complex_to_real;
    real.sizes = {13, 9, 10};
    add(real, "@2:" + of_n, "@0:" + of_n);
    real.in = real.out = Layout::dense(extents, 8);
    real.kind = FftKind::cosine;
    add(real, "@0:" + of_n, "@1:" + of_n);
  }
  for (const char* to : {"@1:block(2) @2:block(2)", "@0:block(2) copies(2)", "@2:cuts(0,1,1,9,10;3,2,1,0)"})
    all.push_back({transform_of(transform_in_three({13, 9, 10}), "@0:block(2) @1:block(2)", to), 4, 6});
  return all;
}

/// Likewise, on two devices, whose rows are long enough to be copied.
inline std::vector<Case> cases_of_long_rows() {
  const FftRequest three = transform_in_three({7, 70, 128}), two = transform_in_three({7, 70, 128}, true);
  return {transform_of(three, "@0:block(2)", "@1:block(2)"), transform_of(three, "@0:block(2)", "@1:cuts(0,33,70;1,0)"),
          transform_of(three, "@0:block(2)", "@0:block(2)"), transform_of(two, "@0:block(2)", "@1:block(2)"),
          transform_of(two, "@0:block(2)", "@0:cuts(0,2,7)")};
}

/// Runs as another operation does, until it is told to fail.
class Failing final : public Operation::Model {
 public:
  /// Run number *fails_in from now on throws.
  Failing(Operation of, std::int64_t* fails_in) : of_(std::move(of)), fails_in_(fails_in) {
    name = of_.name();
    device = of_.device();
    inputs = of_.inputs();
    outputs = of_.outputs();
    cuts = of_.cuts();
    may_be_in_place = of_.can_run_in_place();
    workspace_bytes = of_.workspace_bytes();
  }
  void run(std::span<const ConstBuffer> in, std::span<const Buffer> out, std::byte* workspace, const Worker& worker) const override {
    if (--*fails_in_ == 0) throw Error(ErrorCode::unsupported, "this part fails");
    of_.run(in, out, worker, {workspace, workspace_bytes});
  }
  Operation part(const Ranges& part) const override { return wrapped(of_.part(part)); }
  std::vector<Operation> stages() const override {
    std::vector<Operation> all;
    for (const Operation& stage : of_.stages()) all.push_back(wrapped(stage));
    return all;
  }
  std::string describe() const override { return of_.describe(); }

 private:
  Operation wrapped(const Operation& of) const { return Operation(std::make_shared<const Failing>(of, fails_in_)); }
  Operation of_;
  std::int64_t* fails_in_;
};

}  // namespace crinkle::spread
