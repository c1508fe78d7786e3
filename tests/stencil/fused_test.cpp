// Two stages that share a pass, a few rows after each other, are their definition, byte for byte, on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/drawn_sweeps.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::fused_test {
namespace {

using drawn_sweeps::below;

void expect_fused(const Sweep& sweep, bool is_turned = false) {
  SweepPlan plan = plan_sweep(checked(sweep));
  EXPECT_EQ(plan.passes.size(), 1U);
  for (MemoryPass& pass : plan.passes) {
    EXPECT_TRUE(pass.is_fused) << told(sweep);
    if (is_turned) pass.is_streaming = !pass.is_streaming;
  }
  const Bytes source = numbers_for(sweep.source, sweep.source_type), want = swept_by_reference(sweep, source);
  for (const simd::StencilKernels* kernels : simd::StencilKernels::all()) {
    Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
    run_passes(plan, src.origin(), dst.origin(), {}, default_executor(), {}, *kernels);
    EXPECT_TRUE(dst.is_intact() && dst.content() == want) << kernels->target << " " << told(sweep);
  }
}

TEST(Fused, gaussians_at_every_face) {
  for (const double sigma : {0.9, 2.0, 6.0}) {
    for (const Faces& a : all_faces) {
      for (const Faces& b : all_faces) {
        expect_fused(sweep_of(gaussian({sigma, sigma}), {11, 70}, f4, {0, 1}, {a, b}));
        if (sigma < 1) expect_fused(sweep_of(gaussian({sigma, 2 * sigma}), {3, 2}, f8, {0, 1}, {a, b}), true);
      }
      for (const Extents& extents : {Extents{1, 1}, Extents{2, 300}, Extents{90, 1}, Extents{0, 4}, Extents{4, 0}})
        expect_fused(sweep_of(gaussian({sigma, sigma}), extents, f4, {0, 1}, {a}), extents[1] == 300);
      expect_fused(sweep_of(gaussian({sigma, sigma}), {9, 20, 3}, f4, {0, 1}, {a}));
      expect_fused(sweep_of(gaussian({sigma, sigma}), {3, 9, 20}, f8, {1, 2}, {a}), true);
    }
  }
}

TEST(Fused, lines_of_every_length_and_long_ones) {
  for (std::int64_t n = 1; n <= 70; ++n)
    for (const NumberType type : {f4, f8})
      expect_fused(sweep_of(gaussian({1, 1}), {5, n}, type, {0, 1}, {two_faces[static_cast<std::size_t>(n % 2)]}), n % 3 == 0);
  for (const Faces& faces : all_faces) {
    expect_fused(sweep_of(gaussian({1, 3}), {7, 9000}, f4, {0, 1}, {faces}), true);
    expect_fused(sweep_of(gaussian({20, 1}), {300, 700}, f8, {0, 1}, {faces}));
  }
}

TEST(Fused, steps_stages_before_and_behind_and_drawn_weights) {
  std::mt19937_64 random(61);
  for (int i = 0; i < 200; ++i) {
    const int rank = 2 + static_cast<int>(below(random, 2));
    LinearStencil stencil{"drawn", rank, {}};
    for (int axis = 0; axis < rank; ++axis) {
      PointList list;
      std::int64_t at = below(random, 9) - 6;
      for (std::int64_t n = 4 + below(random, 9); n > 0; --n, ++at) {
        for (int a = 0; a < rank; ++a) list.offsets.push_back(a == axis ? at : 0);
        list.coefficients.push_back(drawn_sweeps::random_weight(random));
      }
      stencil.passes.push_back(list);
    }
    std::vector<int> axes;
    Extents extents;
    std::vector<Faces> faces;
    for (int a = 0; a < rank; ++a) {
      axes.push_back(a);
      extents.push_back(1 + below(random, rank == 2 ? 40 : 12));
      faces.push_back(drawn_sweeps::random_faces(random));
    }
    Sweep sweep = sweep_of(stencil, extents, i % 2 == 0 ? f4 : f8, axes, faces);
    sweep.steps = 1 + below(random, 3);
    const SweepPlan plan = plan_sweep(checked(sweep));
    EXPECT_EQ(std::ssize(plan.passes), sweep.steps * (rank - 1)) << told(sweep);
    EXPECT_TRUE(plan.passes.back().is_fused);
    expect_as_defined(sweep);
  }
}

TEST(Fused, places_that_are_not_aligned_and_layouts_of_all_kinds) {
  for (const Faces& faces : all_faces) {
    for (const Layout& source : layouts_of_6_by_37()) {
      for (const Layout& destination : layouts_of_6_by_37()) {
        Sweep sweep = sweep_of(gaussian({1, 1.5}), {6, 37}, f4, {0, 1}, {faces});
        sweep.source = source;
        sweep.destination = destination;
        expect_as_defined(sweep);
      }
    }
  }
}

TEST(Fused, others_are_not) {
  const auto is_fused = [](const Sweep& sweep) { return plan_sweep(checked(sweep)).passes.front().is_fused; };
  const std::vector<Faces> edges = {Faces(Bound::edge)};
  EXPECT_TRUE(is_fused(sweep_of(gaussian({1, 1}), {50, 60}, f4, {0, 1}, edges)));
  EXPECT_FALSE(is_fused(sweep_of(gaussian({1, 1}), {50, 60}, {Number::float16}, {0, 1}, edges)));
  Sweep other = sweep_of(gaussian({1, 1}), {50, 60}, f4, {0, 1}, edges);
  other.source = other.destination = Layout::dense_fortran({50, 60}, 4);  // the first stage goes along the line
  EXPECT_FALSE(is_fused(other));
  other = sweep_of(gaussian({1, 1}), {50, 60}, f4, {0, 1}, edges);
  other.steps_at_once = 1;
  EXPECT_FALSE(is_fused(other));
}

}  // namespace
}  // namespace crinkle::fused_test
