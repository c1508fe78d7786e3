// SPDX-License-Identifier: BSD-3-Clause
#include "maps/sample_columns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

SampleFile column_of(const SampleFile& samples, std::int64_t column) {
  SampleFile part;
  part.n_dimensions = samples.n_dimensions;
  part.n_columns = 1;
  part.value_names = {samples.value_names[static_cast<std::size_t>(column)]};
  part.is_named_in_degrees = samples.is_named_in_degrees;
  part.crs = samples.crs;
  part.is_crs_taken = samples.is_crs_taken;
  const auto n_columns = static_cast<std::size_t>(samples.n_columns), n_dimensions = static_cast<std::size_t>(samples.n_dimensions);
  for (std::size_t i = 0; i < static_cast<std::size_t>(samples.n); ++i) {
    const double value = samples.values[i * n_columns + static_cast<std::size_t>(column)];
    if (std::isnan(value)) continue;
    part.values.push_back(value);
    for (std::size_t a = 0; a < n_dimensions; ++a) part.places.push_back(samples.places[i * n_dimensions + a]);
    if (!samples.weights.empty()) part.weights.push_back(samples.weights[i]);
    ++part.n;
  }
  return part;
}

}  // namespace

std::vector<std::int64_t> values_of_columns(const SampleFile& samples) {
  const auto n_columns = static_cast<std::size_t>(samples.n_columns);
  std::vector<std::int64_t> n(n_columns, 0);
  for (std::size_t i = 0; i < samples.values.size(); ++i) n[i % n_columns] += std::isnan(samples.values[i]) ? 0 : 1;
  return n;
}

std::vector<std::int64_t> counting_of_columns(const SampleFile& samples) {
  const auto n_columns = static_cast<std::size_t>(samples.n_columns);
  std::vector<std::int64_t> n(n_columns, 0);
  for (std::size_t i = 0; i < samples.values.size(); ++i)
    n[i % n_columns] += !std::isnan(samples.values[i]) && (samples.weights.empty() || samples.weights[i / n_columns] > 0) ? 1 : 0;
  return n;
}

bool has_gaps(const SampleFile& samples) {
  for (const double value : samples.values)
    if (std::isnan(value)) return true;
  return false;
}

void note_gaps(const std::string& path, const SampleFile& samples) {
  if (!has_gaps(samples)) return;
  std::string columns;
  const std::vector<std::int64_t> n = values_of_columns(samples);
  for (std::size_t c = 0; c < n.size(); ++c)
    if (n[c] < samples.n) columns += fmt::format("{}{} have no {}", columns.empty() ? "" : ", ", samples.n - n[c], samples.value_names[c]);
  fmt::print(stderr, "crinkle: note: {}: of {} records {}: each column is of the records that have its value\n", path, samples.n, columns);
}

void for_each_part(const SampleFile& samples, const std::string& path,
                   const std::function<void(const SampleFile& part, std::int64_t first_column)>& body) {
  if (!has_gaps(samples)) return body(samples, 0);
  for (std::int64_t c = 0; c < samples.n_columns; ++c) {
    const SampleFile part = column_of(samples, c);
    if (part.n == 0)
      throw Error(ErrorCode::bad_file, path + ": there is no value in column " + samples.value_names[static_cast<std::size_t>(c)]);
    try {
      body(part, c);
    } catch (const Error& e) { throw Error(e.code(), part.value_names[0] + ": " + e.what()); }
  }
}

std::vector<Score> scores_of_parts(const SampleFile& samples, const std::string& path,
                                   const std::function<std::vector<Score>(const SampleFile& part)>& scores) {
  std::vector<Score> all;
  std::vector<double> squares;
  for_each_part(samples, path, [&](const SampleFile& part, std::int64_t first) {
    const std::vector<Score> these = scores(part);
    if (first == 0) {
      all = these;
      for (const Score& score : these)
        squares.push_back(score.n_predicted == 0 ? 0 : score.rmse * score.rmse * static_cast<double>(score.n_predicted));
      return;
    }
    for (std::size_t k = 0; k < these.size(); ++k) {
      if (these[k].n_predicted == 0) continue;
      squares[k] += these[k].rmse * these[k].rmse * static_cast<double>(these[k].n_predicted);
      all[k].n_predicted += these[k].n_predicted;
      all[k].rmse = std::sqrt(squares[k] / static_cast<double>(all[k].n_predicted));
    }
  });
  return all;
}

}  // namespace crinkle::tool
