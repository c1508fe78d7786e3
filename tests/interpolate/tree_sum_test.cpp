// Sums within a tolerance: the bound against sums in full, on every spread, power and tolerance; what stays exact; and the bounds of single
// weights, which it rests on.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "interpolate/cpu/far_kernels.hpp"
#include "interpolate/cpu/tree_sum.hpp"
#include "interpolate/support.hpp"
#include "support/threads.hpp"

namespace crinkle::tree_sum_test {
namespace {

using namespace testing;
using namespace interpolation;

constexpr double powers[] = {0.5, 1, 2, 3, 4, 6, 2.5, 16};
constexpr double tolerances[] = {1e-2, 1e-3, 1e-5};

// What a tree makes of targets in the samples' own coordinates, and how much work that was.
template <class T>
struct ByTree {
  std::vector<T> values;
  double share = 0;

  ByTree(const Cloud& c, const Targets& targets, const Interpolation& how, Executor& executor = default_executor()) {
    const SamplePlanes planes = c.planes();
    const FullSum full(planes, how);
    const TreeSum tree(planes, how, full, executor);
    const TargetGroups groups(targets, executor);
    values.assign(index(targets.n() * c.n_columns), T{-77});
    tree.run_by_tree(targets, groups, std::span<T>(values), executor);
    share = tree.share_of_full<T>(targets, groups, executor);
  }
};

std::vector<double> in_full(const Cloud& c, const Targets& targets, const Interpolation& how) {
  const SamplePlanes planes = c.planes();
  std::vector<double> values(index(targets.n() * c.n_columns));
  FullSum(planes, how).run(targets, std::span<double>(values), default_executor());
  return values;
}

// The greatest part of the tolerance that is used.
void expect_within(const Cloud& c, const Targets& targets, const Interpolation& given, const std::string& what, double& most_used) {
  const std::vector<double> wanted = in_full(c, targets, given);
  for (const double tolerance : tolerances) {
    Interpolation how = given;
    how.tolerance = tolerance;
    const std::string here = what + ", p = " + std::to_string(how.power) + ", tolerance " + std::to_string(tolerance);
    const double error = error_of(c, wanted, ByTree<double>(c, targets, how).values);
    EXPECT_LE(error, tolerance) << here << ", float64";
    EXPECT_LE(error_of(c, wanted, ByTree<float>(c, targets, how).values), tolerance) << here << ", float32";
    most_used = std::max(most_used, error / tolerance);
  }
}

TEST(TreeSum, is_within_the_tolerance_for_every_spread_and_power) {
  double most_used = 0;
  for (const int n_dimensions : {2, 3}) {
    for (const Spread spread : spreads) {
      const Cloud c = cloud(2000, n_dimensions, spread);
      const std::vector<double> places = targets_of(c, 800);
      const Targets targets(Reals(places), n_dimensions);
      for (const double p : powers)
        expect_within(c, targets, {.power = p}, std::to_string(n_dimensions) + "-D, spread " + std::to_string(static_cast<int>(spread)),
                      most_used);
    }
  }
  EXPECT_GT(most_used, 5e-4) << "no cell was ever far";  // bounds are of the worst case, which errors of many cells are not
}

TEST(TreeSum, of_rasters_far_coordinates_and_far_targets) {
  double most_used = 0;
  const Cloud here = cloud(5000, 2), there = cloud(5000, 2, Spread::uniform, 1, 5, 1e6, 0.7);  // 1e-2 between neighbours
  const Raster raster = raster_over(0, 0, 1, 0.6, 0.015), away = raster_over(1e6, 1e6, 1e6 + 0.7, 1e6 + 0.5, 0.013),
               outside = raster_over(2, -40, 30, -20, 0.7);
  const Cloud deep = cloud(5000, 3);
  const Raster block = raster_over(0, 0, 0, 1, 0.5, 0.7, 0.06);
  for (const double p : {1.0, 2.0, 6.0, 2.5}) {
    expect_within(here, Targets(raster, 2), {.power = p}, "raster", most_used);
    expect_within(there, Targets(away, 2), {.power = p}, "offset of 1e6", most_used);
    expect_within(here, Targets(outside, 2), {.power = p}, "targets outside", most_used);
    expect_within(deep, Targets(block, 3), {.power = p}, "block", most_used);
  }
}

TEST(TreeSum, of_weights_columns_and_smoothing) {
  double most_used = 0;
  for (const std::int64_t n_columns : {1, 3}) {
    Cloud c = cloud(2000, 2, Spread::uniform, n_columns);
    Random random(5);
    const Raster raster = raster_over(-0.1, 0, 1, 0.9, 0.02);
    for (const bool has_weights : {false, true}) {
      if (has_weights)
        for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i % 10 == 0 ? 0 : i % 100 == 1 ? 1e5 : random() + 0.1);
      for (const double smoothing : {0.0, 1e-3, 0.05, 3.0})
        for (const double p : {1.0, 2.0, 2.5, 6.0})
          expect_within(c, Targets(raster, 2), {.power = p, .smoothing = smoothing}, std::to_string(n_columns) + " columns", most_used);
    }
  }
}

TEST(TreeSum, hits_and_constants_are_exact) {
  Cloud c = cloud(2000, 2);
  for (std::size_t k = 0; k < 20; ++k) c.places[k + 100] = c.places[k];  // ten pairs on one place
  for (const double p : powers) {
    const std::vector<double> want = in_full(c, Targets(Reals(c.places), 2), {.power = p});
    EXPECT_EQ(ByTree<double>(c, Targets(Reals(c.places), 2), {.power = p, .tolerance = 1e-2}).values, want);
  }
  for (const double constant : {3.7, -1e6 + 0.1}) {
    std::fill(c.values.begin(), c.values.end(), constant);
    const Raster raster = raster_over(0, 0, 1, 1, 0.02);
    for (const double p : powers) {
      for (const double got : ByTree<double>(c, Targets(raster, 2), {.power = p, .tolerance = 1e-2}).values) EXPECT_EQ(got, constant);
      for (const float got : ByTree<float>(c, Targets(raster, 2), {.power = p, .tolerance = 1e-2}).values)
        EXPECT_EQ(got, static_cast<float>(constant));
    }
  }
}

TEST(TreeSum, of_targets_next_to_samples) {
  const Cloud c = cloud(3000, 2);
  for (const double away : {1e-5, 1e-9, 1e-13, 1e-200}) {
    std::vector<double> places = c.places;
    for (double& x : places) x += away;
    double most_used = 0;
    for (const double p : {1.0, 2.0, 6.0, 2.5}) expect_within(c, Targets(Reals(places), 2), {.power = p}, "next to samples", most_used);
  }
}

TEST(TreeSum, any_number_of_threads_gives_the_same_bits) {
  const Cloud c = cloud(20000, 2, Spread::clustered, 2);
  const std::vector<double> places = targets_of(c, 5000);
  const Targets targets(Reals(places), 2);
  Threads one(1), three(3);
  for (const double p : {2.0, 2.5}) {
    const Interpolation how{.power = p, .tolerance = 1e-3};
    EXPECT_EQ(ByTree<float>(c, targets, how, one).values, ByTree<float>(c, targets, how, three).values);
    EXPECT_EQ(ByTree<double>(c, targets, how, one).values, ByTree<double>(c, targets, how, three).values);
  }
}

TEST(TreeSum, saves_work_where_samples_are_many_and_is_not_used_where_it_does_not) {
  const Cloud c = cloud(60000, 2), few = cloud(1100, 2);
  const Raster raster = raster_over(0, 0, 1, 1, 1.0 / 64);
  for (const double p : powers) EXPECT_LT(ByTree<float>(c, Targets(raster, 2), {.power = p, .tolerance = 1e-2}).share, 0.5) << p;
  // 1e-9 leaves nothing far among a thousand samples: the result is that of the sum in full, to the bit.
  const Interpolation how{.power = 2, .tolerance = 1e-9};
  EXPECT_GT(ByTree<double>(few, Targets(raster, 2), how).share, 0.8);
  std::vector<double> got(index(raster.n_cells())), want(index(raster.n_cells()));
  interpolate(few.samples(), raster, how, std::span<double>(got));
  interpolate(few.samples(), raster, {.power = 2}, std::span<double>(want));
  EXPECT_EQ(got, want);
}

TEST(TreeSum, by_the_interpolator_and_in_an_ellipse) {
  const Cloud c = cloud(40000, 2);
  const Raster raster = raster_over(0.2, 0.2, 0.8, 0.8, 0.02);
  const std::size_t n = index(raster.n_cells());
  std::vector<double> want(n), got(n);
  const Interpolation how{.power = 3, .anisotropy = {3, 30}, .tolerance = 1e-3};
  Interpolation exact = how;
  exact.tolerance = 0;
  interpolate(c.samples(), raster, exact, std::span<double>(want));
  interpolate(c.samples(), raster, how, std::span<double>(got));
  EXPECT_LE(error_of(c, want, got), 1e-3);
  EXPECT_NE(got, want) << "the tree was not used";
}

// The error of one weight is within the bound, and near it where sample, target and centre are on a line.
TEST(FarWeights, are_within_their_bound_for_every_instruction_set) {
  Random random(3);
  for (const int n_dimensions : {2, 3}) {
    for (const double p : {0.5, 1.0, 2.0, 3.0, 2.5, 6.0, 16.0}) {
      for (const int degree : {1, 2, 3, 5, 6}) {
        const Monomials monomials(n_dimensions, degree, p);
        const std::int64_t n = monomials.n();
        for (const double ratio : {0.05, 0.3, 0.6}) {
          double most = 0;
          for (int trial = 0; trial < 20; ++trial) {
            const bool is_smooth = trial % 3 == 2, is_in_line = trial % 2 == 0;
            const double smoothing = is_smooth ? 0.3 : 0, turn = 6.3 * random(), tilt = n_dimensions == 3 ? random() - 0.5 : 0;
            const double along[3] = {std::cos(turn) * std::cos(tilt), std::sin(turn) * std::cos(tilt), std::sin(tilt)};
            const double square = 1 + smoothing, size = ratio * std::sqrt(square), part = random();
            double target[3] = {}, sample[3] = {}, apart = smoothing;
            for (int a = 0; a < n_dimensions; ++a) {
              // δ of length part · size, σ of the rest, opposite to it
              target[a] = -part * size * (is_in_line ? along[a] : (a == 0 ? 1 : 0));
              sample[a] = (1 - part) * size * (is_in_line ? along[a] : (a == 0 ? -1 : 0));
              apart += (along[a] + target[a] - sample[a]) * (along[a] + target[a] - sample[a]);
            }
            std::vector<double> moments(index(n)), here(index(n));
            const double minus[3] = {-sample[0], -sample[1], -sample[2]};
            monomials.fill(minus, moments.data());
            monomials.fill(target, here.data());
            const double zero[8] = {}, x[8] = {along[0]}, y[8] = {along[1]}, z[8] = {along[2]}, weight[8] = {std::pow(square, -p / 2)},
                         inverse[8] = {1 / square};
            const std::int64_t first[8] = {};
            const double *const away[3] = {x, y, n_dimensions == 3 ? z : zero}, exact = std::pow(apart, -p / 2);
            const double bound = Acceptance::error(p, degree, ratio) * weight[0];
            for (const simd::FarKernels* table : simd::FarKernels::all()) {
              std::vector<double> sums(index(n * 8));
              table->add({.monomials = &monomials,
                          .away = {away[0], away[1], away[2]},
                          .weight = weight,
                          .inverse = inverse,
                          .first = first,
                          .n_cells = 8,
                          .moments = moments.data(),
                          .n_sums = 1,
                          .sums = sums.data()});
              double w = 0;
              for (std::size_t k = 0; k < sums.size(); ++k) w += sums[k] * here[k / 8];
              EXPECT_LE(std::abs(w - exact), bound * (1 + 1e-9) + 1e-13 * exact) << table->target << ", p = " << p << ", degree " << degree;
              if (is_in_line && !is_smooth) most = std::max(most, std::abs(w - exact) / bound);
            }
          }
          EXPECT_GT(most, 0.95) << "the bound is far from what happens: p = " << p << ", degree " << degree << ", ratio " << ratio;
        }
      }
    }
  }
}

// What expansion.hpp promises of every level: (e/2 + f) / (1 − e − f) of the range.
TEST(Acceptance, keeps_its_promise_at_every_level) {
  for (const double p : {0.5, 1.0, 2.0, 2.5, 6.0, 16.0}) {
    for (const int degree : {1, 3, 8}) {
      for (const double tolerance : {1e-9, 1e-5, 1e-3, 0.1, 0.5, 7.0}) {
        const Acceptance acceptance(p, degree, tolerance);
        const auto& levels = acceptance.levels();
        ASSERT_FALSE(levels.empty());
        const double mean_weight = 3.7, relative = Acceptance::error(p, degree, levels[0].ratio) * std::pow(1 + levels[0].ratio, p);
        double absolute = 0;
        EXPECT_EQ(acceptance.least_square(levels[0], mean_weight), 0);
        for (std::size_t k = 1; k < levels.size(); ++k) {
          EXPECT_GT(levels[k].ratio, levels[k - 1].ratio);
          EXPECT_LT(levels[k].ratio, 1);
          const double weight = std::pow(acceptance.least_square(levels[k], mean_weight), -p / 2);
          absolute = std::max(absolute, Acceptance::error(p, degree, levels[k].ratio) * weight / mean_weight);
        }
        const double promised = (relative / 2 + absolute) / (1 - relative - absolute);
        EXPECT_LE(promised, tolerance) << p << ", degree " << degree;
        EXPECT_GT(promised, 0.7 * std::min(tolerance, 0.15)) << p << ", degree " << degree;
        EXPECT_EQ(acceptance.least_square(levels.back(), 0), std::numeric_limits<double>::infinity());
      }
    }
  }
}

TEST(TargetGroups, have_every_target_once) {
  const auto check = [](const Targets& targets, std::int64_t least_groups) {
    const TargetGroups groups(targets, default_executor());
    std::vector<std::int64_t> all, here;
    for (std::int64_t g = 0; g < groups.n(); ++g) {
      groups.targets_of(g, here);
      EXPECT_GE(std::ssize(here), 1);
      EXPECT_LE(std::ssize(here), TargetGroups::most_targets);
      all.insert(all.end(), here.begin(), here.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> wanted;
    for (std::int64_t t = 0; t < targets.n(); ++t) wanted.push_back(t);
    EXPECT_EQ(all, wanted);
    EXPECT_GE(groups.n(), least_groups);
  };
  for (const Raster& raster : {Raster{.extents = {1, 1, 1}}, Raster{.extents = {100, 1, 1}}, Raster{.extents = {1, 77, 1}},
                               Raster{.step = {1, 9, 1}, .extents = {13, 70, 1}}, Raster{.extents = {5, 6, 7}},
                               Raster{.extents = {0, 5, 1}}, Raster{.step = {0, 0, 0}, .extents = {9, 30, 2}}})
    check(Targets(raster, 3), raster.n_cells() / 64);
  for (const std::int64_t n : {1, 5, 63, 64, 65, 1000}) {
    const Cloud c = cloud(n, 2, Spread::duplicates);
    check(Targets(Reals(c.places), 2), n / 64);
  }
}

}  // namespace
}  // namespace crinkle::tree_sum_test
