// How a result that is made axis by axis is cut. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "crinkle/executor.hpp"
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
  /// The same with other blocks of columns.
  void set_columns(std::int64_t columns, std::int64_t each) {
    n_columns = each;
    n_blocks = ceil_divide(columns, each);
  }
  std::int64_t n_units() const { return multiply(multiply(n_blocks, n_widths), multiply(n_outers, n_rows)); }
};

inline constexpr std::int64_t chunks_of_a_thread = 2, least_numbers_of_a_chunk = std::int64_t{1} << 15;

/// Calls body(first, end) for ranges of the units, a thread's share in two, so that what a range makes anew at its begin is little.
template <class Body>
void in_chunks(std::int64_t n_units, double numbers, Executor& executor, const Body& body) {
  if (n_units == 0) return;
  const auto most = static_cast<std::int64_t>(std::min(numbers / static_cast<double>(least_numbers_of_a_chunk), 0x1p40)) + 1;
  const std::int64_t n_chunks = executor.n_workers() == 1 ? 1 : std::min({n_units, executor.n_workers() * chunks_of_a_thread, most});
  const auto chunk = [&](std::int64_t c) {
    const std::int64_t each = n_units / n_chunks, longer = n_units % n_chunks;
    const std::int64_t first = each * c + std::min(c, longer);
    body(first, first + each + (c < longer ? 1 : 0));
  };
  executor.parallel_for(n_chunks, std::cref(chunk));  // of one pointer: nothing is allocated
}

}  // namespace crinkle::resampling
