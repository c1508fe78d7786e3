// Sizes that memory has on every processor this runs on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle {

inline constexpr std::int64_t cache_line = 64;    // bytes that memory gives and takes at once
inline constexpr std::int64_t page_bytes = 4096;  // bytes of the smallest page

}  // namespace crinkle
