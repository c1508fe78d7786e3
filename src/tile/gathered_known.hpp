// Each kernel of gathered tiles knows something of its tiles: contiguous runs of whole vectors between two buffers: of cells that move
// alike; in rows evenly spaced, too, read at multiples of vectors, and perhaps written so, or as the vectors that cover them; of cells that
// are looked up. Kernels and the tests' walk choose from one list, so that what runs is what was walked.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "tile/frame.hpp"

namespace crinkle::tile::gathered {

inline constexpr Known runs = contiguous | wide | one_slot;
inline constexpr Known alike = runs | fixed;
inline constexpr Known exactly = alike | even_rows | exact;
inline constexpr Known whole = exactly | aligned;
inline constexpr Known lean = alike | even_rows | superset;
inline constexpr Known lean_straight = lean | straight;
inline constexpr Known by_table = runs | looked_up;

/// visit(the most of these that a tile of such units grants, as a constant; 0, which suits every tile, where it grants none).
template <int unit, class Visit>
auto with_best(Known granted, const Visit& visit) {
  const auto grants = [granted](Known k) { return (granted & k) == k; };
  if (grants(whole)) return visit(std::integral_constant<Known, whole>());
  if constexpr (unit < 16) {
    if (grants(exactly)) return visit(std::integral_constant<Known, exactly>());
    if (grants(lean_straight)) return visit(std::integral_constant<Known, lean_straight>());
    if (grants(lean)) return visit(std::integral_constant<Known, lean>());
    if (grants(by_table)) return visit(std::integral_constant<Known, by_table>());
  }
  if (grants(alike)) return visit(std::integral_constant<Known, alike>());
  return visit(std::integral_constant<Known, 0>());
}

/// Whether such a kernel has code of its own for inner blocks: those whose pieces are all whole.
CRINKLE_HD constexpr bool knows_inner_blocks(Known known) { return (known & contiguous) != 0 && (known & aligned) == 0; }

}  // namespace crinkle::tile::gathered
