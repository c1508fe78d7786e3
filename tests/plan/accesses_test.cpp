// Counted accesses against what can be worked out by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/accesses.hpp"

#include <gtest/gtest.h>

#include "form/simplify.hpp"
#include "plan/tiling.hpp"

namespace crinkle {
namespace {

plan::AccessCounts counts_of(Box box, std::int64_t most = 1 << 20) {
  simplify(box);
  return plan::count_accesses(choose_tile(box, Machine::h200()).tile, 32, most);
}

TEST(Accesses, of_an_aligned_copy_are_the_fewest) {
  Box box;
  box.unit = 16;
  box.axes = {{65536, 16, 16}};  // 1 MiB: 2048 requests of 32 lanes and 16 sectors a side
  const plan::AccessCounts counts = counts_of(box);
  for (const plan::SideCounts& side : {counts.read, counts.write}) {
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
  const plan::AccessCounts counts = counts_of(box);
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
  const plan::AccessCounts counts = counts_of(box);
  EXPECT_EQ(counts.read.sectors, 4096);
  EXPECT_EQ(counts.write.sectors, 4096 * 4 / 32);
}

TEST(Accesses, of_a_sample_come_near_those_of_all_blocks) {
  Box box;
  box.unit = 4;
  box.axes = {{1021, 4, 4 * 1019}, {1019, 4 * 1021, 4}};
  const plan::AccessCounts all = counts_of(box), some = counts_of(box, 32);
  EXPECT_EQ(all.n_counted, all.blocks);
  EXPECT_EQ(some.n_counted, 32);
  EXPECT_NEAR(static_cast<double>(some.read.sectors), static_cast<double>(all.read.sectors), 0.2 * static_cast<double>(all.read.sectors));
  EXPECT_GE(all.read.sectors, all.read.ideal_sectors);
}

}  // namespace
}  // namespace crinkle
