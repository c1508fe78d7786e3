// The definition of a move: one recursion over the axes of a box, one over the gathered axes of a step, a memcpy at the end. Never made
// faster: whatever is faster is compared with it.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/reference.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace crinkle {
namespace {

// Moves axes a … of a box from the given place on; `src_at` and `dst_at` are {bytes, slot}.
struct Place {
  std::int64_t bytes, slot;
  Place step(std::int64_t i, std::int64_t stride, Counts counts) const {
    return counts == Counts::bytes ? Place{bytes + i * stride, slot} : Place{bytes, slot + i * stride};
  }
};

void move_axes(const Box& box, std::size_t a, Place from, Place to, std::span<const std::byte* const> src,
               std::span<std::byte* const> dst) {
  if (a == box.axes.size()) {
    std::byte* out = dst[static_cast<std::size_t>(to.slot)] + to.bytes;
    const std::byte* in = box.is_fill ? box.pattern.data() : src[static_cast<std::size_t>(from.slot)] + from.bytes;
    std::memcpy(out, in, static_cast<std::size_t>(box.unit));
    return;
  }
  const Axis& axis = box.axes[a];
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    move_axes(box, a + 1, from.step(i, axis.src_stride, axis.src_counts), to.step(i, axis.dst_stride, axis.dst_counts), src, dst);
  }
}

void move_entries(const Step& step, std::size_t g, std::int64_t from, std::int64_t to, std::int32_t fill,
                  std::span<const std::byte* const> src, std::span<std::byte* const> dst) {
  if (g == step.gathers.size()) {
    for (const Box& box : fill < 0 ? step.boxes : step.fill_boxes[static_cast<std::size_t>(fill)]) {
      move_axes(box, 0, {from + box.src_offset, box.src_slot}, {to + box.dst_offset, box.dst_slot}, src, dst);
    }
    return;
  }
  const GatherAxis& axis = step.gathers[g];
  for (std::size_t j = 0; j < axis.src_offsets.size(); ++j) {
    const std::int32_t entry_fill = axis.fills.empty() ? -1 : axis.fills[j];
    move_entries(step, g + 1, from + axis.src_offsets[j], to + axis.dst_offsets[j], std::max(fill, entry_fill), src, dst);
  }
}

}  // namespace

void run_reference(const Boxes& boxes, std::span<const std::byte* const> src, std::span<std::byte* const> dst) {
  for (const Box& box : boxes) move_axes(box, 0, {box.src_offset, box.src_slot}, {box.dst_offset, box.dst_slot}, src, dst);
}

void run_reference(const Step& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst) {
  move_entries(step, 0, 0, 0, -1, src, dst);
}

void run_reference(const Steps& steps, std::span<const std::byte* const> src, std::span<std::byte* const> dst, std::byte* workspace) {
  const std::size_t n = steps.steps.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::byte* const in = k == 0 ? nullptr : workspace + steps.written_at(k - 1);
    std::byte* const out = k + 1 == n ? nullptr : workspace + steps.written_at(k);
    run_reference(steps.steps[k], k == 0 ? src : std::span(&in, 1), k + 1 == n ? dst : std::span(&out, 1));
  }
}

}  // namespace crinkle
