// Leave-one-out cross-validation: predictions of all samples, then their errors added up in the order of the samples.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/checked.hpp"
#include "interpolate/full_sum.hpp"
#include "interpolate/near_sum.hpp"

namespace crinkle {

using namespace interpolation;

namespace {

/// The errors of some samples.
struct Errors {
  double squares = 0;
  std::int64_t n = 0;

  // Predictions p[c · pitch] of one sample.
  void add(const SamplePlanes& samples, std::int64_t i, const double* p, std::int64_t pitch) {
    if (std::isnan(p[0])) return;
    for (std::int64_t c = 0; c < samples.n_columns(); ++c) {
      const double error = p[c * pitch] - samples.values[index(c)][index(i)];
      squares += error * error;
    }
    ++n;
  }
  Score score(double power, std::int64_t neighbours, std::int64_t n_columns) const {
    return {power, neighbours, std::sqrt(squares / static_cast<double>(n * n_columns)), n};
  }
};

constexpr std::int64_t part = 256;  // samples whose errors are added up before the parts' are

template <int n_dimensions>
std::vector<Errors> near_errors(const SamplePlanes& samples, const Interpolation& how, std::span<const double> powers,
                                std::span<const std::int64_t> neighbours, Executor& executor) {
  const std::int64_t n = samples.n, n_columns = samples.n_columns();
  const std::size_t n_cases = powers.size() * neighbours.size();
  const bool has_all = std::find(neighbours.begin(), neighbours.end(), 0) != neighbours.end();
  const std::int64_t most = has_all ? 0 : *std::max_element(neighbours.begin(), neighbours.end());
  const SharedPlaces shared(samples, executor, has_all ? 0 : most + 1);
  const SamplePlanes merged = shared.merged(samples), others = shared.others(samples);
  const NearSum<n_dimensions> sum(merged, how, executor);
  std::vector<std::vector<Errors>> parts(index(ceil_divide(n, part)), std::vector<Errors>(n_cases));
  executor.parallel_for(std::ssize(parts), [&](std::int64_t k) {
    NearestSearch<n_dimensions> search = sum.search(most);
    std::vector<double> predictions(n_cases * index(n_columns));
    for (std::int64_t i = k * part; i < std::min(n, (k + 1) * part); ++i) {
      sum.predict(i, others, shared, search, powers, neighbours, predictions);
      for (std::size_t e = 0; e < n_cases; ++e)
        parts[index(k)][e].add(
            samples, i, predictions.data() + std::ssize(predictions) / std::ssize(parts[index(k)]) * static_cast<std::int64_t>(e), 1);
    }
  });
  std::vector<Errors> all(n_cases);
  for (const std::vector<Errors>& errors : parts) {
    for (std::size_t e = 0; e < n_cases; ++e) {
      all[e].squares += errors[e].squares;
      all[e].n += errors[e].n;
    }
  }
  return all;
}

std::vector<Errors> full_errors(const SamplePlanes& samples, const Interpolation& how, std::span<const double> powers, Executor& executor) {
  const FullSum sum(samples, how);
  std::vector<double> predictions(index(multiply(samples.n, samples.n_columns())));
  std::vector<Errors> all;
  for (const double power : powers) {
    sum.leave_one_out(power, predictions, executor);
    Errors errors;
    for (std::int64_t i = 0; i < samples.n; ++i) errors.add(samples, i, predictions.data() + i, samples.n);
    all.push_back(errors);
  }
  return all;
}

}  // namespace

std::vector<Score> cross_validate(const Samples& given, const Interpolation& how, std::span<const double> powers,
                                  std::span<const std::int64_t> neighbours, Executor& executor) {
  SamplePlanes samples = planes_of(given);
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::bad_shape, text); };
  if (samples.n < 2) refuse("cross-validation predicts a sample from the others; there is only one");
  if (powers.empty() || neighbours.empty()) refuse("cross-validation needs powers and numbers of neighbours to try");
  for (const std::int64_t k : neighbours) {
    for (const double power : powers) {
      Interpolation one = how;
      one.neighbours = k;
      one.power = power;
      check(one, samples);
    }
    if (k >= samples.n)
      refuse(fmt::format("{} neighbours of one of {} samples; give at most {}, or 0 for all", k, samples.n, samples.n - 1));
  }
  samples = Frame(how.anisotropy, samples).of(std::move(samples));
  // Sums over all samples have a way of their own; everything else is one search.
  Interpolation all = how;
  all.neighbours = 0;
  const bool is_full = !all.is_local() && how.sectors == 1 && how.least_neighbours < samples.n;
  std::vector<std::int64_t> near;
  for (const std::int64_t k : neighbours)
    if (k > 0 || !is_full) near.push_back(k);
  std::vector<Errors> near_all, full_all;
  if (!near.empty() && samples.n_dimensions == 2) near_all = near_errors<2>(samples, how, powers, near, executor);
  if (!near.empty() && samples.n_dimensions == 3) near_all = near_errors<3>(samples, how, powers, near, executor);
  if (std::ssize(near) < std::ssize(neighbours)) full_all = full_errors(samples, how, powers, executor);
  std::vector<Score> scores;
  auto next = near_all.begin();
  for (const std::int64_t k : neighbours) {
    for (std::size_t p = 0; p < powers.size(); ++p)
      scores.push_back((k > 0 || !is_full ? *next++ : full_all[p]).score(powers[p], k, samples.n_columns()));
  }
  return scores;
}

Score best_of(std::span<const Score> scores) {
  if (scores.empty()) throw Error(ErrorCode::bad_shape, "there are no scores to choose from");
  const Score* best = &scores[0];
  for (const Score& score : scores)
    if (score.n_predicted > best->n_predicted || (score.n_predicted == best->n_predicted && score.rmse < best->rmse)) best = &score;
  return *best;
}

}  // namespace crinkle
