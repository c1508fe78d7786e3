// Elements along the last axis of a source as numbers, and numbers as those of a result, with what lies beside each of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/number_element.hpp"
#include "base/number_lines.hpp"
#include "cpu/number_kernels.hpp"
#include "resample/cpu/blocks.hpp"
#include "resample/cpu/line_kernels.hpp"

namespace crinkle::resampling {

template <class T>
class RowAccess {
 public:
  RowAccess(const Form& form, const Blocks& blocks, NumberType in_type, NumberType out_type, const simd::LineKernels& kernels)
      : in_type_(in_type),
        out_type_(out_type),
        numbers_(simd::NumberKernels::best().of<T>(in_type)),
        store_(store_of(kernels, out_type)),
        add_(add_of(kernels, in_type)),
        in_stride_(form.in[slots - 1].stride),
        out_stride_(form.out[form.map.n_out - 1].out),
        beside_(blocks.beside) {}

  /// Whether elements of so many side by side are one run of bytes.
  bool is_dense_in(std::int64_t width) const { return is_beside_in(width) && in_stride_ == width * in_size(); }
  bool is_dense_out(std::int64_t width) const { return (width == 1 || beside_.out == out_size()) && out_stride_ == width * out_size(); }

  /// n elements along the line, `width` of each.
  void load(T* to, const std::byte* from, std::int64_t n, std::int64_t width) const {
    if (is_dense_in(width)) return load_numbers_of(to, from, n * width);
    if (is_beside_in(width) && width >= 8) {
      for (std::int64_t i = 0; i < n; ++i) load_numbers_of(to + i * width, from + i * in_stride_, width);
      return;
    }
    for (std::int64_t c = 0; c < width; ++c) load_line(to + c, width, from + c * beside_.in, in_stride_, n, in_type_);
  }
  void store(std::byte* to, const T* made, std::int64_t n, std::int64_t width) const {
    if (is_dense_out(width)) return store_line(to, out_size(), made, 1, n * width, out_type_);
    for (std::int64_t c = 0; c < width; ++c) store_line(to + c * beside_.out, out_stride_, made + c, width, n, out_type_);
  }
  /// Whether store_sum() has a kernel for the result.
  bool is_stored_at_once(std::int64_t width) const { return store_ != nullptr && is_dense_out(width); }
  void store_sum(const simd::LineSum<T>& sum, std::byte* to) const { store_(sum, to); }
  /// A kernel for sums of rows of the source, or nullptr.
  using Add = void (*)(const simd::RowSum<T>& sum, T* to);
  Add add_at_once(std::int64_t width) const { return is_dense_in(width) ? add_ : nullptr; }

 private:
  using Store = void (*)(const simd::LineSum<T>& sum, std::byte* out);

  static Store store_of(const simd::LineKernels& kernels, NumberType type) {
    if (is_plain<T>(type)) return kernels.of<T>().sum;
    if constexpr (sizeof(T) == 4) {
      if (type == NumberType{Number::uint8}) return kernels.sum_uint8;
      if (type == NumberType{Number::uint16}) return kernels.sum_uint16;
      if (type == NumberType{Number::int16}) return kernels.sum_int16;
    }
    return nullptr;
  }
  static Add add_of(const simd::LineKernels& kernels, NumberType type) {
    if (is_plain<T>(type)) return kernels.of<T>().add;
    if constexpr (sizeof(T) == 4) {
      if (type == NumberType{Number::uint8}) return kernels.add_uint8;
      if (type == NumberType{Number::uint16}) return kernels.add_uint16;
      if (type == NumberType{Number::int16}) return kernels.add_int16;
    }
    return nullptr;
  }
  std::int64_t in_size() const { return crinkle::bytes_of(in_type_.number); }
  std::int64_t out_size() const { return crinkle::bytes_of(out_type_.number); }
  bool is_beside_in(std::int64_t width) const { return width == 1 || beside_.in == in_size(); }
  void load_numbers_of(T* to, const std::byte* from, std::int64_t n) const {
    if (numbers_ != nullptr) return numbers_->load(from, n, to);
    load_line(to, 1, from, in_size(), n, in_type_);
  }

  NumberType in_type_, out_type_;
  const simd::NumbersOf<T>* numbers_;
  Store store_;
  Add add_;
  std::int64_t in_stride_, out_stride_;
  Loop beside_;
};

}  // namespace crinkle::resampling
