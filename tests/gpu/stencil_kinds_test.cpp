// Lists of points that have kernels of their own on a GPU, several steps at once, and all types of numbers: the CPU's bits.
// SPDX-License-Identifier: BSD-3-Clause
#include "gpu_sweep.hpp"

namespace crinkle::testing::stencil_test {
namespace {

// Those that have a kernel of their own, on lines of whole vectors and others.
TEST_F(Gpu, stars_and_boxes_of_every_radius_and_boundary) {
  std::mt19937 random(42);
  const auto draw = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (const NumberType type : {f4, f8}) {
    for (const std::int64_t line : {12, 16, 36, 124, 128, 132, 520, 1030}) {
      for (int c = 0; c < n_cases(24); ++c) {
        const int r = 1 + static_cast<int>(draw(4)), rank = 2 + static_cast<int>(draw(2));
        const bool is_box = draw(3) == 0;
        Extents extents = {9 + draw(60), line};
        if (rank == 3) extents.insert(extents.begin(), 9 + draw(12));
        std::vector<Faces> boundary;
        for (int a = 0; a < rank; ++a) boundary.push_back(all_faces[static_cast<std::size_t>(draw(std::ssize(all_faces)))]);
        Sweep sweep = sweep_of(is_box ? average(rank, 1 + r % 2) : laplacian(rank, 2 * r), extents, type,
                               axes_of(static_cast<std::size_t>(rank)), boundary);
        sweep.steps_at_once = draw(2);
        sweep.steps = 1 + draw(3);
        expect_as_on_the_cpu(sweep);
        if (::testing::Test::HasFailure()) return;
      }
    }
    for (const Faces& faces : all_faces) {
      expect_as_on_the_cpu(sweep_of(average(4, 1, StencilShape::star), {3, 6, 11, 64}, type, axes_of(4), {faces}));
      expect_as_on_the_cpu(
          sweep_of(laplacian(6), {3, 4, 3, 5, 9, 24}, type, axes_of(6), {faces, all_faces[2], faces, faces, all_faces[5], faces}));
      for (const int r : {1, 2, 3, 4}) {
        expect_as_on_the_cpu(sweep_of(laplacian(1, 2 * r), {4000}, type, {0}, {faces}));
        expect_as_on_the_cpu(sweep_of(average(1, r), {4000}, type, {0}, {faces}));
        expect_as_on_the_cpu(sweep_of(average(1, r), {3, 7, 44}, type, {2}, {faces}));
        expect_as_on_the_cpu(sweep_of(average(2, r), {60, 200}, type, {0, 1}, {faces, all_faces[4]}));
        expect_as_on_the_cpu(sweep_of(laplacian(2, 2 * r), {11, 5, 40}, type, {0, 2}, {faces, all_faces[6]}));  // not neighbours
      }
      expect_as_on_the_cpu(sweep_of(laplacian(4, 4), {5, 7, 6, 36}, type, axes_of(4), {faces, all_faces[4], faces, faces}));
      expect_as_on_the_cpu(sweep_of(average(4, 1, StencilShape::star), {3, 5, 2, 6, 16}, type, {0, 1, 3, 4}, {faces}));  // a batch between
      for (const std::int64_t line : {38, 37, 7, 8}) {  // not of 16 bytes, or not at multiples of them
        const Sweep star =
            sweep_of(average(5, 1, StencilShape::star), {5, 3, 4, 9, line}, type, axes_of(5), {faces, all_faces[3], faces, faces, faces});
        expect_as_on_the_cpu(star);
        expect_as_on_the_cpu(star, bytes_of(type.number), 2 * bytes_of(type.number));
      }
      expect_as_on_the_cpu(sweep_of(laplacian(4, 6), {9, 8, 12, 31}, type, axes_of(4), {faces}));
      expect_as_on_the_cpu(sweep_of(laplacian(2), {5, 40, 64, 3}, type, {0, 1}, {faces}));  // a line that nothing reaches along
    }
  }
}

// Steps that share a pass over memory where there are two axes, tiles and parts of the marching axis of every length.
TEST_F(Gpu, several_steps_at_once_of_every_boundary) {
  std::mt19937 random(43);
  const auto draw = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (const NumberType type : {f4, f8}) {
    for (const std::int64_t line : {4, 8, 12, 120, 124, 128, 240, 244, 516}) {
      for (int c = 0; c < n_cases(24); ++c) {
        const int rank = 2 + static_cast<int>(draw(2));
        const std::int64_t rows[] = {3, 4, 5, 7, 25, 26, 27, 28, 29, 53, 56, 130, 300};
        Extents extents = {rows[draw(13)], line};
        if (rank == 3) extents.insert(extents.begin(), rows[draw(11)]);
        std::vector<Faces> boundary;
        for (int a = 0; a < rank; ++a) boundary.push_back(all_faces[static_cast<std::size_t>(draw(std::ssize(all_faces)))]);
        const bool is_box = rank == 2 && draw(2) == 0;
        Sweep sweep = sweep_of(is_box ? average(2) : average(rank, 1, StencilShape::star), extents, type,
                               axes_of(static_cast<std::size_t>(rank)), boundary);
        sweep.steps = 2 + draw(9);
        expect_as_on_the_cpu(sweep);
        if (draw(8) == 0) expect_as_on_the_cpu(sweep, bytes_of(type.number), 0);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  Sweep batch = sweep_of(laplacian(2), {5, 3, 70, 260}, f4, {2, 3}, two_faces);
  batch.steps = 7;
  expect_as_on_the_cpu(batch);
  EXPECT_EQ(Sweeper(batch, cuda()).passes(), 3);
}

// Values between steps are what the destination's type holds.
TEST_F(Gpu, stencils_of_every_type_of_numbers) {
  const Number all[] = {Number::float16, Number::float32, Number::float64, Number::int8,  Number::int16, Number::int32,
                        Number::uint8,   Number::uint16,  Number::uint32,  Number::int64, Number::uint64};
  std::mt19937 random(44);
  for (const Number from : all) {
    for (const Number to : all) {
      for (const std::int64_t steps : {1, 2, 3}) {
        const NumberType source{from, bytes_of(from) > 1 && random() % 2 == 0}, destination{to, bytes_of(to) > 1 && random() % 2 == 0};
        Sweep sweep = sweep_of(random() % 2 == 0 ? gaussian({3, 2}) : laplacian(2, 2), {33, 20 + static_cast<std::int64_t>(random() % 5)},
                               source, {0, 1}, two_faces);
        sweep.destination_type = destination;
        sweep.destination = dense(sweep.source.extents, destination);
        sweep.steps = steps;
        expect_as_on_the_cpu(sweep);
        sweep.destination.strides = {3 + bytes_of(to), (3 + bytes_of(to)) * 33};  // transposed, at any address
        expect_as_on_the_cpu(sweep, 1, 3);
      }
    }
  }
  Sweep picture = sweep_of(average(2, 2), {130, 170, 3}, {Number::uint8}, {0, 1}, two_faces);
  picture.steps = 4;
  expect_as_on_the_cpu(picture);
}

}  // namespace
}  // namespace crinkle::testing::stencil_test
