// SPDX-License-Identifier: BSD-3-Clause
#include "move/entries.hpp"

#include <algorithm>
#include <bit>

#include "base/checked.hpp"

namespace crinkle {
namespace {

bool is_even(std::span<const std::int64_t> all) {
  if (all.size() < 3) return true;
  const std::int64_t step = subtract(all[1], all[0]);
  for (std::size_t j = 2; j < all.size(); ++j) {
    if (all[j] - all[j - 1] != step) return false;
  }
  return true;
}

}  // namespace

EntryOffsets offsets_of(std::span<const std::int64_t> all) {
  EntryOffsets made;
  if (all.empty()) return made;
  made.first = all[0];
  if (is_even(all)) {
    made.step = all.size() > 1 ? subtract(all[1], all[0]) : 0;
    return made;
  }
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  made.first = *least;
  std::uint64_t bits = 0;  // set in some distance from the first
  for (const std::int64_t offset : all) bits |= static_cast<std::uint64_t>(subtract(offset, *least));
  const int shift = std::bit_width(bits) > 32 ? std::countr_zero(bits) : 0;
  if (static_cast<std::uint64_t>(subtract(*most, *least)) >> shift > UINT32_MAX) {
    made.kind = EntryOffsets::Kind::wide;
    made.wide.assign(all.begin(), all.end());
    return made;
  }
  made.kind = EntryOffsets::Kind::narrow;
  made.shift = shift;
  made.narrow.reserve(all.size());
  for (const std::int64_t offset : all)
    made.narrow.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(offset - *least) >> shift));
  return made;
}

std::vector<EntryTable> tables_of(std::span<const GatherAxis> axes) {
  using enum EntryOffsets::Kind;
  std::vector<EntryTable> tables;
  for (const GatherAxis& axis : axes) {
    EntryTable table{std::ssize(axis.src_offsets), offsets_of(axis.src_offsets), offsets_of(axis.dst_offsets), axis.fills};
    const auto widen = [](EntryOffsets& offsets, const std::vector<std::int64_t>& all) { offsets = {wide, 0, 0, 0, {}, all}; };
    if (table.src.kind == wide && table.dst.kind == narrow) widen(table.dst, axis.dst_offsets);
    if (table.src.kind == narrow && table.dst.kind == wide) widen(table.src, axis.src_offsets);
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace crinkle
