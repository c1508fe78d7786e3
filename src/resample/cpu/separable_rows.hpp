// A row of the source, as numbers, is spread to a line of the result's columns once; a row of the result is a sum of lines. The definition
// sums the innermost axis first, so both have its bits. A thread goes down a block of columns and keeps the lines that the next rows need.
// Elements that lie closer than columns, as channels do, are columns of their own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>

#include "base/number_element.hpp"
#include "base/number_lines.hpp"
#include "cpu/scratch.hpp"
#include "resample/cpu/blocks.hpp"
#include "resample/cpu/columns.hpp"
#include "resample/cpu/row_access.hpp"

namespace crinkle::resampling {

inline constexpr int most_taps = 4;

template <class T>
class Separable {
 public:
  Separable(const Form& form, const Blocks& blocks, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type,
            const simd::LineKernels& kernels, Columns<T>& columns)
      : form_(form),
        blocks_(blocks),
        walk_(form, blocks, in, out),
        in_type_(in_type),
        access_(form, blocks, in_type, out_type, kernels),
        kernels_(kernels.of<T>()),
        columns_(columns),
        n_in_(form.map.n_in) {}

  void run(std::int64_t first, std::int64_t end) {
    walk_.run(first, end, [&](auto... block) { set_block(block...); }, [&] { forget_lines(); }, [&](auto... row) { make_row(row...); });
  }

 private:
  struct Tap {
    std::int64_t element;  // or a face
    T weight;
  };
  // The taps of an axis but the last at an index of the result that count.
  struct Taps {
    std::array<Tap, most_taps> taps;
    int n = 0;
    bool is_constant = false;
    T constant = 0;
  };
  struct Line {
    std::int64_t z = 0, y = 0;
    bool is_made = false, is_needed = false;
  };
  static constexpr int most_lines = most_taps * most_taps;
  static std::size_t to_size(std::int64_t i) { return static_cast<std::size_t>(i); }

  void set_block(std::int64_t begin, std::int64_t n_columns, std::int64_t width) {
    columns_.set(form_, begin, n_columns, width, kernels_);
    n_lines_ = n_in_ == 1 ? 1 : n_in_ == 2 ? form_.n_taps : form_.n_taps * form_.n_taps;
    pitch_ = ceil_divide(columns_.n_numbers(), simd::line_padding) * simd::line_padding;
    const std::int64_t row = columns_.are_all_forced() ? 0 : columns_.n_slots * columns_.width + 2 * simd::line_padding;
    const auto n = to_size(row + (n_lines_ + 1) * pitch_);
    row_ = static_cast<T*>(simd::Scratch::of_this_thread().get(n * sizeof(T)));
    made_ = row_ + row;
    lines_at_ = made_ + pitch_;
  }

  void forget_lines() {
    for (Line& line : lines_) line.is_made = false;
  }

  void make_row(const std::int64_t* p, std::byte* to) {
    Taps z, y;
    if (n_in_ == 3) z = taps_of(0, p);
    if (n_in_ >= 2) y = taps_of(n_in_ - 2, p);
    if (const bool is_constant = y.is_constant || z.is_constant; is_constant || columns_.are_all_forced()) {
      std::fill_n(made_, columns_.n_numbers(), y.is_constant ? y.constant : z.constant);
      return store(to);
    }
    for (Line& line : lines_) line.is_needed = false;
    const Tap only{0, T{1}};
    const int n_z = std::max(z.n, 1), n_y = std::max(y.n, 1);
    std::array<T, most_taps> weights, of_planes;
    std::array<const T*, most_lines> lines;
    std::array<int, most_lines> at;
    for (int i = 0; i < n_z; ++i)
      for (int j = 0; j < n_y; ++j)
        at[to_size(i * n_y + j)] = made_line(z.n > 0 ? z.taps[to_size(i)] : only, y.n > 0 ? y.taps[to_size(j)] : only);
    for (int i = 0; i < n_z; ++i) {
      of_planes[to_size(i)] = z.n > 0 ? z.taps[to_size(i)].weight : T{1};
      for (int j = 0; j < n_y; ++j) {
        weights[to_size(j)] = y.n > 0 ? y.taps[to_size(j)].weight : T{1};
        lines[to_size(i * n_y + j)] =
            line_of(at[to_size(i * n_y + j)], z.n > 0 ? z.taps[to_size(i)] : only, y.n > 0 ? y.taps[to_size(j)] : only);
      }
    }
    const simd::LineSum<T> sum{lines.data(), weights.data(), of_planes.data(), n_y, z.n, columns_.n_numbers()};
    if (is_stored_at_once()) return access_.store_sum(sum, to);
    kernels_.sum(sum, reinterpret_cast<std::byte*>(made_));
    store(to);
  }

  Taps taps_of(int a, const std::int64_t* p) const {
    const FormAxis& axis = form_.in[slots - n_in_ + a];
    const int last = form_.map.n_out - 1;
    double fraction;
    const std::int64_t first =
        first_tap(form_.n_taps, row_begin(form_.map, a, p).at(index_of(form_.map, last, p[last])), &fraction) + axis.before;
    T weight[most_taps];  // NOLINT
    if (form_.n_taps == 1) set_weights<1>(form_, static_cast<T>(fraction), weight);
    else if (form_.n_taps == 2) set_weights<2>(form_, static_cast<T>(fraction), weight);
    else set_weights<4>(form_, static_cast<T>(fraction), weight);
    Taps taps;
    taps.is_constant = true;
    for (int k = 0; k < form_.n_taps; ++k) {
      const std::int64_t element = element_of(axis, first + k);
      taps.is_constant = taps.is_constant && element < 0;
      if (k == 0) taps.constant = face_value(axis, element);
      if (weight[k] != 0) taps.taps[to_size(taps.n++)] = {element, weight[k]};
    }
    return taps;
  }

  static T face_value(const FormAxis& axis, std::int64_t face) {
    return static_cast<T>(face == detail::at_low_face ? axis.low_value : axis.high_value);
  }

  // The line that is kept of two taps, which is needed from now on, or −1.
  int made_line(const Tap& z, const Tap& y) {
    for (int l = 0; l < n_lines_; ++l) {
      Line& line = lines_[to_size(l)];
      if (!line.is_made || line.z != z.element || line.y != y.element) continue;
      line.is_needed = true;
      return l;
    }
    return -1;
  }
  const T* line_of(int l, const Tap& z, const Tap& y) {
    if (l < 0) l = made_line(z, y);  // two taps may be the same element
    if (l < 0) {
      l = 0;
      while (lines_[to_size(l)].is_needed) ++l;
      lines_[to_size(l)] = {z.element, y.element, true, true};
      load_row(z.element, y.element);
      const int taps = form_.n_taps == 1 ? 0 : form_.n_taps == 2 ? 1 : 2;
      kernels_.spread[taps](columns_.table, row_, lines_at_ + l * pitch_);
    }
    return lines_at_ + l * pitch_;
  }

  // The numbers of a row's slots. Of several axes outside the last one's face counts.
  void load_row(std::int64_t z, std::int64_t y) {
    const FormAxis& axis = form_.in[slots - 1];
    const bool is_constant = z < 0 || y < 0;
    const std::byte* from = walk_.in();
    if (is_constant) {
      const T constant = y < 0 ? face_value(form_.in[slots - 2], y) : face_value(form_.in[0], z);
      std::fill_n(row_, columns_.n_slots * columns_.width, constant);
    } else {
      if (n_in_ == 3) from += z * form_.in[0].stride;
      if (n_in_ >= 2) from += y * form_.in[slots - 2].stride;
      if (columns_.run_n > 0)
        access_.load(row_ + columns_.run_slot * columns_.width, from + columns_.run_first * axis.stride, columns_.run_n, columns_.width);
    }
    for (const typename Columns<T>::Listed& listed : columns_.listed) {
      T* const to = row_ + listed.slot * columns_.width;
      if (listed.element < 0) std::fill_n(to, columns_.width, face_value(axis, listed.element));
    }
    if (!is_constant) load_listed(from);
  }

  void load_listed(const std::byte* from) const {
    const std::int64_t stride = form_.in[slots - 1].stride, width = columns_.width;
    with_element(in_type_.number, [&](auto e) {
      for (const typename Columns<T>::Listed& listed : columns_.listed) {
        if (listed.element < 0) continue;
        T* const to = row_ + listed.slot * width;
        const std::byte* const at = from + listed.element * stride;
        if (in_type_.is_swapped) {
          load_line(to, 1, at, blocks_.beside.in, width, in_type_);
          continue;
        }
        for (std::int64_t c = 0; c < width; ++c) to[c] = from_element<T>(element_at<decltype(e)>(at + c * blocks_.beside.in, false));
      }
    });
  }

  bool is_stored_at_once() const { return columns_.forced.empty() && access_.is_stored_at_once(columns_.width); }

  // The row that was made, with what lies outside along it.
  void store(std::byte* to) {
    const std::int64_t width = columns_.width;
    for (const typename Columns<T>::Forced& forced : columns_.forced)
      std::fill_n(made_ + forced.column * width, width, face_value(form_.in[slots - 1], forced.face));
    access_.store(to, made_, columns_.n, width);
  }

  const Form& form_;
  const Blocks& blocks_;
  BlockWalk walk_;
  NumberType in_type_;
  RowAccess<T> access_;
  const simd::LineKernelsOf<T>& kernels_;
  Columns<T>& columns_;
  int n_in_, n_lines_ = 1;
  std::int64_t pitch_ = 0;
  T* row_ = nullptr;       // [n_slots][width], and padding
  T* made_ = nullptr;      // [pitch]: a row of the result
  T* lines_at_ = nullptr;  // [n_lines][pitch]
  std::array<Line, most_lines> lines_ = {};
};

}  // namespace crinkle::resampling
