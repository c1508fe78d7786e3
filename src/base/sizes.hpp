// Sizes that memory has on every processor this runs on, and even parts of a size.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace crinkle {

inline constexpr std::int64_t cache_line = 64;    // bytes that memory gives and takes at once
inline constexpr std::int64_t page_bytes = 4096;  // bytes of the smallest page

/// Where part k begins of n items in n_parts consecutive parts of even sizes, the longer ones first. Part n_parts begins at n.
constexpr std::int64_t part_begin(std::int64_t n, std::int64_t n_parts, std::int64_t k) {
  return n / n_parts * k + std::min(k, n % n_parts);
}

}  // namespace crinkle
