// How a result that is made axis by axis is cut. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

inline constexpr std::int64_t numbers_of_a_line = 2048, longest_line = 16384;  // lines and the row they are made of fit a second cache

/// Blocks of columns and of the elements beside them, what lies outside, rows. The last number is the fastest.
struct Blocks {
  std::array<Loop, 2 * most_form_axes> outer = {};
  std::size_t n_outer = 0;
  Loop beside;  // the elements of a column
  std::int64_t width = 1, n_columns = 1;
  std::int64_t n_widths = 1, n_blocks = 1, n_outers = 1, n_rows = 1;

  explicit Blocks(const Form& form) {
    const int last = form.map.n_out - 1;
    for (int b = 0; b < form.n_outer; ++b) outer[n_outer++] = form.outer[b];
    for (int b = 0; b + 1 < form.n_near; ++b) outer[n_outer++] = form.near[b];
    if (form.n_near > 0) beside = form.near[form.n_near - 1];
    for (std::size_t b = 0; b < n_outer; ++b) n_outers = multiply(n_outers, outer[b].extent);
    for (int b = 0; b < last; ++b) n_rows = multiply(n_rows, form.out[b].extent);
    width = std::clamp<std::int64_t>(beside.extent, 1, numbers_of_a_line);
    n_widths = ceil_divide(beside.extent, width);
    const std::int64_t columns = form.out[last].extent;
    const bool is_one = columns <= longest_line / width;
    n_columns = is_one ? std::max<std::int64_t>(columns, 1) : std::max<std::int64_t>(1, numbers_of_a_line / width);
    n_blocks = ceil_divide(columns, n_columns);
  }
  std::int64_t n_units() const { return multiply(multiply(n_blocks, n_widths), multiply(n_outers, n_rows)); }
};

}  // namespace crinkle::resampling
