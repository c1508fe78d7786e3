// Stencils of bytes in float32 lanes are the definition, byte for byte, on every instruction set: also where all sums lie at halves.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/rounded_rows.hpp"
#include "stencil/stencils.hpp"
#include "support/threads.hpp"

namespace crinkle::stencil_rounded_test {
namespace {

constexpr NumberType u1{Number::uint8}, i2{Number::int16};
const std::vector<Faces> open_faces = {Faces(Bound::periodic), Faces(Bound::edge), Faces(Bound::reflect), Faces(Bound::symmetric),
                                       Faces({Bound::edge}, {Bound::reflect})};

void expect_rounded(const Sweep& sweep, const Bytes& source) {
  const SweepPlan plan = plan_sweep(checked(sweep));
  ASSERT_TRUE(plan.rounded.has_value() && !plan.integer.has_value()) << told(sweep);
  const Bytes want = swept_by_reference(sweep, source);
  Threads one(1), three(3);
  for (const simd::RoundedKernels* kernels : simd::RoundedKernels::all()) {
    for (Executor* executor : {static_cast<Executor*>(&one), static_cast<Executor*>(&three)}) {
      Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
      run_rounded(plan, src.origin(), dst.origin(), *executor, *kernels);
      EXPECT_TRUE(dst.content() == want) << told(sweep) << " on " << kernels->target;
      EXPECT_TRUE(dst.is_intact() && src.is_intact());
    }
  }
  EXPECT_TRUE(swept(sweep, source) == want) << told(sweep);
}

void expect_rounded(Sweep sweep) {
  const Bytes source = noise_for(sweep.source, 5);
  expect_rounded(sweep, source);
  sweep.destination_type = i2;
  sweep.destination = dense(sweep.source.extents, i2);
  expect_rounded(sweep, source);
}

TEST(StencilRounded, gaussians_at_every_face) {
  for (const double sigma : {0.6, 1.0, 1.7, 5.0}) {
    for (const Faces& a : open_faces) {
      for (const Faces& b : open_faces) {
        expect_rounded(sweep_of(gaussian({sigma, sigma / 2 + 0.6}), {23, 150}, u1, {0, 1}, {a, b}));
        if (a.low.bound == b.low.bound) expect_rounded(sweep_of(gaussian({sigma, sigma}), {3, 5}, u1, {0, 1}, {a, b}));
      }
      expect_rounded(sweep_of(gaussian({sigma, sigma}), {9, 20, 3}, u1, {0, 1}, {a, a}));
      expect_rounded(sweep_of(gaussian({sigma, sigma}), {2, 9, 20}, u1, {1, 2}, {a, a}));
      expect_rounded(sweep_of(gaussian({sigma}), {300}, u1, {0}, {a}));
    }
    expect_rounded(sweep_of(gaussian({sigma, sigma}), {3, 40000}, u1, {0, 1}, {Faces(Bound::reflect), Faces(Bound::periodic)}));
  }
}

TEST(StencilRounded, weights_of_any_kind_and_constant_faces) {
  const std::vector<double> weights = {0.1, -0.37, 1.2, 1e-9, 0.55, -2.25, 0.7, 1.0 / 3, 0.04};
  for (const Faces& faces : all_faces) {
    expect_rounded(sweep_of(from_array(weights, {3, 3}), {12, 75}, u1, {0, 1}, {faces, faces}));
    expect_rounded(sweep_of(from_array(weights, {1, 9}), {12, 75, 4}, u1, {0, 1}, {faces, Faces(Bound::edge)}));
  }
}

// Averages of a half, where float32 and float64 round to either side of it, or not at all.
TEST(StencilRounded, sums_beside_halves) {
  const std::vector<Faces> periodic = {Faces(Bound::periodic), Faces(Bound::periodic)};
  for (const double first : {0.1, 0.2, 0.3, 0.7, 1.0 / 3, 0.15}) {
    Sweep sweep = sweep_of(from_array(std::vector<double>{first, 0.5, 0.5 - first}, {1, 3}), {8, 200}, u1, {0, 1}, periodic);
    Bytes source = noise_for(sweep.source, 6);
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = std::byte{static_cast<unsigned char>(2 * (i / 200) + i % 2)};
    expect_rounded(sweep, source);
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = std::byte{static_cast<unsigned char>(i % 5)};
    expect_rounded(sweep, source);
    sweep.stencil =
        LinearStencil{"passes", 2, {{{-1, 0, 0, 0, 1, 0}, {first, 0.5, 0.5 - first}}, {{0, -1, 0, 0, 0, 1}, {first, 0.5, 0.5 - first}}}};
    expect_rounded(sweep, source);
  }
}

TEST(StencilRounded, sums_far_above_and_below_are_saturated) {
  for (const double scale : {-140.1, 150.3})
    expect_rounded(
        sweep_of(from_array(std::vector<double>{scale, 3.3}, {1, 2}), {4, 90}, u1, {0, 1}, {Faces(Bound::edge), Faces(Bound::edge)}));
}

TEST(StencilRounded, others_stay_in_tiles) {
  const auto is_rounded = [](const Sweep& sweep) { return plan_sweep(checked(sweep)).rounded.has_value(); };
  const std::vector<Faces> edges = {Faces(Bound::edge), Faces(Bound::edge)}, constant = {Faces(Bound::edge), Faces(Bound::constant, 1)};
  EXPECT_TRUE(is_rounded(sweep_of(gaussian({1, 1}), {5, 6}, u1, {0, 1}, edges)));
  EXPECT_FALSE(is_rounded(sweep_of(gaussian({1, 1}), {5, 6}, u1, {0, 1}, constant)));
  EXPECT_FALSE(is_rounded(sweep_of(gaussian({1, 1}), {5, 6}, i2, {0, 1}, edges)));
  EXPECT_FALSE(is_rounded(sweep_of(from_array(std::vector<double>{3000.1, 7}, {1, 2}), {5, 6}, u1, {0, 1}, edges)));
  EXPECT_FALSE(
      is_rounded(sweep_of(from_array(std::vector<double>{0.3, 7}, {1, 2}), {5, 6}, u1, {0, 1}, {edges[0], Faces(Bound::constant, 0.1)})));
  Sweep other = sweep_of(gaussian({1, 1}), {5, 6}, u1, {0, 1}, edges);
  other.source = other.destination = Layout::dense_fortran({5, 6}, 1);  // the first pass goes along the line
  EXPECT_FALSE(is_rounded(other));
}

}  // namespace
}  // namespace crinkle::stencil_rounded_test
