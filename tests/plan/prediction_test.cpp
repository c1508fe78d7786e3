// Predicted rates: ordered as measured ones are, between nothing and a copy, near those of committed results, and summed over schedules and
// steps in time.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/prediction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

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

// The share of rows that lie within 15 % of what the card reached: of usual permutations nearly all, of drawn ones, with runs of any
// lengths and places, four of five.
TEST(Prediction, of_permutations_is_near_what_was_measured) {
  struct Suite {
    std::string name;
    std::size_t every;  // of its rows
    double least;
  };
  for (const Suite& suite : {Suite{"permutations", 5, 0.95}, Suite{"random_large", 1, 0.8}}) {
    double n_rows = 0, n_near = 0;
    std::string far;
    std::map<std::string, double> measured;
    std::ifstream file(testing::source_dir("/bench/results/h200/" + suite.name + ".json"));
    const auto results = nlohmann::json::parse(file);
    for (const auto& row : results.at("rows")) {
      const auto name = row.at("name").get<std::string>();
      measured[name] = measured[name + "_el" + std::to_string(row.at("element_bytes").get<int>())] = row.at("fraction_of_copy");
    }
    const auto cases = testing::read_cases(testing::source_dir("/bench/cases/" + suite.name + ".txt"));
    for (std::size_t k = 0; k < cases.size(); k += suite.every) {
      const auto row = measured.find(cases[k].name);
      ASSERT_NE(row, measured.end()) << cases[k].name;
      const double predicted = on_gpu(permute(cases[k].source, cases[k].order)), error = predicted / row->second - 1;
      ++n_rows;
      if (std::abs(error) <= 0.15) ++n_near;
      else far += cases[k].name + ": " + std::to_string(predicted) + ", measured " + std::to_string(row->second) + "\n";
    }
    EXPECT_GE(n_rows, 20);
    EXPECT_GE(n_near, suite.least * n_rows) << far;
  }
}

TEST(Prediction, of_nothing_is_one) { EXPECT_EQ(on_cpu(parse("y x -> x y", Layout::dense({0, 7}, 4))), 1); }

}  // namespace
}  // namespace crinkle::prediction_test
