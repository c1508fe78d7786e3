// Boxes are sorted so that those that may share rows stand together in destination order; a box whose rows begin where the rows so far
// end, and whose outer axes step alike, becomes one more segment of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/stitch.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace crinkle {
namespace {

bool has_row(const Box& box) {
  return !box.axes.empty() && box.axes.back().dst_counts == Counts::bytes && box.axes.back().dst_stride == box.unit &&
         box.axes.back().src_counts == Counts::bytes;
}
std::size_t n_outer(const Box& box) { return box.axes.size() - (has_row(box) ? 1 : 0); }
std::int64_t row_units(const Box& box) { return has_row(box) ? box.axes.back().extent : 1; }

// Boxes that may share rows come together, in destination order.
bool comes_before(const Box& a, const Box& b) {
  const auto head = [](const Box& x) { return std::tuple(x.unit, x.dst_slot, n_outer(x)); };
  if (head(a) != head(b)) return head(a) < head(b);
  for (std::size_t k = 0; k < n_outer(a); ++k) {
    const auto axis = [k](const Box& x) { return std::tuple(x.axes[k].extent, x.axes[k].dst_stride, x.axes[k].dst_counts); };
    if (axis(a) != axis(b)) return axis(a) < axis(b);
  }
  return a.dst_offset < b.dst_offset;
}

// Whether b's rows begin where the rows' units so far end, and their sources step alike from row to row.
bool continues(const tile::Rows& rows, const Box& b) {
  const Box& box = rows.box;
  if (rows.segments.size() == tile::max_segments || box.unit != b.unit || box.dst_slot != b.dst_slot || box.axes.size() != n_outer(b) + 1)
    return false;
  if (b.dst_offset != box.dst_offset + box.axes.back().extent * box.unit) return false;
  for (std::size_t k = 0; k + 1 < box.axes.size(); ++k) {
    const Axis &mine = box.axes[k], &its = b.axes[k];
    if (mine.extent != its.extent || mine.dst_stride != its.dst_stride || mine.dst_counts != its.dst_counts) return false;
    if (!box.is_fill && !b.is_fill && (mine.src_stride != its.src_stride || mine.src_counts != its.src_counts)) return false;
    // a row must not reach into the next
    if (mine.dst_counts == Counts::bytes && mine.dst_stride < (box.axes.back().extent + row_units(b)) * box.unit) return false;
  }
  return true;
}

void push_segment(tile::Rows& rows, const Box& b, std::int64_t first) {
  if (rows.box.is_fill && !b.is_fill) {  // the first data segment gives the rows their source
    rows.box.is_fill = false;
    rows.box.src_offset = b.src_offset;
    rows.box.src_slot = b.src_slot;
    for (std::size_t k = 0; k + 1 < rows.box.axes.size(); ++k) {
      rows.box.axes[k].src_stride = b.axes[k].src_stride;
      rows.box.axes[k].src_counts = b.axes[k].src_counts;
    }
  }
  tile::Segment s;
  s.first = first;
  s.is_fill = b.is_fill;
  if (b.is_fill) {
    for (int i = 0; i < 16; ++i) s.pattern[i] = static_cast<std::uint8_t>(b.pattern[static_cast<std::size_t>(i)]);
  } else {
    s.src_offset = b.src_offset - rows.box.src_offset;
    s.src_slot = b.src_slot - rows.box.src_slot;
    s.src_step = has_row(b) ? b.axes.back().src_stride : b.unit;
  }
  rows.segments.push_back(s);
}

}  // namespace

RowsList stitch(const Boxes& boxes) {
  detail::SmallVector<std::uint32_t, 16> order(boxes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return comes_before(boxes[a], boxes[b]); });
  RowsList list;
  for (const std::uint32_t k : order) {
    const Box& b = boxes[k];
    if (!list.empty() && continues(list.back(), b)) {
      Axis& row = list.back().box.axes.back();
      push_segment(list.back(), b, row.extent);
      row.extent += row_units(b);
      continue;
    }
    tile::Rows rows{b, {}};
    if (!has_row(b)) rows.box.axes.push_back({1, b.is_fill ? 0 : b.unit, b.unit});
    push_segment(rows, b, 0);
    list.push_back(std::move(rows));
  }
  return list;
}

Boxes boxes_of(const tile::Rows& rows) {
  Boxes boxes;
  for (std::size_t s = 0; s < rows.segments.size(); ++s) {
    const tile::Segment& segment = rows.segments[s];
    Box box = rows.box;
    Axis& row = box.axes.back();
    row.extent = (s + 1 < rows.segments.size() ? rows.segments[s + 1].first : rows.box.axes.back().extent) - segment.first;
    row.src_stride = segment.src_step;
    box.dst_offset += segment.first * box.unit;
    box.is_fill = segment.is_fill;
    box.pattern = {};
    if (segment.is_fill) {
      box.src_offset = 0;
      box.src_slot = 0;
      for (Axis& a : box.axes) {
        a.src_stride = 0;
        a.src_counts = Counts::bytes;
      }
      for (int i = 0; i < 16; ++i) box.pattern[static_cast<std::size_t>(i)] = static_cast<std::byte>(segment.pattern[i]);
    } else {
      box.src_offset += segment.src_offset;
      box.src_slot += segment.src_slot;
    }
    boxes.push_back(std::move(box));
  }
  return boxes;
}

}  // namespace crinkle
