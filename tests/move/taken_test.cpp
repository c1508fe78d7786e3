// Kernels compiled for rows that an index array picks from: which steps have one, what it stages, and that every source compiles without a
// GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/taken.hpp"

#include <gtest/gtest.h>

#include <random>

#include "crinkle/operations.hpp"
#include "cuda/compiled_kernel.hpp"

namespace crinkle::taken_test {
namespace {

// Enough that they are no chain of even runs.
std::vector<std::int64_t> mixed(std::int64_t n, std::int64_t below) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n * 131 + below));
  std::vector<std::int64_t> indices(static_cast<std::size_t>(n));
  for (std::int64_t& i : indices) i = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  return indices;
}
Rearrangement picked(Extents extents, std::int64_t e, std::int64_t axis, std::int64_t n) {
  const std::int64_t below = extents[static_cast<std::size_t>(axis)];
  return gather(Layout::dense(std::move(extents), e), axis, mixed(n, below));
}
PlannedStep step_of(const Rearrangement& r) { return {r.steps().steps.at(0), Machine::h200()}; }
std::optional<TakenRows> taken_of(const Rearrangement& r) {
  const PlannedStep step = step_of(r);
  return taken_rows(planning::all_boxes(step.pass), step.gathers(), Machine::h200());
}

TEST(TakenRows, are_those_of_one_array_along_the_fastest_axis) {
  for (const std::int64_t e : {1, 2, 4, 8, 12, 16}) {
    const auto taken = taken_of(picked({4000, 1000}, e, 1, 900));
    ASSERT_TRUE(taken) << e;
    EXPECT_EQ(taken->tile.unit, e == 12 ? 4 : e);
    EXPECT_EQ(taken->tile.row_units, 900U * (e == 12 ? 3U : 1U));
    EXPECT_EQ(taken->indices.size(), taken->tile.row_units);
    EXPECT_LE(taken->tile.shared_bytes(), 72 << 10);
  }
  EXPECT_TRUE(taken_of(picked({4000, 300, 3}, 2, 1, 300))) << "pixels";
  EXPECT_FALSE(taken_of(picked({1000, 4000}, 4, 0, 900))) << "rows themselves are picked";
  EXPECT_FALSE(taken_of(picked({4000, 100'000}, 4, 1, 900))) << "rows are too long";
  EXPECT_FALSE(taken_of(picked({20, 1000}, 4, 1, 900))) << "rows are too few";
  const Rearrangement padded =
      Rearrangement(Layout::dense({4000, 1000}, 4), {"y", "x"}).take("x", mixed(900, 1000)).pad("x", 1, 1, PadMode::constant);
  EXPECT_FALSE(taken_of(padded)) << "fills";
}

TEST(TakenRows, stage_what_the_array_reaches) {
  std::vector<std::int64_t> indices = mixed(300, 11);
  for (std::int64_t& i : indices) i += 500;
  const auto taken = taken_of(gather(Layout::dense({4000, 1000}, 4), 1, indices));
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->tile.span, 44);
  EXPECT_EQ(taken->tile.src_offset, 2000);
  for (std::size_t j = 0; j < indices.size(); ++j) EXPECT_EQ(taken->indices[j], indices[j] - 500) << j;
  EXPECT_GT(taken_fraction(taken->tile), 2 * taken_fraction(taken_of(picked({4000, 1000}, 4, 1, 200))->tile)) << "4000 bytes for 800";
}

TEST(TakenRows, are_chosen_where_units_are_predicted_slower) {
  const Machine machine = Machine::h200();
  for (const std::int64_t e : {1, 2, 4, 8}) {
    const PlannedStep along_rows = step_of(picked({8192, 8192}, e, 1, 8192)), of_rows = step_of(picked({8192, 8192}, e, 0, 8192));
    const auto taken = compiled_form(along_rows, machine), whole = compiled_form(of_rows, machine);
    ASSERT_TRUE(taken && whole) << e;
    EXPECT_GT(taken->ahead.fraction, 1.05 * taken->fixed_fraction) << e;
    EXPECT_GT(taken->fraction, 1.05 * taken->fixed_fraction) << e;
    EXPECT_GT(whole->ahead.fraction, 1.05 * whole->fixed_fraction) << "whole rows of elements of " << e;
    EXPECT_GT(of_rows.predicted_fraction(machine), 0.8) << e;
  }
  const auto short_entries = compiled_form(step_of(picked({1 << 20, 16}, 4, 0, 1 << 20)), machine);
  ASSERT_TRUE(short_entries);
  EXPECT_LT(short_entries->ahead.fraction, 1.05 * short_entries->fixed_fraction) << "64 bytes at random";
}

struct TakenKernel : CompiledKernel {};

TEST_F(TakenKernel, compiles_for_every_unit) {
  for (const std::int64_t e : {1, 2, 4, 8, 12, 16})
    for (const std::int64_t n : {901, 904, 912})
      EXPECT_NE(compiled_binary(source_of(taken_of(picked({4000, 1000}, e, 1, n))->tile), 90, {}, options), nullptr)
          << (notes.empty() ? "" : notes.back());
}

}  // namespace
}  // namespace crinkle::taken_test
