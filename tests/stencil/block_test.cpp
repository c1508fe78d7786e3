// Blocks of a sweep on a GPU, thread by thread on the CPU: every cell once and with the bits of a loop, at every boundary, of extents that
// tiles do not divide, with rows read by vectors and cell by cell. Shared memory is poisoned before, so that no cell sees what is not
// there.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "crinkle/detail/sweep_block.hpp"
#include "crinkle/stencil_loops.hpp"
#include "support/loop_executor.hpp"

namespace crinkle::block_test {
namespace {

/// The farthest neighbours along every axis, and two corners.
template <int... r>
struct Far {
  using Radius = crinkle::Radius<r...>;
  template <int axis, int step, class At, int... k>
  CRINKLE_HD static float neighbour(const At& at, std::integer_sequence<int, k...>) {
    return at(Offset<(k == axis ? step * r : 0)...>{});
  }
  template <class At, int... k>
  CRINKLE_HD float sum(const At& at, std::integer_sequence<int, k...> all) const {
    auto total = static_cast<float>(at(Offset<(0 * k)...>{}, input<1>));
    ((total = total * 0.5f + neighbour<k, -1>(at, all), total = total * 0.75f - neighbour<k, 1>(at, all)), ...);
    total += at(Offset<r...>{}) + 0.125f * at(Offset<-r...>{}) + static_cast<float>(at.index(0));
    return total + static_cast<float>(at(Offset<(k == 0 ? 0 : r)...>{}, input<1>));
  }
  template <class At>
  CRINKLE_HD float operator()(const At& at) const {
    return sum(at, std::make_integer_sequence<int, static_cast<int>(sizeof...(r))>());
  }
};

/// Runs the threads of all blocks one after the other, as a kernel does together.
template <class Tile, class Stencil, class Outs>
void sweep_by_blocks(const Stencil& stencil, const Outs& outs, const detail::SweepGrid& grid) {
  struct alignas(16) Line {
    unsigned char bytes[16];
  };
  std::vector<Line> memory(Tile::n_bytes / 16);
  for (std::int64_t b = 0; b < grid.n_blocks; ++b) {
    std::memset(memory.data(), 0xFF, static_cast<std::size_t>(Tile::n_bytes));
    const detail::SweepBlock<Tile, Stencil, Outs, false> block(stencil, outs, grid, memory[0].bytes, b);
    const int n_groups = block.n_turns() + Tile::lead;
    for (int thread = 0; block.has_places() && thread < Tile::n_threads; ++thread) block.prepare(thread);
    for (int turn = -Tile::lead - Tile::ahead; turn < block.n_turns(); ++turn) {
      const int group = turn + Tile::lead + Tile::ahead;
      for (int thread = 0; group < n_groups && thread < Tile::n_threads; ++thread) block.load(thread, group);
      for (int thread = 0; turn >= 0 && thread < Tile::n_threads; ++thread) block.make(thread, turn);
    }
  }
}

template <int... r>
void expect_same_bits(int n_cases) {
  constexpr int rank = sizeof...(r);
  using Tile = typename detail::SweepTileOf<crinkle::Radius<r...>, float, double>::Type;
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  for (int k = 0; k < n_cases; ++k) {
    Array<std::int64_t, rank> n{};
    std::size_t n_cells = 1;
    for (int a = 0; a < rank; ++a) {
      const int most = a == rank - 1 ? (rank == 1 ? 3000 : rank < 4 ? 600 : 90) : rank == 2 ? 70 : rank == 3 ? 40 : 9;
      n[a] = 1 + below(below(4) == 0 ? 5 : most);
      if (a == rank - 1 && below(2) == 0) n[a] = (n[a] + 3) / 4 * 4;
      n_cells *= static_cast<std::size_t>(n[a]);
    }
    std::vector<float> u(n_cells), have(n_cells, -1), want(n_cells, -2);
    std::vector<double> v(n_cells);
    for (float& x : u) x = static_cast<float>(below(1000)) * 0.37f;
    for (double& x : v) x = static_cast<double>(below(1000)) * 0.11;
    Array<Faces, rank> faces{};
    for (Faces& f : faces) {
      const auto face = [&] {
        const Bound bounds[] = {Bound::edge, Bound::reflect, Bound::symmetric, Bound::constant};
        return Face{bounds[below(4)], static_cast<double>(below(9)) / 2};
      };
      f = below(4) == 0 ? Faces(Bound::periodic) : Faces(face(), face());
    }
    const auto made = stencil(Far<r...>{}, faces, dense_field(u.data(), n), dense_field(v.data(), n));
    testing::LoopExecutor loop(1);
    sweep(made, dense_field(want.data(), n), loop);
    auto grid = detail::SweepGrid::of<Tile>(n, 1 + below(20));
    grid.has_vectors = n[rank - 1] % 4 == 0 ? 3 : 0;
    sweep_by_blocks<Tile>(made, detail::outputs_of(dense_field(have.data(), n)), grid);
    ASSERT_EQ(0, std::memcmp(have.data(), want.data(), n_cells * sizeof(float))) << "case " << k << ", " << n_cells << " cells";
  }
}

TEST(Block, lines) {
  expect_same_bits<1>(30);
  expect_same_bits<3>(30);
}
TEST(Block, planes) {
  expect_same_bits<1, 1>(30);
  expect_same_bits<2, 3>(30);
  expect_same_bits<0, 5>(20);
}
TEST(Block, volumes) {
  expect_same_bits<1, 1, 1>(20);
  expect_same_bits<2, 0, 3>(20);
  expect_same_bits<4, 4, 4>(10);
}
TEST(Block, four_axes_and_more) {
  expect_same_bits<1, 1, 1, 1>(20);
  expect_same_bits<0, 1, 2, 1>(20);
  expect_same_bits<1, 0, 1, 1, 1>(10);
}

// Chunks of a grid have all planes, and none twice; many blocks at once get short chunks.
TEST(Block, grids_cover_the_march) {
  using Tile = detail::SweepTileOf<crinkle::Radius<1, 1>, float>::Type;
  for (const std::int64_t rows : {1, 7, 8, 9, 127, 8192, 100000})
    for (const std::int64_t at_once : {1, 100, 528, 5000}) {
      const auto grid = detail::SweepGrid::of<Tile>({rows, 1000}, at_once);
      EXPECT_EQ(grid.n_across, 4);
      EXPECT_GE(grid.chunk * grid.n_deep, rows);
      EXPECT_LT(grid.chunk * (grid.n_deep - 1), rows);
      EXPECT_EQ(grid.n_blocks, grid.n_across * grid.n_deep);
    }
  EXPECT_EQ(detail::SweepGrid::of<Tile>({127, 100}, 5000).chunk, Tile::deep);
}

}  // namespace
}  // namespace crinkle::block_test
