// One byte of packed elements, and the bytes that they have unpacked, for host and device. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle {

/// The elements of a byte, a byte each, the first in the lowest.
template <int bits>
CRINKLE_HD constexpr std::uint64_t unpacked(std::uint32_t packed) {
  std::uint64_t bytes = 0;
  for (int j = 0; j < 8 / bits; ++j) bytes |= std::uint64_t{packed >> (j * bits) & ((1u << bits) - 1)} << (8 * j);
  return bytes;
}
/// And back. Requires bytes that `bits` hold.
template <int bits>
CRINKLE_HD constexpr std::uint32_t packed(std::uint64_t bytes) {
  std::uint32_t holder = 0;
  for (int j = 0; j < 8 / bits; ++j) holder |= static_cast<std::uint32_t>(bytes >> (8 * j) & 0xFF) << (j * bits);
  return holder;
}

}  // namespace crinkle
