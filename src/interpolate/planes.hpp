// Samples and targets as every part of interpolation reads them: checked, in float64, one plane a coordinate and a column.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/fingerprint.hpp"
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
  std::vector<double> least, most;            // [n_columns]
  // A frame stretches what lies across by `scale`, and computed its coordinates from numbers up to `size`.
  double scale = 1, size = 0;

  std::int64_t n_columns() const noexcept { return std::ssize(values); }
  std::array<double, 3> place(std::int64_t i) const {
    const auto k = static_cast<std::size_t>(i);
    return {places[0][k], places[1][k], n_dimensions == 3 ? places[2][k] : 0};
  }
  double weight(std::int64_t i) const { return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)]; }
};

/// Of all that they hold.
Fingerprint fingerprint_of(const SamplePlanes& samples);

/// Samples of weight 0 are left out; the others keep their order. Throws what Interpolator says of samples.
SamplePlanes planes_of(const Samples& samples);
/// The reach of a radius among samples as they are in the frame.
Reach reach_of(double radius, const SamplePlanes& samples);
/// Throws what Interpolator says of everything else.
void check(const Interpolation& how, const SamplePlanes& samples);

/// Coordinates in which the ellipse of an anisotropy is a circle: its long axis is turned to x around the first sample, and what lies
/// across is stretched. Without anisotropy they are the samples' own.
class Frame {
 public:
  Frame() = default;
  /// `samples` in their own coordinates.
  Frame(const Anisotropy& a, const SamplePlanes& samples) : Frame(a, std::array{samples.places[0][0], samples.places[1][0]}) {}
  /// `origin`: x and y of the first sample.
  Frame(const Anisotropy& a, const std::array<double, 2>& origin);

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

/// The places whose values are wanted, in a frame. A part's targets have numbers of their own, but lie where the whole's do.
class Targets {
 public:
  using Bounds = std::array<std::array<double, 3>, 2>;

  /// Throw bad_shape for a raster with layers and places of 2 dimensions, sizes that do not fit, and places that are not finite.
  Targets(const Raster& raster, int n_dimensions, const Frame& frame = {});
  Targets(const Reals& places, int n_dimensions, const Frame& frame = {});
  /// Targets in a GPU's memory, which are not looked at: only on_device() and n() may be asked.
  static Targets unseen(const Reals& places, int n_dimensions, const Frame& frame);

  /// Cells begin[a] … begin[a] + extents[a] − 1 of these along each axis of a raster; of places those from begin[0] on, extents[0] of them.
  Targets part(const std::array<std::int64_t, 3>& begin, const std::array<std::int64_t, 3>& extents) const;

  std::int64_t n() const noexcept { return n_; }
  bool is_raster() const noexcept { return is_raster_; }
  int n_dimensions() const noexcept { return n_dimensions_; }
  /// Cells of a raster along each axis.
  const std::array<std::int64_t, 3>& extents() const noexcept { return extents_; }
  std::array<double, 3> at(std::int64_t t) const;
  /// Among all targets of the whole, n_whole(), in their order: the number of target t, and where one of a number is.
  std::int64_t n_whole() const noexcept { return n_whole_; }
  std::int64_t number(std::int64_t t) const;
  std::array<double, 3> at_number(std::int64_t number) const;
  /// The reach over all targets of the whole.
  Reach within(const Reach& reach) const;
  /// A box that all targets of the whole lie in. Requires n_whole() > 0.
  Bounds bounds() const;
  /// Finds it once for these and their parts.
  void keep_bounds();
  /// The same for a GPU's kernels; places are in its memory.
  CudaTargets on_device() const;

 private:
  Targets() = default;
  std::array<double, 3> at_cell(const std::array<std::int64_t, 3>& cell) const;

  int n_dimensions_ = 2;
  std::int64_t n_ = 0, n_whole_ = 0;
  bool is_raster_ = false;
  Raster raster_;                                           // the whole one
  std::array<std::int64_t, 3> begin_{}, extents_{1, 1, 1};  // of what is wanted of it; of places [0] is where they begin
  Reals places_;                                            // of the whole
  Frame frame_;
  std::optional<Bounds> bounds_;
};

}  // namespace crinkle::interpolation
