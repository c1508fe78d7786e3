// Every tile of every shape writes each destination unit once, in bounds, from the right source.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "form/simplify.hpp"
#include "plan/accesses.hpp"
#include "plan/tiling.hpp"
#include "plan/widen.hpp"
#include "support/box_map.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace crinkle::move_tile_test {
namespace {

using testing::text_of;
using testing::walk_all;

std::int64_t pick(std::int64_t low, std::int64_t high) { return *rc::gen::inRange<std::int64_t>(low, high + 1); }

/// A canonical box: destination strides positive, descending, nested; a source in any order, with gaps, turned axes, repeats; now and
/// then a slot axis on either side.
Box any_box(std::int64_t most_units) {
  static constexpr std::int64_t extents[] = {2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129};
  Box box;
  box.unit = 1 << pick(0, 4);
  const bool is_binary = pick(0, 5) == 0;
  const std::int64_t rank = is_binary ? pick(1, 13) : pick(1, 10);
  std::int64_t units = 1;
  for (std::int64_t a = 0; a < rank; ++a) {
    const std::int64_t extent = is_binary ? 2 : extents[pick(0, a == 0 || pick(0, 2) == 0 ? 13 : 5)];
    if (units * extent > most_units) break;
    units *= extent;
    box.axes.push_back(Axis{extent, 0, 0});
  }
  const bool has_gaps = pick(0, 2) == 0;
  const auto gap = [&] { return has_gaps ? pick(0, 3) * box.unit : 0; };
  std::int64_t step = box.unit + (pick(0, 7) == 0 ? box.unit : 0);
  for (std::size_t a = box.axes.size(); a-- > 0;) {
    box.axes[a].dst_stride = step;
    step = step * box.axes[a].extent + gap();
  }
  std::vector<std::size_t> order(box.axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(i) - 1))]);
  step = box.unit + (pick(0, 7) == 0 ? box.unit : 0);
  box.src_offset = pick(0, 3) == 0 ? pick(0, 40) * box.unit : 0;
  box.dst_offset = pick(0, 3) == 0 ? pick(0, 40) * box.unit : 0;
  const bool turns = pick(0, 2) == 0, repeats = pick(0, 5) == 0;
  for (const std::size_t a : order) {
    Axis& axis = box.axes[a];
    axis.src_stride = step;
    step = step * axis.extent + gap();
    if (repeats && pick(0, 2) == 0) {
      axis.src_stride = 0;
    } else if (turns && pick(0, 1) == 0) {
      box.src_offset += (axis.extent - 1) * axis.src_stride;
      axis.src_stride = -axis.src_stride;
    }
  }
  if (box.axes.size() > 1 && pick(0, 4) == 0) {
    Axis& axis = box.axes[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(box.axes.size()) - 1))];
    if (axis.extent < 10 && axis.src_stride > 0) {
      axis.src_stride = 1;
      axis.src_counts = Counts::buffers;
    }
  }
  if (box.axes.size() > 1 && pick(0, 5) == 0 && box.axes[0].extent < 10) {
    box.axes[0].dst_stride = 1;
    box.axes[0].dst_counts = Counts::buffers;
    std::rotate(box.axes.begin(), box.axes.begin() + 1, box.axes.end());  // a slot axis may stand anywhere
  }
  return box;
}

Machine small_machine(std::int64_t shared_bytes, std::int32_t threads) {
  Machine machine = Machine::h200();
  machine.shared_bytes_block = shared_bytes;
  machine.threads_block = threads;
  return machine;
}

TEST(MoveTile, any_box_is_moved_unit_by_unit_to_its_place) {
  EXPECT_TRUE(rc::check("any box", [] {
    const Box box = any_box(4000);
    const auto alignment = static_cast<std::int32_t>(std::int64_t{1} << pick(0, 4));
    const Machine machine = pick(0, 1) == 0 ? Machine::h200() : small_machine(1 << pick(9, 13), 32 << pick(0, 2));
    const Tiling tiling = choose_tile(box, machine, std::max(alignment, box.unit));
    RC_LOG() << text_of(box) << " as " << tile::name_of(tiling.shape.kind) << '\n';
    const auto* gathered = std::get_if<tile::GatheredTile>(&tiling.tile);
    RC_TAG(std::string(tile::name_of(tiling.shape.kind)) + (gathered != nullptr && gathered->frame.reach != 0 ? " leaning" : ""),
           tile::frame_of(tiling.tile).n_blocks > 1 ? "many" : "one");
    RC_ASSERT(walk_all(box, tiling.tile) == "");
    RC_ASSERT(tile::shared_bytes_of(tiling.tile) <= 72 * 1024);
  }));
}

/// Two axes change places, the fast runs whole vectors: the aligned tile.
Box aligned_box() {
  Box box;
  box.unit = 1 << pick(0, 4);
  const std::int64_t vector = 16 / box.unit;
  const std::int64_t x = vector * pick(8, 20), y = vector * pick(8, 20), batch = pick(1, 3);
  box.src_offset = 16 * pick(0, 3);
  if (batch > 1) box.axes.push_back(Axis{batch, x * y * box.unit, x * y * box.unit});
  box.axes.push_back(Axis{x, box.unit, y * box.unit});
  box.axes.push_back(Axis{y, x * box.unit, box.unit});
  if (pick(0, 2) == 0) {
    Axis& turned = box.axes[box.axes.size() - static_cast<std::size_t>(pick(1, 2))];
    box.src_offset += (turned.extent - 1) * turned.src_stride;
    turned.src_stride = -turned.src_stride;
  }
  return box;
}

/// The same with any extents, offsets and pitches: rows that lean, rows that begin anywhere in a vector.
Box odd_box() {
  Box box;
  box.unit = 1 << pick(0, 3);
  const std::int64_t x = pick(100, 300), y = pick(100, 300), gap = pick(0, 3) * box.unit;
  box.src_offset = pick(0, 20) * box.unit;
  box.dst_offset = pick(0, 20) * box.unit;
  if (pick(0, 1) == 0) box.axes.push_back(Axis{2, (x * box.unit + gap) * y + box.unit, (y * box.unit + gap) * x});
  box.axes.push_back(Axis{x, box.unit, y * box.unit + gap});
  box.axes.push_back(Axis{y, x * box.unit + gap, box.unit});
  if (pick(0, 3) == 0) {
    box.src_offset += (y - 1) * box.axes.back().src_stride;
    box.axes.back().src_stride = -box.axes.back().src_stride;
  }
  return box;
}

TEST(MoveTile, aligned_boxes_are_transposed_in_registers) {
  EXPECT_TRUE(rc::check("aligned box", [] {
    const Box box = aligned_box();
    const Tiling tiling = choose_tile(box, pick(0, 1) == 0 ? Machine::h200() : small_machine(1 << pick(12, 14), 64));
    RC_LOG() << text_of(box) << '\n';
    RC_ASSERT(tiling.shape.kind == tile::Kind::transposed);
    RC_ASSERT(walk_all(box, tiling.tile) == "");
  }));
}

TEST(MoveTile, odd_rows_lean_and_are_read_as_aligned_vectors) {
  EXPECT_TRUE(rc::check("odd box", [] {
    const Box box = odd_box();
    const Machine machine = pick(0, 1) == 0 ? Machine::h200() : small_machine(1 << pick(13, 15), 64);
    tile::Shape shape = choose_shape(box, machine);
    RC_PRE(shape.kind == tile::Kind::gathered);
    RC_ASSERT(tile::shared_bytes_of(tile::build(box, shape)) <= machine.shared_bytes_block);
    shape.lean = std::int32_t{16} << pick(0, 3);
    if (pick(0, 3) == 0) shape.lean = 0;
    const tile::Tile tile = tile::build(box, shape);
    const auto& gathered = std::get<tile::GatheredTile>(tile);
    RC_TAG(gathered.frame.reach != 0 ? "leans" : "upright", gathered.is_superset ? "superset" : "exact");
    RC_LOG() << text_of(box) << " lean " << shape.lean << '\n';
    RC_ASSERT(walk_all(box, tile) == "");
  }));
}

/// A case of the table as a box, its longest extents halved until it is small enough to walk.
Box box_of(const testing::PermutationCase& one, std::int64_t most_units) {
  Extents extents = one.source.extents;
  for (std::int64_t units = most_units + 1; units > most_units;) {
    units = 1;
    for (const std::int64_t n : extents) units *= n;
    std::int64_t& longest = *std::max_element(extents.begin(), extents.end());
    if (units > most_units) longest = (longest + 1) / 2;
  }
  const Layout source = Layout::dense(extents, one.source.element_bytes);
  Box box;
  box.unit = static_cast<std::int32_t>(source.element_bytes);
  std::int64_t step = source.element_bytes;
  for (std::size_t a = one.order.size(); a-- > 0;) {
    const auto from = static_cast<std::size_t>(one.order[a]);
    box.axes.push_back(Axis{extents[from], source.strides[from], step});
    step *= extents[from];
  }
  std::reverse(box.axes.begin(), box.axes.end());
  simplify(box);
  widen(box, 16);
  return box;
}

TEST(MoveTile, every_case_of_the_table_is_moved_at_a_smaller_size) {
  const auto cases = testing::read_cases(testing::source_dir("/bench/cases/permutations.txt"));
  EXPECT_GT(cases.size(), 100u);
  for (const testing::PermutationCase& one : cases) {
    const Box box = box_of(one, 6000);
    for (const std::int64_t shared : {1ll << 11, 227ll << 10})
      EXPECT_EQ(walk_all(box, choose_tile(box, small_machine(shared, 256)).tile), "") << one.name << ' ' << text_of(box);
  }
}

TEST(MoveTile, aligned_transposes_touch_no_sector_twice_and_no_bank_twice) {
  for (const std::int32_t unit : {1, 2, 4, 8, 16}) {
    Box box;  // of 32 MiB, so that tiles are no smaller than they may be
    box.unit = unit;
    const std::int64_t n = 8192, m = 4096 / unit;
    box.axes = {Axis{n, unit, m * unit}, Axis{m, n * unit, unit}};
    const Tiling tiling = choose_tile(box, Machine::h200());
    EXPECT_EQ(tiling.shape.kind, tile::Kind::transposed);
    const planning::AccessCounts counts = planning::count_accesses(tiling.tile, 32, 4);
    for (const planning::SideCounts& side : {counts.read, counts.write}) {
      EXPECT_EQ(side.sectors, side.ideal_sectors) << unit;
      EXPECT_EQ(side.wavefronts, side.ideal_wavefronts) << unit;
    }
  }
}

TEST(MoveTile, small_boxes_have_a_tile_for_every_multiprocessor) {
  const Machine machine = Machine::h200();
  const auto n_tiles = [&](const Box& box) { return tile::frame_of(choose_tile(box, machine).tile).n_blocks; };
  Box thin;  // what a roll by 7 leaves of a transposition
  thin.unit = 2;
  thin.axes = {Axis{7, -2, 5330}, Axis{2665, 49158, 2}};
  EXPECT_GE(n_tiles(thin), 15U);
  Box square;
  square.unit = 4;
  square.axes = {Axis{512, 4, 2048}, Axis{512, 2048, 4}};
  EXPECT_GE(n_tiles(square), 256U);
}

TEST(MoveTile, rows_of_segments_are_written_once_and_from_the_right_segment) {
  EXPECT_TRUE(rc::check("rolled and padded rows", [] {
    const std::int64_t n = pick(7, 130), rows = pick(1, 5), unit = std::int64_t{1} << pick(0, 3), pad = pick(0, 3), roll = pick(1, n - 1);
    tile::Rows stitched;
    stitched.box.unit = static_cast<std::int32_t>(unit);
    const std::int64_t width = n + 2 * pad;
    stitched.box.dst_offset = pick(0, 9) * unit;
    stitched.box.src_offset = pick(0, 9) * unit;
    stitched.box.axes = {Axis{rows, n * unit, width * unit}, Axis{width, 0, unit}};
    const bool is_turned = pick(0, 1) == 0;
    if (pad > 0) stitched.segments.push_back({0, 0, 0, 0, true, {}});
    if (is_turned) {
      stitched.segments.push_back({pad, (n - 1) * unit, -unit, 0, false, {}});
    } else {
      stitched.segments.push_back({pad, (n - roll) * unit, unit, 0, false, {}});
      stitched.segments.push_back({pad + roll, 0, unit, 0, false, {}});
    }
    if (pad > 0) stitched.segments.push_back({pad + n, 0, 0, 0, true, {}});
    tile::Shape shape = choose_tile(stitched, Machine::h200()).shape;
    if (pick(0, 3) > 0) {  // one row a block, and less: its pieces have a stretch in common
      shape.threads = 32;
      shape.source.tile = 1;
      shape.destination.tile = pick(1, 5) * 8;
    }
    const tile::Tile tile = tile::build(stitched, shape);
    std::vector<int> count(static_cast<std::size_t>(rows * width), 0);
    const testing::Span span{stitched.box.src_offset, stitched.box.src_offset + rows * n * unit};
    for (std::uint32_t block = 0; block < tile::frame_of(tile).n_blocks; ++block) {
      const testing::Fault fault = testing::walk_block(tile, block, span, [&](const testing::Unit& to, const testing::Unit& from) {
        const std::int64_t u = (to.address - stitched.box.dst_offset) / unit, row = u / width, x = u % width - pad;
        ++count.at(static_cast<std::size_t>(u));
        const std::int64_t source_x = is_turned ? n - 1 - x : (x - roll + n) % n;
        const bool is_fill = x < 0 || x >= n;
        RC_ASSERT(from.slot == (is_fill ? testing::filled : 0));
        if (!is_fill) RC_ASSERT(from.address == stitched.box.src_offset + (row * n + source_x) * unit);
      });
      RC_ASSERT(fault == "");
    }
    RC_ASSERT(std::all_of(count.begin(), count.end(), [](int c) { return c == 1; }));
  }));
}

TEST(MoveTile, addresses_beyond_four_thousand_million_units_are_right) {
  Box transpose;  // 3 · 2^33 bytes
  transpose.unit = 1;
  const std::int64_t x = 98307, y = 262147;
  transpose.axes = {Axis{x, 1, y}, Axis{y, x, 1}};
  Box aligned;
  aligned.unit = 4;
  aligned.axes = {Axis{131072, 4, 65536 * 4}, Axis{65536, 131072 * 4, 4}};
  Box rows;
  rows.unit = 2;
  rows.axes = {Axis{5, (1ll << 33) + 6, 1ll << 33}, Axis{1ll << 32, 2, 2}};
  Box interlace;
  interlace.unit = 4;
  interlace.axes = {Axis{(1ll << 31) + 5, 4, 12}, Axis{3, 4 * ((1ll << 31) + 5), 4}};
  for (const Box& box : {transpose, aligned, rows, interlace}) {
    const Tiling tiling = choose_tile(box, Machine::h200());
    const std::uint32_t n = tile::frame_of(tiling.tile).n_blocks;
    for (const std::uint32_t block : {0u, 1u, n / 3, n / 2, n - 2, n - 1}) {
      std::int64_t wrong = 0, written = 0;
      EXPECT_EQ(testing::walk_block(tiling.tile, block, testing::source_span(box),
                                    [&](const testing::Unit& to, const testing::Unit& from) {
                                      ++written;
                                      wrong += testing::source_of(box, to) == from ? 0 : 1;
                                    }),
                "");
      EXPECT_EQ(wrong, 0) << text_of(box) << " block " << block;
      EXPECT_GT(written + (block > n - 3 ? 1 : 0), 0);
    }
  }
}
}  // namespace
}  // namespace crinkle::move_tile_test
