// The ways in which documents have requests and plans written, compiled with all of -Wextra: no member that is left out is missed.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <span>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/interpolate.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"

using namespace crinkle;

void runs(const Plan& plan, std::vector<float>& a, std::vector<float>& b, Executor& executor) {
  plan.run(a, b);
  plan.run(a, b, executor);
  plan.run(ConstBuffer(a), Buffer(b), executor);
  plan.run({a.data(), 4 * a.size()}, {b.data(), 4 * b.size()});
  const std::vector<ConstBuffer> from{a};
  const std::array<Buffer, 1> to{b};
  plan.run(from, to, executor);
  plan.run(from, to, executor, {});
  plan.run({&from[0], 1}, {&to[0], 1}, executor);
  plan.run({a}, {b});
}

template <class... Requests>
void use(const Requests&...) {}

void requests(const ConstBuffer& data) {
  const Layout line = Layout::dense({8}, 4);
  use(Layout{.extents = {3}}, ParseOptions{.tail = Tail::pad}, MeasureOptions{.most_seconds = 3}, SlabOptions{.workspace_bytes = 1 << 20});
  use(RecordOptions{.to = Storage::apart}, AccessPattern{.reads = {"x"}}, AdviseOptions{.samples = 3});
  const Points points{.data = data, .n = 1, .n_features = 3};
  use(points, Spheres{.centres = points}, DistanceRequest{.n = 3, .n_features = 4}, CrossDistanceRequest{.n = 3, .m = 2});
  use(FftRequest{.in = line, .axes = {0}}, ConvolveRequest{.a = line, .b = line}, ConstArray{.layout = line});
  use(Samples{.n_dimensions = 3}, Interpolation{.power = 3}, InterpolateRequest{.how = {.radius = 2}},
      BinRequest{.raster = {.step = {2, 2, 1}}});
  use(Resampling{.source = line}, CoordinateField{.layout = line}, Sweep{.source = line}, StencilAxes{.names = {"x"}},
      LinearStencil{.name = "blur"});
}
