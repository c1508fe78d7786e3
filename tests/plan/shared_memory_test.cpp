// No tile asks more shared memory than a block of the machine has, whatever lies apart on whichever side: large arrays, every alignment.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "form/check.hpp"
#include "plan/pass.hpp"
#include "plan/tiling.hpp"
#include "support/involutions.hpp"

namespace crinkle::shared_memory_test {
namespace {

/// A card with what every GPU has, 48 KiB, less what a launch of several tiles takes beside.
Machine machine_of_48_kib() {
  Machine machine = Machine::h200();
  machine.shared_bytes_block = 36 << 10;
  return machine;
}

std::vector<tile::Tile> tiles_of(const tile::Rows& rows, const planning::Choice& choice, std::int32_t alignment, const Machine& machine) {
  if (rows.segments.size() == 1 || planning::keeps_unit(rows, alignment)) return {planning::tile_of(rows, choice, alignment, machine)};
  std::vector<tile::Tile> tiles;
  for (const Box& box : boxes_of(rows))
    tiles.push_back(choose_tile(planning::box_for(tile::rows_of(box), alignment, machine), machine, alignment).tile);
  return tiles;
}

/// The most that a step asks.
std::int64_t most_asked(const Boxes& boxes, const Machine& machine) {
  std::int64_t most = 0;
  const planning::Pass pass = planning::plan_pass(boxes, machine);
  for (std::size_t v = 0; v < planning::alignments.size(); ++v) {
    const std::int32_t alignment = planning::alignments[v];
    for (std::size_t e = 0; e < pass.entries.size(); ++e)
      for (const tile::Tile& tile : tiles_of(pass.entries[e], pass.variants[v].choices[e], alignment, machine))
        most = std::max<std::int64_t>(most, tile::shared_bytes_of(tile));
    for (const Boxes& bundle : pass.bundles)
      if (const auto tile = planning::tile_of(bundle, alignment, machine)) most = std::max<std::int64_t>(most, tile->shared_bytes());
  }
  for (const Box& box : boxes)
    if (const auto exchange = exchange_tile(planning::box_for(tile::rows_of(box), 16, machine), machine))
      most = std::max<std::int64_t>(most, exchange->shared_bytes());
  return most;
}

void expect_fits(const Rearrangement& r, const std::string& text) {
  for (const Machine& machine : {Machine::h200(), machine_of_48_kib()})
    for (const Step& step : r.steps().steps) {
      const std::int64_t asked = most_asked(step.boxes, machine);
      if (asked > machine.shared_bytes_block) RC_FAIL(text + " asks " + std::to_string(asked));
    }
}

TEST(shared_memory, no_involution_asks_more_than_there_is) {
  EXPECT_TRUE(check_many("involutions", 1000, [] {
    std::string text;
    const Rearrangement r = testing::any_involution(text, chance(2) ? 1000000 : 4000);
    expect_fits(r, text);
  }));
}

TEST(shared_memory, no_permutation_of_an_array_with_gaps_asks_more_than_there_is) {
  EXPECT_TRUE(check_many("permutations", 1000, [] {
    const std::int64_t rank = pick(2, 6);
    const Layout layout = any_layout(any_extents(rank, 1000000), any_element_bytes());
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    order = shuffled(order);
    std::string text = "extents of " + std::to_string(layout.element_bytes) + " bytes:";
    for (const std::int64_t n : layout.extents) text += " " + std::to_string(n);
    expect_fits(permute(layout, order).flip("@" + std::to_string(pick(0, rank - 1))), text);
  }));
}

}  // namespace
}  // namespace crinkle::shared_memory_test
