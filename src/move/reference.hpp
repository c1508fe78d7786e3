// The definition of a move. Everything else is compared with it byte for byte.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// The place of a unit: bytes from the origin of a buffer, and which one.
struct UnitPlace {
  std::int64_t bytes, slot;
  UnitPlace step(std::int64_t i, std::int64_t stride, Counts counts) const {
    return counts == Counts::bytes ? UnitPlace{bytes + i * stride, slot} : UnitPlace{bytes, slot + i * stride};
  }
};

/// visit(box, from, to) for every unit of axes a … of a box, from these places on.
template <class Visit>
void for_each_unit(const Box& box, std::size_t a, UnitPlace from, UnitPlace to, const Visit& visit) {
  if (a == box.axes.size()) return visit(box, from, to);
  const Axis& axis = box.axes[a];
  for (std::int64_t i = 0; i < axis.extent; ++i)
    for_each_unit(box, a + 1, from.step(i, axis.src_stride, axis.src_counts), to.step(i, axis.dst_stride, axis.dst_counts), visit);
}

/// The same for the gathered axes g … of a step, and its boxes behind them; `fill`: those that the entries so far are filled by, or −1.
template <class Visit>
void for_each_unit(const Step& step, const Visit& visit, std::size_t g = 0, std::int64_t from = 0, std::int64_t to = 0,
                   std::int32_t fill = -1) {
  if (g == step.gathers.size()) {
    for (const Box& box : fill < 0 ? step.boxes : step.fill_boxes[static_cast<std::size_t>(fill)])
      for_each_unit(box, 0, {from + box.src_offset, box.src_slot}, {to + box.dst_offset, box.dst_slot}, visit);
    return;
  }
  const GatherAxis& axis = step.gathers[g];
  for (std::size_t j = 0; j < axis.src_offsets.size(); ++j) {
    const std::int32_t entry_fill = axis.fills.empty() ? -1 : axis.fills[j];
    for_each_unit(step, visit, g + 1, from + axis.src_offsets[j], to + axis.dst_offsets[j], std::max(fill, entry_fill));
  }
}

/// For every box and all 0 ≤ i_a < extent_a:
///     dst[dst_slot][dst_offset + Σ i_a·dst_stride_a] = src[src_slot][src_offset + Σ i_a·src_stride_a]   (unit bytes), or the pattern.
/// Requires the buffers to hold the boxes' spans; `src` and `dst` are the buffers' origins, one per slot.
void run_reference(const Boxes& boxes, std::span<const std::byte* const> src, std::span<std::byte* const> dst);

/// A step: its boxes for every combination of the gathered axes' entries.
void run_reference(const Step& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst);

/// All steps, one after the other, through a workspace of workspace_bytes.
void run_reference(const Steps& steps, std::span<const std::byte* const> src, std::span<std::byte* const> dst, std::byte* workspace);

}  // namespace crinkle
