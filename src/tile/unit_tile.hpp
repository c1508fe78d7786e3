// The tile without rows: one unit a thread, its place computed from its number. It suits any box, and boxes that are repeated for every
// entry of index arrays:
//     unit k  ↔  indices i_a of all axes, the first one fastest,   src = src_offset + Σ src_a(i_a),   dst likewise,
// where an axis steps evenly on a side or is looked up there in a table. What is fast where units are written comes first, so that
// neighbouring threads write side by side.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/axis.hpp"
#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

struct UnitTile {
  static constexpr std::int32_t threads = 256, each = 4;  // units of a thread, `threads` apart

  enum class Lookup : std::uint8_t { even, of_32_bits, of_64_bits };

  /// Index i adds this on one side: i · step, entry i of 32 bits shifted, or entry i of 64 bits.
  struct Side {
    std::int64_t step = 0;      // bytes
    std::int64_t table_at = 0;  // of a table: bytes from the beginning of all tables
    std::int32_t slot = 0;
    std::uint8_t shift = 0;
    Lookup lookup = Lookup::even;

    CRINKLE_HD std::int64_t bytes(std::uint64_t i, const char* tables) const {
      if (lookup == Lookup::even) return static_cast<std::int64_t>(i) * step;
      if (lookup == Lookup::of_64_bits) return reinterpret_cast<const std::int64_t*>(tables + table_at)[i];
      return static_cast<std::int64_t>(reinterpret_cast<const std::uint32_t*>(tables + table_at)[i]) << shift;
    }
  };
  struct Digit {
    Divisor<std::uint64_t> extent;
    Side src, dst;
    std::int64_t fills_at = -1;  // of an index array with fills: where its entries' fills are, 32 bits each
  };

  std::int32_t n_digits = 0;
  std::uint32_t n_blocks = 1;
  std::uint64_t n_units = 0;
  std::int64_t src_offset = 0, dst_offset = 0;
  std::int32_t src_slot = 0, dst_slot = 0;
  std::int32_t unit = 1;
  std::int32_t wanted_fill = -1;  // only units of entries whose highest fill is this one; −1: that are none
  bool has_fills = false;         // in its index arrays
  bool is_fill = false;
  alignas(8) Array<std::uint8_t, 16> pattern = {};
  Array<Digit, max_axes> digit = {};

  CRINKLE_HD static constexpr std::int32_t shared_bytes() { return 0; }

  struct Place {
    std::int64_t src = 0, dst = 0;
    std::int32_t src_slot = 0, dst_slot = 0;
    bool is_wanted = false;
  };
  /// Unit number e of a thread.
  CRINKLE_HD std::uint64_t number(std::uint32_t block, std::int32_t thread, std::int32_t e) const {
    return std::uint64_t{block} * (threads * each) + static_cast<std::uint64_t>(e * threads + thread);
  }
  CRINKLE_HD Place place(std::uint64_t k, const char* tables) const {
    Place p;
    if (k >= n_units) return p;
    p = {src_offset, dst_offset, src_slot, dst_slot, true};
    std::int32_t fill = -1;
    for (int a = 0; a < n_digits; ++a) {
      const Digit& d = digit[a];
      std::uint64_t i = k;
      if (a + 1 < n_digits) {
        const Division<std::uint64_t> split = d.extent.divide(k);
        k = split.quotient;
        i = split.remainder;
      }
      p.src += d.src.bytes(i, tables);
      p.dst += d.dst.bytes(i, tables);
      p.src_slot += static_cast<std::int32_t>(i) * d.src.slot;
      p.dst_slot += static_cast<std::int32_t>(i) * d.dst.slot;
      if (d.fills_at >= 0) {
        const std::int32_t of_entry = reinterpret_cast<const std::int32_t*>(tables + d.fills_at)[i];
        fill = of_entry > fill ? of_entry : fill;
      }
    }
    if (has_fills) p.is_wanted = fill == wanted_fill;
    return p;
  }
  /// Whether a place is the first of a pair. A map that is its own inverse comes to both places of a pair, and exchanges them once.
  CRINKLE_HD static bool is_first(const Place& p) {
    return p.is_wanted && (p.src_slot < p.dst_slot || (p.src_slot == p.dst_slot && p.src < p.dst));
  }
};

}  // namespace crinkle::tile
