// Bit planes: an 8×8 bit matrix at a time, transposed by three rounds of masked swaps (bits 7, 14 and 28 apart).
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "base/checked.hpp"
#include "crinkle/operations.hpp"

namespace crinkle {
namespace {

// Bit c of byte r becomes bit r of byte c, byte 0 being the lowest.
std::uint64_t transpose_bits(std::uint64_t x) {
  std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAu;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCu;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0u;
  return x ^ t ^ (t << 28);
}

std::uint8_t byte_of(std::uint64_t x, std::int64_t k) { return static_cast<std::uint8_t>(x >> (8 * k)); }

void check(std::size_t n_elements_bytes, std::size_t n_planes_bytes, std::int64_t n, std::int64_t element_bytes) {
  const std::int64_t elements = multiply(n, element_bytes), planes = bit_planes_bytes(n, element_bytes);
  if (static_cast<std::int64_t>(n_elements_bytes) < elements || static_cast<std::int64_t>(n_planes_bytes) < planes) {
    throw Error(ErrorCode::bad_shape, "bit planes of " + std::to_string(n) + " elements of " + std::to_string(element_bytes) +
                                          " bytes need " + std::to_string(elements) + " bytes of elements and " + std::to_string(planes) +
                                          " of planes, not " + std::to_string(n_elements_bytes) + " and " + std::to_string(n_planes_bytes));
  }
}

}  // namespace

std::int64_t bit_planes_bytes(std::int64_t n, std::int64_t element_bytes) {
  if (n < 0 || element_bytes < 1)
    throw Error(ErrorCode::bad_shape, "bit planes of " + std::to_string(n) + " elements of " + std::to_string(element_bytes) + " bytes");
  return multiply(multiply(8, element_bytes), ceil_divide(n, 8));
}

void bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes) {
  check(src.size(), dst.size(), n, element_bytes);
  const std::int64_t plane = ceil_divide(n, 8);
  for (std::int64_t g = 0; g < plane; ++g) {  // eight elements
    const std::int64_t n_here = std::min<std::int64_t>(8, n - 8 * g);
    for (std::int64_t b = 0; b < element_bytes; ++b) {
      std::uint64_t x = 0;
      for (std::int64_t i = 0; i < n_here; ++i)
        x |= std::to_integer<std::uint64_t>(src[static_cast<std::size_t>((8 * g + i) * element_bytes + b)]) << (8 * i);
      x = transpose_bits(x);
      for (std::int64_t k = 0; k < 8; ++k) dst[static_cast<std::size_t>((8 * b + k) * plane + g)] = std::byte{byte_of(x, k)};
    }
  }
}

void from_bit_planes(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes) {
  check(dst.size(), src.size(), n, element_bytes);
  const std::int64_t plane = ceil_divide(n, 8);
  for (std::int64_t g = 0; g < plane; ++g) {
    const std::int64_t n_here = std::min<std::int64_t>(8, n - 8 * g);
    for (std::int64_t b = 0; b < element_bytes; ++b) {
      std::uint64_t x = 0;
      for (std::int64_t k = 0; k < 8; ++k)
        x |= std::to_integer<std::uint64_t>(src[static_cast<std::size_t>((8 * b + k) * plane + g)]) << (8 * k);
      x = transpose_bits(x);
      for (std::int64_t i = 0; i < n_here; ++i) dst[static_cast<std::size_t>((8 * g + i) * element_bytes + b)] = std::byte{byte_of(x, i)};
    }
  }
}

}  // namespace crinkle
