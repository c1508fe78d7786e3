// A plan's entry as the map it means, for entries of any size: where a destination byte comes from, found by decoding its address. And a
// box that is repeated for every entry of an index array, decoded from the side on which the entries are evenly spaced.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "crinkle/rearrangement.hpp"
#include "support/walk.hpp"
#include "tile/segments.hpp"

namespace crinkle::testing {

/// Rows of segments between one source and one destination buffer, destination strides positive and nested.
class EntryMap {
 public:
  explicit EntryMap(const tile::Rows& rows) : rows_(rows), outer_(rows.box.axes.begin(), rows.box.axes.end() - 1) {
    for (const Axis& a : rows.box.axes)
      if (a.src_counts == Counts::buffers || a.dst_counts == Counts::buffers || a.dst_stride <= 0)
        throw std::invalid_argument("an entry of many buffers, or one that runs backwards");
    std::sort(outer_.begin(), outer_.end(), [](const Axis& a, const Axis& b) { return a.dst_stride > b.dst_stride; });
  }

  const tile::Rows& rows() const { return rows_; }

  /// The source byte of a destination byte; `filled` has no address, `unwritten` is a byte that the entry does not write.
  Unit source_of(std::int64_t destination) const {
    const Axis& row = rows_.box.axes.back();
    std::int64_t rest = destination - rows_.box.dst_offset, source = rows_.box.src_offset;
    if (rest < 0) return {0, unwritten};
    for (const Axis& a : outer_) {
      const std::int64_t i = std::min(rest / a.dst_stride, a.extent - 1);
      rest -= i * a.dst_stride;
      source += i * a.src_stride;
    }
    const std::int64_t u = rest / row.dst_stride;
    rest -= u * row.dst_stride;
    if (u >= row.extent || rest >= rows_.box.unit) return {0, unwritten};
    std::size_t s = rows_.segments.size() - 1;
    while (rows_.segments[s].first > u) --s;
    const tile::Segment& segment = rows_.segments[s];
    if (segment.is_fill) return {0, filled};
    return {source + segment.src_offset + (u - segment.first) * segment.src_step + rest, rows_.box.src_slot + segment.src_slot};
  }

  /// The destination address of a unit: any number stands for one.
  std::int64_t destination_of(std::uint64_t number) const {
    std::int64_t address = rows_.box.dst_offset;
    for (const Axis& a : rows_.box.axes) {
      address += static_cast<std::int64_t>(number % static_cast<std::uint64_t>(a.extent)) * a.dst_stride;
      number /= static_cast<std::uint64_t>(a.extent);
    }
    return address;
  }

 private:
  tile::Rows rows_;
  std::vector<Axis> outer_;  // slowest in the destination first
};

/// The bytes of a box for every entry j of one index array: src_offsets[j] and dst_offsets[j] are added. On one side the entries are evenly
/// spaced, and strides there are positive and nested.
class IndexedMap {
 public:
  IndexedMap(const Box& box, const GatherAxis& entries) : unit_(box.unit), table_(entries.dst_offsets) {
    is_from_destination_ = is_even(entries.dst_offsets);
    if ((!is_from_destination_ && !is_even(entries.src_offsets)) || !entries.fills.empty() || box.is_fill)
      throw std::invalid_argument("an index array without an even side, or with fills");
    const auto& from = is_from_destination_ ? entries.dst_offsets : entries.src_offsets;
    if (is_from_destination_) table_ = entries.src_offsets;
    offset_ = from[0] + (is_from_destination_ ? box.dst_offset : box.src_offset);
    partner_offset_ = is_from_destination_ ? box.src_offset : box.dst_offset;
    digits_.push_back({std::ssize(from), from.size() > 1 ? from[1] - from[0] : box.unit, 0, true});
    for (const Axis& a : box.axes)
      digits_.push_back({a.extent, is_from_destination_ ? a.dst_stride : a.src_stride, is_from_destination_ ? a.src_stride : a.dst_stride});
    std::stable_sort(digits_.begin(), digits_.end(), [](const Digit& a, const Digit& b) { return a.stride > b.stride; });
    if (digits_.back().stride <= 0) throw std::invalid_argument("a box that runs backwards");
  }

  /// Whether the box with its entries moves this source byte to this destination byte.
  bool moves(std::int64_t src, std::int64_t dst) const {
    const std::optional<std::int64_t> partner = partner_of(is_from_destination_ ? dst : src);
    return partner && *partner == (is_from_destination_ ? src : dst);
  }

 private:
  struct Digit {
    std::int64_t extent = 1, stride = 0, partner_stride = 0;
    bool is_entry = false;
  };

  static bool is_even(const std::vector<std::int64_t>& offsets) {
    for (std::size_t j = 2; j < offsets.size(); ++j)
      if (offsets[j] - offsets[j - 1] != offsets[1] - offsets[0]) return false;
    return offsets.size() < 2 || offsets[1] > offsets[0];
  }

  std::optional<std::int64_t> partner_of(std::int64_t address) const {
    std::int64_t rest = address - offset_, partner = partner_offset_;
    if (rest < 0) return std::nullopt;
    for (const Digit& d : digits_) {
      const std::int64_t i = std::min(rest / d.stride, d.extent - 1);
      rest -= i * d.stride;
      partner += d.is_entry ? table_[static_cast<std::size_t>(i)] : i * d.partner_stride;
    }
    if (rest >= unit_) return std::nullopt;
    return partner + rest;
  }

  std::int64_t unit_, offset_ = 0, partner_offset_ = 0;
  bool is_from_destination_ = true;
  std::vector<std::int64_t> table_;  // [entry], bytes: the side that is not even
  std::vector<Digit> digits_;        // slowest on the even side first
};

}  // namespace crinkle::testing
