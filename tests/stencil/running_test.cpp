// Means over boxes by running sums are the definition, byte for byte, on every instruction set: any radius, face, type, extent.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/running_rows.hpp"
#include "stencil/stencils.hpp"
#include "support/threads.hpp"

namespace crinkle::stencil_running_test {
namespace {

constexpr NumberType u1{Number::uint8}, i2{Number::int16}, u2{Number::uint16};

bool is_running(const Sweep& sweep) { return plan_sweep(checked(sweep)).running.has_value(); }

void expect_running(const Sweep& sweep) {
  const SweepPlan plan = plan_sweep(checked(sweep));
  ASSERT_TRUE(plan.running.has_value() && !plan.integer.has_value()) << told(sweep);
  const Bytes source = noise_for(sweep.source, 7), want = swept_by_reference(sweep, source);
  Threads one(1), three(3);
  for (const simd::RunningKernels* kernels : simd::RunningKernels::all()) {
    for (Executor* executor : {static_cast<Executor*>(&one), static_cast<Executor*>(&three)}) {
      Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
      run_running(plan, src.origin(), dst.origin(), *executor, *kernels);
      EXPECT_TRUE(dst.content() == want) << told(sweep) << " on " << kernels->target;
      EXPECT_TRUE(dst.is_intact() && src.is_intact());
    }
  }
  EXPECT_TRUE(swept(sweep, source) == want) << told(sweep);
}

Sweep between(Sweep sweep, NumberType from, NumberType to) {
  sweep.source_type = from;
  sweep.source = dense(sweep.source.extents, from);
  sweep.destination_type = to;
  sweep.destination = dense(sweep.source.extents, to);
  return sweep;
}

const std::vector<Faces> whole_faces = {Faces(Bound::periodic),
                                        Faces(Bound::edge),
                                        Faces(Bound::reflect),
                                        Faces(Bound::symmetric),
                                        Faces(Bound::constant, -7),
                                        Faces({Bound::edge}, {Bound::reflect}),
                                        Faces({Bound::constant, 3}, {Bound::constant, 4000})};

LinearStencil of_ones(const Extents& extents, double over) {
  return from_array(std::vector<double>(static_cast<std::size_t>(Layout::dense(extents, 1).n_elements()), 1 / over), extents);
}

TEST(StencilRunning, every_radius_at_every_face) {
  for (const std::int64_t radius : {6, 7, 9, 12, 30, 63, 64, 90}) {
    for (const Faces& faces : whole_faces) {
      for (const Extents& extents : {Extents{23, 150}, Extents{1, 1}, Extents{4, 2}, Extents{40, 33}, Extents{0, 5}, Extents{5, 0}})
        expect_running(sweep_of(average(2, radius), extents, u1, {0, 1}, {faces, faces}));
    }
  }
}

TEST(StencilRunning, elements_of_16_bits) {
  for (const std::int64_t radius : {1, 2, 5, 20}) {
    for (const Faces& faces : whole_faces) {
      for (const NumberType from : {i2, u2, u1})
        for (const NumberType to : {i2, u2, u1}) {
          if (from == u1 && radius < 6 && to != u2) continue;  // in int16
          expect_running(between(sweep_of(average(2, radius), {12, 37}, u1, {0, 1}, {faces, faces}), from, to));
        }
    }
  }
}

TEST(StencilRunning, faces_that_differ_and_axes_in_any_order) {
  for (const std::int64_t radius : {1, 6}) {
    for (const Faces& a : whole_faces) {
      for (const Faces& b : whole_faces) {
        Sweep sweep = sweep_of(average(2, radius), {7, 21}, u2, {0, 1}, {a, b});
        expect_running(sweep);
        sweep.source = sweep.destination = Layout::dense_fortran({7, 21}, 2);
        if (radius == 1) expect_running(sweep);  // one list
        sweep.source = sweep.destination = {{7, 21}, {-50, 2}, 6 * 50 + 1, 2};
        expect_running(sweep);
      }
    }
  }
}

TEST(StencilRunning, channels_stacks_and_long_lines) {
  for (const Faces& faces : whole_faces) {
    for (std::int64_t width = 2; width <= 6; ++width) expect_running(sweep_of(average(2, 8), {9, 20, width}, u1, {0, 1}, {faces, faces}));
    expect_running(sweep_of(average(2, 8), {3, 6, 20}, u1, {1, 2}, {faces, faces}));
    expect_running(sweep_of(average(2, 8), {3, 2, 6, 20, 3}, u1, {2, 3}, {faces, faces}));
    expect_running(sweep_of(average(1, 20), {40000}, u1, {0}, {faces}));
    expect_running(sweep_of(average(1, 3000), {700}, u1, {0}, {faces}));
    expect_running(sweep_of(average(1, 70), {300, 11}, u1, {0}, {faces}));
    expect_running(sweep_of(average(2, 6), {2, 33000}, u1, {0, 1}, {faces, faces}));
  }
}

TEST(StencilRunning, boxes_of_every_kind) {
  for (const Faces& faces : whole_faces) {
    const auto expect = [&](LinearStencil stencil) { expect_running(sweep_of(std::move(stencil), {9, 40}, u2, {0, 1}, {faces, faces})); };
    expect(of_ones({15, 15}, 225));
    expect(of_ones({4, 8}, 32));
    expect(of_ones({8, 8}, 4));  // results are saturated
    expect(of_ones({1, 2}, 1));
    expect(of_ones({9, 1}, 7));
    expect(LinearStencil{"aside", 2, {{{2, 3, 2, 4, 2, 5}, {0.5, 0.5, 0.5}}}});
    expect(LinearStencil{"shuffled", 2, {{{0, 1, -1, 0, -1, 1, 0, 0}, {0.25, 0.25, 0.25, 0.25}}}});
  }
}

TEST(StencilRunning, what_may_round_otherwise_is_left_to_others) {
  const std::vector<Faces> edges = {Faces(Bound::edge), Faces(Bound::edge)};
  EXPECT_TRUE(is_running(sweep_of(average(2, 7), {5, 6}, u1, {0, 1}, edges)));
  EXPECT_TRUE(is_running(sweep_of(average(2, 1000), {5, 6}, u1, {0, 1}, edges)));
  EXPECT_FALSE(is_running(sweep_of(average(2, 2000), {5, 6}, u1, {0, 1}, edges))) << "more than 31 bits";
  EXPECT_FALSE(is_running(sweep_of(of_ones({6, 6}, 36), {5, 6}, u1, {0, 1}, edges))) << "halves";
  EXPECT_FALSE(is_running(sweep_of(average(2, 6, StencilShape::star), {5, 6}, u2, {0, 1}, edges)));
  EXPECT_FALSE(is_running(sweep_of(average(2, 6), {5, 6}, {Number::float32}, {0, 1}, edges))) << "sums of float32 are rounded";
  EXPECT_FALSE(is_running(sweep_of(average(2, 6), {5, 6}, {Number::uint16, true}, {0, 1}, edges)));
  EXPECT_FALSE(is_running(sweep_of(average(2, 6), {5, 6}, u1, {0, 1}, {Faces(Bound::edge), Faces(Bound::constant, 0.5)})));
  EXPECT_FALSE(is_running(between(sweep_of(average(2, 6), {5, 6}, u1, {0, 1}, edges), u1, {Number::float32})));
  Sweep other = sweep_of(average(2, 6), {5, 6}, u1, {0, 1}, edges);
  other.steps = 2;
  EXPECT_FALSE(is_running(other));
  other = sweep_of(average(2, 6), {5, 6}, u1, {0, 1}, edges);
  other.source = {{5, 6}, {24, 2}, 0, 1};
  EXPECT_FALSE(is_running(other));
}

}  // namespace
}  // namespace crinkle::stencil_running_test
