// A block of columns of a result that is made axis by axis, once for all its rows: which elements of a row of the source count, with what
// weights, and where each lies among the numbers that are taken from a row, its slots. Where columns are close together the slots are a
// range of the row, else the elements that count alone.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "resample/cpu/column_numbers.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {

template <class T>
struct Columns : ColumnNumbers {
  struct Listed {
    std::int64_t slot, element;  // or a face
  };
  struct Forced {
    std::int64_t column, face;  // a column none of whose elements are inside
  };

  std::int64_t n_slots = 0;
  std::int64_t run_slot = 0, run_first = 0, run_n = 0;  // slots that hold elements in a row
  std::vector<Listed> listed;                           // the others
  std::vector<Forced> forced;
  simd::SpreadTable<T> table;  // of n · width numbers

  bool are_all_forced() const { return std::ssize(forced) == n; }

  /// Columns [begin, begin + n_columns) of the result.
  void set(const Form& form, std::int64_t begin, std::int64_t n_columns, std::int64_t n_side_by_side,
           const simd::LineKernelsOf<T>& kernels) {
    n = n_columns;
    width = n_side_by_side;
    listed.clear();
    forced.clear();
    if (form.n_taps == 1) set_taps<1>(form, begin);
    else if (form.n_taps == 2) set_taps<2>(form, begin);
    else set_taps<4>(form, begin);
    if (are_all_forced()) return;
    kernels.set_places(place_.data(), table);
  }

 private:
  template <int n_taps>
  void set_taps(const Form& form, std::int64_t begin) {
    const FormAxis& axis = form.in[slots - 1];
    find_elements<n_taps>(form, begin);
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
    if (const std::int64_t last = axis.extent - n_taps;
        std::all_of(first_.begin(), first_.end(), [&](std::int64_t i) { return i >= 0 && i <= last; })) {
      const auto [least, most] = std::minmax_element(first_.begin(), first_.end());
      low = *least;
      high = *most;
    } else {
      for (std::int64_t x = 0; x < n; ++x) {
        const std::int64_t i = first_[to_size(x)];
        bool is_any_inside = false;
        for (int k = 0; k < n_taps; ++k) is_any_inside = is_any_inside || element_of(axis, i + k) >= 0;
        if (!is_any_inside) {
          forced.push_back({x, element_of(axis, i)});
          continue;
        }
        low = std::min(low, i);
        high = std::max(high, i);
      }
      if (are_all_forced()) return;
      for (const Forced& f : forced) first_[to_size(f.column)] = low;
    }
    const bool is_range = high - low < 2 * n * n_taps + 64;
    if (is_range) take_range<n_taps>(axis, low, high);
    else take_elements<n_taps>(axis);
    set_table<n_taps>(is_range, low);
  }

  // The first elements that count, and the weights of all. Short loops of one type each, which a compiler makes vectors of.
  template <int n_taps>
  void find_elements(const Form& form, std::int64_t begin) {
    const FormMap& map = form.map;
    const FormAxis& axis = form.in[slots - 1];
    const std::int64_t p[most_form_axes] = {};
    const RowBegin row = row_begin(map, map.n_in - 1, p);
    const double from = index_of(map, map.n_out - 1, begin);
    const auto count = static_cast<std::int32_t>(n);
    q_.resize(to_size(n));
    first_.resize(to_size(n));
    for (std::int32_t x = 0; x < count; ++x) q_[to_size(x)] = row.at(from + static_cast<double>(x));
    for (std::int32_t x = 0; x < count; ++x) {
      double fraction;
      const std::int64_t first = first_tap(n_taps, q_[to_size(x)], &fraction);
      first_[to_size(x)] = first + axis.before;
      q_[to_size(x)] = fraction;
    }
    if constexpr (n_taps > 1) {
      for (int k = 0; k < n_taps; ++k) weights_[k].resize(to_size(n));
      for (std::int32_t x = 0; x < count; ++x) {
        T weight[static_cast<std::size_t>(n_taps)];
        set_weights<n_taps>(form, static_cast<T>(q_[to_size(x)]), weight);
        for (int k = 0; k < n_taps; ++k) weights_[k][to_size(x)] = weight[k];
      }
    }
  }

  // Slot s is element low + s.
  template <int n_taps>
  void take_range(const FormAxis& axis, std::int64_t low, std::int64_t high) {
    const std::int64_t end = high + n_taps, inside_low = std::max<std::int64_t>(low, 0), inside_end = std::min(end, axis.extent);
    n_slots = end - low;
    run_first = inside_low;
    run_n = std::max<std::int64_t>(inside_end - inside_low, 0);
    run_slot = inside_low - low;
    for (std::int64_t i = low; i < end; ++i)
      if (i < inside_low || i >= inside_end) listed.push_back({i - low, element_of(axis, i)});
  }
  // Slot x · n_taps + k is element k of column x.
  template <int n_taps>
  void take_elements(const FormAxis& axis) {
    n_slots = n * n_taps;
    run_slot = run_first = run_n = 0;
    for (std::int64_t x = 0; x < n; ++x)
      for (int k = 0; k < n_taps; ++k) listed.push_back({x * n_taps + k, element_of(axis, first_[to_size(x)] + k)});
  }

  // Column x begins at slot first_[x] − low, or n_taps · x.
  template <int n_taps>
  void set_table(bool is_range, std::int64_t low) {
    begin_table(table);
    const std::int64_t padded = table.n + simd::line_padding;
    for (int k = 0; k < n_taps && n_taps > 1; ++k) table.weights[k].assign(to_size(padded), T{1});
    for (std::int64_t x = 0; x < n; ++x) {
      put_place(x, is_range ? first_[to_size(x)] - low : x * n_taps);
      for (int k = 0; k < n_taps && n_taps > 1; ++k) put_weight(x, weights_[k][to_size(x)], table.weights[k].data(), table);
    }
  }

  std::vector<double> q_;  // [n]: coordinates, then fractions
  std::vector<std::int64_t> first_;
  std::vector<T> weights_[4];  // NOLINT
};

}  // namespace crinkle::resampling
