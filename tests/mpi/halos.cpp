// Halos that arrive while ranks compute what needs none; redistributions begun and ended; what ranks ask for, coefficients included.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "crinkle/interpolate.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"
#include "mpi/checks.hpp"

namespace crinkle::checks {
namespace {

Sweep smoothing(const Extents& extents, std::int64_t radius, std::int64_t steps, StencilShape shape, Faces y, Faces x) {
  Sweep sweep;
  sweep.stencil = average(2, radius, shape);
  sweep.source = sweep.destination = Layout::dense(extents, 4);
  sweep.source_type = sweep.destination_type = {Number::float32};
  sweep.axes = {0, 1};
  sweep.boundary = {y, x};
  sweep.steps = steps;
  return sweep;
}

}  // namespace

void halos_beside_computing() {
  Draw draw{std::mt19937_64(31)};
  const Bound bounds[] = {Bound::periodic, Bound::edge, Bound::constant, Bound::reflect};
  const int p = size % 3 == 0 ? 3 : size % 2 == 0 ? 2 : 1;
  const std::string grids[] = {fmt::format("@0:block({})", size), fmt::format("@1:block({})", size),
                               fmt::format("@0:block({}) @1:block({})", p, size / p),
                               fmt::format("@1:block({}) @0:block({})", p, size / p)};
  int n_with_rims = 0;
  for (int k = 0; k < 24; ++k) {
    const Extents extents{draw.pick(1, 20) + 40 * size, draw.pick(1, 20) + 40 * size, draw.pick(1, 2)};
    const Sweep sweep = smoothing(extents, draw.pick(1, 3), draw.pick(1, 2), draw.chance(2) ? StencilShape::box : StencilShape::star,
                                  bounds[draw.pick(0, 3)], bounds[draw.pick(0, 3)]);
    const Distribution d(extents, {}, grids[k % 4]);
    const Operation op = plan(sweep);
    const DistributedOperation over(op, {d}, d);
    const DistributedOperation::Step& step = over.steps()[0];
    n_with_rims += step.rims.empty() ? 0 : 1;
    expect(2 * over.sent_bytes() <= 3 * 4 * step.fetch[0].traffic().sent, "rims fetch corners twice, and nothing else");
    expect_the_bits_of_one_rank(op, {d}, d, draw, {.piece_bytes = draw.chance(2) ? 1000 : 1 << 20, .is_staged = draw.chance(3)});
  }
  expect(size == 1 ? n_with_rims == 0 : n_with_rims >= 20, fmt::format("{} of 24 have rims", n_with_rims));
  // A long array, whose inner parts are cut in slices.
  const Extents tall{3000 * size, 500};
  const Distribution rows(tall, {}, grids[0]);
  Sweep sweep = smoothing(tall, 1, 1, StencilShape::star, Bound::edge, Bound::periodic);
  expect_the_bits_of_one_rank(plan(sweep), {rows}, rows, draw, {});
  // Ranks of unlike sizes, of which one has no inner part.
  if (size < 2) return;
  const std::string cuts = size == 2 ? "@0:cuts(0,2,100)" : fmt::format("@0:block({})", size);
  const Distribution uneven({100, 30}, {}, cuts);
  sweep = smoothing({100, 30}, 2, 1, StencilShape::box, Bound::reflect, Bound::edge);
  expect_the_bits_of_one_rank(plan(sweep), {uneven}, uneven, draw);
}

void begun_and_ended() {
  const std::string parts = fmt::format("block({})", size);
  const Redistribution r(Distribution({64, 48}, {}, "@0:" + parts), Distribution({48, 64}, {}, "@1:" + parts),
                         parse("y x -> x y", Layout::dense({64, 48}, 8)));
  std::vector<double> src(64 * 48), one(64 * 48, -1), two(one);
  for (std::size_t k = 0; k < src.size(); ++k) src[k] = static_cast<double>(k * 3 + static_cast<std::size_t>(rank));
  mpi::Plan plan = mpi::plan(MPI_COMM_WORLD, r, {.piece_bytes = 256}), other = mpi::plan(MPI_COMM_WORLD, r);
  plan.run(src, one);
  for (int time = 0; time < 2; ++time) {
    std::fill(two.begin(), two.end(), -1.0);
    plan.start(src, two);
    for (int k = 0; k < 3; ++k) plan.advance();
    plan.finish();
    expect(one == two, "begun and ended");
  }
  std::fill(two.begin(), two.end(), -1.0);
  std::vector<double> three(two);
  plan.start(src, two);
  other.start(src, three);  // two at once
  expect_error("was started", [&] { plan.run(src, three); });
  other.finish();
  plan.finish();
  expect(one == two && one == three, "two begun at once");
  expect_error("was not started", [&] { plan.finish(); });
  expect_error("a destination of 8 bytes", [&] { plan.start(src, std::span<double>(two).first(1)); });
  expect_error("not on a stream", [&] { plan.run(src, two, Stream()); });
  plan.run(src, two);
}

// Of all that makes results: what one rank alone has otherwise is told to all.
void unlike_requests() {
  if (size == 1) return;
  const bool is_other = rank == size - 1;
  const auto refused = [&](const Operation& op) {
    const std::string parts = fmt::format("@0:block({})", size);
    std::vector<Distribution> in;
    for (const Port& port : op.inputs()) in.emplace_back(port.layout.extents, std::vector<std::string>{}, parts);
    const Distribution out(op.outputs()[0].layout.extents, {},
                           op.outputs()[0].layout.extents[0] == 1 ? fmt::format("@1:block({})", size) : parts);
    expect_error("operation differs between ranks", [&] { mpi::plan(MPI_COMM_WORLD, [&] { return DistributedOperation(op, in, out); }); });
  };
  Sweep sweep = smoothing({90, 30}, 1, 1, StencilShape::box, Bound::edge, Bound::edge);
  if (is_other) sweep.stencil.passes[0].coefficients[1] += 1e-9;
  refused(plan(sweep));
  sweep = smoothing({90, 30}, 1, 1, StencilShape::box, Bound::edge, {Bound::constant, is_other ? 1.0 : 2.0});
  refused(plan(sweep));
  Resampling zoom;
  zoom.source = zoom.destination = Layout::dense({90, 30}, 4);
  zoom.source_type = zoom.destination_type = {Number::float32};
  zoom.axes = {0, 1};
  zoom.map = rotation_map(is_other ? 30 : 31, {90, 30}, {90, 30});
  refused(plan(zoom));
  std::vector<double> places, values;
  for (int k = 0; k < 40; ++k) {
    places.push_back(k % 7);
    places.push_back(k / 7);
    values.push_back(k);
  }
  if (is_other) values[17] = 0.5;
  InterpolateRequest request;
  request.samples = {.places = places, .values = values, .n_dimensions = 2, .n_columns = 1};
  request.how.neighbours = 5;
  request.targets = TargetPlaces{.n = 99, .type = Real::float32};
  refused(plan(request));
  Rearrangement move = parse("y x -> (x y)", Layout::dense({90, 30}, 4));
  if (is_other) move = move.flip("y");
  refused(plan(move));
}

}  // namespace crinkle::checks
