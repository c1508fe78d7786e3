// SPDX-License-Identifier: BSD-3-Clause
#include "form/line_up.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/checked.hpp"

namespace crinkle {
namespace {

constexpr std::size_t farthest_second = 64;  // boxes: where the second of a line is looked for

/// From one box to the next: bytes or buffers, never both on one side.
struct Step {
  std::int64_t src = 0, dst = 0;
  std::int32_t src_slot = 0, dst_slot = 0;

  friend bool operator==(const Step&, const Step&) = default;
};

bool has_slot_axis(const Box& box, bool of_source) {
  for (const Axis& a : box.axes)
    if ((of_source ? a.src_counts : a.dst_counts) == Counts::buffers) return true;
  return false;
}

std::optional<Step> step_between(const Box& a, const Box& b) {
  if (a.unit != b.unit || !(a.axes == b.axes)) return {};
  const Step step{subtract(b.src_offset, a.src_offset), subtract(b.dst_offset, a.dst_offset), b.src_slot - a.src_slot,
                  b.dst_slot - a.dst_slot};
  const bool is_split = (step.src != 0 && step.src_slot != 0) || (step.dst != 0 && step.dst_slot != 0);
  const bool is_second_axis = (step.src_slot != 0 && has_slot_axis(a, true)) || (step.dst_slot != 0 && has_slot_axis(a, false));
  const bool is_back = step.dst < 0 || step.dst_slot < 0;
  if (is_split || is_second_axis || is_back) return {};
  return step;
}

Axis axis_of(std::int64_t n, const Step& step) {
  Axis axis{n, step.src, step.dst};
  if (step.src_slot != 0) axis.src_stride = step.src_slot, axis.src_counts = Counts::buffers;
  if (step.dst_slot != 0) axis.dst_stride = step.dst_slot, axis.dst_counts = Counts::buffers;
  return axis;
}

}  // namespace

Boxes lined_up(const Boxes& boxes) {
  std::vector<bool> is_taken(boxes.size(), false);
  Boxes result;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (is_taken[i]) continue;
    std::vector<std::size_t> longest{i};
    std::optional<Step> of_longest;
    for (std::size_t j = i + 1; j < std::min(boxes.size(), i + 1 + farthest_second); ++j) {
      if (is_taken[j]) continue;
      const std::optional<Step> step = step_between(boxes[i], boxes[j]);
      if (!step || (of_longest && *of_longest == *step)) continue;
      std::vector<std::size_t> line{i, j};
      for (std::size_t k = j + 1; k < boxes.size(); ++k)
        if (!is_taken[k] && step_between(boxes[line.back()], boxes[k]) == step) line.push_back(k);
      if (line.size() > longest.size()) longest = std::move(line), of_longest = step;
    }
    Box box = boxes[i];
    for (const std::size_t k : longest) is_taken[k] = true;
    if (of_longest) box.axes.push_back(axis_of(static_cast<std::int64_t>(longest.size()), *of_longest));
    result.push_back(std::move(box));
  }
  return result;
}

}  // namespace crinkle
