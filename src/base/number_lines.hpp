// Numbers as they lie in an array, and as they are computed with: lines of elements, any distance apart, in either byte order, from and to
// lines of float or double, rounded as number_element.hpp says.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "crinkle/number.hpp"

namespace crinkle {

/// Whether the elements are the numbers that are computed with, T being float or double.
template <class T>
bool is_plain(NumberType type) {
  return type == NumberType{sizeof(T) == 4 ? Number::float32 : Number::float64};
}

/// to[i · to_stride] = the element at from + i · stride bytes, 0 ≤ i < n; to_stride in numbers.
template <class T>
void load_line(T* to, std::int64_t to_stride, const std::byte* from, std::int64_t stride, std::int64_t n, NumberType type);
/// The other way.
template <class T>
void store_line(std::byte* to, std::int64_t stride, const T* from, std::int64_t from_stride, std::int64_t n, NumberType type);
/// x[i] = what it is once stored as `type` and loaded again.
template <class T>
void settle_line(T* x, std::int64_t n, NumberType type);

}  // namespace crinkle
