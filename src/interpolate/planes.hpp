// Samples and targets as every part of interpolation reads them: checked, in float64, one plane a coordinate and a column.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/interpolate.hpp"
#include "interpolate/form.hpp"
#include "interpolate/reach.hpp"

namespace crinkle::interpolation {

inline std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

struct SamplePlanes {
  int n_dimensions = 2;
  std::int64_t n = 0;
  std::array<std::vector<double>, 3> places;  // [n] each
  std::vector<std::vector<double>> values;    // [n_columns][n]
  std::vector<double> weights;                // [n], or none
  std::int64_t n_left_out = 0;                // samples of weight 0
  std::vector<double> least, most;            // [n_columns]
  // Of a frame: how much it stretches what lies across, and up to which numbers its coordinates were computed from.
  double scale = 1, size = 0;

  std::int64_t n_columns() const noexcept { return std::ssize(values); }
  std::array<double, 3> place(std::int64_t i) const {
    const auto k = static_cast<std::size_t>(i);
    return {places[0][k], places[1][k], n_dimensions == 3 ? places[2][k] : 0};
  }
  double weight(std::int64_t i) const { return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)]; }
};

/// Samples of weight 0 are left out; the others keep their order. Throws what Interpolator says of samples.
SamplePlanes planes_of(const Samples& samples);
/// Of samples as they are in the frame.
Reach reach_of(double radius, const SamplePlanes& samples);
/// Throws what Interpolator says of everything else.
void check(const Interpolation& how, const SamplePlanes& samples);

/// Coordinates in which the ellipse of an anisotropy is a circle: its long axis is turned to x around the first sample, and what lies
/// across is stretched. Without anisotropy they are the samples' own.
class Frame {
 public:
  Frame() = default;
  /// `samples` in their own coordinates.
  Frame(const Anisotropy& a, const SamplePlanes& samples);

  std::array<double, 3> of(const std::array<double, 3>& x) const {
    if (ratio_ == 1) return x;
    const double dx = x[0] - origin_[0], dy = x[1] - origin_[1];
    return {cosine_ * dx + sine_ * dy, ratio_ * (cosine_ * dy - sine_ * dx), x[2]};
  }
  /// The same samples in these coordinates.
  SamplePlanes of(SamplePlanes samples) const;
  double scale() const noexcept { return ratio_; }
  double size() const noexcept { return ratio_ == 1 ? 0 : std::max(std::abs(origin_[0]), std::abs(origin_[1])); }
  /// Tells a GPU's kernels.
  void tell(CudaTargets& targets) const;

 private:
  double ratio_ = 1, cosine_ = 1, sine_ = 0, origin_[2] = {};
};

/// Where values are wanted, in a frame.
class Targets {
 public:
  /// Throw bad_shape for a raster with layers and places of 2 dimensions, sizes that do not fit, and places that are not finite.
  Targets(const Raster& raster, int n_dimensions, const Frame& frame = {});
  Targets(const Reals& places, int n_dimensions, const Frame& frame = {});
  /// Of places in a GPU's memory, which are not looked at: only on_device() and n() may be asked.
  static Targets unseen(const Reals& places, int n_dimensions, const Frame& frame);

  std::int64_t n() const noexcept { return n_; }
  bool is_raster() const noexcept { return is_raster_; }
  int n_dimensions() const noexcept { return n_dimensions_; }
  /// Cells of a raster along each axis.
  const std::array<std::int64_t, 3>& extents() const noexcept { return raster_.extents; }
  std::array<double, 3> at(std::int64_t t) const;
  /// Of these targets.
  Reach within(const Reach& reach) const;
  /// A box that all targets lie in. Requires n() > 0.
  std::array<std::array<double, 3>, 2> bounds() const;
  /// The same for a GPU's kernels; places are in its memory.
  CudaTargets on_device() const;

 private:
  Targets() = default;

  int n_dimensions_ = 2;
  std::int64_t n_ = 0;
  bool is_raster_ = false;
  Raster raster_;
  Reals places_;
  Frame frame_;
};

}  // namespace crinkle::interpolation
