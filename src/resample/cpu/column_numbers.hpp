// Columns of a result of some numbers each, side by side, as tables of kernels have them: where each number's first element lies in a row,
// and a column's weights once for each of its numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "resample/cpu/line_kernels.hpp"

namespace crinkle::resampling {

struct ColumnNumbers {
  std::int64_t n = 0, width = 1;  // columns; numbers of each

  std::int64_t n_numbers() const { return n * width; }

 protected:
  static std::size_t to_size(std::int64_t i) { return static_cast<std::size_t>(i); }

  /// Begins the table of these columns, of which every one then gets its place and its weights.
  template <class T>
  void begin_table(simd::LinePlaces<T>& table) {
    table.n = n_numbers();
    table.step = width;
    table.has_zero = false;
    place_.resize(to_size(table.n));
  }
  /// Column x begins at that column of the row.
  void put_place(std::int64_t x, std::int64_t slot) {
    for (std::int64_t c = 0; c < width; ++c) place_[to_size(x * width + c)] = static_cast<std::int32_t>(slot * width + c);
  }
  /// weights[n_numbers()]: those of one tap.
  template <class T>
  void put_weight(std::int64_t x, T weight, T* weights, simd::LinePlaces<T>& table) const {
    table.has_zero = table.has_zero || weight == 0;
    std::fill_n(weights + x * width, width, weight);
  }

  std::vector<std::int32_t> place_;  // [n_numbers()]
};

}  // namespace crinkle::resampling
