// What the tests of maps compare with: counts in 128 bits, and numbers by the definition.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "crinkle/simplex.hpp"

namespace crinkle {

__extension__ using Wide = unsigned __int128;

inline constexpr Diagonal both_diagonals[] = {Diagonal::with, Diagonal::without};

inline Wide triangle(Wide n) { return n * (n + 1) / 2; }
inline Wide tetrahedron(Wide n) { return n * (n + 1) / 2 * (n + 2) / 3; }

/// C(c, m), exactly while it fits 128 bits.
inline Wide choose(Wide c, int m) {
  if (c < static_cast<Wide>(m)) return 0;
  Wide result = 1;
  for (int q = 1; q <= m; ++q) result = result * (c - static_cast<Wide>(m) + static_cast<Wide>(q)) / static_cast<Wide>(q);
  return result;
}

inline const char* name_of(Diagonal diagonal) { return diagonal == Diagonal::with ? "with the diagonal" : "without the diagonal"; }

/// The largest m that a map's fits() accepts.
template <class Map>
typename Map::Integer largest(Diagonal diagonal) {
  using K = typename Map::Integer;
  K m = 0;
  for (int bit = static_cast<int>(8 * sizeof(K)) - 1; bit >= 0; --bit)
    if (Map::fits(static_cast<K>(m + (K(1) << bit)), diagonal)) m += K(1) << bit;
  return m;
}

}  // namespace crinkle
