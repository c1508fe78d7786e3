// Every generated rearrangement, planned for a GPU and walked thread by thread: each destination unit written once, in bounds, from the
// right source, whatever tile the planner chose; rows of several segments (rolled, padded, ragged) among them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <set>

#include "crinkle/operations.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "plan/pass.hpp"
#include "support/generators.hpp"
#include "support/walk.hpp"

namespace crinkle::rearrangement_walk_test {
namespace {

using testing::Unit;
using Place = std::pair<std::int32_t, std::int64_t>;  // slot, byte

// Where every destination unit of a box comes from.
void append_map(const Box& box, std::size_t a, Unit src, Unit dst, std::map<Place, Unit>& map) {
  if (a == box.axes.size()) {
    RC_ASSERT(map.emplace(Place{dst.slot, dst.address}, box.is_fill ? Unit{0, testing::filled} : src).second);
    return;
  }
  const Axis& axis = box.axes[a];
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    append_map(box, a + 1, src, dst, map);
    if (axis.src_counts == Counts::bytes) src.address += axis.src_stride;
    if (axis.src_counts == Counts::buffers) src.slot += static_cast<std::int32_t>(axis.src_stride);
    if (axis.dst_counts == Counts::bytes) dst.address += axis.dst_stride;
    if (axis.dst_counts == Counts::buffers) dst.slot += static_cast<std::int32_t>(axis.dst_stride);
  }
}

// Walks a tile and compares it with the boxes that it moves, which are in its units.
void walk_tile(const tile::Tile& tile, const Boxes& boxes) {
  std::map<Place, Unit> expected;
  for (const Box& b : boxes) append_map(b, 0, {b.src_offset, b.src_slot}, {b.dst_offset, b.dst_slot}, expected);
  testing::Span span{INT64_MAX, INT64_MIN};
  for (const ByteSpan& s : spans_of(boxes, Side::source, count_slots(boxes, Side::source))) {
    if (s.first == s.last) continue;
    span = {std::min(span.begin, s.first), std::max(span.end, s.last)};
  }
  std::set<Place> written;
  for (std::uint32_t block = 0; block < tile::frame_of(tile).n_blocks; ++block) {
    const testing::Fault fault = testing::walk_block(tile, block, span, [&](const Unit& destination, const Unit& source) {
      const auto found = expected.find({destination.slot, destination.address});
      RC_ASSERT(found != expected.end());
      RC_ASSERT(found->second.slot == source.slot && (source.slot == testing::filled || found->second.address == source.address));
      RC_ASSERT(written.insert(found->first).second);
    });
    if (!fault.empty()) RC_FAIL(fault + " of source [" + std::to_string(span.begin) + ", " + std::to_string(span.end) + ")");
  }
  RC_ASSERT(written.size() == expected.size());
}

Boxes bundle_in_units(const Boxes& bundle, std::int32_t unit) {
  Boxes boxes = bundle;
  for (Box& box : boxes) narrow(box, unit);
  return boxes;
}

// Walks the tile of an entry and compares it with the entry's boxes; returns the kind of tile.
std::size_t walk_entry(const tile::Rows& rows, std::int32_t alignment) {
  const Machine machine = Machine::h200();
  const Box box = planning::box_for(rows, alignment, machine);
  const bool is_one = rows.segments.size() == 1;
  const Tiling tiling = is_one ? choose_tile(box, machine, alignment) : choose_tile(rows, machine, alignment);
  walk_tile(tiling.tile, is_one ? Boxes{box} : boxes_of(rows));
  return tiling.tile.index();
}

void walk_all(const Rearrangement& r, std::set<std::size_t>* kinds = nullptr, bool* has_segments = nullptr) {
  const Steps steps = r.steps();
  for (const Step& step : steps.steps) {
    const planning::Pass pass = planning::plan_pass(step.boxes, Machine::h200());
    for (const tile::Rows& rows : pass.entries) {
      const std::size_t kind = walk_entry(rows, 16);
      if (kinds != nullptr) kinds->insert(kind);
      if (has_segments != nullptr && rows.segments.size() > 1) *has_segments = true;
    }
    for (const Boxes& bundle : pass.bundles)
      for (const std::int64_t alignment : {16, 1})
        if (const auto tile = planning::tile_of(bundle, alignment, Machine::h200()))
          walk_tile(*tile, bundle_in_units(bundle, tile->frame.unit));
  }
}

TEST(Walk, of_chains_of_verbs_writes_every_unit_once_from_the_right_source) {
  EXPECT_TRUE(rc::check("chains", [] {
    const std::int64_t rank = pick(1, 4);
    Chain chain(any_layout(any_extents(rank, 700), any_element_bytes()));
    for (std::int64_t k = pick(1, 4); k > 0; --k) {
      const std::int64_t a = pick(0, rank - 1);
      chain.verb("@" + std::to_string(a), static_cast<std::size_t>(a), 1500);
    }
    walk_all(chain.r);
  }));
}

TEST(Walk, of_permuted_and_rolled_arrays_reaches_every_kind_of_tile_and_rows_of_segments) {
  std::set<std::size_t> kinds;
  bool has_segments = false;
  for (const std::int64_t n : {7, 32, 33, 64, 100, 130}) {
    for (const std::int64_t e : {1, 2, 4, 8, 16}) {
      const Layout layout = Layout::dense({3, 16, n}, e);
      const Rearrangement named(layout, {"z", "y", "x"});
      walk_all(named.roll("x", 1), &kinds, &has_segments);
      walk_all(named.pad("x", 1, 1, PadMode::reflect).flip("y"), &kinds, &has_segments);
      walk_all(permute(layout, std::vector<std::int64_t>{2, 0, 1}), &kinds, &has_segments);
      walk_all(crinkle::crinkle(layout, std::vector<Crinkle>{{2, 3}}, Placement::local, Tail::ragged), &kinds, &has_segments);
      walk_all(interlace(layout, 3), &kinds, &has_segments);
    }
  }
  for (const std::int64_t e : {1, 2, 4, 8, 16}) walk_all(permute(Layout::dense({128, 256}, e), std::vector<std::int64_t>{1, 0}), &kinds);
  const std::vector<std::string> names = {"y", "x"};
  walk_all(Rearrangement(Layout::dense({3, 3000}, 1), names).roll("x", 5), &kinds, &has_segments);
  walk_all(Rearrangement(Layout::dense({3, 3000}, 1), names).flip("x"), &kinds, &has_segments);
  EXPECT_EQ(kinds.size(), 4u) << "rows, transposed, gathered, segmented";
  EXPECT_TRUE(has_segments);
}

TEST(Walk, of_bit_orders) {
  walk_all(bit_reverse(Layout::dense({4096}, 8)));
  walk_all(morton(Layout::dense({32, 64}, 4)));
  walk_all(checkerboard(Layout::dense({15, 33}, 2)));
}

}  // namespace
}  // namespace crinkle::rearrangement_walk_test
