// One small tile walked by the compiler, and the register transposes that kernels do for every width of unit.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include "plan/tiling.hpp"
#include "tile/swizzle.hpp"

namespace crinkle::constant_tile_test {
namespace {

/// One small tile, walked by the compiler: a transpose of 8 × 8 words.
constexpr bool a_small_tile_is_right() {
  tile::TransposedTile t;
  t.frame.unit = 4;
  t.frame.unit_log2 = 2;
  t.frame.cut[0] = {8, 8, 4, 0};
  t.frame.cut[1] = {8, 8, 32, 0};
  t.threads = 4;
  t.read.n_pieces = t.read.n_rows = t.write.n_pieces = 2;
  t.write.n_rows = 8;
  t.rows.append(8, {32, 0, 0});
  t.write.rows.append(8, {32, 0, 0});
  t.skew = 1;
  t.read.share_among(4, 1);
  t.write.share_among(4, 1);
  int from[64] = {}, shared[72] = {};
  const tile::Block block = t.block(0);
  for (int thread = 0; thread < 4; ++thread)
    for (int step = 0; step < t.read.n_steps; ++step) {
      const auto square = t.square(block, t.read.lane(thread), step);
      for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 4; ++i) shared[t.cell(square, i) / 4 + k] = static_cast<int>(t.load(square, k, nullptr).address / 4) + i;
    }
  for (int thread = 0; thread < 4; ++thread)
    for (int step = 0; step < t.write.n_steps; ++step) {
      const auto piece = t.store(block, t.write.lane(thread), step, nullptr);
      for (int k = 0; k < 4; ++k) from[piece.access.address / 4 + k] = shared[piece.cell / 4 + k];
    }
  for (int i = 0; i < 64; ++i)
    if (from[i] != i % 8 * 8 + i / 8) return false;
  return true;
}
static_assert(a_small_tile_is_right());

template <int Unit>
void expect_registers_transposed() {
  constexpr int n = 16 / Unit;
  Array<tile::Vector, n> v = {};
  const auto byte = [](const tile::Vector& vector, int b) { return static_cast<int>(vector.word[b / 4] >> (8 * (b % 4)) & 0xFF); };
  for (int i = 0; i < n; ++i)
    for (int b = 0; b < 16; ++b) v[i].word[b / 4] |= static_cast<std::uint32_t>((i * 16 + b) & 0xFF) << (8 * (b % 4));
  tile::transpose_vectors<Unit>(v);
  for (int i = 0; i < n; ++i)
    for (int b = 0; b < 16; ++b) EXPECT_EQ(byte(v[i], b), ((b / Unit) * 16 + i * Unit + b % Unit) & 0xFF) << Unit << ' ' << i << ' ' << b;
}

TEST(Swizzle, registers_are_transposed_for_every_unit) {
  expect_registers_transposed<1>();
  expect_registers_transposed<2>();
  expect_registers_transposed<4>();
  expect_registers_transposed<8>();
  expect_registers_transposed<16>();
}

}  // namespace
}  // namespace crinkle::constant_tile_test
