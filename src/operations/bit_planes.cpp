// Makes bit planes one bit after the other: the definition, which is never made quick.
// SPDX-License-Identifier: BSD-3-Clause
#include "operations/bit_planes.hpp"

#include <algorithm>
#include <string>

#include "base/checked.hpp"

namespace crinkle {

void check_bit_planes(std::size_t n_elements_bytes, std::size_t n_planes_bytes, std::int64_t n, std::int64_t element_bytes,
                      ElementRange some) {
  const std::int64_t planes = bit_planes_bytes(n, element_bytes);
  if (some.first < 0 || some.count < 0 || some.first > n - some.count || some.first % 8 != 0 ||
      (some.count % 8 != 0 && some.first + some.count != n)) {
    throw Error(ErrorCode::bad_shape, "bit planes of elements " + std::to_string(some.first) + " to " +
                                          std::to_string(add(some.first, some.count)) + " of " + std::to_string(n) +
                                          ": a range begins at a multiple of 8 and ends at one or at the end");
  }
  const std::int64_t elements = multiply(some.count, element_bytes);
  if (static_cast<std::int64_t>(n_elements_bytes) < elements || static_cast<std::int64_t>(n_planes_bytes) < planes) {
    throw Error(ErrorCode::bad_shape, "bit planes of " + std::to_string(some.count) + " elements of " + std::to_string(element_bytes) +
                                          " bytes need " + std::to_string(elements) + " bytes of elements and " + std::to_string(planes) +
                                          " of planes, not " + std::to_string(n_elements_bytes) + " and " + std::to_string(n_planes_bytes));
  }
}

std::int64_t bit_planes_bytes(std::int64_t n, std::int64_t element_bytes) {
  if (n < 0 || element_bytes < 1)
    throw Error(ErrorCode::bad_shape, "bit planes of " + std::to_string(n) + " elements of " + std::to_string(element_bytes) + " bytes");
  return multiply(multiply(8, element_bytes), ceil_divide(n, 8));
}

void bit_planes_reference(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                          ElementRange some) {
  const std::int64_t plane = ceil_divide(n, 8), last = some.first + some.count;
  for (std::int64_t b = 0; b < 8 * element_bytes; ++b) {
    for (std::int64_t g = some.first / 8; g < ceil_divide(last, 8); ++g) {
      std::byte bits{0};
      for (std::int64_t i = 8 * g; i < std::min(8 * g + 8, last); ++i) {
        const std::byte holder = src[static_cast<std::size_t>((i - some.first) * element_bytes + b / 8)];
        bits |= (holder >> (b % 8) & std::byte{1}) << (i % 8);
      }
      dst[static_cast<std::size_t>(b * plane + g)] = bits;
    }
  }
}

void from_bit_planes_reference(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                               ElementRange some) {
  const std::int64_t plane = ceil_divide(n, 8);
  for (std::int64_t i = some.first; i < some.first + some.count; ++i) {
    for (std::int64_t b = 0; b < element_bytes; ++b) {
      std::byte bits{0};
      for (std::int64_t k = 0; k < 8; ++k) {
        const std::byte holder = src[static_cast<std::size_t>((8 * b + k) * plane + i / 8)];
        bits |= (holder >> (i % 8) & std::byte{1}) << k;
      }
      dst[static_cast<std::size_t>((i - some.first) * element_bytes + b)] = bits;
    }
  }
}

}  // namespace crinkle
