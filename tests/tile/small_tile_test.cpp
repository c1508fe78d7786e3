// Small moves on a GPU, thread by thread: every tile moves what its boxes define and nothing else, at any alignment of the buffers; which
// moves are small.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "crinkle/notation.hpp"
#include "form/check.hpp"
#include "move/cuda/small_tiles.hpp"
#include "move/reference.hpp"
#include "support/draw.hpp"

namespace crinkle::small_tile_test {
namespace {

using tile::SmallTile;

template <int n_each>
void run(const SmallTile& tile, const std::byte* src, std::byte* dst, std::vector<int>& n_moved) {
  for (std::uint32_t block = 0; block < tile.n_blocks; ++block)
    for (int thread = 0; thread < SmallTile::threads; ++thread)
      for (int e = 0; e < n_each; ++e) {
        const std::uint32_t k = tile.number<n_each>(block, thread, e);
        if (k >= tile.n_units) continue;
        ++n_moved[k];
        const SmallTile::Place place = tile.place(k);
        std::memcpy(dst + place.dst, src + place.src, static_cast<std::size_t>(tile.unit));
      }
}

/// Whether there is a tile for buffers of this alignment, each of whose units moves once, and moves what is defined.
bool moves(const Boxes& boxes, std::int32_t alignment, const std::string& what) {
  const auto tile = small_tile(planning::plan_pass(boxes, Machine::h200()), alignment, Machine::h200());
  if (!tile) return false;
  EXPECT_LE(tile->unit, alignment) << what;
  const ByteSpan from = spans_of(boxes, Side::source, 1)[0], to = spans_of(boxes, Side::destination, 1)[0];
  std::vector<std::byte> src(static_cast<std::size_t>(from.last - from.first)),
      want(static_cast<std::size_t>(to.last - to.first), std::byte{9});
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::byte>(i * 2654435761U >> 13);
  std::vector<std::byte> have = want;
  const std::byte* const in = src.data() - from.first;
  std::byte* const out = want.data() - to.first;
  run_reference(boxes, {&in, 1}, {&out, 1});
  std::vector<int> n_moved(tile->n_units);
  if (tile->each == 1) run<1>(*tile, in, have.data() - to.first, n_moved);
  else run<SmallTile::most_each>(*tile, in, have.data() - to.first, n_moved);
  EXPECT_EQ(n_moved, std::vector<int>(tile->n_units, 1)) << what;
  EXPECT_EQ(have, want) << what;
  return true;
}

TEST(SmallTile, random_moves_are_as_defined) {
  Draw draw{std::mt19937_64(20261130)};
  int n_small = 0, n_of_parts = 0;
  for (int k = 0; k < 2000 && !::testing::Test::HasFailure(); ++k) {
    std::string text = "case " + std::to_string(k) + ":";
    Boxes boxes;
    if (draw.chance(2)) {
      boxes.push_back(draw.box());
    } else {
      const Steps steps = draw.chain(text).steps();
      if (steps.steps.size() != 1 || !steps.steps[0].gathers.empty()) continue;
      boxes = steps.steps[0].boxes;
    }
    if (count_slots(boxes, Side::source) != 1 || count_slots(boxes, Side::destination) != 1) continue;
    for (const std::int32_t alignment : planning::alignments) {
      const bool is_small = moves(boxes, alignment, text + " at multiples of " + std::to_string(alignment));
      n_small += is_small;
      n_of_parts += is_small && boxes.size() > 1;
    }
  }
  EXPECT_GT(n_small, 500);
  EXPECT_GT(n_of_parts, 50);
}

bool is_small(const Rearrangement& r) { return moves(r.steps().steps[0].boxes, 16, "a move"); }

TEST(SmallTile, shifts_flips_and_crinkles_of_small_arrays_are_small) {
  for (const std::int64_t n : {8, 100, 256, 1024}) {
    const Layout square = Layout::dense({n, n}, 4);
    const Rearrangement same = parse("y x -> y x", square);
    EXPECT_TRUE(is_small(same.roll("x", 5).roll("y", 3))) << n;
    EXPECT_TRUE(is_small(same.flip("x").flip("y"))) << n;
    const Crinkle fast[] = {{1, 4}}, slow[] = {{0, 4}};
    EXPECT_TRUE(is_small(crinkle::crinkle(square, fast))) << n;
    EXPECT_TRUE(is_small(crinkle::crinkle(square, slow))) << n;
  }
}

TEST(SmallTile, other_moves_are_not) {
  const auto of = [](const char* spec, Extents extents, std::int64_t bytes = 4) {
    return is_small(parse(spec, Layout::dense(extents, bytes)));
  };
  EXPECT_TRUE(of("y x -> y x", {1024, 1024}));
  EXPECT_FALSE(of("y x -> y x", {1024, 1025})) << "more than 4 MiB";
  EXPECT_FALSE(of("y x -> x y", {64, 64})) << "neighbours lie a row apart";
  EXPECT_FALSE(of("(a p:2) (b q:2) (c r:2) (d s:2) e -> (p a) (q b) (r c) (s d) e", {6, 6, 6, 6, 3})) << "too many axes";
  const Layout line = Layout::dense({1 << 21}, 1);
  EXPECT_FALSE(is_small(parse("x -> x", line).flip("x"))) << "too many units";
}

}  // namespace
}  // namespace crinkle::small_tile_test
