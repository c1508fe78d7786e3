// Sweeps on a CPU equal their definition byte for byte: extents around the radius and the vectors, every boundary, type, layout and number
// of steps at once, every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/stencils.hpp"
#include "support/threads.hpp"

namespace crinkle::sweeper_test {
namespace {

TEST(Sweeper, every_boundary_serves_every_extent_along_a_line) {
  for (const int order : {2, 8}) {
    const std::int64_t r = order / 2;
    for (const Faces& faces : all_faces) {
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, r, 2 * r, 2 * r + 1, std::int64_t{31}, std::int64_t{32},
                                   std::int64_t{33}, std::int64_t{127}, std::int64_t{128}, std::int64_t{129}}) {
        expect_as_defined(sweep_of(laplacian(1, order), {n}, f4, {0}, {faces}));
        expect_as_defined(sweep_of(laplacian(1, order), {n}, f8, {0}, {faces}));
      }
    }
  }
}

TEST(Sweeper, every_boundary_serves_every_extent_of_a_plane) {
  for (const int order : {2, 4}) {
    const std::int64_t r = order / 2;
    for (const Faces& faces : all_faces) {
      for (const std::int64_t ny : {std::int64_t{1}, std::int64_t{2}, 2 * r, 2 * r + 1, std::int64_t{32}}) {
        for (const std::int64_t nx : {std::int64_t{1}, r, 2 * r + 1, std::int64_t{31}, std::int64_t{33}, std::int64_t{128}})
          expect_as_defined(sweep_of(laplacian(2, order), {ny, nx}, f4, {0, 1}, {faces}));
      }
    }
  }
}

TEST(Sweeper, axes_may_have_different_boundaries_in_any_order) {
  for (const Faces& a : all_faces)
    for (const Faces& b : all_faces) {
      expect_as_defined(sweep_of(average(2), {7, 9}, f8, {0, 1}, {a, b}));
      expect_as_defined(sweep_of(average(2), {7, 9}, f8, {1, 0}, {a, b}));
      expect_as_defined(sweep_of(average(3), {4, 3, 5}, f4, {2, 0, 1}, {a, b, a}));
    }
}

TEST(Sweeper, steps_at_once_equal_single_steps) {
  for (const Faces& faces : all_faces) {
    for (const std::int64_t at_once : {1, 2, 3, 5}) {
      Sweep sweep = sweep_of(average(2, 1, StencilShape::star), {33, 70}, f4, {0, 1}, {faces});
      sweep.steps = 5;
      sweep.steps_at_once = at_once;
      const Bytes source = numbers_for(sweep.source, f4);
      Bytes want = source;
      Sweep one = sweep;
      one.steps = 1;
      for (int s = 0; s < 5; ++s) want = swept(one, want);
      EXPECT_TRUE(swept(sweep, source) == want) << told(sweep);
      expect_as_defined(sweep);
    }
  }
}

}  // namespace
}  // namespace crinkle::sweeper_test
