// The planner's passes: each keeps the map, and each has an invariant of its own.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>
#include <set>

#include "crinkle/error.hpp"
#include "crinkle/notation.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "plan/pass.hpp"
#include "plan/stitch.hpp"
#include "plan/widen.hpp"
#include "support/generators.hpp"

namespace crinkle::passes_test {
namespace {

// What a list of boxes writes into a poisoned buffer that spans it.
Bytes result_of(const Boxes& boxes) {
  const ByteSpan from = spans_of(boxes, Side::source, 1)[0], to = spans_of(boxes, Side::destination, 1)[0];
  Guarded src(from, noise(from.last - from.first, 5)), dst(to);
  const std::byte* in = src.origin();
  std::byte* out = dst.origin();
  run_reference(boxes, {&in, 1}, {&out, 1});
  RC_ASSERT(dst.is_intact());
  return dst.content();
}

std::int64_t n_bytes_of(const Boxes& boxes) {
  std::int64_t n = 0;
  for (const Box& b : boxes) n += crinkle::n_bytes_of(b);
  return n;
}

// A rolled, padded, permuted array: the box lists that stitching is for.
Boxes any_rows() {
  const Extents extents = {pick(1, 4), pick(1, 5), pick(1, 9)};
  Rearrangement r(Layout::dense(extents, one_of<std::int64_t>({1, 2, 4, 12})), {"z", "y", "x"});
  for (const char* name : {"x", "y", "x", "z"}) {
    if (chance(2)) r = r.roll(name, pick(-9, 9));
    if (chance(3))
      r = r.pad(name, pick(0, 2), pick(0, 2), one_of<PadMode>({PadMode::constant, PadMode::edge, PadMode::wrap, PadMode::symmetric}));
    if (chance(4)) r = r.flip(name);
  }
  return r.boxes();
}

TEST(Widen, keeps_the_map_and_never_narrows) {
  EXPECT_TRUE(rc::check("widen", [] {
    Box box = any_box();
    simplify(box);
    const Boxes before = {box};
    const auto alignment = one_of<std::int64_t>({1, 2, 4, 8, 16});
    widen(box, alignment);
    RC_ASSERT(box.unit >= before[0].unit);
    RC_ASSERT(box.unit == before[0].unit || alignment % box.unit == 0);
    RC_ASSERT(result_of({box}) == result_of(before));
  }));
}

TEST(Widen, reaches_the_widest_unit_that_strides_offsets_and_the_run_allow) {
  const auto unit_of = [](Box box, std::int64_t alignment) {
    simplify(box);
    widen(box, alignment);
    return box.unit;
  };
  Box rows;
  rows.unit = 4;
  rows.axes = {{10, 256, 128}, {12, 4, 4}};  // runs of 48 bytes
  EXPECT_EQ(unit_of(rows, 16), 16);
  EXPECT_EQ(unit_of(rows, 8), 8);
  EXPECT_EQ(unit_of(rows, 1), 4) << "never narrower than it was";
  rows.src_offset = 8;
  EXPECT_EQ(unit_of(rows, 16), 8);
  rows.src_offset = 0;
  rows.axes[0].src_stride = 252;
  EXPECT_EQ(unit_of(rows, 16), 4);
  rows.axes[0].src_stride = 256;
  rows.axes[1].src_stride = -4;
  EXPECT_EQ(unit_of(rows, 16), 4) << "a reversed run stays in elements";
}

TEST(Stitch, keeps_the_map_and_every_box) {
  EXPECT_TRUE(rc::check("stitch", [] {
    Boxes boxes = any_rows();
    simplify(boxes);
    if (boxes.empty()) return;
    Boxes again;
    std::size_t n_segments = 0;
    for (const tile::Rows& rows : stitch(boxes)) {
      RC_ASSERT(rows.segments.front().first == 0);
      RC_ASSERT(rows.segments.size() <= tile::max_segments);
      n_segments += rows.segments.size();
      for (const Box& b : boxes_of(rows)) again.push_back(b);
    }
    RC_ASSERT(n_segments == boxes.size());
    RC_ASSERT(result_of(again) == result_of(boxes));
  }));
}

// Extents 7 … 130 rolled by 1 and padded by 1: every destination row is one row of segments, no seam between two entries.
TEST(Stitch, writes_every_rolled_or_padded_row_as_one) {
  for (std::int64_t n = 7; n <= 130; ++n) {
    const Rearrangement source(Layout::dense({5, n}, 4), {"y", "x"});
    Boxes rolled = source.roll("x", 1).boxes(), padded = source.pad("x", 1, 1, PadMode::reflect).boxes();
    simplify(rolled);
    simplify(padded);
    const RowsList rows = stitch(rolled), wide = stitch(padded);
    ASSERT_EQ(rows.size(), 1u) << n;
    EXPECT_EQ(rows[0].segments.size(), 2u);
    EXPECT_EQ(rows[0].box.axes.back().extent, n);
    ASSERT_EQ(wide.size(), 1u) << n;
    EXPECT_EQ(wide[0].segments.size(), 3u);
    EXPECT_EQ(wide[0].box.axes.back().extent, n + 2);
  }
}

TEST(Pass, has_a_choice_for_every_entry_and_alignment_and_counts_all_bytes) {
  EXPECT_TRUE(rc::check("plan_pass", [] {
    const Boxes boxes = any_rows();
    const Machine machine = chance(2) ? Machine::h200() : Machine::this_cpu();
    const planning::Pass pass = planning::plan_pass(boxes, machine);
    RC_ASSERT(pass.bytes_written == n_bytes_of(boxes));
    const Boxes again = planning::all_boxes(pass);
    if (!boxes.empty()) RC_ASSERT(result_of(again) == result_of(boxes));
    for (std::size_t v = 0; v < planning::alignments.size(); ++v) {
      const planning::Variant& variant = pass.variant(planning::alignments[v]);
      RC_ASSERT(variant.choices.size() == pass.entries.size());
      for (std::size_t e = 0; e < pass.entries.size(); ++e) {
        RC_ASSERT(result_of({planning::widened(pass.entries[e], planning::alignments[v])}).size() > 0 ||
                  pass.entries[e].segments.size() > 1);
        RC_ASSERT(variant.choices[e].unit == planning::box_for(pass.entries[e], planning::alignments[v], machine).unit);
      }
    }
  }));
}

TEST(Pass, many_small_boxes_are_not_cut_into_tiles_for_every_multiprocessor) {
  const Machine machine = Machine::h200();
  const auto n_blocks = [&](std::int64_t n_boxes) {
    Boxes boxes;
    std::int64_t offset = 0;
    for (std::int64_t k = 0; k < n_boxes; ++k) {
      const std::int64_t height = 61 + k % 7, width = 71 - k % 5;
      boxes.push_back(
          {.axes = {Axis{width, 4, height * 4}, Axis{height, width * 4, 4}}, .src_offset = offset, .dst_offset = offset, .unit = 4});
      offset += height * width * 4;
    }
    const planning::Pass pass = planning::plan_pass(boxes, machine);
    std::uint64_t n = 0;
    for (std::size_t e = 0; e < pass.entries.size(); ++e)
      n += tile::frame_of(planning::tile_of(pass.entries[e], pass.variant(16).choices[e], 16, machine)).n_blocks;
    return n;
  };
  EXPECT_GE(n_blocks(1), 8U);
  EXPECT_LE(n_blocks(1000), 2000U);
}

TEST(Pass, tiles_of_a_launch_take_the_shared_memory_of_the_largest_so_none_is_larger) {
  const Machine machine = Machine::h200();
  const auto sizes = [&](const Rearrangement& r) {
    std::set<std::int64_t> all;
    const planning::Pass pass = planning::plan_pass(r.boxes(), machine);
    for (std::size_t e = 0; e < pass.entries.size(); ++e)
      if (pass.variant(16).choices[e].shape.kind == tile::Kind::gathered)
        all.insert(tile::shared_bytes_of(planning::tile_of(pass.entries[e], pass.variant(16).choices[e], 16, machine)) >> 14);
    return all;
  };
  const Rearrangement transposed = parse("y x -> x y", Layout::dense({8192, 8192}, 4));
  EXPECT_EQ(sizes(transposed.slice("y", 1, 8191)), (std::set<std::int64_t>{4}));  // one box: 64 KiB and what rows are apart
  EXPECT_EQ(sizes(transposed.roll("y", 3001).roll("x", 1233)), (std::set<std::int64_t>{2}));
  EXPECT_EQ(sizes(transposed.roll("y", 3001).roll("x", 1234).flip("y").slice("x", 1, 8191)), (std::set<std::int64_t>{2}));
}

TEST(Machine, is_named_and_unknown_names_say_which_are_known) {
  EXPECT_EQ(Machine::named("h200").kind, MachineKind::gpu);
  EXPECT_EQ(Machine::named("this").kind, MachineKind::cpu);
  try {
    Machine::named("abacus");
    FAIL();
  } catch (const Error& e) { EXPECT_NE(std::string(e.what()).find("h200"), std::string::npos) << e.what(); }
}

}  // namespace
}  // namespace crinkle::passes_test
