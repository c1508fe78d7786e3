// Pictures of tiles: every access once, in the order of steps and threads, laid out by address.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "form/simplify.hpp"
#include "plan/draw/draw.hpp"
#include "plan/requests.hpp"
#include "plan/widen.hpp"
#include "support/svg.hpp"

namespace crinkle::draw_tile_test {
namespace {

using namespace testing;

Box box_of(const Rearrangement& r) {
  Boxes boxes = r.boxes();
  simplify(boxes);
  widen(boxes[0], 16);
  return boxes[0];
}

std::int64_t area_of(const std::string& svg, const std::string& side) {
  const std::size_t begin = svg.find("<g id=\"" + side), end = svg.find("</g>", begin);
  const std::string group = svg.substr(begin, end - begin);
  const std::regex width(" width=\"([0-9]+)\"");
  std::int64_t pixels = 0;
  for (auto it = std::sregex_iterator(group.begin(), group.end(), width); it != std::sregex_iterator(); ++it)
    pixels += std::stoll((*it)[1]);
  return pixels;
}

TEST(DrawTile, every_access_of_a_transposed_tile_is_drawn_once) {
  const Box box = box_of(parse("y x -> x y", Layout::dense({256, 256}, 4)));
  const Tiling tiling = choose_tile(box, Machine::h200());
  ASSERT_EQ(tiling.shape.kind, tile::Kind::transposed);
  const std::string svg = planning::draw_tile(box, tiling);
  EXPECT_TRUE(is_well_formed(svg));
  for (const char* side : {"source", "destination"}) {
    const Labels labels = labels_of(svg, side);
    const std::set<std::string> distinct(labels.begin(), labels.end());
    EXPECT_EQ(static_cast<std::int64_t>(labels.size()) * 16, tiling.shape.source.tile * tiling.shape.destination.tile * 4);
    EXPECT_EQ(distinct.size(), labels.size());
    EXPECT_EQ(distinct.count("0"), 1U);
    EXPECT_EQ(area_of(svg, side) % static_cast<std::int64_t>(labels.size()), 0);  // all accesses are equally wide
  }
}

TEST(DrawTile, the_blocks_of_every_kind_read_and_write_each_unit_once) {
  const std::vector<Rearrangement> moves{parse("y x -> x y", Layout::dense({256, 256}, 4)), parse("y x -> x y", Layout::dense({63, 37}, 4)),
                                         interlace(Layout::dense({200}, 4), 3),
                                         parse("y x -> y x", Layout::dense({40, 333}, 4)).slice("x", 0, 300)};
  std::set<tile::Kind> kinds;
  for (const Rearrangement& r : moves) {
    const Box box = box_of(r);
    const Tiling tiling = choose_tile(box, Machine::h200());
    kinds.insert(tiling.shape.kind);
    std::set<planning::UnitPlace> read, written;
    std::size_t n_written = 0;
    for (std::uint32_t index = 0; index < tile::frame_of(tiling.tile).n_blocks; ++index) {
      const planning::Requests requests = planning::requests_of(tiling.tile, index);
      for (const planning::Request& request : requests.reads) read.insert(request.units.begin(), request.units.end());
      for (const planning::Request& request : requests.writes) {
        written.insert(request.units.begin(), request.units.end());
        n_written += request.units.size();
      }
    }
    const auto n_units = static_cast<std::size_t>(r.destination().n_bytes() / box.unit);
    EXPECT_EQ(n_written, n_units);
    EXPECT_EQ(written.size(), n_units);
    EXPECT_GE(read.size(), n_units);
    EXPECT_LE(read.size(), tiling.shape.kind == tile::Kind::rows ? n_units + n_units / 50 : n_units);  // vectors that cover a sliced row
    const std::string svg = planning::draw_tile(box, tiling);
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_FALSE(labels_of(svg, "source").empty());
    EXPECT_FALSE(labels_of(svg, "destination").empty());
  }
  EXPECT_EQ(kinds.size(), 3U);
}

TEST(DrawTile, a_block_that_does_not_exist_and_too_many_accesses_are_refused) {
  const Box box = box_of(parse("y x -> x y", Layout::dense({256, 256}, 4)));
  const Tiling tiling = choose_tile(box, Machine::h200());
  const std::uint32_t n_blocks = tile::frame_of(tiling.tile).n_blocks;
  EXPECT_NE(error_of([&] { planning::draw_tile(box, tiling, {}, n_blocks); }, ErrorCode::bad_shape).find("blocks 0 to"), std::string::npos);
  EXPECT_NE(error_of([&] { planning::draw_tile(box, tiling, {.max_cells = 10}); }, ErrorCode::too_large).find("max_cells"),
            std::string::npos);
  EXPECT_TRUE(is_well_formed(planning::draw_tile(box, tiling, {}, n_blocks - 1)));
}

TEST(DrawTile, a_small_tile_is_drawn_as_before) {
  const Box box = box_of(parse("y x -> x y", Layout::dense({16, 16}, 4)));
  tile::Shape shape;
  shape.kind = tile::Kind::transposed;
  shape.threads = 32;
  shape.source = {1, {1}, 16};
  shape.destination = {1, {0}, 16};
  for (std::int32_t a = 0; a < 2; ++a)
    (box.axes[static_cast<std::size_t>(a)].src_stride == 4 ? shape.source : shape.destination).axis[0] = a;
  ASSERT_TRUE(tile::can_transpose(box, shape));
  expect_golden("tile_transposed", planning::draw_tile(box, {shape, tile::build(box, shape)}));
}

}  // namespace
}  // namespace crinkle::draw_tile_test
