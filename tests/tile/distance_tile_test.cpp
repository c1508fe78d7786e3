// The tiles of distances, walked thread by thread: every distance is written once, where its form has it, by vectors that begin with lines
// of a cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/distance_tile.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "pairs/cuda/pairs.hpp"
#include "tile/distance_block.hpp"

namespace crinkle::testing::distance_tile_test {
namespace {

using tile::DistanceBlock;
using tile::DistanceTile;

constexpr PairForm forms[] = {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square};

/// How often each element was written, and by which pair.
struct Written {
  std::int64_t n;
  std::vector<int> times;
  std::vector<std::int64_t> pair;  // line and along, in either order: larger · n + smaller

  Written(PairForm form, std::int64_t n_points, Real type)
      : n(n_points), times(static_cast<std::size_t>(distance_bytes(n_points, form, type) / bytes_of(type))), pair(times.size(), -1) {}
  void write(std::int64_t place, std::int64_t line, std::int64_t along) {
    ASSERT_GE(place, 0);
    ASSERT_LT(place, std::ssize(times));
    ++times[static_cast<std::size_t>(place)];
    pair[static_cast<std::size_t>(place)] = std::max(line, along) * n + std::min(line, along);
  }
  void expect_all(PairForm form, Real type, const std::string& what) const {
    for (const int t : times) ASSERT_EQ(t, 1) << what;
    const TriangleLayout layout = layout_of(form, n, type);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < i + (layout.has_diagonal() ? 1 : 0); ++j)
        ASSERT_EQ(pair[static_cast<std::size_t>(layout.place(i, j))], i * n + j) << what << ", pair " << i << ", " << j;
  }
};

// What the kernel does with a tile, see pairs/cuda/distances.cuh.
void walk(DistanceTile tile, Written& written) {
  for (std::int64_t block = 0; block < tile.n_blocks(); ++block) {
    tile.begin_block(block);
    bool is_whole = true;
    for (std::int64_t line = tile.first_line; line < tile.last_line; ++line) {
      const std::int64_t place = tile.lines.start(line) + tile.first_along, shift = tile.shift_of(place);
      ASSERT_LT(shift, DistanceTile::lanes);
      for (int warp = 0; warp < DistanceTile::threads / DistanceTile::lanes; ++warp)
        for (int k = 0; k < DistanceTile::vectors; ++k) {
          const std::int64_t first = warp * DistanceTile::side_warp + k * DistanceTile::lanes - shift;  // of the warp, from first_along on
          ASSERT_EQ((tile.phase + place + first) % tile.granule, 0);
          for (int lane = 0; lane < DistanceTile::lanes; ++lane) {
            const std::int64_t from =
                lane + DistanceTile::lanes - shift;  // in the vectors of five points a lane, whose first is first_of(warp)
            const std::int64_t along =
                tile.first_of(warp) + (from < DistanceTile::lanes ? k : k + 1) * DistanceTile::lanes + from % DistanceTile::lanes;
            ASSERT_EQ(along, tile.first_along + first + lane);
            if (tile.has(line, along)) written.write(place + first + lane, line, along);
            else is_whole = false;
          }
        }
    }
    ASSERT_TRUE(is_whole || !tile.is_whole());
  }
}

void walk(DistanceBlock block, Written& written) {
  for (std::int64_t b = 0; b < block.n_blocks(); ++b) {
    block.begin_block(b);
    std::int64_t n_pairs = 0;
    for (int t = 0; t < DistanceBlock::threads; ++t)
      for (int k = 0; k < DistanceBlock::lines_thread; ++k)
        for (int m = 0; m < DistanceBlock::alongs_thread; ++m) {
          const std::int64_t line = block.first_line + DistanceBlock::line_of(t, k),
                             along = block.first_along + DistanceBlock::along_of(t, m);
          if (!block.has(line, along)) continue;
          ++n_pairs;
          written.write(block.pairs.lines.start(line) + along, line, along);
        }
    ASSERT_EQ(block.is_whole(), n_pairs == DistanceBlock::n_lines * DistanceBlock::n_alongs);
  }
}

std::string text_of(PairForm form, std::int64_t n, Real type) {
  return std::string(name_of(form)) + ", " + std::to_string(n) + " points of " + std::to_string(bytes_of(type)) + " bytes";
}

TEST(DistanceTiles, write_every_distance_once_where_its_form_has_it) {
  for (const PairForm form : forms)
    for (const Real type : {Real::float32, Real::float64})
      for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 8, 31, 32, 33, 64, 127, 253, 254, 255, 256, 257, 507, 508, 509, 640, 1017, 1100}) {
        Written written(form, n, type);
        for (DistanceTile tile : simplex::distance_tiles(form, n, type)) {
          tile.phase = static_cast<std::int32_t>(n) % tile.granule;
          walk(tile, written);
        }
        written.expect_all(form, type, text_of(form, n, type));
      }
}

TEST(DistanceBlocks, write_every_distance_once_where_its_form_has_it) {
  for (const PairForm form : forms)
    for (const std::int64_t n : {0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300}) {
      Written written(form, n, Real::float32);
      for (const DistanceTile& tile : simplex::distance_tiles(form, n, Real::float32)) walk(DistanceBlock(tile), written);
      written.expect_all(form, Real::float32, text_of(form, n, Real::float32));
    }
}

/// Places as in the whole form: a part's begin with its first line's first one.
void shift_to(PairForm form, std::int64_t n, const PairLines& lines, DistanceTile& tile) {
  tile.lines.first += elements_before(form, n, lines.first);
}

TEST(DistanceTiles, of_parts_write_every_distance_of_their_lines_once) {
  for (const PairForm form : {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper})
    for (const std::int64_t n : {1, 2, 5, 33, 129, 260, 600})
      for (const auto& [a, b] : {std::pair{n / 3, n / 3}, {n / 5, 2 * n / 3}, {n / 2, n}}) {
        Written by_tiles(form, n, Real::float64), by_blocks = by_tiles;
        for (const PairLines& lines : {PairLines{0, a}, PairLines{a, b}, PairLines{b, n}}) {
          for (DistanceTile tile : simplex::distance_tiles(form, n, Real::float64, lines)) {
            shift_to(form, n, lines, tile);
            walk(tile, by_tiles);
            walk(DistanceBlock(tile), by_blocks);
          }
        }
        by_tiles.expect_all(form, Real::float64, text_of(form, n, Real::float64));
        by_blocks.expect_all(form, Real::float64, text_of(form, n, Real::float64));
      }
}

TEST(DistanceTiles, of_rectangles_write_every_distance_once) {
  for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {1, 700}, {700, 1}, {17, 515}, {520, 40}}) {
    const std::int64_t pitch = m + 3;
    for (const DistanceTile& tile : simplex::rectangle_tiles(n, m, pitch, Real::float32)) {
      std::vector<int> times(static_cast<std::size_t>(n * pitch)), wanted = times;
      DistanceBlock block(tile);
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < m; ++j) wanted[static_cast<std::size_t>(i * pitch + j)] = 1;
      for (std::int64_t b = 0; b < block.n_blocks(); ++b) {
        block.begin_block(b);
        for (int t = 0; t < DistanceBlock::threads; ++t)
          for (int k = 0; k < DistanceBlock::lines_thread; ++k)
            for (int l = 0; l < DistanceBlock::alongs_thread; ++l) {
              const std::int64_t line = block.first_line + DistanceBlock::line_of(t, k),
                                 along = block.first_along + DistanceBlock::along_of(t, l);
              if (block.has(line, along)) ++times[static_cast<std::size_t>(block.pairs.lines.start(line) + along)];
            }
      }
      EXPECT_EQ(times, wanted) << n << " × " << m;
    }
  }
}

TEST(DistanceTiles, waste_few_blocks) {
  for (const PairForm form : forms) {
    std::int64_t n_blocks = 0;
    constexpr std::int64_t n = 30720, tile_pairs = DistanceTile::n_lines * DistanceTile::side;
    for (const DistanceTile& tile : simplex::distance_tiles(form, n, Real::float32)) n_blocks += tile.n_blocks();
    const double needed = static_cast<double>(layout_of(form, n, Real::float32).n_elements()) / tile_pairs;
    EXPECT_LT(static_cast<double>(n_blocks), 1.07 * needed) << name_of(form);
  }
}

}  // namespace
}  // namespace crinkle::testing::distance_tile_test
