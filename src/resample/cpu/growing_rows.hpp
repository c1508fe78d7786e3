// Kernels that grow with the scale: rows of the source that count for a row of the result are summed as they lie, all their elements side
// by side, and then that one row along itself. So most of the work is on whole vectors of elements. Sums go on from the first axis to the
// last, as in the definition. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "cpu/scratch.hpp"
#include "resample/cpu/blocks.hpp"
#include "resample/cpu/row_access.hpp"
#include "resample/cpu/window_columns.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {

template <class T>
class GrowingRows {
 public:
  GrowingRows(const Form& form, const Blocks& blocks, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type,
              const simd::LineKernels& kernels, WindowColumns<T>& columns)
      : form_(form),
        walk_(form, blocks, in, out),
        access_(form, blocks, in_type, out_type, kernels),
        kernels_(kernels.of<T>()),
        columns_(columns),
        n_in_(form.map.n_in) {
    for (int a = 0; a < n_in_; ++a) axes_[to_size(a)] = GrowingAxis(form, a);
  }

  void run(std::int64_t first, std::int64_t end) {
    walk_.run(first, end, [&](auto... block) { set_block(block...); }, [] {}, [&](auto... row) { make_row(row...); });
  }

 private:
  static constexpr int rows_at_once = 8;
  static std::size_t to_size(std::int64_t i) { return static_cast<std::size_t>(i); }
  const GrowingAxis& last() const { return axes_[to_size(n_in_ - 1)]; }

  void set_block(std::int64_t begin, std::int64_t n_columns, std::int64_t width) {
    columns_.set(last(), begin, n_columns, width, kernels_);
    piece_ = columns_.are_all_empty() ? 1 : columns_.end - columns_.first;
    if (columns_.is_long) piece_ = std::max<std::int64_t>(1, std::min(piece_, longest_window / columns_.width));
    const auto padded = [](std::int64_t n) { return ceil_divide(n, simd::line_padding) * simd::line_padding + simd::line_padding; };
    const std::int64_t row = padded(piece_ * columns_.width), made = padded(columns_.n_numbers());
    auto* at = static_cast<T*>(simd::Scratch::of_this_thread().get(to_size((rows_at_once + 2) * row + made) * sizeof(T)));
    row_ = at;
    plane_ = at + row;
    made_ = at + 2 * row;
    for (int k = 0; k < rows_at_once; ++k) loaded_[to_size(k)] = made_ + made + k * row;
  }

  void make_row(const std::int64_t* p, std::byte* to) {
    bool is_empty = columns_.are_all_empty();
    for (std::size_t b = 0; b + 1 < to_size(form_.map.n_out); ++b) {
      windows_[b] = axes_[b].window(p[b]);
      is_empty = is_empty || windows_[b].is_empty();
    }
    const std::int64_t width = columns_.width;
    const auto nothing = static_cast<T>(form_.nodata);
    if (is_empty) {
      std::fill_n(made_, columns_.n_numbers(), nothing);
    } else if (columns_.is_long) {
      sum_long();
    } else {
      sum_rows(columns_.first, columns_.end);
      kernels_.window(columns_.table, row_, made_);
      for (const std::int64_t x : columns_.empty) std::fill_n(made_ + x * width, width, nothing);
    }
    if (!access_.is_stored_at_once(width)) return access_.store(to, made_, columns_.n, width);
    const T one{1};
    const T* const line = made_;
    access_.store_sum({&line, &one, nullptr, 1, 0, columns_.n_numbers()}, to);
  }

  // The one column, piece by piece.
  void sum_long() {
    const std::int64_t width = columns_.width;
    std::fill_n(made_, width, -T{0});
    for (std::int64_t first = columns_.first; first < columns_.end; first += piece_) {
      const std::int64_t end = std::min(first + piece_, columns_.end);
      sum_rows(first, end);
      for (std::int64_t i = first; i < end; ++i) {
        const T weight = last().template weight<T>(columns_.window, i);
        if (weight == 0) continue;
        for (std::int64_t c = 0; c < width; ++c) made_[c] = made_[c] + weight * row_[(i - first) * width + c];
      }
    }
  }

  // Elements [first, end) of the row that is summed, which go round the end of a periodic axis.
  void sum_rows(std::int64_t first, std::int64_t end) {
    const FormAxis& axis = last().axis();
    for (std::int64_t i = first; i < end;) {
      const std::int64_t element = element_of(axis, i), n = std::min(end - i, axis.extent - element);
      sum_run(walk_.in() + element * axis.stride, n, row_ + (i - first) * columns_.width);
      i += n;
    }
  }

  void sum_run(const std::byte* from, std::int64_t n, T* to) {
    if (n_in_ == 1) return access_.load(to, from, n, columns_.width);
    if (n_in_ == 2) return sum_along(0, from, n, to);
    const Window& window = windows_[1];
    bool is_continued = false;
    for (std::int64_t y = window.first; y < window.end; ++y) {
      const T weight = axes_[1].template weight<T>(window, y);
      if (weight == 0) continue;
      sum_along(0, from + element_of(axes_[1].axis(), y) * axes_[1].axis().stride, n, plane_);
      const auto* const plane = reinterpret_cast<const std::byte*>(plane_);
      kernels_.add({&plane, &weight, 1, is_continued, n * columns_.width}, to);
      is_continued = true;
    }
  }

  // n elements of each of the rows along an axis that count.
  void sum_along(std::size_t a, const std::byte* from, std::int64_t n, T* to) {
    const GrowingAxis& along = axes_[a];
    const Window& window = windows_[a];
    const typename RowAccess<T>::Add at_once = access_.add_at_once(columns_.width);
    std::array<const std::byte*, rows_at_once> rows;
    std::array<T, rows_at_once> weights;
    int n_rows = 0;
    bool is_continued = false;
    const auto flush = [&] {
      if (n_rows == 0) return;
      (at_once != nullptr ? at_once : kernels_.add)({rows.data(), weights.data(), n_rows, is_continued, n * columns_.width}, to);
      is_continued = true;
      n_rows = 0;
    };
    for (std::int64_t y = window.first; y < window.end; ++y) {
      const T weight = along.template weight<T>(window, y);
      if (weight == 0) continue;
      const std::byte* row = from + element_of(along.axis(), y) * along.axis().stride;
      if (at_once == nullptr) {
        T* const numbers = loaded_[to_size(n_rows)];
        access_.load(numbers, row, n, columns_.width);
        row = reinterpret_cast<const std::byte*>(numbers);
      }
      weights[to_size(n_rows)] = weight;
      rows[to_size(n_rows++)] = row;
      if (n_rows == rows_at_once) flush();
    }
    flush();
  }

  const Form& form_;
  BlockWalk walk_;
  RowAccess<T> access_;
  const simd::LineKernelsOf<T>& kernels_;
  WindowColumns<T>& columns_;
  int n_in_;
  std::array<GrowingAxis, slots> axes_;
  std::array<Window, slots> windows_;                      // of a row, of all axes but the last
  std::int64_t piece_ = 1;                                 // elements of a row that are summed at once
  T *row_ = nullptr, *plane_ = nullptr, *made_ = nullptr;  // [piece][width] twice, and padding; a row of the result
  std::array<T*, rows_at_once> loaded_ = {};               // [piece][width], and padding
};

}  // namespace crinkle::resampling
