// Cells of a map that have no data, or had some beside them that have none, are made again of what there is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "crinkle/resample.hpp"
#include "resample/check.hpp"
#include "resample/growing.hpp"
#include "resample/places.hpp"

namespace crinkle::tool {

/// Looks at cells again that have no data or had some beside them that have none.
template <class T>
class SecondLook {
 public:
  SecondLook(const Resampling& r, ConstBuffer cells, bool is_clipped)
      : r_(resampling::checked(r)), form_(resampling::form_of(r_)), cells_(static_cast<const T*>(cells.data)), is_clipped_(is_clipped) {}

  /// Element p of a band, which was found to be `found`.
  T value(std::int64_t band, const std::int64_t* p, T found) const {
    double q[resampling::slots] = {};
    resampling::coordinates(form_.map, p, q);
    const T nothing = std::numeric_limits<T>::quiet_NaN();
    if (!resampling::is_near(q[0]) || !resampling::is_near(q[1])) return nothing;
    if (resampling::is_growing(r_)) return grown(band, p, q);
    const T* const its = cells_ + band * y().extent * x().extent;
    if (is_clipped_) return is_inside(y(), q[0]) && is_inside(x(), q[1]) ? found : nothing;
    if (std::isnan(cell(its, index(q[0] + 0.5), index(q[1] + 0.5)))) return nothing;
    T sum = 0, weights = 0;
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const T v = static_cast<T>(q[0] - std::floor(q[0])), u = static_cast<T>(q[1] - std::floor(q[1]));
        const T weight = (j == 0 ? 1 - v : v) * (i == 0 ? 1 - u : u), number = cell(its, index(q[0]) + j, index(q[1]) + i);
        if (weight == 0 || std::isnan(number)) continue;
        sum += weight * number;
        weights += weight;
      }
    }
    return sum / weights;
  }

 private:
  static std::int64_t index(double at) { return static_cast<std::int64_t>(std::floor(at)); }
  // The mean of the cells that have data, as much as they count: of `area` what is covered, of others with the antialiased `linear`.
  T grown(std::int64_t band, const std::int64_t* p, const double* q) const {
    const T nothing = std::numeric_limits<T>::quiet_NaN();
    const T* const its = cells_ + band * y().extent * x().extent;
    if (r_.by == ResampleBy::mode) return nothing;  // which has heeded them
    resampling::Form form = form_;
    if (r_.by != ResampleBy::area) {
      const bool is_there = is_inside(y(), q[0]) && is_inside(x(), q[1]);
      if (!is_there || std::isnan(cell(its, index(q[0] + 0.5), index(q[1] + 0.5)))) return nothing;
      form.growing = resampling::Growing::linear;
    }
    const resampling::GrowingAxis rows(form, 0), columns(form, 1);
    const resampling::Window down = rows.window(p[0]), along = columns.window(p[1]);
    double sum = 0, weights = 0;
    for (std::int64_t j = down.first; j < down.end; ++j) {
      for (std::int64_t i = along.first; i < along.end; ++i) {
        const double weight = rows.share(down, j) * columns.share(along, i);
        const T number = cell(its, j, i);
        if (weight == 0 || std::isnan(number)) continue;
        sum += weight * static_cast<double>(number);
        weights += weight;
      }
    }
    return static_cast<T>(sum / weights);
  }
  const resampling::FormAxis& y() const { return form_.in[resampling::slots - 2]; }
  const resampling::FormAxis& x() const { return form_.in[resampling::slots - 1]; }
  static bool is_inside(const resampling::FormAxis& axis, double q) {
    return axis.low == Bound::periodic || (q >= -0.5 && q < static_cast<double>(axis.extent) - 0.5);
  }
  T cell(const T* its, std::int64_t row, std::int64_t column) const {
    const std::int64_t i = resampling::element_of(x(), column), j = resampling::element_of(y(), row);
    if (i < 0) return static_cast<T>(i == detail::at_low_face ? x().low_value : x().high_value);
    if (j < 0) return static_cast<T>(j == detail::at_low_face ? y().low_value : y().high_value);
    return its[j * x().extent + i];
  }

  Resampling r_;
  resampling::Form form_;
  const T* cells_;
  bool is_clipped_;  // all cells are there, and what lies beyond them is taken out
};

}  // namespace crinkle::tool
