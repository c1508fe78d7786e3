// A box as the map it means, for tests: where a destination unit comes from, for one unit of a box of any size, or for all of a small one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "crinkle/axis.hpp"
#include "support/walk.hpp"

namespace crinkle::testing {

/// The lowest and one past the highest byte that a box reads in any slot.
inline Span source_span(const Box& box) {
  Span span{box.src_offset, box.src_offset + box.unit};
  for (const Axis& axis : box.axes)
    if (axis.src_counts == Counts::bytes) (axis.src_stride < 0 ? span.begin : span.end) += (axis.extent - 1) * axis.src_stride;
  return span;
}

inline Span destination_span(const Box& box) {
  Span span{box.dst_offset, box.dst_offset + box.unit};
  for (const Axis& axis : box.axes)
    if (axis.dst_counts == Counts::bytes) span.end += (axis.extent - 1) * axis.dst_stride;
  return span;
}

/// The source of a destination unit. Requires destination strides that nest: each at least the span of the faster axes.
/// A unit that the box does not write comes back as unwritten.
inline Unit source_of(const Box& box, const Unit& destination) {
  std::int64_t rest = destination.address - box.dst_offset;
  std::int32_t slot = destination.slot - box.dst_slot;
  Unit source{box.src_offset, box.src_slot};
  std::vector<Axis> axes(box.axes.begin(), box.axes.end());
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.dst_stride > b.dst_stride; });
  for (const Axis& axis : axes) {
    std::int64_t i = 0;
    if (axis.dst_counts == Counts::buffers) {
      i = slot / axis.dst_stride;
      slot -= static_cast<std::int32_t>(i * axis.dst_stride);
    } else {
      i = std::min(rest / axis.dst_stride, axis.extent - 1);
      rest -= i * axis.dst_stride;
    }
    if (i < 0 || i >= axis.extent) return {0, unwritten};
    if (axis.src_counts == Counts::bytes) source.address += i * axis.src_stride;
    if (axis.src_counts == Counts::buffers) source.slot += static_cast<std::int32_t>(i * axis.src_stride);
  }
  if (rest != 0 || slot != 0) return {0, unwritten};
  return box.is_fill ? Unit{0, filled} : source;
}

inline std::int64_t units_of(const Box& box) {
  std::int64_t n = 1;
  for (const Axis& axis : box.axes) n *= axis.extent;
  return n;
}

inline std::string text_of(const Box& box) {
  std::string text =
      "unit " + std::to_string(box.unit) + " src " + std::to_string(box.src_offset) + " dst " + std::to_string(box.dst_offset);
  for (const Axis& axis : box.axes)
    text += " (" + std::to_string(axis.extent) + " " + std::to_string(axis.src_stride) + (axis.src_counts == Counts::buffers ? "b" : "") +
            " " + std::to_string(axis.dst_stride) + (axis.dst_counts == Counts::buffers ? "b)" : ")");
  return text;
}

/// Walks all blocks of a tile of a box: every destination unit once, in bounds, from the right source; shared memory read only where
/// written. Returns the first fault, or nothing.
inline Fault walk_all(const Box& box, const tile::Tile& tile) {
  const Span to = destination_span(box);
  std::int64_t n_slots = 1;
  for (const Axis& axis : box.axes)
    if (axis.dst_counts == Counts::buffers) n_slots += (axis.extent - 1) * axis.dst_stride;
  const auto width = static_cast<std::size_t>((to.end - to.begin) / box.unit);
  std::vector<std::uint8_t> count(width * static_cast<std::size_t>(n_slots), 0);
  Fault fault;
  std::int64_t n_written = 0;
  const auto write = [&](const Unit& destination, const Unit& source) {
    if (!fault.empty()) return;
    const std::string where = "destination " + std::to_string(destination.address) + " of slot " + std::to_string(destination.slot);
    const Unit expected = source_of(box, destination);
    if (expected.slot == unwritten) {
      fault = where + " is outside the box";
    } else if (!(expected == source)) {
      fault = where + " comes from " + std::to_string(source.address) + " of slot " + std::to_string(source.slot) + ", not from " +
              std::to_string(expected.address) + " of slot " + std::to_string(expected.slot);
    } else if (count[static_cast<std::size_t>(destination.slot - box.dst_slot) * width +
                     static_cast<std::size_t>((destination.address - to.begin) / box.unit)]++ != 0) {
      fault = where + " is written twice";
    }
    ++n_written;
  };
  for (std::uint32_t block = 0; block < tile::frame_of(tile).n_blocks; ++block) {
    const Fault found = walk_block(tile, block, source_span(box), write);
    if (fault.empty()) fault = found;
    if (!fault.empty()) return "block " + std::to_string(block) + ": " + fault;
  }
  if (n_written != units_of(box)) return std::to_string(n_written) + " units written of " + std::to_string(units_of(box));
  return {};
}

}  // namespace crinkle::testing
