// The unit is the greatest common divisor of 16, the buffers' alignment, the run's bytes and all offsets and other strides; a fill's
// pattern is repeated up to it.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/widen.hpp"

#include <cstring>
#include <numeric>

namespace crinkle {

void widen(Box& box, std::int64_t alignment) {
  const std::int64_t unit = box.unit;
  if (box.axes.empty()) return;
  Axis& run = box.axes.back();  // descending destination strides: the contiguous axis is the last
  const bool is_contiguous = run.dst_counts == Counts::bytes && run.src_counts == Counts::bytes && run.dst_stride == unit &&
                             (box.is_fill || run.src_stride == unit);
  if (!is_contiguous) return;
  std::int64_t g = std::gcd(std::gcd(std::int64_t{16}, alignment), std::gcd(run.extent * unit, box.dst_offset));
  if (!box.is_fill) g = std::gcd(g, box.src_offset);
  for (std::size_t a = 0; a + 1 < box.axes.size(); ++a) {
    const Axis& axis = box.axes[a];
    if (axis.dst_counts == Counts::bytes) g = std::gcd(g, axis.dst_stride);
    if (axis.src_counts == Counts::bytes && !box.is_fill) g = std::gcd(g, axis.src_stride);
  }
  if (g <= unit) return;
  for (std::int64_t at = unit; box.is_fill && at < g; at += unit) {
    std::memcpy(box.pattern.data() + at, box.pattern.data(), static_cast<std::size_t>(unit));
  }
  box.unit = static_cast<std::int32_t>(g);
  run.extent /= g / unit;
  run.dst_stride = g;
  run.src_stride = box.is_fill ? 0 : g;
  if (run.extent == 1) box.axes.pop_back();
}

}  // namespace crinkle
