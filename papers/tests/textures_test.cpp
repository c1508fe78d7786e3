// The suite `textures`, thread by thread on a CPU: tiles of table 4 have the bits of the library's sweep from every memory, with the cells
// and the apron read from where they should be; access(k) finds the same cell in a texture of one, two and three dimensions.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "crinkle/stencil.hpp"
#include "crinkle/sweeper.hpp"
#include "harness/unit_numbers.hpp"
#include "papers/textures/access.hpp"
#include "papers/textures/star_tile.hpp"
#include "suites/stencil.hpp"

namespace crinkle::bench::textures_test {
namespace {

/// What a device's texture gives: whole coordinates, the nearest texel outside, but of one dimension nothing.
struct HostTexture {
  const float* texels;
  int width, height, depth;
  std::int64_t* n_reads;

  float operator()(int k) const {
    ++*n_reads;
    if (k < 0 || k >= width * height * depth) ADD_FAILURE() << "texel " << k << " of " << width * height * depth;
    return texels[k];
  }
  float operator()(int x, int y) const { return (*this)(x, y, 0); }
  float operator()(int x, int y, int z) const {
    ++*n_reads;
    return texels[(clamped_to(z, depth) * height + clamped_to(y, height)) * width + clamped_to(x, width)];
  }
};
/// Global memory whose reads are counted.
struct CountedGlobal {
  StarFromGlobal from;
  std::int64_t* n_reads;
  float operator()(int x, int y) const {
    ++*n_reads;
    return from(x, y);
  }
};

std::vector<float> numbers_of(std::int64_t n, std::uint64_t seed) {
  std::vector<float> numbers(static_cast<std::size_t>(n));
  fill_unit(numbers.data(), n, seed, default_executor());
  for (float& x : numbers) x = 2 * x - 1;
  return numbers;
}

template <int r, class Inner, class Apron>
std::vector<float> swept(int width, int height, const StarWeights<r>& weights, const Inner& inner, const Apron& apron) {
  using Tile = StarTile<r>;
  std::vector<float> dst(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), -7);
  std::vector<float> cells(Tile::n_cells);
  for (int by = 0; by * Tile::side < height; ++by)
    for (int bx = 0; bx * Tile::side < width; ++bx) {
      cells.assign(cells.size(), std::nanf(""));
      const Tile tile(cells.data(), bx, by, width, height);
      for (int thread = 0; thread < Tile::n_threads; ++thread) tile.load(thread, inner, apron);
      for (int thread = 0; thread < Tile::n_threads; ++thread) tile.make(thread, weights, dst.data());
    }
  return dst;
}

template <int r>
void expect_table_4(int width, int height) {
  SCOPED_TRACE(::testing::Message() << "order " << r << ", " << width << " x " << height);
  const std::vector<float> src = numbers_of(width * height, 3);
  const Sweep sweep = StencilCase{laplacian(2, 2 * r), {height, width}, Bound::edge}.sweep();
  std::vector<float> want(src.size());
  plan(sweep).run({{ConstBuffer(src)}}, {{Buffer(want)}}, default_executor());
  StarWeights<r> weights{};
  for (int k = 0; k < 4 * r + 1; ++k) weights.of[k] = static_cast<float>(sweep.stencil.passes[0].coefficients[static_cast<std::size_t>(k)]);

  std::int64_t n_global = 0, n_texture = 0;
  const CountedGlobal global{{src.data(), width, height}, &n_global};
  const HostTexture line{src.data(), width * height, 1, 1, &n_texture}, plane{src.data(), width, height, 1, &n_texture};
  const StarFrom1d<HostTexture> line_texture{line, width, height};
  const StarFrom2d<HostTexture> plane_texture{plane};
  const std::int64_t n_blocks = std::int64_t{(width + 31) / 32} * ((height + 31) / 32), n_inner = n_blocks * 32 * 32,
                     n_apron = n_blocks * 4 * r * 32;
  const auto expect = [&](const char* variant, const auto& inner, const auto& apron, std::int64_t from_global, std::int64_t from_texture) {
    n_global = n_texture = 0;
    EXPECT_EQ(swept<r>(width, height, weights, inner, apron), want) << variant;
    EXPECT_EQ(n_global, from_global) << variant;
    EXPECT_EQ(n_texture, from_texture) << variant;
  };
  expect("global memory", global, global, n_inner + n_apron, 0);
  expect("1D texture", line_texture, line_texture, 0, n_inner + n_apron);
  expect("hybrid 1D texture", global, line_texture, n_inner, n_apron);
  expect("2D texture", plane_texture, plane_texture, 0, n_inner + n_apron);
  expect("hybrid 2D texture", global, plane_texture, n_inner, n_apron);
}

TEST(Textures, every_variant_of_table_4_has_the_bits_of_the_librarys_sweep) {
  for (const auto& [width, height] : {std::pair{64, 32}, {33, 70}, {100, 31}, {9, 9}}) {
    expect_table_4<1>(width, height);
    expect_table_4<2>(width, height);
    expect_table_4<3>(width, height);
    expect_table_4<4>(width, height);
  }
}

template <class Index>
void expect_access(const typename Index::Extents& extents) {
  const Index index(extents);
  ASSERT_TRUE(index.is_valid());
  const auto total = static_cast<std::int64_t>(index.total());
  const std::vector<float> cells = numbers_of(total, 9);
  std::int64_t n_reads = 0;
  const auto texture = [&](const Array<std::uint64_t, 3>& of) {
    EXPECT_EQ(of[0] * of[1] * of[2], index.total());
    return HostTexture{cells.data(), static_cast<int>(of[0]), static_cast<int>(of[1]), static_cast<int>(of[2]), &n_reads};
  };
  const InGlobal global{cells.data()};
  const InTexture<1, HostTexture> line{texture(texture_extents<1, Index::rank>(extents))};
  const InTexture<2, HostTexture> plane{texture(texture_extents<2, Index::rank>(extents))};
  const InTexture<3, HostTexture> space{texture(texture_extents<3, Index::rank>(extents))};
  const BlurWeights<Index::rank> weights = blur_weights<Index::rank>();
  for (std::int64_t i = 0; i < total; ++i) {
    const auto k = static_cast<typename Index::Integer>(i);
    // By indices alone: the cell one step along an axis is k, its index on that axis one more or less, modulo.
    const auto stepped = [&](int axis, std::int64_t step) {
      std::int64_t unit = 1, rest = i;
      for (int a = 0; a < axis; ++a) unit *= static_cast<std::int64_t>(extents[a]);
      const auto extent = static_cast<std::int64_t>(extents[axis]);
      const std::int64_t at = rest / unit % extent;
      rest += ((at + step + extent) % extent - at) * unit;
      return cells[static_cast<std::size_t>(rest)];
    };
    float sum = weights.of[0] * cells[static_cast<std::size_t>(i)];
    for (int axis = 0; axis < Index::rank; ++axis) {
      const float next = stepped(axis, 1);
      ASSERT_EQ(neighbour_of(index, k, axis, global), next);
      ASSERT_EQ(neighbour_of(index, k, axis, line), next);
      ASSERT_EQ(neighbour_of(index, k, axis, plane), next);
      ASSERT_EQ(neighbour_of(index, k, axis, space), next);
      sum = sum + weights.of[1 + 2 * axis] * stepped(axis, -1);
      sum = sum + weights.of[2 + 2 * axis] * next;
    }
    ASSERT_EQ(blur_of(index, k, global, weights.of), sum);
    ASSERT_EQ(blur_of(index, k, line, weights.of), sum);
    ASSERT_EQ(blur_of(index, k, plane, weights.of), sum);
    ASSERT_EQ(blur_of(index, k, space, weights.of), sum);
  }
  EXPECT_GT(n_reads, 0);
}

TEST(Textures, access_finds_a_cell_in_memory_and_in_textures_of_any_rank) {
  expect_access<PowerOfTwoIndex<1, std::uint32_t>>({64});
  expect_access<PowerOfTwoIndex<2, std::uint32_t>>({16, 8});
  expect_access<PowerOfTwoIndex<3, std::uint32_t>>({8, 4, 16});
  expect_access<PowerOfTwoIndex<4, std::uint64_t>>({4, 2, 8, 2});
  expect_access<AnyIndex<1, std::uint32_t>>({37});
  expect_access<AnyIndex<2, std::uint32_t>>({7, 12});
  expect_access<AnyIndex<3, std::uint64_t>>({5, 3, 6});
  expect_access<AnyIndex<4, std::uint32_t>>({3, 5, 2, 4});
}

TEST(Textures, weights_of_the_blur_are_all_different_and_a_mean) {
  const BlurWeights<3> weights = blur_weights<3>();
  float sum = 0;
  for (int s = 0; s < 7; ++s) {
    sum += weights.of[s];
    for (int t = 0; t < s; ++t) EXPECT_NE(weights.of[s], weights.of[t]);
  }
  EXPECT_NEAR(sum, 1, 1e-6);
}

}  // namespace
}  // namespace crinkle::bench::textures_test
