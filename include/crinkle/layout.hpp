// A layout says where the elements of an array lie: extents and byte strides, slowest axis first, from an offset.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crinkle {

using Extents = std::vector<std::int64_t>;  // slowest axis first, as in NumPy

/// address(i) = offset + Σ i_a · strides[a] bytes, for 0 ≤ i_a < extents[a]. Strides may be negative or zero.
struct Layout {
  Extents extents{};
  Extents strides{};               // bytes, one per axis
  std::int64_t offset = 0;         // bytes
  std::int64_t element_bytes = 1;  // at least 1

  /// The C-order layout: the last axis has stride element_bytes and nothing lies between the elements.
  /// Throws bad_shape for a negative extent or element_bytes < 1, too_large when the bytes do not fit 63 bits.
  static Layout dense(Extents extents, std::int64_t element_bytes);

  /// The Fortran-order layout: the first axis is the fastest.
  static Layout dense_fortran(Extents extents, std::int64_t element_bytes);

  /// Throws bad_shape unless there is one stride an extent, extents are 0 or more and elements of 1 byte or more; too_large where an
  /// address does not fit 63 bits. Every function that takes a layout checks it.
  void check() const;

  std::int64_t n_elements() const;  // the product of the extents; throws too_large
  std::int64_t n_bytes() const;     // n_elements · element_bytes; throws too_large
  bool is_dense() const;            // equal to dense(extents, element_bytes) up to axes of extent 1

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Indices first … first + n − 1 of an axis, modulo its extent where they go round its end.
struct Range {
  std::int64_t first = 0, n = 0;

  friend bool operator==(const Range&, const Range&) = default;
};
using Ranges = std::vector<Range>;  // one an axis

/// A shape as people write it: "64,512,512", "[64][512][512]" or Hawick and Playne's notation with an element part,
/// "[64][512][512][float32]", "[64][512][512][32 bits]" and the paper's "[64, 512, 512, int32]" (its equations 3 to 6).
struct Shape {
  Extents extents{};
  std::string element{};           // the type's name as written, "" when there is no element part
  std::int64_t element_bytes = 0;  // 0 when there is no element part
};

/// Throws bad_shape with the text, the place and what was expected. `element_follows` says how a last pure number is read:
/// bits of an element ("[128][128][32]" is a 128×128 array of 4-byte elements) or an extent.
enum class LastNumber { is_an_extent, is_element_bits };
Shape parse_shape(std::string_view text, LastNumber last = LastNumber::is_an_extent);

/// "[64][512][512]", and with element_bytes > 0 "[64][512][512][32]", the element in bits.
std::string print_shape(const Extents& extents, std::int64_t element_bytes = 0);

/// Bytes of a named element type: NumPy's names and descr codes ("float32", "f4", "<f4", "complex128", "c16", "bool", "S7"…).
/// Returns 0 for a name that is not one.
std::int64_t bytes_of_type(std::string_view name);

}  // namespace crinkle
