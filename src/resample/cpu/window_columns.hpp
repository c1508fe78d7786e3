// A block of columns of a result whose kernel grows, once for all its rows: a range of the source's row has all elements that count, and
// each column the same number of them, with weights of 0 where it has fewer. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/checked.hpp"
#include "resample/cpu/column_numbers.hpp"
#include "resample/growing.hpp"

namespace crinkle::resampling {

inline constexpr std::int64_t longest_window = std::int64_t{1} << 15;  // in numbers; a longer one is summed piece by piece

template <class T>
struct WindowColumns : ColumnNumbers {
  std::int64_t first = 0, end = 0;  // elements of a row
  bool is_long = false;             // one column alone, without a table
  Window window;                    // of this one
  std::vector<std::int64_t> empty;  // columns for which nothing counts
  simd::WindowTable<T> table;       // of n · width numbers

  bool are_all_empty() const { return std::ssize(empty) == n; }

  void set(const GrowingAxis& axis, std::int64_t begin, std::int64_t n_columns, std::int64_t n_side_by_side,
           const simd::LineKernelsOf<T>& kernels) {
    n = n_columns;
    width = n_side_by_side;
    windows_.clear();
    empty.clear();
    std::int64_t n_taps = 0;
    bool is_any = false;
    for (std::int64_t x = 0; x < n; ++x) {
      const Window& one = windows_.emplace_back(axis.window(begin + x));
      if (one.is_empty()) {
        empty.push_back(x);
        continue;
      }
      first = is_any ? std::min(first, one.first) : one.first;
      end = is_any ? std::max(end, one.end) : one.end;
      is_any = true;
      n_taps = std::max(n_taps, one.end - one.first);
    }
    if (!is_any) return;
    is_long = n == 1 && n_taps > longest_window / width;
    if (is_long) window = windows_[0];
    else set_table(axis, n_taps, kernels);
  }

 private:
  void set_table(const GrowingAxis& axis, std::int64_t n_taps, const simd::LineKernelsOf<T>& kernels) {
    begin_table(table);
    table.n_taps = n_taps;
    table.pitch = ceil_divide(table.n, simd::line_padding) * simd::line_padding;
    table.weights.assign(to_size(n_taps * table.pitch), T{1});
    for (std::int64_t x = 0; x < n; ++x) {
      const Window& its = windows_[to_size(x)];
      const std::int64_t from = its.is_empty() ? first : std::min(its.first, end - n_taps);
      put_place(x, from - first);
      for (std::int64_t k = 0; k < n_taps; ++k) {
        const bool counts = from + k >= its.first && from + k < its.end;
        put_weight(x, counts ? axis.weight<T>(its, from + k) : T{0}, &table.weights[to_size(k * table.pitch)], table);
      }
    }
    kernels.set_places(place_.data(), table);
  }

  std::vector<Window> windows_;
};

}  // namespace crinkle::resampling
