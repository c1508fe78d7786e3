// Dense layouts and the questions one asks a layout. An extent of 0 counts as 1 in strides and in the overflow check, as in NumPy.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/layout.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

void check_extents(const Extents& extents, std::int64_t element_bytes) {
  if (element_bytes < 1) throw Error(ErrorCode::bad_shape, "an element has at least 1 byte, not " + std::to_string(element_bytes));
  for (std::size_t a = 0; a < extents.size(); ++a) {
    if (extents[a] < 0) {
      throw Error(ErrorCode::bad_shape, "axis " + std::to_string(a) + " has the negative extent " + std::to_string(extents[a]));
    }
  }
}

/// One more axis around `bytes` dense bytes. The sizes of all axes together must fit even where one of them is 0.
std::int64_t grown(std::int64_t bytes, std::int64_t extent, const Extents& extents, std::int64_t element_bytes) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(bytes, std::max<std::int64_t>(extent, 1), &product)) return product;
  throw Error(ErrorCode::too_large, print_shape(extents) + " elements of " + std::to_string(element_bytes) + " bytes do not fit 63 bits");
}

}  // namespace

Layout Layout::dense(Extents extents, std::int64_t element_bytes) {
  check_extents(extents, element_bytes);
  Extents strides(extents.size());
  std::int64_t bytes = element_bytes;
  for (std::size_t a = extents.size(); a-- > 0;) {
    strides[a] = bytes;
    bytes = grown(bytes, extents[a], extents, element_bytes);
  }
  return {std::move(extents), std::move(strides), 0, element_bytes};
}

Layout Layout::dense_fortran(Extents extents, std::int64_t element_bytes) {
  check_extents(extents, element_bytes);
  Extents strides(extents.size());
  std::int64_t bytes = element_bytes;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    strides[a] = bytes;
    bytes = grown(bytes, extents[a], extents, element_bytes);
  }
  return {std::move(extents), std::move(strides), 0, element_bytes};
}

void Layout::check() const {
  if (strides.size() != extents.size()) {
    throw Error(ErrorCode::bad_shape, "a layout of " + std::to_string(extents.size()) + " extents and " + std::to_string(strides.size()) +
                                          " strides: give one stride an extent, in bytes, or use Layout::dense");
  }
  check_extents(extents, element_bytes);
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
  std::int64_t low = offset, high = add(offset, element_bytes);
  for (std::size_t a = 0; a < extents.size(); ++a) {
    const std::int64_t far = multiply(extents[a] - 1, strides[a]);
    if (far < 0) low = add(low, far);
    else high = add(high, far);
  }
}

std::int64_t Layout::n_elements() const {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count = multiply(count, extent);
  return count;
}

std::int64_t Layout::n_bytes() const { return multiply(n_elements(), element_bytes); }

bool Layout::is_dense() const {
  if (offset != 0 || strides.size() != extents.size()) return false;
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return true;
  std::int64_t expected = element_bytes;
  for (std::size_t a = extents.size(); a-- > 0;) {
    if (extents[a] != 1 && strides[a] != expected) return false;
    if (__builtin_mul_overflow(expected, extents[a], &expected)) return false;
  }
  return true;
}

}  // namespace crinkle
