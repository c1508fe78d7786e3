// Predicted rates: ordered as measured ones are, between nothing and a copy, and summed over schedules and steps in time.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction.hpp"

#include <gtest/gtest.h>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"

namespace crinkle::prediction_test {
namespace {

Rearrangement transposed(std::int64_t element_bytes) { return parse("y x -> x y", Layout::dense({4096, 4096}, element_bytes)); }
double on_cpu(const Rearrangement& r) { return Plan(r).predicted_fraction(); }
double on_gpu(const Rearrangement& r) { return Plan(r, "h200").predicted_fraction(); }

TEST(Prediction, of_a_copy_is_near_one) {
  const Rearrangement copy = parse("y x -> y x", Layout::dense({4096, 4096}, 4));
  for (const double fraction : {on_cpu(copy), on_gpu(copy)}) {
    EXPECT_GT(fraction, 0.95);
    EXPECT_LE(fraction, 1);
  }
}

TEST(Prediction, of_narrow_elements_is_less_than_of_wide_ones) {
  EXPECT_LT(on_cpu(transposed(3)), on_cpu(transposed(1)));
  EXPECT_LT(on_cpu(transposed(1)), on_cpu(transposed(4)));
  EXPECT_LT(on_cpu(transposed(4)), on_cpu(transposed(16)));
  EXPECT_LT(on_gpu(transposed(3)), on_gpu(transposed(4)));
}

TEST(Prediction, of_what_an_index_array_picks_grows_with_its_entries) {
  EXPECT_LT(planning::fraction_of_picked(4), 0.15);
  EXPECT_GT(planning::fraction_of_picked(4096), 0.95);
  EXPECT_LT(planning::fraction_of_picked(8), planning::fraction_of_picked(64));
  EXPECT_EQ(planning::fraction_of_picked(0), 1) << "nothing takes no time";
}

TEST(Prediction, of_steps_that_are_alike_is_that_of_one) {
  const Rearrangement once = parse("y x -> x y", Layout::dense({97, 89}, 1)), twice = once.then(once);
  ASSERT_EQ(twice.steps().steps.size(), 2u);
  EXPECT_DOUBLE_EQ(on_cpu(twice), on_cpu(once));
}

TEST(Prediction, of_nothing_is_one) { EXPECT_EQ(on_cpu(parse("y x -> x y", Layout::dense({0, 7}, 4))), 1); }

}  // namespace
}  // namespace crinkle::prediction_test
