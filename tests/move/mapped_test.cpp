// Kernels compiled for moves of mapped axes: which moves have one, when it pays, and that every source compiles without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/mapped.hpp"

#include <gtest/gtest.h>

#include "crinkle/operations.hpp"
#include "cuda/compiled_kernel.hpp"

namespace crinkle::mapped_step_test {
namespace {

planning::Pass pass_of(const Rearrangement& r) { return planning::plan_pass(r.steps().steps.at(0).boxes, Machine::h200()); }

Rearrangement padded(Extents extents, std::int64_t e, const std::vector<PadWidth>& widths) {
  return pad(Layout::dense(std::move(extents), e), widths);
}

TEST(MappedStep, is_one_of_whole_pads_rolls_and_flips) {
  for (const std::int64_t e : {1, 2, 4, 8, 12}) {
    EXPECT_TRUE(mapped_axes(pass_of(padded({4, 62, 62, 3}, e, {{0, 0}, {1, 1}, {1, 1}, {0, 0}})))) << e;
    EXPECT_TRUE(mapped_axes(pass_of(padded({40, 510}, e, {{0, 0}, {1, 1}})))) << e;
    EXPECT_TRUE(mapped_axes(pass_of(roll(Layout::dense({40, 512}, e), std::vector<std::int64_t>{7, 5})))) << e;
    EXPECT_TRUE(mapped_axes(pass_of(flip(Layout::dense({40, 512, 3}, e), std::vector<std::int64_t>{1})))) << e;
  }
}

TEST(MappedStep, leaves_transpositions_to_tiles) {
  EXPECT_FALSE(mapped_axes(pass_of(permute(Layout::dense({300, 500}, 4), std::vector<std::int64_t>{1, 0}))));
  EXPECT_FALSE(mapped_axes(pass_of(permute(Layout::dense({300, 500, 3}, 4), std::vector<std::int64_t>{1, 0, 2})))) << "12 bytes at a time";
  EXPECT_TRUE(mapped_axes(pass_of(permute(Layout::dense({30, 50, 64}, 4), std::vector<std::int64_t>{1, 0, 2})))) << "256 bytes at a time";
  EXPECT_FALSE(mapped_axes(pass_of(interlace(Layout::dense({300, 500}, 4), 2)))) << "two sources";
}

TEST(MappedStep, is_predicted_slower_where_pieces_go_by_units) {
  const auto fraction = [](const Rearrangement& r) { return mapped_fraction(*mapped_axes(pass_of(r))); };
  const double rows = fraction(padded({4096, 4096, 4}, 1, {{1, 1}, {1, 1}, {0, 0}}));
  const double pixels = fraction(padded({4096, 4096, 4}, 1, {{0, 0}, {0, 0}, {1, 1}}));
  EXPECT_LT(pixels, rows);
  EXPECT_GT(pixels, 0.3);
  EXPECT_LT(rows, 1);
}

TEST(MappedStep, has_predictions_that_know_fills_of_the_library_s_kernels) {
  const Machine machine = Machine::h200();
  const auto ways = [&](const Rearrangement& r) {
    const auto form = mapped_form(pass_of(r), machine);
    return form ? std::pair(form->fixed_fraction, form->fraction) : std::pair(0.0, 0.0);
  };
  const auto [narrow, compiled] = ways(padded({4, 64, 510, 510}, 2, {{0, 0}, {0, 0}, {0, 0}, {1, 1}}));
  EXPECT_NEAR(narrow, 0.24, 0.02);  // measured: 0.23 to 0.25
  EXPECT_GT(compiled, 2 * narrow);
  EXPECT_NEAR(library_fraction(pass_of(padded({4, 64, 510, 510}, 4, {{0, 0}, {0, 0}, {0, 0}, {1, 1}})), machine), 0.4, 0.01);
  EXPECT_GT(library_fraction(pass_of(padded({4, 500, 512, 512}, 4, {{0, 0}, {6, 6}, {0, 0}, {0, 0}})), machine), 0.7) << "whole planes";
}

TEST(MappedStep, goes_by_the_library_s_kernel_where_tiles_are_predicted_slower) {
  const Machine machine = Machine::h200();
  const auto gain = [&](const Rearrangement& r) {
    const auto form = mapped_form(pass_of(r), machine);
    return form ? form->ahead.fraction / form->fixed_fraction : 0;
  };
  for (const std::int64_t e : {1, 2, 4}) {  // rows of 512, 1024 and 2048 bytes, measured at 0.33 to 0.45 of a copy
    EXPECT_GT(gain(padded({4, 64, 510, 510}, e, {{0, 0}, {0, 0}, {1, 1}, {1, 1}})), 1.05) << e;
    EXPECT_GT(gain(padded({4, 64, 512, 510}, e, {{0, 0}, {0, 0}, {0, 0}, {1, 1}})), 1.05) << e;
    const PlannedStep step(padded({4, 64, 510, 510}, e, {{0, 0}, {0, 0}, {1, 1}, {1, 1}}).steps().steps.at(0), machine);
    EXPECT_NEAR(step.predicted_fraction(machine), 0.42, 0.01) << e;
    EXPECT_LT(gain(flip(Layout::dense({8192, 8192}, e), std::vector<std::int64_t>{0, 1})), 1.05) << e;
    EXPECT_LT(gain(roll(Layout::dense({8192, 8192}, e), std::vector<std::int64_t>{7, 5})), 1.05) << e;
  }
  EXPECT_LT(gain(padded({16, 496, 496, 3}, 4, {{0, 0}, {8, 8}, {8, 8}, {0, 0}})), 1.05) << "rows of 6 KiB";
  EXPECT_LT(gain(padded({2, 1022, 1022, 64}, 2, {{0, 0}, {1, 1}, {1, 1}, {0, 0}})), 1.05) << "rows of 128 KiB";
}

struct MappedKernel : CompiledKernel {};

TEST_F(MappedKernel, compiles_for_every_unit) {
  std::vector<Rearrangement> moves{roll(Layout::dense({41, 513}, 2), std::vector<std::int64_t>{-7, 5}),
                                   roll(Layout::dense({5'000'000'000}, 1), std::vector<std::int64_t>{7}),
                                   flip(Layout::dense({41, 513, 3}, 1), std::vector<std::int64_t>{1})};
  for (const std::int64_t e : {1, 2, 4, 8, 16}) moves.push_back(padded({3, 61, 62, 5}, e, {{0, 0}, {1, 1}, {2, 3}, {1, 1}}));
  for (const Rearrangement& r : moves)
    EXPECT_NE(compiled_binary(source_of(*mapped_axes(pass_of(r))), 90, {}, options), nullptr) << (notes.empty() ? "" : notes.back());
}

}  // namespace
}  // namespace crinkle::mapped_step_test
