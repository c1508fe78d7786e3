// Bytes taken apart into eight planes of bits, and put together again. Eight bytes are a matrix of 8×8 bits; transposed, byte k holds bit k
// of them all, and plane k is the bytes k of all matrices:
//     bit i of plane_k[g] = bit k of byte 8g + i.
// With AVX-512 and GFNI one instruction multiplies a matrix by the unit vectors, which is its transpose up to the order of the bits, a
// second one turns the bits round; eight vectors of matrices then give a line of each plane. Elsewhere three rounds of masked swaps (bits
// 7, 14 and 28 apart) transpose, several matrices at once with AVX2, and the kernels for records of eight bytes collect the planes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::simd {

struct BitMatrices {
  static constexpr std::int64_t line = 64;         // bytes of a plane
  static constexpr std::int64_t line_bytes = 512;  // bytes taken apart that give a line of each plane

  const char* target;  // "GFNI", "AVX2"; "portable": plain C++

  /// Plane k is the 64·n_lines bytes at out + k·out_stride, of the 512·n_lines bytes at `in`. Addresses have any alignment; in and out are
  /// disjoint. Writes no other byte, reads no other byte, allocates nothing.
  void (*to_planes)(const std::byte* in, std::int64_t n_lines, std::byte* out, std::int64_t out_stride);

  /// The way back: 512·n_lines bytes at `out` from eight planes at in + k·in_stride. As many lines of the eight
  /// planes at `next`, as far apart, are fetched on the way.
  void (*to_bytes)(const std::byte* in, std::int64_t in_stride, std::int64_t n_lines, std::byte* out, const std::byte* next);
};

/// The quickest that this machine has.
const BitMatrices& bit_matrices();

/// All that this machine has, quickest first; the last is plain C++.
std::vector<const BitMatrices*> all_bit_matrices();

}  // namespace crinkle::simd
