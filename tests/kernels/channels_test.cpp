// Pixels of few channels to planes and back, walked through on a CPU by threads of a block: every byte is the definition's, none beside the
// destination is written and none beside the source is read (AddressSanitizer sees its end).
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "move/cuda/channels.cuh"
#pragma GCC diagnostic pop
#include "support/move_walk.hpp"
#include "tile/build_channels.hpp"

namespace crinkle::channels_walk_test {
namespace {

namespace walk = crinkle::testing::walk;
using tile::ChannelTile;
using walk::expect_as_defined;

template <bool to_planes, bool is_backwards, int unit, int channels, int vector>
void walk_all(const ChannelTile& tile, const char* src, char* dst) {
  alignas(128) static std::array<char, 256 * 8 * 16> shared;
  const std::uint32_t n_blocks = (tile.n_all - 1) / tile.strips_of_block() + 1;
  walk::launch(n_blocks, ChannelTile::threads, [&] {
    kernel::move_channels<to_planes, is_backwards, unit, channels, vector>(tile, walk::block.x, src, dst, shared.data());
  });
}
template <bool to_planes, bool is_backwards, int unit, int channels>
void walk_vectors(const ChannelTile& tile, const char* src, char* dst) {
  if (tile.vector == 4) walk_all<to_planes, is_backwards, unit, channels, 4>(tile, src, dst);
  if (tile.vector == 8) walk_all<to_planes, is_backwards, unit, channels, 8>(tile, src, dst);
  if (tile.vector == 16) walk_all<to_planes, is_backwards, unit, channels, 16>(tile, src, dst);
}
template <bool to_planes, bool is_backwards, int unit>
void walk_channels(const ChannelTile& tile, const char* src, char* dst) {
  if (tile.channels == 2) walk_vectors<to_planes, is_backwards, unit, 2>(tile, src, dst);
  if (tile.channels == 3) walk_vectors<to_planes, is_backwards, unit, 3>(tile, src, dst);
  if (tile.channels == 4) walk_vectors<to_planes, is_backwards, unit, 4>(tile, src, dst);
  if (tile.channels == 6) walk_vectors<to_planes, is_backwards, unit, 6>(tile, src, dst);
  if (tile.channels == 7) walk_vectors<to_planes, is_backwards, unit, 7>(tile, src, dst);
}
template <bool to_planes, bool is_backwards>
void walk_units(const ChannelTile& tile, const char* src, char* dst) {
  if (tile.unit == 1) walk_channels<to_planes, is_backwards, 1>(tile, src, dst);
  if (tile.unit == 2) walk_channels<to_planes, is_backwards, 2>(tile, src, dst);
}
void walk_tile(const ChannelTile& tile, const char* src, char* dst) {
  if (tile.to_planes && !tile.is_backwards) walk_units<true, false>(tile, src, dst);
  if (tile.to_planes && tile.is_backwards) walk_units<true, true>(tile, src, dst);
  if (!tile.to_planes && !tile.is_backwards) walk_units<false, false>(tile, src, dst);
  if (!tile.to_planes && tile.is_backwards) walk_units<false, true>(tile, src, dst);
}

void expect_moved(const Rearrangement& r, const std::string& what) {
  const Steps steps = r.steps();
  Boxes boxes = steps.steps.at(0).boxes;
  simplify(boxes);
  ASSERT_EQ(boxes.size(), 1U) << what;
  const auto tile = tile::build_channels(boxes[0]);
  ASSERT_TRUE(tile) << what;
  expect_as_defined(steps, [&](const auto& src, char* dst) { walk_tile(*tile, src[0], dst); }, what);
}

TEST(ChannelWalk, moves_as_defined) {
  const std::vector<std::int64_t> first{0, 3, 1, 2}, last{0, 2, 3, 1};
  for (const std::int64_t e : {1, 2})
    for (const std::int64_t c : {2, 3, 4, 6, 7})
      for (const auto& [h, w] : {std::pair<std::int64_t, std::int64_t>{4, 4}, {16, 37}, {10, 52}, {30, 94}}) {
        const std::string what =
            std::to_string(c) + " channels of " + std::to_string(e) + ", " + std::to_string(h) + " by " + std::to_string(w);
        expect_moved(permute(Layout::dense({3, h, w, c}, e), first), what + " to planes");
        expect_moved(permute(Layout::dense({3, c, h, w}, e), last), what + " to pixels");
      }
}

TEST(ChannelWalk, moves_parts_of_pictures_and_mirrored_ones) {
  // Rows of a crop are not side by side: each is a picture of one row.
  const auto named = [](const std::string& spec, const Layout& layout) { return parse(spec, layout).slice("y", 2, 9).slice("x", 16, 48); };
  for (const std::int64_t e : {1, 2})
    for (const std::int64_t c : {2, 3, 4}) {
      const Rearrangement to_planes = named("n y x c -> n c y x", Layout::dense({2, 12, 64, c}, e));
      const Rearrangement to_pixels = named("n c y x -> n y x c", Layout::dense({2, c, 12, 64}, e));
      for (const Rearrangement& r : {to_planes, to_pixels}) {
        const std::string what = std::to_string(c) + " channels of " + std::to_string(e) + (&r == &to_planes ? "" : " back");
        expect_moved(r, what + ", a crop");
        expect_moved(r.flip("x"), what + ", mirrored");
        expect_moved(r.flip("y"), what + ", upside down");
        expect_moved(r.flip("c"), what + ", the last channel first");
        expect_moved(r.flip("n").flip("c").flip("y").flip("x"), what + ", all backwards");
      }
    }
}

TEST(ChannelWalk, gives_each_lane_of_eight_its_own_banks) {
  for (const int channels : {2, 3, 4, 5, 6, 7, 8}) {
    ChannelTile tile;
    tile.channels = channels;
    for (int k = 0; k < channels; ++k) {
      std::uint32_t banks = 0;
      for (int lane = 0; lane < 8; ++lane) banks |= 1U << tile.cell(lane * channels + k) % 8;
      EXPECT_EQ(banks, 0xFFU) << channels << " channels, vector " << k;
    }
    std::vector<int> cells;
    for (int v = 0; v < 32 * channels; ++v) cells.push_back(tile.cell(v));
    std::sort(cells.begin(), cells.end());
    for (int v = 0; v < 32 * channels; ++v) EXPECT_EQ(cells[static_cast<std::size_t>(v)], v);
  }
}

}  // namespace
}  // namespace crinkle::channels_walk_test
