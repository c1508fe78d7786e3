// Samples and targets as every part of interpolation reads them: checked, in float64, one plane a coordinate and a column.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crinkle/interpolate.hpp"

namespace crinkle::interpolation {

struct SamplePlanes {
  int n_dimensions = 2;
  std::int64_t n = 0;
  std::array<std::vector<double>, 3> places;  // [n] each
  std::vector<std::vector<double>> values;    // [n_columns][n]
  std::vector<double> weights;                // [n], or none
  std::vector<double> least, most;            // [n_columns]

  std::int64_t n_columns() const noexcept { return std::ssize(values); }
  double weight(std::int64_t i) const { return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)]; }
};

/// Samples of weight 0 are left out; the others keep their order. Throws what Interpolator says of samples.
SamplePlanes planes_of(const Samples& samples);
/// Throws what Interpolator says of everything else.
void check(const Interpolation& how, const SamplePlanes& samples);

/// Where values are wanted.
class Targets {
 public:
  /// Throw bad_shape for a raster with layers and places of 2 dimensions, sizes that do not fit, and places that are not finite.
  Targets(const Raster& raster, int n_dimensions);
  Targets(const Reals& places, int n_dimensions);

  std::int64_t n() const noexcept { return n_; }
  bool is_raster() const noexcept { return is_raster_; }
  std::array<double, 3> at(std::int64_t t) const;
  /// The least and greatest coordinate of all targets. Requires n() > 0.
  std::array<std::array<double, 3>, 2> bounds() const;

 private:
  int n_dimensions_ = 2;
  std::int64_t n_ = 0;
  bool is_raster_ = false;
  Raster raster_;
  Reals places_;
};

}  // namespace crinkle::interpolation
