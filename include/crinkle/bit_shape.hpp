// Shapes down to the bit, as text: "[128, 128, 128, 4]" is an array of elements of 4 bits, and "[128, 128, 128] · [4]" the same as a
// product. Source: Hawick and Playne, "Hypercubic storage layout and transforms in arbitrary dimensions using GPUs and CUDA", eqs. 3 to 8.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crinkle/layout.hpp"

namespace crinkle {

/// An array whose elements have any number of bytes, or 1, 2 or 4 bits.
struct BitShape {
  Extents extents;
  std::int64_t element_bits = 0;

  /// Throws too_large.
  std::int64_t n_elements() const;
  std::int64_t n_bits() const;

  friend bool operator==(const BitShape&, const BitShape&) = default;
};

/// As parse_shape, the last number always the bits of an element: "[128, 128, 128, 4]", "[128][128][128][4 bits]", "[64, uint16]". A
/// product (eq. 8) is its factors side by side: "[128, 128, 128] · [4]", or with * for ·. Throws bad_shape with a caret, too_large.
BitShape parse_bit_shape(std::string_view text);
/// "[128][128][128][4]", or as the product of what the elements are in and what one is: "[128][128][128] · [4]".
enum class Written : std::uint8_t { as_one, as_product };
std::string print_bit_shape(const BitShape& shape, Written how = Written::as_one);

}  // namespace crinkle
