// Rows that an index array picks from, walked through on a CPU by threads of a block: every byte is the definition's, none beside the
// destination is written and none beside the source is read (AddressSanitizer sees its ends).
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#include "crinkle/operations.hpp"
#include "form/check.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "move/cuda/picked.cuh"
#include "move/cuda/taken.cuh"
#pragma GCC diagnostic pop
#include "move/cuda/taken.hpp"
#include "support/move_walk.hpp"

namespace crinkle::taken_walk_test {
namespace {

namespace walk = crinkle::testing::walk;
using tile::TakenTile;
using walk::expect_as_defined;

template <int unit, int vector>
void walk_rows(const TakenRows& taken, const char* src, char* dst) {
  alignas(128) static std::array<char, 128 << 10> shared;
  const auto* indices = reinterpret_cast<const char*>(taken.indices.data());
  walk::launch(taken.tile.n_blocks(), TakenTile::threads,
               [&] { kernel::move_taken<unit, vector>(taken.tile, walk::block.x, src, dst, indices, shared.data()); });
}
template <int unit>
void walk_units(const TakenRows& taken, const char* src, char* dst) {
  const int vector = taken.tile.vector;
  if constexpr (unit <= 1)
    if (vector == 1) walk_rows<unit, 1>(taken, src, dst);
  if constexpr (unit <= 2)
    if (vector == 2) walk_rows<unit, 2>(taken, src, dst);
  if constexpr (unit <= 4)
    if (vector == 4) walk_rows<unit, 4>(taken, src, dst);
  if constexpr (unit <= 8)
    if (vector == 8) walk_rows<unit, 8>(taken, src, dst);
  if (vector == 16) walk_rows<unit, 16>(taken, src, dst);
}
void walk_taken(const TakenRows& taken, const char* src, char* dst) {
  if (taken.tile.unit == 1) walk_units<1>(taken, src, dst);
  if (taken.tile.unit == 2) walk_units<2>(taken, src, dst);
  if (taken.tile.unit == 4) walk_units<4>(taken, src, dst);
  if (taken.tile.unit == 8) walk_units<8>(taken, src, dst);
  if (taken.tile.unit == 16) walk_units<16>(taken, src, dst);
}

// A GPU of few multiprocessors, so that few rows suffice.
Machine small() {
  Machine machine = Machine::h200();
  machine.workers = 1;
  return machine;
}

void expect_moved(const Rearrangement& r, const std::string& what) {
  const Steps steps = r.steps();
  ASSERT_EQ(steps.steps.size(), 1U);
  const PlannedStep step(steps.steps[0], small());
  const auto taken = taken_rows(planning::all_boxes(step.pass), step.gathers(), small());
  ASSERT_TRUE(taken) << what;
  expect_as_defined(
      steps, [&](const auto& src, char* dst) { walk_taken(*taken, src[0], dst); },
      what + ", " + std::to_string(taken->tile.n_rows) + " rows a block");
}

// Enough that they are no chain of even runs.
std::vector<std::int64_t> drawn(std::int64_t n, std::int64_t low, std::int64_t high) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n * 131 + low));
  std::vector<std::int64_t> indices(static_cast<std::size_t>(n));
  for (std::int64_t& i : indices) i = low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  return indices;
}

TEST(TakenWalk, moves_as_defined) {
  for (const std::int64_t e : {1, 2, 3, 4, 8, 12, 16})
    for (const auto& [n, x] : {std::pair<std::int64_t, std::int64_t>{200, 300}, {301, 77}, {1024, 1000}, {208, 2001}})
      expect_moved(gather(Layout::dense({21, x}, e), 1, drawn(n, 0, x - 1)),
                   std::to_string(n) + " of " + std::to_string(x) + " entries of " + std::to_string(e) + " bytes");
}

TEST(TakenWalk, stages_the_part_that_is_picked_from) {
  for (const std::int64_t e : {1, 2, 4})
    for (const std::int64_t low : {0, 5, 1301})
      expect_moved(gather(Layout::dense({9, 1400}, e), 1, drawn(240, low, low + 60)), std::to_string(low));
}

TEST(TakenWalk, moves_rows_of_any_place) {
  // Pixels; rows backwards, with gaps, of three axes.
  expect_moved(gather(Layout::dense({11, 90, 3}, 1), 1, drawn(256, 0, 89)), "pixels");
  const auto take = [](Rearrangement r, std::int64_t n, std::int64_t x) { return r.take("x", drawn(n, 0, x - 1)); };
  const Layout cube = Layout::dense({5, 7, 203}, 2);
  expect_moved(take(Rearrangement(cube, {"z", "y", "x"}).flip("y"), 200, 203), "backwards");
  expect_moved(take(Rearrangement(cube, {"z", "y", "x"}).slice("y", 1, 6), 241, 203), "with gaps");
}

void expect_picked(const Rearrangement& r, const std::string& what) {
  const Steps steps = r.steps();
  ASSERT_EQ(steps.steps.size(), 1U);
  const PlannedStep step(steps.steps[0], Machine::h200());
  const auto picked = picked_entries(planning::all_boxes(step.pass), step.gathers());
  ASSERT_TRUE(picked) << what;
  const auto* table = reinterpret_cast<const char*>(picked->entries.data());
  constexpr std::uint32_t of_block = tile::PickedTile::threads * tile::PickedTile::each;
  expect_as_defined(
      steps,
      [&](const auto& src, char* dst) {
        for (std::uint32_t block = 0; block < (picked->tile.n_all + of_block - 1) / of_block; ++block)
          for (walk::thread.x = 0; walk::thread.x < tile::PickedTile::threads; ++walk::thread.x)
            kernel::move_picked(picked->tile, block, src[0], dst, table);
      },
      what);
}

TEST(PickedWalk, moves_as_defined) {
  for (const std::int64_t e : {1, 2, 4, 8, 16})
    for (const std::int64_t vectors : {1, 5, 64})
      expect_picked(gather(Layout::dense({90, 16 * vectors / e}, e), 0, drawn(200, 0, 89)), std::to_string(vectors) + " vectors");
  expect_picked(gather(Layout::dense({7, 90, 12}, 4), 1, drawn(133, 0, 89)), "of several rows");
  const Layout cube = Layout::dense({7, 90, 32}, 4);
  expect_picked(Rearrangement(cube, {"z", "y", "x"}).take("y", drawn(133, 0, 89)).flip("z").slice("x", 4, 20), "backwards, with gaps");
}

TEST(PickedWalk, has_entries_of_whole_vectors) {
  const auto is_picked = [](const Rearrangement& r) {
    const PlannedStep step(r.steps().steps.at(0), Machine::h200());
    return picked_entries(planning::all_boxes(step.pass), step.gathers()).has_value();
  };
  EXPECT_FALSE(is_picked(gather(Layout::dense({90, 10}, 4), 0, drawn(200, 0, 89)))) << "40 bytes";
  EXPECT_FALSE(is_picked(gather(Layout::dense({90, 90}, 4), 1, drawn(200, 0, 89)))) << "4 bytes";
  const Rearrangement late = Rearrangement(Layout::dense({90, 16}, 4), {"y", "x"}).take("y", drawn(200, 0, 89)).slice("x", 1, 13);
  EXPECT_FALSE(is_picked(late)) << "from byte 4 on";
}

}  // namespace
}  // namespace crinkle::taken_walk_test
