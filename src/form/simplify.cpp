// One box: turn negative strides round, sort, fuse. A list: boxes that continue one another along one axis become one box (any two of up
// to 64 boxes, neighbours only beyond), until nothing merges.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/simplify.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/checked.hpp"

namespace crinkle {
namespace {

bool fits_behind(const Axis& outer, const Axis& inner) {  // outer continues inner on both sides
  if (outer.src_counts != inner.src_counts || outer.dst_counts != inner.dst_counts) return false;
  std::int64_t src = 0, dst = 0;
  return !__builtin_mul_overflow(inner.extent, inner.src_stride, &src) && !__builtin_mul_overflow(inner.extent, inner.dst_stride, &dst) &&
         outer.src_stride == src && outer.dst_stride == dst;
}

bool is_slower(const Axis& a, const Axis& b) {
  if (a.dst_counts != b.dst_counts) return a.dst_counts == Counts::buffers;
  return a.dst_stride > b.dst_stride;
}

bool have_same_target(const Box& a, const Box& b) {
  return a.unit == b.unit && a.is_fill == b.is_fill && a.dst_slot == b.dst_slot && a.src_slot == b.src_slot &&
         (!a.is_fill || a.pattern == b.pattern);
}

// The offsets of b are those of a plus `n` steps of the axis.
bool continues(const Box& a, const Box& b, const Axis& axis, std::int64_t n) {
  if (axis.src_counts != Counts::bytes || axis.dst_counts != Counts::bytes) return false;
  const auto is_ahead = [n](std::int64_t from, std::int64_t to, std::int64_t stride) {
    std::int64_t way = 0, place = 0;
    return !__builtin_mul_overflow(n, stride, &way) && !__builtin_add_overflow(from, way, &place) && place == to;
  };
  return is_ahead(a.dst_offset, b.dst_offset, axis.dst_stride) && (a.is_fill || is_ahead(a.src_offset, b.src_offset, axis.src_stride));
}

// Merges b into a when b continues a along one axis (extents may differ there only); an axis of extent 1 is one that is not there.
bool merge(Box& a, const Box& b) {
  if (!have_same_target(a, b)) return false;
  const std::size_t n = a.axes.size(), m = b.axes.size();
  if (n == m) {
    std::size_t different = n;
    for (std::size_t k = 0; k < n; ++k) {
      Axis same = b.axes[k];
      if (a.axes[k] == same) continue;
      same.extent = a.axes[k].extent;
      if (!(a.axes[k] == same) || different != n) return false;
      different = k;
    }
    if (different < n) {
      if (!continues(a, b, a.axes[different], a.axes[different].extent)) return false;
      a.axes[different].extent += b.axes[different].extent;
      simplify(a);
      return true;
    }
    for (Axis& axis : a.axes) {  // equal shapes: along any axis, or a new one of extent 2
      if (!continues(a, b, axis, axis.extent)) continue;
      axis.extent *= 2;
      simplify(a);
      return true;
    }
    Box joined = a;
    Axis pair{2};
    if (!a.is_fill && __builtin_sub_overflow(b.src_offset, a.src_offset, &pair.src_stride)) return false;
    if (__builtin_sub_overflow(b.dst_offset, a.dst_offset, &pair.dst_stride)) return false;
    joined.axes.push_back(pair);
    if (pair.dst_stride <= 0 || joined.axes.size() > max_axes) return false;
    simplify(joined);
    // The columns on either side of padded rows are a pair too, but one that would tear the rows apart: the fast axis must stay.
    const Axis& fast = joined.axes.back();
    const bool keeps_rows = fast.dst_stride == joined.unit || (!a.axes.empty() && fast == a.axes.back());
    if (!keeps_rows || !is_nested(joined)) return false;
    a = joined;
    return true;
  }
  // one has an axis more: the other is a single index of it
  const Box& longer = n > m ? a : b;
  const Box& shorter = n > m ? b : a;
  if (longer.axes.size() != shorter.axes.size() + 1) return false;
  std::size_t k = 0;
  while (k < shorter.axes.size() && longer.axes[k] == shorter.axes[k]) ++k;
  if (!std::equal(longer.axes.begin() + k + 1, longer.axes.end(), shorter.axes.begin() + k)) return false;
  Axis axis = longer.axes[k];
  if (!continues(a, b, axis, n > m ? axis.extent : 1)) return false;
  axis.extent += 1;
  if (n < m) a.axes.insert(a.axes.begin() + k, axis);
  a.axes[k] = axis;
  simplify(a);
  return true;
}

}  // namespace

void simplify(Box& box) {
  if (box.is_fill) {
    box.src_offset = 0;
    box.src_slot = 0;
  }
  std::size_t kept = 0;
  for (Axis a : box.axes) {
    if (a.extent == 1) continue;
    if (box.is_fill) {
      a.src_stride = 0;
      a.src_counts = Counts::bytes;
    }
    if (a.dst_stride < 0) {  // walk it the other way round
      const std::int64_t src = multiply(a.extent - 1, a.src_stride), dst = multiply(a.extent - 1, a.dst_stride);
      if (a.src_counts == Counts::bytes) box.src_offset = add(box.src_offset, src);
      if (a.src_counts == Counts::buffers) box.src_slot = static_cast<std::int32_t>(box.src_slot + src);
      if (a.dst_counts == Counts::bytes) box.dst_offset = add(box.dst_offset, dst);
      if (a.dst_counts == Counts::buffers) box.dst_slot = static_cast<std::int32_t>(box.dst_slot + dst);
      a.src_stride = -a.src_stride;
      a.dst_stride = -a.dst_stride;
    }
    if (a.dst_stride == 0) {
      throw Error(ErrorCode::overlap, "an axis of extent " + std::to_string(a.extent) +
                                          " has destination stride 0: its elements would be written over one another");
    }
    box.axes[kept++] = a;
  }
  box.axes.resize(kept);
  std::sort(box.axes.begin(), box.axes.end(), is_slower);
  // Fusing never changes the order: a fused axis has the smaller stride of the two and covers what lay between.
  for (std::size_t outer = 0; outer < box.axes.size();) {
    std::size_t inner = box.axes.size();
    for (std::size_t k = outer + 1; k < box.axes.size(); ++k) {
      if (fits_behind(box.axes[outer], box.axes[k])) inner = k;
    }
    if (inner == box.axes.size()) {
      ++outer;
      continue;
    }
    box.axes[inner].extent = multiply(box.axes[inner].extent, box.axes[outer].extent);
    box.axes.erase(box.axes.begin() + outer);
    if (outer > 0) outer = 0;  // what stood before may continue the longer axis
  }
}

void simplify(Boxes& boxes) {
  std::size_t kept = 0;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    if (std::any_of(boxes[b].axes.begin(), boxes[b].axes.end(), [](const Axis& a) { return a.extent == 0; })) continue;
    simplify(boxes[b]);
    if (kept != b) boxes[kept] = std::move(boxes[b]);
    ++kept;
  }
  boxes.resize(kept);
  if (boxes.size() < 2) return;
  const std::size_t reach = boxes.size() <= 64 ? boxes.size() : 2;
  for (bool has_merged = true; has_merged && boxes.size() > 1;) {
    has_merged = false;
    std::sort(boxes.begin(), boxes.end(),
              [](const Box& a, const Box& b) { return a.dst_slot != b.dst_slot ? a.dst_slot < b.dst_slot : a.dst_offset < b.dst_offset; });
    for (std::size_t a = 0; a < boxes.size(); ++a) {
      for (std::size_t b = a + 1; b < std::min(boxes.size(), a + reach); ++b) {
        if (!merge(boxes[a], boxes[b])) continue;
        boxes.erase(boxes.begin() + b);
        has_merged = true;
        --b;
      }
    }
  }
}

bool is_nested(const Box& box) {
  std::int64_t reached = box.unit;
  for (std::size_t k = box.axes.size(); k-- > 0;) {
    const Axis& a = box.axes[k];
    if (a.dst_counts == Counts::buffers) continue;
    if (a.dst_stride < reached) return false;
    reached = add_product(reached, a.extent - 1, a.dst_stride);
  }
  return true;
}

bool narrow(Box& box, std::int32_t unit) {
  if (unit == box.unit) return true;
  if (box.is_fill) {
    for (std::int32_t i = unit; i < box.unit; ++i) {
      if (box.pattern[static_cast<std::size_t>(i)] != box.pattern[static_cast<std::size_t>(i - unit)]) return false;
    }
    std::fill(box.pattern.begin() + unit, box.pattern.end(), std::byte{0});
  }
  box.axes.push_back({box.unit / unit, box.is_fill ? 0 : unit, unit});
  box.unit = unit;
  return true;
}

void append_narrowed(Boxes& boxes, Box box, std::int32_t unit) {
  if (narrow(box, unit)) return boxes.push_back(box);
  for (std::int32_t at = 0; at < box.unit; at += unit) {
    Box part = box;
    part.unit = unit;
    part.dst_offset = add(box.dst_offset, at);
    part.pattern = {};
    std::memcpy(part.pattern.data(), box.pattern.data() + at, static_cast<std::size_t>(unit));
    boxes.push_back(part);
  }
}

}  // namespace crinkle
