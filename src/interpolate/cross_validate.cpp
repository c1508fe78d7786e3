// Leave-one-out cross-validation: predictions of all samples, then their errors added up in the order of the samples.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/checked.hpp"
#include "cuda/device_buffers.hpp"
#include "interpolate/cpu/full_sum.hpp"
#include "interpolate/cpu/near_sum.hpp"
#include "interpolate/cuda/left_out.hpp"

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
  void add(const Errors& some) {
    squares += some.squares;
    n += some.n;
  }
  Score score(double power, std::int64_t neighbours, std::int64_t n_columns) const {
    return {power, neighbours, std::sqrt(squares / static_cast<double>(n * n_columns)), n};
  }
};

constexpr std::int64_t part = 256;  // samples whose errors are added up before the parts' are

// The errors of predictions[c · n + i], added up in parts of so many samples.
Errors errors_of(const SamplePlanes& samples, std::span<const double> predictions, std::int64_t together) {
  Errors all;
  for (std::int64_t begin = 0; begin < samples.n; begin += together) {
    Errors some;
    for (std::int64_t i = begin; i < std::min(samples.n, begin + together); ++i) some.add(samples, i, predictions.data() + i, samples.n);
    all.add(some);
  }
  return all;
}

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
    for (std::size_t e = 0; e < n_cases; ++e) all[e].add(errors[e]);
  }
  return all;
}

std::vector<Errors> full_errors(const SamplePlanes& samples, const Interpolation& how, std::span<const double> powers, Executor& executor) {
  const FullSum sum(samples, how);
  std::vector<double> predictions(index(multiply(samples.n, samples.n_columns())));
  std::vector<Errors> all;
  for (const double power : powers) {
    sum.leave_one_out(power, predictions, executor);
    all.push_back(errors_of(samples, predictions, samples.n));
  }
  return all;
}

/// near_errors(samples, numbers): for every power and these numbers of neighbours; full_errors(samples): for every power.
template <class Near, class Full>
std::vector<Score> scores_of(const Samples& given, const Interpolation& how, std::span<const double> powers,
                             std::span<const std::int64_t> neighbours, const Near& near_errors, const Full& full_errors) {
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
  }
  samples = Frame(how.anisotropy, samples).of(std::move(samples));
  // Sums over all samples have a way of their own.
  Interpolation all = how;
  all.neighbours = 0;
  const bool is_full = !all.is_local() && how.sectors == 1 && how.least_neighbours < samples.n;
  std::vector<std::int64_t> near;
  for (const std::int64_t k : neighbours)
    if (k > 0 || !is_full) near.push_back(std::min(k, samples.n - 1));  // the others are all there are
  std::vector<Errors> near_all, full_all;
  if (!near.empty()) near_all = near_errors(samples, near);
  if (std::ssize(near) < std::ssize(neighbours)) full_all = full_errors(samples);
  std::vector<Score> scores;
  auto next = near_all.begin();
  for (const std::int64_t k : neighbours) {
    for (std::size_t p = 0; p < powers.size(); ++p)
      scores.push_back((k > 0 || !is_full ? *next++ : full_all[p]).score(powers[p], k, samples.n_columns()));
  }
  return scores;
}

}  // namespace

std::vector<Score> cross_validate(const Samples& given, const Interpolation& how, std::span<const double> powers,
                                  std::span<const std::int64_t> neighbours, Executor& executor) {
  return scores_of(
      given, how, powers, neighbours,
      [&](const SamplePlanes& samples, std::span<const std::int64_t> near) {
        return samples.n_dimensions == 2 ? near_errors<2>(samples, how, powers, near, executor)
                                         : near_errors<3>(samples, how, powers, near, executor);
      },
      [&](const SamplePlanes& samples) { return full_errors(samples, how, powers, executor); });
}

std::vector<Score> cross_validate(const Samples& given, const Interpolation& how, std::span<const double> powers,
                                  std::span<const std::int64_t> neighbours, Device device) {
  const Device there = {Device::Kind::cuda, gpu::cuda_index(device, "cross-validation")};
  const auto predictions_of = [](const SamplePlanes& samples) {
    return std::vector<double>(index(multiply(samples.n, samples.n_columns())));
  };
  return scores_of(
      given, how, powers, neighbours,
      [&](const SamplePlanes& samples, std::span<const std::int64_t> near) {
        const CudaNearOthers others(samples, how, there, default_executor());
        std::vector<double> predictions = predictions_of(samples);
        std::vector<Errors> all;
        for (const std::int64_t k : near) {
          for (const double power : powers) {
            others.predict(power, k, predictions);
            all.push_back(errors_of(samples, predictions, part));
          }
        }
        return all;
      },
      [&](const SamplePlanes& samples) {
        const CudaAllOthers others(samples, how, there);
        std::vector<double> predictions = predictions_of(samples);
        std::vector<Errors> all;
        for (const double power : powers) {
          others.predict(power, predictions);
          all.push_back(errors_of(samples, predictions, samples.n));
        }
        return all;
      });
}

Score best_of(std::span<const Score> scores) {
  if (scores.empty()) throw Error(ErrorCode::bad_shape, "there are no scores to choose from");
  const Score* best = &scores[0];
  for (const Score& score : scores)
    if (score.n_predicted > best->n_predicted || (score.n_predicted == best->n_predicted && score.rmse < best->rmse)) best = &score;
  return *best;
}

}  // namespace crinkle
