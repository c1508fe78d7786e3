// Two stages that share a pass, a few rows after each other, are their definition, byte for byte, on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/drawn_sweeps.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::fused_test {
namespace {

using drawn_sweeps::below;

// As it is planned, or stored past the caches where that is not.
void expect_on_all(const Sweep& sweep, SweepPlan plan, bool is_turned) {
  if (is_turned) plan.passes[0].is_streaming = !plan.passes[0].is_streaming;
  const Bytes source = numbers_for(sweep.source, sweep.source_type), want = swept_by_reference(sweep, source);
  for (const simd::StencilKernels* kernels : simd::StencilKernels::all()) {
    Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
    run_passes(plan, src.origin(), dst.origin(), {}, default_executor(), {}, *kernels);
    EXPECT_TRUE(dst.is_intact() && dst.content() == want) << kernels->target << " " << told(sweep);
  }
}

void expect_fused(const Sweep& sweep, bool is_turned = false) {
  const SweepPlan plan = plan_sweep(checked(sweep));
  EXPECT_TRUE(plan.passes.size() == 1 && plan.passes[0].is_fused) << told(sweep);
  expect_on_all(sweep, plan, is_turned);
}

void expect_grid(const Sweep& sweep, std::int64_t n_down, bool is_turned = false) {
  const SweepPlan plan = plan_sweep(checked(sweep));
  EXPECT_EQ(plan.stages.at(0).n_down, n_down) << told(sweep);
  expect_on_all(sweep, plan, is_turned);
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
    if (&faces < &all_faces[3]) expect_fused(sweep_of(gaussian({0.5, 1}), {7, 9000}, f4, {0, 1}, {faces}), true);
    expect_fused(sweep_of(gaussian({20, 1}), {140, 33}, f8, {0, 1}, {faces}));
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

LinearStencil weights_of(const Extents& extents) {
  std::vector<double> weights;
  for (std::int64_t k = Layout::dense(extents, 1).n_elements(); k > 0; --k) weights.push_back(static_cast<double>(k * 37 % 101) - 50.5);
  return from_array(weights, extents);
}

// Lists that are a grid: all rows of the result that one row is seen by are made together.
TEST(Grids, of_every_size_at_every_face) {
  for (const Faces& faces : all_faces) {
    for (const Extents& extents : {Extents{5, 5}, Extents{2, 7}, Extents{3, 6}, Extents{4, 4}, Extents{15, 1}, Extents{16, 11}})
      for (const std::int64_t n_rows : {1, 2, 3, 4, 5, 14})
        expect_grid(sweep_of(weights_of(extents), {n_rows, 200 + n_rows}, n_rows % 2 == 0 ? f4 : f8, {0, 1}, {faces}), extents[0],
                    n_rows > 3);
    expect_grid(sweep_of(weights_of({5, 5}), {23, 300, 3}, f4, {0, 1}, {faces}), 5, true);
    expect_grid(sweep_of(weights_of({3, 5, 5}), {9, 14, 40}, f4, {0, 1, 2}, {faces}), 5, true);
    expect_grid(sweep_of(weights_of({2, 3, 4, 4}), {4, 5, 14, 33}, f8, {0, 1, 2, 3}, {faces}), 4);
  }
}

TEST(Grids, lines_of_every_length_and_place) {
  for (std::int64_t n = 1; n <= 90; ++n) {
    for (const NumberType type : {f4, f8}) {
      Sweep sweep = sweep_of(weights_of({5, 5}), {11, n}, type, {0, 1}, {two_faces[0]});
      sweep.destination.offset = n % 4 == 0 ? 64 : n % 4 * bytes_of(type.number);
      if (n % 5 == 0) sweep.destination.strides[0] = 1024;
      expect_grid(sweep, 5, n % 2 == 0);
    }
  }
  for (const std::int64_t n : {1021, 1024}) expect_grid(sweep_of(weights_of({7, 3}), {9, n}, f4, {0, 1}, {two_faces[1]}), 7, true);
}

TEST(Grids, other_lists_are_none) {
  const auto n_down = [](const LinearStencil& stencil) {
    return plan_sweep(checked(sweep_of(stencil, {50, 60}, f4, {0, 1}, {Faces(Bound::edge)}))).stages.at(0).n_down;
  };
  LinearStencil list = weights_of({5, 5});
  EXPECT_EQ(n_down(list), 5);
  EXPECT_EQ(n_down(weights_of({3, 3})), 0) << "too few points";
  EXPECT_EQ(n_down(weights_of({62, 2})), 0) << "too many rows";
  EXPECT_EQ(n_down(laplacian(2, 8)), 0);
  std::swap(list.passes[0].offsets[2 * 7], list.passes[0].offsets[2 * 13]);
  EXPECT_EQ(n_down(list), 0) << "rows in another order";
  list = weights_of({5, 5});
  list.passes[0].offsets[2 * 24 + 1] += 1;
  EXPECT_EQ(n_down(list), 0) << "one point aside";
  list = weights_of({5, 5});
  list.passes[0].coefficients.pop_back();
  list.passes[0].offsets.resize(48);
  EXPECT_EQ(n_down(list), 0) << "one point less";
}

// A sum of negative zeros is one.
TEST(Grids, keep_the_signs_of_zeros) {
  Sweep sweep = sweep_of(from_array(std::vector<double>(25, 1.0), {5, 5}), {12, 70}, f4, {0, 1}, {Faces(Bound::edge)});
  Bytes source = noise_for(sweep.source);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = i % 4 == 3 ? std::byte{0x80} : std::byte{0};
  EXPECT_TRUE(swept(sweep, source) == source);
  EXPECT_TRUE(swept_by_reference(sweep, source) == source);
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
