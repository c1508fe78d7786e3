// Samples as the kernels of sums read them, in T: coordinates in a box of about 1 around 0, float32 ones relative to the middle of their
// run of samples and with what rounding left of them beside; values between −1 and 1. Factors are powers of two, so that nothing else is
// rounded.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "interpolate/cpu/weight_kernels.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// The kernel of a power, and beyond which sums it may be wrong.
struct Rule {
  simd::WeightRule kernel = simd::WeightRule::any;
  double power = 2;
  std::int64_t whole = 0;

  explicit Rule(double p);
  /// Distances are taken relative to the nearest one, a pass more, where weights might overflow or be lost in the sum. `any` of float32
  /// does without for p from 1 to 4: down to the least distances that count weights stay below 2^100, and nearer samples show in the sum.
  template <class T>
  bool is_relative() const noexcept {
    return kernel == simd::WeightRule::whole || (kernel == simd::WeightRule::any && !(sizeof(T) == 4 && power >= 1 && power <= 4));
  }
};

template <class T>
class ScaledSamples {
 public:
  using Bounds = std::array<std::array<double, 3>, 2>;
  /// `bounds` are the targets'.
  ScaledSamples(const SamplePlanes& samples, const Interpolation& how, const Bounds& bounds);

  /// The members that all ranges of samples share; targets and sums are the caller's.
  simd::WeightRange<T> range() const;
  int n_dimensions() const noexcept { return n_dimensions_; }
  bool has_weights() const noexcept { return has_weights_; }
  std::int64_t n_columns() const noexcept { return std::ssize(scales_); }
  /// Columns of sums: those of values, times the weight, then the weight itself where there are weights.
  std::int64_t n_sums() const noexcept { return std::ssize(columns_); }
  const T* column(std::int64_t c) const { return columns_[static_cast<std::size_t>(c)].data(); }

  /// A coordinate as the kernels know it, before it is rounded to T.
  double scaled(std::size_t axis, double x) const noexcept { return (x - origin_[axis]) * factor_; }
  double origin(std::size_t axis) const noexcept { return origin_[axis]; }
  double factor() const noexcept { return factor_; }
  /// How a column was scaled: value = zero + scaled / factor, from least to most.
  struct Column {
    double zero, factor, least, most;
  };
  const Column& scale(std::int64_t c) const { return scales_[static_cast<std::size_t>(c)]; }
  /// The value of column c whose scaled weighted mean this is.
  double value(std::int64_t c, double mean) const;

 private:
  void place(const SamplePlanes& samples);

  int n_dimensions_ = 2;
  bool has_weights_ = false;
  std::array<double, 3> origin_{};
  double factor_ = 1;
  T smoothing_ = 0;
  std::vector<Column> scales_;                           // [n_columns]
  std::array<std::vector<T>, 3> high_, low_;             // [n] each
  std::array<std::vector<T>, 3> origins_, origin_lows_;  // [runs] each, of float32
  std::vector<T> square_radii_;                          // likewise
  std::vector<std::vector<T>> columns_;                  // [n_sums][n]
};

}  // namespace crinkle::interpolation
