// SPDX-License-Identifier: BSD-3-Clause
#include "maps/interpolation_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

namespace crinkle::tool {

Box box_of(const Raster& raster) {
  Box box;
  for (std::size_t a = 0; a < 3; ++a) {
    const double before = raster.first[a] - raster.step[a] / 2, behind = before + static_cast<double>(raster.extents[a]) * raster.step[a];
    box.least[a] = std::min(before, behind);
    box.most[a] = std::max(before, behind);
  }
  return box;
}

Box box_of(std::span<const double> places, int n_dimensions) {
  Box box;
  const auto n = static_cast<std::size_t>(n_dimensions);
  for (std::size_t a = 0; a < n; ++a) {
    box.least[a] = std::numeric_limits<double>::infinity();
    box.most[a] = -box.least[a];
    for (std::size_t i = a; i < places.size(); i += n) {
      box.least[a] = std::min(box.least[a], places[i]);
      box.most[a] = std::max(box.most[a], places[i]);
    }
  }
  return box;
}

void note_apart(const SampleFile& samples, const Box& where, const std::string& what) {
  const Box box = box_of(samples.places, samples.n_dimensions);
  for (std::size_t a = 0; a < static_cast<std::size_t>(samples.n_dimensions); ++a) {
    if (where.least[a] <= box.most[a] && box.least[a] <= where.most[a]) continue;
    fmt::print(stderr,
               "crinkle: note: {} and the {} samples lie apart: {} from {} to {}, the samples' from {} to {}; are both in the same units "
               "and system?\n",
               what, samples.n, "xyz"[a], where.least[a], where.most[a], box.least[a], box.most[a]);
    return;
  }
}

void note_coincident(const SampleFile& samples) {
  Samples places = samples.samples();
  const std::vector<double> zeros(static_cast<std::size_t>(samples.n), 0);
  places.values = zeros;
  places.n_columns = 1;
  const std::int64_t n_shared = count_coincident(places);
  if (n_shared == 0) return;
  fmt::print(
      stderr,
      "crinkle: note: {} of {} samples lie on another's place; a place has the mean of those on it, and each counts as a neighbour\n",
      n_shared, samples.n);
}

void note_nodata_among(const SampleFile& samples, double nodata) {
  const std::int64_t n = std::count(samples.values.begin(), samples.values.end(), nodata);
  if (n == 0) return;
  fmt::print(stderr, "crinkle: note: {} of {} values equal --nodata ({}) and count all the same; leave out records without a value\n", n,
             std::count_if(samples.values.begin(), samples.values.end(), [](double v) { return !std::isnan(v); }), nodata);
}

void note_narrow(const SampleFile& samples) {
  constexpr double few = 0x1p-20;  // 16 steps of float32 and fewer
  const auto n_columns = static_cast<std::size_t>(samples.n_columns);
  for (std::size_t c = 0; c < n_columns; ++c) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t i = c; i < samples.values.size(); i += n_columns) {
      least = std::min(least, samples.values[i]);
      most = std::max(most, samples.values[i]);
    }
    const double greatest = std::max(std::abs(least), std::abs(most));
    if (!(most > least) || (most - least) / greatest >= few || !(greatest <= std::numeric_limits<float>::max())) continue;
    const double step = std::ldexp(1.0, std::ilogb(greatest) - 23);
    fmt::print(stderr, "crinkle: note: {} goes from {} to {}, where float32 has steps of {:.3g}; --dtype float64 keeps what lies between\n",
               samples.value_names[c], least, most, step);
  }
}

void note_idle(const Interpolation& how) {
  if (how.tolerance > 0 && how.is_local())
    fmt::print(stderr, "crinkle: note: --tolerance {} changes nothing: it is of sums over all samples, and near ones are summed exactly\n",
               how.tolerance);
  if (how.anisotropy.angle != 0 && how.anisotropy.ratio == 1)
    fmt::print(stderr, "crinkle: note: --angle {} changes nothing without --ratio: a circle has no long axis\n", how.anisotropy.angle);
}

void note_pairs(const Interpolation& how, double n_samples, double n_places) {
  constexpr double many = 1e12;
  if (n_samples * n_places < many || how.is_local() || how.tolerance > 0) return;
  fmt::print(stderr, "crinkle: note: {:.1e} pairs of samples and places; --tolerance 1e-3 or --neighbours 12 take a fraction of the time\n",
             n_samples * n_places);
}

template <class T>
void note_no_data(std::span<const T> values, double nodata) {
  const T as_written = static_cast<T>(nodata);
  if (values.empty() || !std::all_of(values.begin(), values.end(), [&](T v) { return std::isnan(v) || v == as_written; })) return;
  fmt::print(stderr, "crinkle: note: there is no data at any of the places: --radius, --least or --sectors leave too few samples\n");
}
template void note_no_data(std::span<const float>, double);
template void note_no_data(std::span<const double>, double);

bool is_of_float32(double number) {
  constexpr double least_beyond = 0x1.ffffffp127;  // half a step above the greatest
  return !std::isfinite(number) || std::abs(number) < least_beyond;
}

}  // namespace crinkle::tool
