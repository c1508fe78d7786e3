// Shared memory without bank conflicts, and the register transposition of the aligned tile.
// A Swizzle keeps every aligned 16-byte cell whole and exchanges cells within groups of up to 8, the cells of one 128-byte
// wavefront:  place(b) = b xor ((b >> shift) and bits)   for a byte address b, where no bit of `bits` comes down on another one.
// transpose_vectors turns V vectors of V = 16 / unit units into their transpose: word moves for units of 4 and 8 bytes, two rounds of
// byte permutes below.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

struct Swizzle {
  std::int32_t shift = 3;
  std::int32_t bits = 0;  // 0, or some of 0x70

  CRINKLE_HD constexpr std::int32_t place(std::int32_t byte) const { return byte ^ ((byte >> shift) & bits); }
};

/// The four bytes of (high:low) that the four nibbles of `selector` name: PRMT.
CRINKLE_HD constexpr std::uint32_t pick_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, selector);
#else
  const std::uint64_t both = (static_cast<std::uint64_t>(high) << 32) | low;
  std::uint32_t picked = 0;
  for (int b = 0; b < 4; ++b) picked |= static_cast<std::uint32_t>((both >> (8 * ((selector >> (4 * b)) & 7))) & 0xFF) << (8 * b);
  return picked;
#endif
}

/// Sixteen bytes in registers.
struct Vector {
  Array<std::uint32_t, 4> word = {};
};

/// out[i] unit k = in[k] unit i, for i, k in [0, 16 / Unit).
template <int Unit>
CRINKLE_HD constexpr void transpose_vectors(Array<Vector, 16 / Unit>& v) {
  constexpr int n = 16 / Unit;
  Array<Vector, n> in = v;
  if constexpr (Unit == 8) {
    for (int i = 0; i < 2; ++i)
      for (int w = 0; w < 4; ++w) v[i].word[w] = in[w / 2].word[2 * i + w % 2];
  } else if constexpr (Unit == 4) {
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k) v[i].word[k] = in[k].word[i];
  } else if constexpr (Unit == 2) {
    for (int i = 0; i < 8; i += 2)
      for (int k = 0; k < 8; k += 2) {
        v[i].word[k / 2] = pick_bytes(in[k].word[i / 2], in[k + 1].word[i / 2], 0x5410);
        v[i + 1].word[k / 2] = pick_bytes(in[k].word[i / 2], in[k + 1].word[i / 2], 0x7632);
      }
  } else if constexpr (Unit == 1) {
    for (int i = 0; i < 16; i += 4)
      for (int k = 0; k < 16; k += 4) {
        const std::uint32_t a = in[k].word[i / 4], b = in[k + 1].word[i / 4], c = in[k + 2].word[i / 4], d = in[k + 3].word[i / 4];
        const std::uint32_t ab_low = pick_bytes(a, b, 0x5140), ab_high = pick_bytes(a, b, 0x7362);  // a0 b0 a1 b1 | a2 b2 a3 b3
        const std::uint32_t cd_low = pick_bytes(c, d, 0x5140), cd_high = pick_bytes(c, d, 0x7362);
        v[i].word[k / 4] = pick_bytes(ab_low, cd_low, 0x5410);
        v[i + 1].word[k / 4] = pick_bytes(ab_low, cd_low, 0x7632);
        v[i + 2].word[k / 4] = pick_bytes(ab_high, cd_high, 0x5410);
        v[i + 3].word[k / 4] = pick_bytes(ab_high, cd_high, 0x7632);
      }
  }
}

}  // namespace crinkle::tile
