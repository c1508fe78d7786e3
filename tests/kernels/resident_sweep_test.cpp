// Sweeps that stay in shared memory, walked through on a CPU, all blocks at once: the bits of their definition over every boundary, one to
// three axes, strides of any kind, one block and several, whose rows are as few as their neighbours need.
// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "stencil/cuda/resident.cuh"
#pragma GCC diagnostic pop
#include "stencil/cuda/stages.hpp"
#include "stencil/stencils.hpp"

namespace crinkle::kernel {
alignas(16) char shared[8 << 16];
}

namespace crinkle::resident_sweep_test {
namespace {

namespace walk = crinkle::testing::walk;

constexpr ResidentLimits limits{8, walk::bytes_of_block};

struct Shaped {
  ShapedSweep shaped;
  explicit Shaped(const Sweep& sweep) : shaped(crinkle::shaped(checked(sweep), {})) { fill_up(shaped); }
  template <class T>
  CudaStage<T> stage() const {
    return stage_of<T>(shaped.shape, shaped.stages[0], shaped.source, shaped.destination);
  }
};

/// Blocks that it was walked in; 0 where it does not go.
template <class T>
std::int64_t expect_definition(const Sweep& sweep, std::int64_t n_blocks, std::int64_t n_launches = 1) {
  const Shaped of(sweep);
  const auto s = resident_in(n_blocks, of.stage<T>(), of.shaped.stages[0], sweep.steps, limits);
  if (!s) return 0;
  const Bytes source = numbers_for(sweep.source, sweep.source_type);
  Guarded src(span_of(sweep.source), source), dst(span_of(sweep.destination));
  const auto n_words = static_cast<std::size_t>(s->exchange_bytes()) / 8;
  std::vector<std::uint64_t> exchange_0(n_words), exchange_1(n_words);
  constexpr int n_threads = 96;
  EXPECT_LE(s->n_kept(), 32 * n_threads) << "a bit of a thread's each";
  for (std::int64_t k = 0; k < n_launches; ++k) {
    const ResidentSweep<T> some = s->launched(k, n_launches);
    const std::byte* const in = k == 0 ? src.origin() + of.shaped.source.offset : dst.origin() + of.shaped.destination.offset;
    for (auto* const exchange : {&exchange_0, &exchange_1}) std::fill(exchange->begin(), exchange->end(), 0U);
    walk::launch(
        static_cast<std::uint32_t>(n_blocks), n_threads,
        [&] {
          kernel::resident_of_points<T, n_threads>(some.n_points)(some, in, dst.origin() + of.shaped.destination.offset, exchange_0.data(),
                                                                  exchange_1.data());
        },
        static_cast<std::uint32_t>(n_blocks));
  }
  EXPECT_TRUE(src.is_intact() && dst.is_intact() && src.content() == source) << told(sweep);

  EXPECT_EQ(dst.content(), swept_by_reference(sweep, source))
      << told(sweep) << " in " << n_blocks << " blocks, " << sweep.steps << " steps";
  return n_blocks;
}

std::vector<int> axes_of(std::size_t rank) {
  std::vector<int> axes(rank);
  for (std::size_t a = 0; a < rank; ++a) axes[a] = static_cast<int>(a);
  return axes;
}

TEST(ResidentSweep, has_the_bits_of_its_definition_over_every_boundary) {
  std::mt19937 random(5);
  std::int64_t in_several = 0;
  for (const Faces& slow : all_faces) {
    for (const Faces& fast : all_faces) {
      const std::int64_t radius = 1 + static_cast<std::int64_t>(random() % 2);
      const Extents extents = {9 + static_cast<std::int64_t>(random() % 7), 1 + static_cast<std::int64_t>(random() % 40)};
      Sweep sweep = sweep_of(laplacian(2, static_cast<int>(2 * radius)), extents, radius == 1 ? f4 : f8, {0, 1}, {slow, fast});
      sweep.steps = 1 + static_cast<std::int64_t>(random() % 5);
      for (const std::int64_t n_blocks : {1, 2, 3})
        in_several += radius == 1 ? expect_definition<float>(sweep, n_blocks) : expect_definition<double>(sweep, n_blocks);
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(in_several, 6 * 64) << "some were left out";
}

TEST(ResidentSweep, has_the_bits_of_its_definition_over_ranks_and_lists_of_points) {
  for (const std::int64_t n_blocks : {1, 2, 4}) {
    Sweep line = sweep_of(laplacian(1, 4), {300}, f4, {0}, {all_faces[5]});
    line.steps = 3;
    EXPECT_EQ(expect_definition<float>(line, n_blocks), n_blocks == 1 ? 1 : 0);
    for (const Faces& faces : all_faces) {
      Sweep volume = sweep_of(average(3), {9, 5, 33}, f4, axes_of(3), {faces, all_faces[4], all_faces[0]});
      volume.steps = 4;
      EXPECT_EQ(expect_definition<float>(volume, n_blocks), n_blocks);
    }
    Sweep star = sweep_of(laplacian(3), {11, 6, 13}, f8, axes_of(3), {all_faces[6], all_faces[0], all_faces[7]});
    star.steps = 5;
    EXPECT_EQ(expect_definition<double>(star, n_blocks), n_blocks);
    Sweep skewed = sweep_of(lopsided, {17, 70}, f8, {0, 1}, two_faces);
    skewed.steps = 6;
    EXPECT_EQ(expect_definition<double>(skewed, n_blocks), n_blocks);
    skewed.boundary = {two_faces[1], two_faces[0]};
    EXPECT_EQ(expect_definition<double>(skewed, n_blocks), n_blocks);
  }
}

TEST(ResidentSweep, waits_for_both_neighbours_whatever_sides_its_points_lie_on) {
  const LinearStencil above{"above", 2, {{{0, 0, 2, -1, 1, 0}, {0.5, 0.25, -0.75}}}}, below{"below", 2, {{{-3, 2, 0, 0}, {0.5, -0.75}}}},
      along{"along", 2, {{{0, -2, 0, 3, 0, 0}, {0.5, 0.25, -0.75}}}}, far{"far", 2, {{{-3, 4, 3, -5, 0, 0, 1, 1}, {0.5, 0.25, -0.5, 1}}}};
  for (const LinearStencil& points : {above, below, along, far})
    for (const Faces& faces : {all_faces[0], all_faces[2], all_faces[6]})
      for (const std::int64_t n_blocks : {2, 5}) {
        Sweep sweep = sweep_of(points, {23, 13}, f4, {0, 1}, {faces, all_faces[7]});
        sweep.steps = 9;
        EXPECT_EQ(expect_definition<float>(sweep, n_blocks), n_blocks);
      }
}

TEST(ResidentSweep, reads_and_writes_any_strides_of_whole_elements) {
  for (const Layout& source : layouts_of_6_by_37()) {
    for (const Layout& destination : layouts_of_6_by_37()) {
      Sweep sweep = sweep_of(lopsided, {6, 37}, f4, {0, 1}, {all_faces[7], all_faces[3]});
      sweep.source = source;
      sweep.destination = destination;
      sweep.steps = 3;
      const auto is_whole = [](const Layout& l) { return l.strides[0] % 4 == 0 && l.strides[1] % 4 == 0 && l.offset % 4 == 0; };
      if (!is_whole(source) || !is_whole(destination)) continue;
      EXPECT_EQ(expect_definition<float>(sweep, 1), 1);
    }
  }
}

TEST(ResidentSweep, goes_on_in_its_destination_after_many_steps) {
  for (const std::int64_t n_blocks : {1, 2, 3})
    for (const Faces& faces : {all_faces[0], all_faces[5], all_faces[7]}) {
      Sweep sweep = sweep_of(laplacian(2), {9, 37}, f4, {0, 1}, {faces, all_faces[3]});
      sweep.destination.strides = {4, 40};  // columns of 10 cells, where the source has rows
      sweep.steps = 7;
      EXPECT_EQ(expect_definition<float>(sweep, n_blocks, 2), n_blocks);
      EXPECT_EQ(expect_definition<float>(sweep, n_blocks, 3), n_blocks);
    }
  ResidentSweep<float> sweep{};
  sweep.steps = 3 * most_resident_steps + 2;
  ASSERT_EQ(sweep.n_launches(), 4);
  std::int64_t steps = 0;
  for (std::int64_t k = 0; k < 4; ++k) steps += sweep.launched(k, 4).steps;
  EXPECT_EQ(steps, sweep.steps);
}

TEST(ResidentSweep, is_chosen_for_many_steps_over_small_arrays_alone) {
  const auto blocks_of = [](const Extents& extents, std::int64_t steps) {
    const std::size_t rank = extents.size();
    Sweep sweep = sweep_of(laplacian(static_cast<int>(rank)), extents, f4, axes_of(rank), {Faces(Bound::periodic)});
    sweep.steps = steps;
    const Shaped of(sweep);
    const auto s = resident_of(of.stage<float>(), of.shaped.stages[0], steps, {132, 227 << 10});
    if (!s) return 0;
    EXPECT_LE(s->shared_bytes(), 227 << 10);
    return s->n_blocks;
  };
  EXPECT_EQ(blocks_of({64, 64}, 100), 1);
  EXPECT_EQ(blocks_of({64, 64}, 2), 0) << "few steps are launches";
  EXPECT_GT(blocks_of({128, 128}, 100), 0);
  EXPECT_GT(blocks_of({256, 256}, 100), 1);
  EXPECT_GT(blocks_of({512, 512}, 100), 16);
  EXPECT_GT(blocks_of({24, 20, 28}, 8), 1);
  EXPECT_EQ(blocks_of({8192, 8192}, 100), 0) << "it does not fit";
}

}  // namespace
}  // namespace crinkle::resident_sweep_test
