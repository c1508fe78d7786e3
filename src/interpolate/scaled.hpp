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
#include "interpolate/scale.hpp"

namespace crinkle::interpolation {

/// What brings coordinates into a box of about 1, around 0 where they are rounded to float32, and values between −1 and 1.
struct Scale {
  using Box = std::array<std::array<double, 3>, 2>;  // least, most

  double origin[3] = {}, factor = 1, smoothing = 0;  // the last one the square of a scaled distance
  std::vector<CudaColumn> columns;

  /// `box`: of all samples and, where they are known, targets; `least` and `most` of every column.
  Scale(Real type, int n_dimensions, const Box& box, double smoothing_distance, const std::vector<double>& least,
        const std::vector<double>& most);
};

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
  /// `bounds` are the targets'.
  ScaledSamples(const SamplePlanes& samples, const Interpolation& how, const Scale::Box& bounds);

  /// The members that all ranges of samples share; targets and sums are the caller's.
  simd::WeightRange<T> range() const;
  int n_dimensions() const noexcept { return n_dimensions_; }
  bool has_weights() const noexcept { return has_weights_; }
  std::int64_t n_columns() const noexcept { return std::ssize(scale_.columns); }
  /// Columns of sums: those of values, times the weight, then the weight itself where there are weights.
  std::int64_t n_sums() const noexcept { return std::ssize(columns_); }
  const T* column(std::int64_t c) const { return columns_[static_cast<std::size_t>(c)].data(); }

  /// A coordinate as the kernels know it, before it is rounded to T.
  double scaled(std::size_t axis, double x) const noexcept { return (x - scale_.origin[axis]) * scale_.factor; }
  double origin(std::size_t axis) const noexcept { return scale_.origin[axis]; }
  double factor() const noexcept { return scale_.factor; }
  const Scale& scale() const noexcept { return scale_; }
  /// How a column was scaled: value = zero + scaled / factor, from least to most.
  const CudaColumn& scale(std::int64_t c) const { return scale_.columns[static_cast<std::size_t>(c)]; }
  /// The value of column c whose scaled weighted mean this is.
  double value(std::int64_t c, double mean) const;

 private:
  void place(const SamplePlanes& samples);

  int n_dimensions_ = 2;
  bool has_weights_ = false;
  Scale scale_;
  std::array<std::vector<T>, 3> high_, low_;             // [n] each
  std::array<std::vector<T>, 3> origins_, origin_lows_;  // [runs] each, of float32
  std::vector<T> square_radii_;                          // likewise
  std::vector<std::vector<T>> columns_;                  // [n_sums][n]
};

}  // namespace crinkle::interpolation
