// How a CPU goes through the lines of an axis:
//     columns   vectors of lines that lie side by side, several vectors at once so that whole lines of the cache are used
//     line      one line at a time, its numbers in the lanes: long lines, and those without others beside them
//     gathered  as many lines as there are lanes, from wherever they are; dense rows of a few numbers whole in registers
// A line has the same bits by any of them (fft/cpu/stages.hpp). Real lines of even N are complex lines of N/2 (fold_rows); those of an
// odd N that odd_pass.cpp does not take are complex ones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "fft/cpu/copies.hpp"
#include "fft/pass.hpp"

namespace crinkle::fft {

template <class T>
class CpuPass final : public Pass {
 public:
  explicit CpuPass(const Axis& axis);
  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override;
  std::string describe() const override;
  std::int64_t held_bytes() const override { return allocated_bytes(sizeof *this) + held_by(axis_.loops, line_, fold_); }

 private:
  static constexpr std::int64_t number = 2 * sizeof(T);
  enum class Way : std::uint8_t { columns, line, gathered };
  /// A pass fetches from memory before it is needed: nothing, a packed line and its result, or the line two lines ahead.
  enum class Fetches : std::uint8_t { nothing, line, ahead };

  std::int64_t n_buffers() const { return way_ == Way::line ? 3 : 2; }  // of a group of lines each
  bool is_half() const { return axis_.kind != FftKind::complex_to_complex && axis_.n % 2 == 0; }
  bool has_dense_rows() const {
    return axis_.kind == FftKind::complex_to_complex && axis_.in == number && axis_.out == number && axis_.n_in == axis_.n &&
           axis_.in_shift == 0 && axis_.out_shift == 0;
  }
  std::int64_t in_element() const { return axis_.kind == FftKind::real_to_complex ? number / 2 : number; }
  std::int64_t out_element() const { return axis_.kind == FftKind::complex_to_real ? number / 2 : number; }
  void choose_lanes();
  void choose_fetches();
  void make_fold();
  std::int64_t run_short_rows(const std::byte* in, std::byte* out, std::int64_t first, std::int64_t n) const;
  static bool is_aligned(const std::byte* p, std::int64_t stride, std::int64_t line_stride) {
    const auto bits = reinterpret_cast<std::uintptr_t>(p) | static_cast<std::uintptr_t>(stride) | static_cast<std::uintptr_t>(line_stride);
    return bits % sizeof(T) == 0;
  }
  // lines.cpp
  std::int64_t load_vectors(const std::byte* in, std::int64_t n, bool is_packed, std::int64_t n_lines, const RowPlace& place,
                            T* rows) const;
  void load(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void load_part(const std::byte* in, std::int64_t begin, std::int64_t end, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void load_half_complex(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void store(const T* rows, std::int64_t n_lines, const RowPlace& place, std::byte* out) const;
  void store_part(const T* rows, std::int64_t begin, std::int64_t end, std::int64_t n_lines, const RowPlace& place, std::byte* out) const;
  void run_group(const std::byte* in, std::byte* out, std::int64_t n_lines, T* a, T* b) const;
  // one_line.cpp
  const std::byte* packed_in(const std::byte* in, T* own) const;
  bool is_packed_out(const std::byte* out) const;
  void copy_out(const T* own, std::byte* out) const;
  void fold_numbers(const std::byte* x, std::byte* y, T im, simd::FftFactor<T> factor) const;
  void run_line(const std::byte* in, std::byte* out, T* a, T* b, T* own) const;
  void run_odd_line(const std::byte* in, std::byte* out, T* a, T* b, T* own) const;

  Axis axis_;
  const simd::FftKernelsOf<T>* kernels_;
  Way way_ = Way::line;
  Fetches fetches_ = Fetches::nothing;
  typename simd::ShortKernelsOf<T>::Rows short_rows_ = nullptr;  // takes groups of dense rows whole
  Loop lanes_{1, 0, 0};                                          // the lines of a group
  std::int64_t w_ = 1, n_groups_ = 1, buffer_ = 0;               // vectors in a row; groups of lanes_; elements of a buffer
  std::optional<Line<T>> line_;
  std::vector<T> fold_;  // u[k] = −i W_N^k, as kernels_->fold_rows has it, or fold_numbers
  T im_in_ = 1;
  simd::FftFactor<T> factor_;
};

}  // namespace crinkle::fft
