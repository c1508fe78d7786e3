// Counted accesses against what can be worked out by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/accesses.hpp"

#include <gtest/gtest.h>

#include <string>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "form/simplify.hpp"
#include "plan/pass.hpp"
#include "plan/tiling.hpp"

namespace crinkle::accesses_test {
namespace {

planning::AccessCounts counts_of(Box box, std::int64_t most = 1 << 20) {
  simplify(box);
  return planning::count_accesses(choose_tile(box, Machine::h200()).tile, 32, most);
}

TEST(Accesses, of_an_aligned_copy_are_the_fewest) {
  Box box;
  box.unit = 16;
  box.axes = {{65536, 16, 16}};  // 1 MiB: 2048 requests of 32 lanes and 16 sectors a side
  const planning::AccessCounts counts = counts_of(box);
  for (const planning::SideCounts& side : {counts.read, counts.write}) {
    EXPECT_EQ(side.requests, 2048);
    EXPECT_EQ(side.sectors, 32768);
    EXPECT_EQ(side.ideal_sectors, 32768);
    EXPECT_EQ(side.wavefronts, 0);
  }
}

TEST(Accesses, of_an_aligned_transpose_are_the_fewest_and_free_of_bank_conflicts) {
  Box box;
  box.unit = 4;
  box.axes = {{512, 4, 1024}, {256, 2048, 4}};  // 256 × 512 -> 512 × 256
  const planning::AccessCounts counts = counts_of(box);
  const std::int64_t n_sectors = 512 * 256 * 4 / 32;
  EXPECT_EQ(counts.read.sectors, n_sectors);
  EXPECT_EQ(counts.write.sectors, n_sectors);
  EXPECT_EQ(counts.read.wavefronts, counts.read.ideal_wavefronts);
  EXPECT_EQ(counts.write.wavefronts, counts.write.ideal_wavefronts);
  EXPECT_GT(counts.write.wavefronts, 0);
}

TEST(Accesses, of_strided_units_are_a_sector_each) {
  Box box;
  box.unit = 4;
  box.axes = {{4096, 64, 4}};  // every 16th element
  const planning::AccessCounts counts = counts_of(box);
  EXPECT_EQ(counts.read.sectors, 4096);
  EXPECT_EQ(counts.write.sectors, 4096 * 4 / 32);
}

void expect_same(const planning::SideCounts& a, const planning::SideCounts& b, const std::string& what) {
  EXPECT_EQ(a.requests, b.requests) << what;
  EXPECT_EQ(a.sectors, b.sectors) << what;
  EXPECT_EQ(a.ideal_sectors, b.ideal_sectors) << what;
  EXPECT_EQ(a.wavefronts, b.wavefronts) << what;
  EXPECT_EQ(a.ideal_wavefronts, b.ideal_wavefronts) << what;
}

/// Counts by classes against those of every block, of every tile of a rearrangement; returns how many blocks there are.
std::int64_t expect_classes_are_alike(const Rearrangement& r, const std::string& what) {
  const Machine machine = Machine::h200();
  std::int64_t n_blocks = 0;
  for (const Step& step : r.steps().steps) {
    const planning::Pass pass = planning::plan_pass(step.boxes, machine);
    for (std::size_t e = 0; e < pass.entries.size() + pass.bundles.size(); ++e) {
      const bool is_entry = e < pass.entries.size();
      const tile::Tile tile = is_entry ? planning::tile_of(pass.entries[e], pass.variants.back().choices[e], 16, machine)
                                       : *planning::tile_of(pass.bundles[e - pass.entries.size()], 16, machine);
      const planning::AccessCounts by_class = planning::count_accesses(tile, 32, INT64_MAX);
      EXPECT_EQ(by_class.n_counted, by_class.blocks);
      planning::SideCounts read, write;
      for (std::uint32_t block = 0; block < by_class.blocks; ++block) {
        const planning::AccessCounts one = planning::count_block(tile, block, 32);
        read.add(one.read);
        write.add(one.write);
      }
      const std::string which = what + ", entry " + std::to_string(e) + " of kind " + std::to_string(tile.index());
      expect_same(by_class.read, read, which + ", read");
      expect_same(by_class.write, write, which + ", written");
      n_blocks += by_class.blocks;
    }
  }
  return n_blocks;
}

TEST(Accesses, of_classes_of_blocks_are_those_of_every_block) {
  std::int64_t n_blocks = 0;
  for (const std::int64_t e : {1, 2, 4, 8, 16}) {
    const std::string of = " of " + std::to_string(e) + " bytes";
    const Rearrangement plane(Layout::dense({507, 509}, e), {"y", "x"}), aligned(Layout::dense({512, 384}, e), {"y", "x"});
    n_blocks += expect_classes_are_alike(permute(Layout::dense({507, 509}, e), std::vector<std::int64_t>{1, 0}), "odd transpose" + of);
    n_blocks += expect_classes_are_alike(permute(Layout::dense({512, 384}, e), std::vector<std::int64_t>{1, 0}), "transpose" + of);
    n_blocks += expect_classes_are_alike(permute(Layout::dense({33, 40, 65}, e), std::vector<std::int64_t>{2, 1, 0}), "order 210" + of);
    for (const Rearrangement& r : {plane, aligned}) {
      n_blocks += expect_classes_are_alike(r.roll("x", 1), "roll" + of);
      n_blocks += expect_classes_are_alike(r.flip("x"), "flip" + of);
      n_blocks += expect_classes_are_alike(r.flip("y"), "slow flip" + of);
      n_blocks += expect_classes_are_alike(r.pad("x", 1, 1, PadMode::reflect), "pad" + of);
    }
    const Rearrangement long_row(Layout::dense({3, 70001}, e), {"y", "x"});
    n_blocks += expect_classes_are_alike(long_row.roll("x", 40000), "long roll" + of);
    n_blocks += expect_classes_are_alike(long_row.flip("x"), "long flip" + of);
    n_blocks += expect_classes_are_alike(interlace(Layout::dense({30000}, e), 3), "interlace" + of);
    n_blocks += expect_classes_are_alike(bit_reverse(Layout::dense({1 << 16}, e)), "bit reversal" + of);
  }
  EXPECT_GT(n_blocks, 4000);
}

TEST(Accesses, of_some_classes_come_near_those_of_all) {
  Box box;
  box.unit = 4;
  box.axes = {{1021, 4, 4 * 1019}, {1019, 4 * 1021, 4}};
  const planning::AccessCounts all = counts_of(box), some = counts_of(box, 8);
  EXPECT_EQ(all.n_counted, all.blocks);
  EXPECT_LT(some.n_counted, all.blocks);
  EXPECT_NEAR(static_cast<double>(some.read.sectors), static_cast<double>(all.read.sectors), 0.2 * static_cast<double>(all.read.sectors));
  EXPECT_GE(all.read.sectors, all.read.ideal_sectors);
}

}  // namespace
}  // namespace crinkle::accesses_test
