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

// Elements of another type than the sums' are brought into tiles, of which a wide stencil's would be all halo.
TEST(Sweeper, tiles_of_wide_stencils_are_no_halo_alone) {
  for (const std::int64_t radius : {10, 40}) {
    Sweep sweep = sweep_of(average(3, radius, StencilShape::star), {96, 128, 160}, f8, {0, 1, 2}, {Faces(Bound::reflect)});
    sweep.source = dense({96, 128, 160}, {Number::uint8});
    sweep.source_type = {Number::uint8};
    const Tiles tiles = plan_sweep(checked(sweep)).passes.at(0).tiles;
    EXPECT_LT(tiles.n_tiles * tiles.n_elements, 40 * sweep.source.n_elements()) << radius;
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

// Rows of integers, so that nothing is rounded: their passes are their product as one list, beyond all faces and in every order of axes.
TEST(Sweeper, passes_are_one_list_at_constant_faces) {
  const std::vector<std::vector<double>> rows = {{-1, 0, 1}, {1, 2, 3, 2, 1}, {2, 5, -1}};  // 45 points
  const LinearStencil passes = separable("passes", rows);
  ASSERT_EQ(passes.passes.size(), 3u);
  LinearStencil list{"list", 3, {PointList{}}};
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 5; ++y)
      for (std::int64_t x = 0; x < 3; ++x) {
        const std::int64_t offset[] = {z - 1, y - 2, x - 1};
        list.passes[0].offsets.insert(list.passes[0].offsets.end(), offset, offset + 3);
        list.passes[0].coefficients.push_back(rows[0][static_cast<std::size_t>(z)] * rows[1][static_cast<std::size_t>(y)] *
                                              rows[2][static_cast<std::size_t>(x)]);
      }
  const std::vector<Faces> faces = {Faces(Bound::constant, 5), Faces({Bound::constant, 2}, {Bound::constant, -7}), Faces(Bound::reflect)};
  for (const std::vector<int>& axes : {std::vector<int>{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    for (const Faces& a : faces) {
      for (const Faces& b : faces) {
        for (const NumberType type : {NumberType{Number::int32}, f8}) {
          Sweep sweep = sweep_of(passes, {4, 5, 6}, type, axes, {a, b, faces[1]});
          Bytes numbers(static_cast<std::size_t>(sweep.source.n_bytes()));
          for (std::int64_t i = 0; i < sweep.source.n_elements(); ++i) {
            const auto x = static_cast<double>(i * i % 37 - 11);
            store_line(numbers.data() + i * sweep.source.element_bytes, 0, &x, 1, 1, type);
          }
          expect_as_defined(sweep);
          const Bytes have = swept(sweep, numbers);
          sweep.stencil = list;
          EXPECT_TRUE(have == swept(sweep, numbers)) << told(sweep);
        }
      }
    }
  }
}

void expect_single_steps(Sweep sweep, std::int64_t steps, std::int64_t at_once) {
  const Bytes source = numbers_for(sweep.source, sweep.source_type);
  Bytes want = source;
  sweep.steps = 1;
  for (std::int64_t s = 0; s < steps; ++s) want = swept(sweep, want);
  sweep.steps = steps;
  sweep.steps_at_once = at_once;
  EXPECT_TRUE(swept(sweep, source) == want) << told(sweep);
  expect_as_defined(sweep);
}

TEST(Sweeper, steps_at_once_equal_single_steps) {
  for (const Faces& faces : all_faces) {
    for (const std::int64_t at_once : {1, 2, 3, 5})
      expect_single_steps(sweep_of(average(2, 1, StencilShape::star), {33, 70}, f4, {0, 1}, {faces}), 5, at_once);
  }
}

TEST(Sweeper, steps_at_once_equal_single_steps_of_volumes) {
  for (const Faces& faces : all_faces) {
    for (const std::int64_t at_once : {2, 3}) {
      expect_single_steps(sweep_of(laplacian(3, 2), {9, 17, 40}, f4, {0, 1, 2}, {faces}), 5, at_once);
      expect_single_steps(sweep_of(average(3), {5, 33, 12}, f8, {0, 1, 2}, {faces, two_faces[0], faces}), 4, at_once);
      expect_single_steps(sweep_of(gaussian({0.7, 1, 0.5}), {12, 9, 20}, f4, {0, 1, 2}, {faces}), 3, at_once);
    }
  }
}

}  // namespace
}  // namespace crinkle::sweeper_test
