// How a CPU goes through the lines of an axis:
//     columns   vectors of lines that lie side by side, several vectors at once so that whole lines of the cache are used
//     line      one line at a time, its numbers in the lanes: long lines, and those without others beside them
//     gathered  as many lines as there are lanes, from wherever they are
// Real lines of even N are complex lines of N/2 (fold_rows); those of odd N are complex ones.
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

 private:
  static constexpr std::int64_t number = 2 * sizeof(T);
  enum class Way : std::uint8_t { columns, line, gathered };

  bool is_shifted() const { return axis_.in_shift != 0 || axis_.out_shift != 0; }
  // Of a group of lines each: two for the stages, one for a line's numbers, one for a shifted line's.
  std::int64_t n_buffers() const { return is_shifted() ? 4 : 3; }
  bool is_half() const { return axis_.kind != FftKind::complex_to_complex && axis_.n % 2 == 0; }
  std::int64_t in_element() const { return axis_.kind == FftKind::real_to_complex ? number / 2 : number; }
  std::int64_t out_element() const { return axis_.kind == FftKind::complex_to_real ? number / 2 : number; }
  void choose_lanes();
  bool is_aligned(const std::byte* p, std::int64_t stride, std::int64_t line_stride) const;
  std::int64_t load_vectors(const std::byte* in, std::int64_t n, bool is_packed, std::int64_t n_lines, const RowPlace& place,
                            T* rows) const;
  void load(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void load_part(const std::byte* in, std::int64_t begin, std::int64_t end, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void fill(std::int64_t begin, std::int64_t end, const RowPlace& place, T* rows) const;
  void load_half_complex(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const;
  void make_real(T* rows, std::int64_t n_lines, const RowPlace& place) const;
  void store(const T* rows, std::int64_t n_lines, const RowPlace& place, std::byte* out) const;
  void store_part(const T* rows, std::int64_t begin, std::int64_t end, std::int64_t n_lines, const RowPlace& place, std::byte* out) const;
  void run_group(const std::byte* in, std::byte* out, std::int64_t n_lines, T* a, T* b) const;
  void run_line(const std::byte* in, std::byte* out, T* a, T* b) const;
  void run_shifted_line(const std::byte* in, std::byte* out, T* a, T* b) const;
  bool can_fold_numbers() const;
  void fold_numbers(const std::byte* x, std::byte* y, T im, simd::FftFactor<T> factor) const;
  void fold(T* rows, std::int64_t n_lines, const RowPlace& place) const;

  Axis axis_;
  const simd::FftKernelsOf<T>* kernels_;
  Way way_ = Way::line;
  Loop lanes_{1, 0, 0};                             // the lines of a group
  std::int64_t array_in_ = 0, array_out_ = 0;       // strides of shifted lines in the arrays; axis_ has those of scratch memory
  std::int64_t w_ = 1, n_groups_ = 1, buffer_ = 0;  // vectors in a row; groups of lanes_; elements of a buffer
  std::optional<Line<T>> line_;
  std::vector<T> fold_, fold_vectors_;  // u[k] = −i W_N^k, of k = 0 … and in rows of k = 1 …
  T im_in_ = 1;
  simd::FftFactor<T> factor_;
};

}  // namespace crinkle::fft
