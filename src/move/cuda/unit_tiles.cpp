// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/unit_tiles.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

using tile::UnitTile;

UnitTile::Side side_of(const EntryOffsets& offsets, std::vector<std::byte>& tables) {
  UnitTile::Side side;
  switch (offsets.kind) {
    case EntryOffsets::Kind::even: side.step = offsets.step; break;
    case EntryOffsets::Kind::narrow:
      side.lookup = UnitTile::Lookup::of_32_bits;
      side.shift = static_cast<std::uint8_t>(offsets.shift);
      side.table_at = append_table(offsets.narrow, tables);
      break;
    case EntryOffsets::Kind::wide:
      side.lookup = UnitTile::Lookup::of_64_bits;
      side.table_at = append_table(offsets.wide, tables);
      break;
  }
  return side;
}

std::int64_t first_of(const EntryOffsets& offsets) { return offsets.kind == EntryOffsets::Kind::wide ? 0 : offsets.first; }

UnitTile::Side side_of(std::int64_t stride, Counts counts) {
  UnitTile::Side side;
  if (counts == Counts::bytes) side.step = stride;
  else side.slot = static_cast<std::int32_t>(stride);
  return side;
}

/// How far apart neighbours lie where they are written; where that is anywhere, where they are read.
std::int64_t distance_of(const UnitTile::Digit& d) {
  const UnitTile::Side& side = d.dst.lookup == UnitTile::Lookup::even ? d.dst : d.src;
  if (side.lookup != UnitTile::Lookup::even) return 0;
  return side.slot != 0 ? INT64_MAX : std::abs(side.step);
}

}  // namespace

EntriesAt append_entries(std::span<const EntryTable> arrays, std::vector<std::byte>& tables) {
  EntriesAt entries;
  for (const EntryTable& array : arrays) {
    UnitTile::Digit digit;
    digit.extent = Divisor<std::uint64_t>(static_cast<std::uint64_t>(array.n_entries));
    digit.src = side_of(array.src, tables);
    digit.dst = side_of(array.dst, tables);
    if (!array.fills.empty()) digit.fills_at = append_table(array.fills, tables);
    entries.src_first = add(entries.src_first, first_of(array.src));
    entries.dst_first = add(entries.dst_first, first_of(array.dst));
    entries.digits.push_back(digit);
  }
  return entries;
}

UnitTile unit_tile(const Box& box, const EntriesAt& entries) {
  if (box.axes.size() + entries.digits.size() > static_cast<std::size_t>(max_axes)) {
    throw Error(ErrorCode::unsupported, std::to_string(box.axes.size()) + " axes and " + std::to_string(entries.digits.size()) +
                                            " index arrays: a GPU moves up to " + std::to_string(max_axes) + " together; use the CPU");
  }
  UnitTile t;
  t.unit = box.unit;
  t.src_offset = add(box.src_offset, entries.src_first);
  t.dst_offset = add(box.dst_offset, entries.dst_first);
  t.src_slot = box.src_slot;
  t.dst_slot = box.dst_slot;
  t.is_fill = box.is_fill;
  for (int b = 0; b < 16; ++b) t.pattern[b] = static_cast<std::uint8_t>(box.pattern[static_cast<std::size_t>(b)]);
  std::vector<UnitTile::Digit> digits = entries.digits;
  for (const Axis& a : box.axes) {
    UnitTile::Digit digit;
    digit.extent = Divisor<std::uint64_t>(static_cast<std::uint64_t>(a.extent));
    digit.src = side_of(a.src_stride, a.src_counts);
    digit.dst = side_of(a.dst_stride, a.dst_counts);
    digits.push_back(digit);
  }
  std::sort(digits.begin(), digits.end(), [](const auto& a, const auto& b) { return distance_of(a) < distance_of(b); });
  std::int64_t n = 1;
  for (const UnitTile::Digit& d : digits) {
    t.digit[t.n_digits++] = d;
    t.has_fills = t.has_fills || d.fills_at >= 0;
    n = multiply(n, static_cast<std::int64_t>(d.extent.value()));
  }
  t.n_units = static_cast<std::uint64_t>(n);
  const std::int64_t n_blocks = ceil_divide(n, std::int64_t{UnitTile::threads} * UnitTile::each);
  if (n_blocks > 0xFFFFFFFFll)
    throw Error(ErrorCode::too_large, "a move of " + std::to_string(n) + " units, one by one, exceeds one launch: move it in parts");
  t.n_blocks = static_cast<std::uint32_t>(n_blocks);
  return t;
}

}  // namespace crinkle
