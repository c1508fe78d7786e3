// Leave-one-out cross-validation against the definition, and what is chosen by it.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/support.hpp"
#include "support/threads.hpp"

namespace crinkle::validation_test {
namespace {

using namespace testing;

Score by_definition(const Cloud& c, Interpolation how, double power, std::int64_t neighbours) {
  how.power = power;
  how.neighbours = neighbours;
  const auto planes = c.planes();
  double squares = 0;
  Score score{power, neighbours, 0, 0};
  for (std::int64_t i = 0; i < c.n(); ++i) {
    bool is_predicted = false;
    for (std::int64_t k = 0; k < c.n_columns; ++k) {
      const double got = interpolation::reference_value(planes, how, k, place(c.places, c.n_dimensions, i), i);
      if (std::isnan(got)) continue;
      squares += std::pow(got - c.values[static_cast<std::size_t>(i * c.n_columns + k)], 2);
      is_predicted = true;
    }
    score.n_predicted += is_predicted ? 1 : 0;
  }
  score.rmse = std::sqrt(squares / static_cast<double>(score.n_predicted * c.n_columns));
  return score;
}

void expect_defined(const Cloud& c, const Interpolation& how, const std::vector<double>& powers,
                    const std::vector<std::int64_t>& neighbours) {
  const auto scores = cross_validate(c.samples(), how, powers, neighbours);
  ASSERT_EQ(scores.size(), powers.size() * neighbours.size());
  auto score = scores.begin();
  for (const std::int64_t k : neighbours) {
    for (const double p : powers) {
      const Score want = by_definition(c, how, p, k);
      EXPECT_EQ(score->power, p);
      EXPECT_EQ(score->neighbours, k);
      EXPECT_EQ(score->n_predicted, want.n_predicted) << p << ' ' << k;
      if (want.n_predicted > 0) { EXPECT_NEAR(score->rmse, want.rmse, 1e-9) << p << ' ' << k; }
      ++score;
    }
  }
}

TEST(CrossValidation, every_power_and_number_is_the_definition) {
  const std::vector<Interpolation> hows = {{}, {.smoothing = 0.05}, {.radius = 0.2, .least_neighbours = 3}, {.least_neighbours = 5}};
  for (const Spread spread : spreads)
    for (const int n_dimensions : {2, 3})
      for (const Interpolation& how : hows) expect_defined(cloud(40, n_dimensions, spread, 2), how, {0.5, 1, 2, 2.5, 6}, {3, 0, 12, 1});
}

TEST(CrossValidation, more_samples_than_a_chunk) {
  for (const Spread spread : {Spread::uniform, Spread::lattice}) expect_defined(cloud(300, 2, spread, 1), {}, {2, 2.5}, {0, 12});
}

TEST(CrossValidation, sectors_have_so_many_neighbours_each) {
  const Cloud c = cloud(200, 2);
  const std::vector<double> powers = {2};
  const std::vector<std::int64_t> neighbours = {1, 3};
  const Interpolation how{.sectors = 4};
  const auto scores = cross_validate(c.samples(), {.radius = 9, .sectors = 4}, powers, neighbours);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(scores[k].rmse, by_definition(c, how, 2, neighbours[k]).rmse, 1e-9);
}

TEST(CrossValidation, a_plane_prefers_what_predicts_it) {
  Cloud c = cloud(400, 2);
  for (std::int64_t i = 0; i < c.n(); ++i) c.values[static_cast<std::size_t>(i)] = 3 * c.places[static_cast<std::size_t>(2 * i)];
  const std::vector<double> powers = {0.5, 1, 2, 3, 4};
  const std::vector<std::int64_t> neighbours = {0, 12};
  const auto scores = cross_validate(c.samples(), {}, powers, neighbours);
  const Score best = best_of(scores);
  for (const Score& score : scores) EXPECT_LE(best.rmse, score.rmse);
  EXPECT_EQ(best.neighbours, 12);
}

TEST(CrossValidation, threads_change_nothing) {
  const Cloud c = cloud(1000, 2);
  const std::vector<double> powers = {2, 2.5};
  const std::vector<std::int64_t> neighbours = {0, 8};
  Threads one(1), three(3);
  const auto a = cross_validate(c.samples(), {}, powers, neighbours, one), b = cross_validate(c.samples(), {}, powers, neighbours, three);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].rmse, b[k].rmse);
}

TEST(CrossValidation, most_predictions_count_before_the_least_error) {
  const std::vector<Score> scores = {{1, 3, 0.5, 10}, {2, 3, 0.7, 12}, {3, 3, 0.6, 12}, {4, 3, 0.6, 12}};
  EXPECT_EQ(best_of(scores).power, 3);
}

}  // namespace
}  // namespace crinkle::validation_test
