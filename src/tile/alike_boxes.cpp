// SPDX-License-Identifier: BSD-3-Clause
#include "tile/alike_boxes.hpp"

#include <algorithm>
#include <numeric>

#include "base/checked.hpp"
#include "form/simplify.hpp"
#include "tile/axis_maps.hpp"
#include "tile/build_frame.hpp"

namespace crinkle::tile {
namespace {

constexpr std::size_t most_boxes = 64;

// Boxes that go through sources come apart: one for each.
bool take_slots(Boxes& boxes) {
  for (std::size_t b = 0; b < boxes.size() && boxes.size() <= most_boxes;) {
    const auto& axes = boxes[b].axes;
    const auto through = std::find_if(axes.begin(), axes.end(), [](const Axis& a) { return a.src_counts == Counts::buffers; });
    if (through == axes.end()) {
      ++b;
      continue;
    }
    const Axis axis = *through;
    Box part = boxes[b];
    part.axes.erase(part.axes.begin() + (through - axes.begin()));
    boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(b));
    if (axis.extent > Sources::most || axis.dst_counts != Counts::bytes) return false;
    for (std::int64_t i = 0; i < axis.extent; ++i) {
      boxes.push_back(part);
      part.src_slot += static_cast<std::int32_t>(axis.src_stride);
      part.dst_offset = add(part.dst_offset, axis.dst_stride);
    }
  }
  return boxes.size() <= most_boxes;
}

}  // namespace

bool make_alike(Boxes& boxes) {
  if (!take_slots(boxes)) return false;
  if (boxes.empty() || boxes.size() > most_boxes) return false;
  std::int64_t common = boxes[0].unit;
  for (const Box& b : boxes) {
    common = std::gcd(std::gcd(common, std::int64_t{b.unit}), std::gcd(b.dst_offset, b.is_fill ? 0 : b.src_offset));
    for (const Axis& a : b.axes) common = std::gcd(common, std::gcd(a.dst_stride, b.is_fill ? 0 : a.src_stride));
  }
  const auto unit = static_cast<std::int32_t>(common);
  for (Box& b : boxes) {
    if (b.src_slot < 0 || b.src_slot >= Sources::most || b.dst_slot != 0 || (b.unit != unit && std::ssize(b.axes) == max_axes) ||
        !narrow(b, unit))
      return false;
    simplify(b);
    for (const Axis& a : b.axes)
      if (a.src_counts != Counts::bytes || a.dst_counts != Counts::bytes) return false;
  }
  return true;
}

// Fills that lie on both sides of what is copied may be one box of another stride: it comes apart again.
bool take_strides(Boxes& boxes, Counted& strides) {
  constexpr std::int64_t most_apart = 8;
  strides = {boxes[0].unit};
  for (const Box& b : boxes)
    for (const Axis& a : b.axes)
      if (!b.is_fill || a.extent > most_apart) strides.push_back(a.dst_stride);
  std::sort(strides.begin(), strides.end());
  strides.erase(std::unique(strides.begin(), strides.end()), strides.end());
  if (std::ssize(strides) > AxisMaps::most_axes) return false;
  for (std::size_t a = 1; a < strides.size(); ++a)
    if (strides[a] % strides[a - 1] != 0) return false;
  for (std::size_t b = 0; b < boxes.size() && boxes.size() <= most_boxes; ++b) {
    const auto& axes = boxes[b].axes;
    const auto other = std::find_if(
        axes.begin(), axes.end(), [&](const Axis& a) { return std::find(strides.begin(), strides.end(), a.dst_stride) == strides.end(); });
    if (other == axes.end()) continue;
    Box part = boxes[b];
    const Axis axis = *other;
    part.axes.erase(part.axes.begin() + (other - axes.begin()));
    boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(b--));
    for (std::int64_t i = 0; i < axis.extent; ++i) {
      boxes.push_back(part);
      part.dst_offset = add(part.dst_offset, axis.dst_stride);
    }
  }
  return boxes.size() <= most_boxes;
}

}  // namespace crinkle::tile
