// Kernels that grow with the scale (crinkle/resample.hpp): which elements of an axis count for an element of the result, and how much each.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "resample/form.hpp"

namespace crinkle::resampling {

/// Elements first … end − 1, which of a periodic axis may lie beyond its ends.
struct Window {
  std::int64_t first = 0, end = 0;
  double q = 0, low = 0, high = 0;  // the coordinate; the cells covered from low to high, cell i being [i, i + 1]
  double total = 0;                 // of share()

  bool is_empty() const { return first >= end; }
};

/// An axis of a form of scales whose kernel grows.
class GrowingAxis {
 public:
  GrowingAxis() = default;
  GrowingAxis(const Form& form, int a);

  /// What counts for index i of the result, counted from the form's beginning. Empty: the result is nodata.
  Window window(std::int64_t i) const;
  /// How much element i counts, of window.total.
  double share(const Window& window, std::int64_t i) const;
  template <class T>
  T weight(const Window& window, std::int64_t i) const {
    return static_cast<T>(share(window, i) / window.total);
  }
  const FormAxis& axis() const { return axis_; }

  /// How far elements that count are from the coordinate, at most.
  double reach() const { return covers_ ? scale_ / 2 + 1 : radius_ * grown_; }

 private:
  FormAxis axis_;
  Growing kernel_ = Growing::none;
  bool covers_ = false;
  double step_ = 1, offset_ = 0, size_ = 0, begin_ = 0;  // q = step · index + offset
  double scale_ = 1, grown_ = 1, radius_ = 1;            // the kernel's radius in elements of the result
};

/// All elements that count for places between two coordinates, and more; of an axis that is not periodic within it or empty.
Window window_around(const GrowingAxis& axis, double low, double high);

}  // namespace crinkle::resampling
