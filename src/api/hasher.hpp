// A hash of numbers: what the caches of plans look boxes up by.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle {

// Two rounds of multiply and fold a word: all a table of a few thousand entries needs.
struct Hasher {
  std::uint64_t h = 0x9E3779B97F4A7C15u;
  void take(std::int64_t x) {
    h = (h ^ static_cast<std::uint64_t>(x)) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
  }
};

}  // namespace crinkle
