// Operations over ranks have the bits of one rank: stencils with corners, faces and deep halos, transforms by slabs and pencils, real ones
// too, interpolation at distributed targets, distances by blocks.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "crinkle/fft.hpp"
#include "crinkle/interpolate.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"
#include "mpi/checks.hpp"

namespace crinkle::checks {
namespace {

// This rank's part of a whole array, dense in C order.
std::vector<std::byte> part_of(const Distribution& d, const std::vector<std::byte>& whole, std::int64_t bytes) {
  return spread::taken_apart(d, whole, size, bytes)[static_cast<std::size_t>(rank)];
}

Distribution drawn(const Extents& extents, Draw& draw) { return spread::drawn(extents, size, draw); }

}  // namespace

void expect_the_bits_of_one_rank(const Operation& op, const std::vector<Distribution>& in, const Distribution& out, Draw& draw,
                                 const mpi::Options& options) {
  std::vector<std::vector<std::byte>> wholes, parts;
  for (std::size_t k = 0; k < in.size(); ++k) {
    wholes.push_back(spread::numbers(op.inputs()[k], draw));
    parts.push_back(part_of(in[k], wholes[k], op.inputs()[k].layout.element_bytes));
  }
  std::vector<std::byte> whole(static_cast<std::size_t>(op.outputs()[0].layout.n_bytes()));
  op.run(std::vector<ConstBuffer>(wholes.begin(), wholes.end()), std::vector<Buffer>{whole});
  const std::vector<std::byte> right = part_of(out, whole, op.outputs()[0].layout.element_bytes);
  std::vector<std::byte> made(right.size(), std::byte{0xA5});
  mpi::OperationPlan plan = mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(op, in, out); }, options);
  for (int time = 0; time < 2; ++time) {
    plan.run(std::vector<ConstBuffer>(parts.begin(), parts.end()), made);
    expect(made == right, fmt::format("{} from {} to {}", op.name(), in.empty() ? "nothing" : in[0].text(), out.text()));
  }
}

void stencils() {
  Draw draw{std::mt19937_64(21)};
  for (int k = 0; k < 16; ++k) {
    const Extents extents{draw.pick(1, 20), draw.pick(1, 20), draw.pick(1, 6)};
    Sweep sweep;
    sweep.stencil = average(2, draw.pick(1, 2), draw.chance(2) ? StencilShape::box : StencilShape::star);
    sweep.source = sweep.destination = Layout::dense(extents, 4);
    sweep.source_type = sweep.destination_type = {Number::float32};
    sweep.axes = {0, 1};
    const Bound bounds[] = {Bound::periodic, Bound::edge, Bound::constant, Bound::reflect};
    sweep.boundary = {{bounds[draw.pick(0, 3)]}, {bounds[draw.pick(0, 3)]}};
    sweep.steps = draw.pick(1, 3);
    const Distribution in = drawn(extents, draw);
    expect_the_bits_of_one_rank(plan(sweep), {in}, draw.chance(2) ? in : drawn(extents, draw), draw);
  }
}

void transforms() {
  Draw draw{std::mt19937_64(22)};
  for (int k = 0; k < 12; ++k) {
    const Extents extents{draw.pick(1, 12), draw.pick(1, 12), draw.pick(2, 12)};
    const bool is_real = draw.chance(3);
    const Layout array = Layout::dense(extents, is_real ? 8 : 16);
    Extents half = extents;
    half[2] = extents[2] / 2 + 1;
    FftRequest request;
    request.in = array;
    request.out = Layout::dense(is_real ? half : extents, 16);
    request.axes = draw.chance(2) ? std::vector<std::int64_t>{0, 1, 2} : std::vector<std::int64_t>{1, 2};
    request.real = FftReal::float64;
    if (is_real) request.kind = FftKind::real_to_complex;
    expect_the_bits_of_one_rank(plan(request), {drawn(extents, draw)}, drawn(request.out.extents, draw), draw);
  }
}

// Targets lie on the ranks that hold them; samples are in the request, on all of them.
void interpolation() {
  Draw draw{std::mt19937_64(23)};
  std::vector<double> places, values;
  for (int k = 0; k < 60; ++k) {
    places.push_back(static_cast<double>(draw.pick(0, 1000)) / 100);
    places.push_back(static_cast<double>(draw.pick(0, 1000)) / 100);
    values.push_back(static_cast<double>(draw.pick(-50, 50)));
  }
  InterpolateRequest request;
  request.samples = {.places = places, .values = values, .n_dimensions = 2, .n_columns = 1};
  request.how.neighbours = 5;
  request.type = Real::float64;
  request.targets = TargetPlaces{.n = 37, .type = Real::float64};
  const Distribution rows({37, 2}, {}, fmt::format("@0:cyclic({},3)", size)), out({1, 37}, {}, fmt::format("@1:block({})", size));
  expect_the_bits_of_one_rank(plan(request), {rows}, out, draw);
  // A raster of targets is in the request, too: no inputs at all.
  request.targets = raster_over(0, 0, 10, 10, 0.75);
  const Operation raster = plan(request);
  for (int k = 0; k < 3; ++k) expect_the_bits_of_one_rank(raster, {}, drawn(raster.outputs()[0].layout.extents, draw), draw);
}

// Moves that redistributions refuse, since they merge or split axes, are operations that can be cut.
void moves() {
  Draw draw{std::mt19937_64(25)};
  const char* specs[] = {"y x -> (x y)", "(y:4 a) x -> a (y x)", "y x -> x y"};
  for (int k = 0; k < 9; ++k) {
    const Operation move = plan(parse(specs[k % 3], Layout::dense({12, 7}, 8)));
    expect_the_bits_of_one_rank(move, {drawn({12, 7}, draw)}, drawn(move.outputs()[0].layout.extents, draw), draw);
  }
}

void distances() {
  Draw draw{std::mt19937_64(24)};
  const std::string n = std::to_string(size);
  const Distribution rows({23, 3}, {}, "@0:block(" + n + ")"), columns({17, 3}, {}, "@0:cyclic(" + n + ")"),
      points({20, 3}, {}, "@0:block(" + n + ")");
  for (int k = 0; k < 4; ++k) {
    const CrossDistanceRequest cross{.n = 23, .m = 17, .n_features = 3, .type = Real::float64};
    expect_the_bits_of_one_rank(plan(cross), {rows, columns}, drawn({23, 17}, draw), draw);
    const DistanceRequest square{.n = 20, .n_features = 3, .type = Real::float64, .form = PairForm::square};
    expect_the_bits_of_one_rank(plan(square), {points}, drawn({20, 20}, draw), draw);
  }
}

// Whatever else can be cut: two inputs of which one is not divided, splines in two stages, statistics, triangles.
void others() {
  Draw draw{std::mt19937_64(26)};
  ConvolveRequest lines;
  lines.a = Layout::dense({9, 14}, 8);
  lines.b = Layout::dense({1, 5}, 8);
  lines.axes = {1};
  lines.out = Layout::dense(convolve_extents(lines.a.extents, lines.b.extents, lines.mode, lines.axes), 8);
  lines.real = FftReal::float64;
  Resampling zoom;
  zoom.source = Layout::dense({9, 11, 3}, 4);
  zoom.destination = Layout::dense({14, 7, 3}, 4);
  zoom.source_type = zoom.destination_type = {Number::float32};
  zoom.map = zoom_map({9, 11}, {14, 7});
  zoom.axes = {0, 1};
  BinRequest bins;
  std::vector<double> places, values;
  for (int k = 0; k < 80; ++k) places.push_back(static_cast<double>(draw.pick(0, 99)) / 10);
  for (int k = 0; k < 40; ++k) values.push_back(static_cast<double>(draw.pick(-9, 9)));
  bins.samples = {.places = places, .values = values, .n_dimensions = 2, .n_columns = 1};
  bins.raster = raster_over(0, 0, 10, 10, 1.5);
  bins.statistics = {Statistic::count, Statistic::mean};
  for (const ResampleBy by : {ResampleBy::linear, ResampleBy::cubic, ResampleBy::spline}) {
    zoom.by = by;
    for (const Operation& op : {plan(lines), plan(zoom), plan(bins)}) {
      std::vector<Distribution> in;
      for (const Port& port : op.inputs()) in.push_back(drawn(port.layout.extents, draw));
      expect_the_bits_of_one_rank(op, in, drawn(op.outputs()[0].layout.extents, draw), draw);
    }
  }
}

void wrong_operations() {
  const std::string n = std::to_string(size);
  FftRequest request;
  request.in = request.out = Layout::dense({8, 8}, 16);
  request.real = FftReal::float64;
  request.axes = {1};
  const Operation op = plan(request);
  const Distribution d({8, 8}, {}, "@0:block(" + n + ")"), other({8, 9}, {}, "@0:block(" + n + ")");
  const auto made = [&](const Operation& of, std::vector<Distribution> in, const Distribution& out, const mpi::Options& options = {}) {
    mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(of, in, out); }, options);
  };
  expect_error("is [8][8] and its layout over ranks of [8][9]", [&] { made(op, {d}, other); });
  expect_error("2 layouts of the 1 inputs", [&] { made(op, {d, d}, d); });
  expect_error("the communicator has", [&] { made(op, {d}, Distribution({8, 8}, {}, fmt::format("@0:block({})", size + 1))); });
  expect_error("parts of operations are dense", [&] { made(op, {d}, d, {.dst = Layout::dense({8, 8}, 16)}); });
  // What cannot be cut runs on one rank alone.
  const DistanceRequest rfp{.n = 8, .n_features = 2, .type = Real::float64, .form = PairForm::rfp};
  const Operation whole = plan(rfp);
  Draw draw{std::mt19937_64(27)};
  if (size == 1)
    expect_the_bits_of_one_rank(whole, {Distribution({8, 2}, {}, "")}, Distribution(whole.outputs()[0].layout.extents, {}, ""), draw);
  if (size > 1) {
    expect_error("run it on one rank, between two redistributions", [&] {
      made(whole, {Distribution({8, 2}, {}, "@0:block(" + n + ")")}, Distribution(whole.outputs()[0].layout.extents, {}, ""));
    });
    expect_error("operation differs between ranks",
                 [&] { made(op, {d}, rank == 0 ? d : Distribution({8, 8}, {}, "@1:block(" + n + ")")); });
    Sweep sweep;
    sweep.stencil = average(2, 1, StencilShape::box);
    sweep.source = sweep.destination = Layout::dense({8, 8}, 8);
    sweep.source_type = {rank == 0 ? Number::float64 : Number::int64};
    sweep.destination_type = {Number::float64};
    sweep.axes = {0, 1};
    sweep.boundary = {{Bound::edge}, {Bound::edge}};
    expect_error("operation differs between ranks", [&] { made(plan(sweep), {d}, d); });
  }
  mpi::OperationPlan ready = mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(op, {d}, d); });
  std::vector<double> in(128), out(128);
  expect_error("input 0 has 8 bytes", [&] { ready.run(std::span<double>(in).first(1), out); });
  expect_error("an output of 8 bytes", [&] { ready.run(in, std::span<double>(out).first(1)); });
  // In place or not: the same on any number of ranks.
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<double>(k * 37 % 101);
  ready.run(in, out);
  std::vector<double> same(in);
  same.push_back(0);
  ready.run(same, same);
  const auto n_own = static_cast<std::ptrdiff_t>(d.local(rank, 16).n_bytes() / 8);
  expect(std::equal(same.begin(), same.begin() + n_own, out.begin()), "a transform in place");
  expect_error("input 0 and the output overlap", [&] { ready.run(same, std::span<double>(same).subspan(rank == 0 ? 1 : 0)); });
  Sweep sweep;
  sweep.stencil = average(2, 1, StencilShape::box);
  sweep.source = sweep.destination = Layout::dense({8, 8}, 8);
  sweep.source_type = sweep.destination_type = {Number::float64};
  sweep.axes = {0, 1};
  sweep.boundary = {{Bound::edge}, {Bound::edge}};
  mpi::OperationPlan smooth = mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(plan(sweep), {d}, d); });
  expect_error("input 0 and the output overlap", [&] { smooth.run(in, in); });
  expect_error("0 inputs of 1", [&] { ready.run(std::span<const ConstBuffer>(), out); });
  ready.run(in, out);
}

}  // namespace crinkle::checks
