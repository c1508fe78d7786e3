// Numbers of 16 bits (IEEE 754's binary16) as they lie in memory. They are computed with as float: a Half becomes one wherever it is read,
// and is rounded to the nearest, half to even, where it is written; what is beyond its range becomes infinity. The same bits on a CPU and
// in a CUDA kernel:
//     StencilField<Half, 2> field = …;    at(offset<0, 0>) + 0.25f * at(offset<0, 1>)    // a float
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle {

struct Half {
  std::uint16_t bits = 0;

  constexpr Half() = default;
  CRINKLE_HD constexpr Half(float x) : bits(bits_of(x)) {}  // NOLINT: a number is written as one
  template <class N>
  CRINKLE_HD explicit constexpr Half(N x) : Half(static_cast<float>(x)) {}

  CRINKLE_HD constexpr operator float() const {  // NOLINT: and read as one
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16, rest = bits & 0x7FFFu;
    constexpr std::uint32_t smallest_normal = 0x0400, infinity = 0x7C00, exponents_apart = (127 - 15) << 23;
    if (rest >= infinity) return __builtin_bit_cast(float, sign | 0x7F800000u | (rest & 0x3FFu) << shift);
    if (rest >= smallest_normal) return __builtin_bit_cast(float, sign | ((rest << shift) + exponents_apart));
    const float small = static_cast<float>(rest) * 0x1p-24f;
    return sign == 0 ? small : -small;
  }

 private:
  static constexpr int shift = 13;  // mantissas have 10 and 23 bits

  CRINKLE_HD static constexpr std::uint16_t bits_of(float x) {
    const std::uint32_t all = __builtin_bit_cast(std::uint32_t, x), sign = all >> 16 & 0x8000u, size = all & 0x7FFFFFFFu;
    constexpr std::uint32_t infinity = 0x7F800000, smallest_normal = 0x38800000, too_large = 0x477FF000;  // 2⁻¹⁴, 65520
    std::uint32_t rest = 0;
    if (size > infinity) {
      rest = 0x7E00;
    } else if (size >= too_large) {
      rest = 0x7C00;
    } else if (size < smallest_normal) {  // the sum's last bit is 2⁻²⁴
      rest = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, size) + 0.5f) - __builtin_bit_cast(std::uint32_t, 0.5f);
    } else {
      const std::uint32_t odd = size >> shift & 1u, rounded = size + ((1u << (shift - 1)) - 1 + odd);
      rest = (rounded >> shift) - ((127 - 15) << 10);
    }
    return static_cast<std::uint16_t>(sign | rest);
  }
};

}  // namespace crinkle
