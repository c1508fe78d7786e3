// Sweeps plane by plane equal their definition byte for byte: any rank, faces, instruction set and way of storing.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/drawn_sweeps.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::planes_test {
namespace {

using drawn_sweeps::below;

// As it is planned, or stored past the caches where that is not.
void expect_defined_on_all(const Sweep& sweep, bool in_planes, bool is_turned = false) {
  SweepPlan plan = plan_sweep(checked(sweep));
  for (MemoryPass& pass : plan.passes) {
    EXPECT_EQ(pass.is_in_planes, in_planes) << told(sweep);
    if (is_turned) pass.is_streaming = !pass.is_streaming;
  }
  const Bytes source = numbers_for(sweep.source, sweep.source_type), want = swept_by_reference(sweep, source);
  for (const simd::StencilKernels* kernels : simd::StencilKernels::all()) {
    Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
    run_passes(plan, src.origin(), dst.origin(), {}, default_executor(), {}, *kernels);
    EXPECT_TRUE(dst.is_intact() && dst.content() == want) << kernels->target << " " << told(sweep);
  }
}

TEST(Planes, stars_and_boxes_of_every_rank_and_face) {
  for (const Faces& faces : all_faces) {
    for (const int rank : {2, 3, 4, 5, 6}) {
      std::vector<int> axes;
      for (int a = 0; a < rank; ++a) axes.push_back(a);
      const Extents extents = rank == 2   ? Extents{11, 33}
                              : rank == 3 ? Extents{5, 9, 21}
                              : rank == 4 ? Extents{3, 4, 5, 18}
                              : rank == 5 ? Extents{2, 3, 2, 4, 9}
                                          : Extents{2, 3, 2, 3, 2, 7};
      expect_defined_on_all(sweep_of(average(rank, 1, StencilShape::star), extents, f4, axes, {faces}), true);
      expect_defined_on_all(sweep_of(laplacian(rank, 8), extents, f8, axes, {faces}), true);  // wider than the array
      const Extents around(static_cast<std::size_t>(rank), 2);
      std::vector<double> weights(std::size_t{1} << rank);
      for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = static_cast<double>(k) - 2.5;
      expect_defined_on_all(sweep_of(from_array(weights, around), extents, f4, axes, {faces}), true, true);
    }
  }
}

TEST(Planes, lines_of_every_length) {
  for (std::int64_t n = 1; n <= 70; ++n) {
    for (const NumberType type : {f4, f8}) {
      for (const bool is_turned : {false, true}) {
        Sweep sweep = sweep_of(laplacian(3, n % 3 == 0 ? 2 : 4), {3, 10, n}, type, {0, 1, 2}, {two_faces[0]});
        sweep.destination.offset = n % 4 == 0 ? 64 : n % 4 * bytes_of(type.number);
        expect_defined_on_all(sweep, true, is_turned);
      }
    }
  }
}

TEST(Planes, long_lines_are_made_by_rows) {
  for (const bool is_turned : {false, true}) {
    for (const std::int64_t n : {257, 300, 1021}) {
      for (const NumberType type : {f4, f8})
        expect_defined_on_all(sweep_of(laplacian(2, 4), {7, n}, type, {0, 1}, two_faces), false, is_turned);
    }
    expect_defined_on_all(sweep_of(laplacian(3, 2), {3, 4, 4100}, f4, {0, 1, 2}, {two_faces[0]}), false, is_turned);
    expect_defined_on_all(sweep_of(laplacian(1, 8), {1500}, f4, {0}, {two_faces[0]}), false, is_turned);
  }
}

// Rings turn round, tiles begin anew, and of faces of constants the last one counts.
TEST(Planes, drawn) {
  std::mt19937_64 random(61);
  for (int i = 0; i < 300; ++i) {
    const auto rank = static_cast<int>(2 + below(random, 4));
    Extents extents;
    std::vector<int> axes;
    for (int a = 0; a < rank; ++a) {
      extents.push_back(a == 0 ? 1 + below(random, 60) : 1 + below(random, rank > 3 ? 5 : 12));
      axes.push_back(a);
    }
    std::shuffle(axes.begin(), axes.end(), random);
    axes.resize(1 + random() % axes.size());
    LinearStencil stencil{"drawn", static_cast<int>(axes.size()), {{}}};
    for (std::int64_t k = 1 + below(random, 12); k > 0; --k) {
      for (std::size_t a = 0; a < axes.size(); ++a) stencil.passes[0].offsets.push_back(random() % 2 == 0 ? 0 : below(random, 7) - 3);
      stencil.passes[0].coefficients.push_back(drawn_sweeps::random_weight(random));
    }
    std::vector<Faces> faces;
    for (std::size_t a = 0; a < axes.size(); ++a) faces.push_back(drawn_sweeps::random_faces(random));
    Sweep sweep = sweep_of(stencil, extents, i % 2 == 0 ? f4 : f8, axes, faces);
    if (i % 3 > 0) {  // the slowest axis first or last, as in Fortran
      std::reverse(sweep.source.extents.begin(), sweep.source.extents.end());
      std::reverse(sweep.source.strides.begin(), sweep.source.strides.end());
      sweep.destination = sweep.source;
    }
    SweepPlan plan = plan_sweep(checked(sweep));
    if (plan.passes[0].is_in_planes) expect_defined_on_all(sweep, true, random() % 2 == 0);
    else expect_as_defined(sweep);
  }
}

}  // namespace
}  // namespace crinkle::planes_test
