// A small list of boxes made of the input's bytes, moved as it is by the definition, and again after simplify, widen and stitch: every
// byte of the destination must come out the same. The boxes' destinations lie one after the other, or are one box cut in parts along an
// axis (so that there is something to merge and to stitch); a box's source may be anything inside the source: overlapping, reversed or
// repeated.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "crinkle/error.hpp"
#include "form/simplify.hpp"
#include "fuzz/bytes.hpp"
#include "move/reference.hpp"
#include "plan/stitch.hpp"
#include "plan/widen.hpp"

namespace {

using namespace crinkle;

constexpr std::int64_t max_bytes = 1 << 14;  // of either side; larger inputs are left alone

struct Case {
  Boxes boxes;
  std::int64_t src_bytes = 0, dst_bytes = 0;
};

// The span [low, high) of a box's addresses relative to its offset.
std::pair<std::int64_t, std::int64_t> reach(const Box& box, std::int64_t Axis::* stride) {
  std::int64_t low = 0, high = box.unit;
  for (const Axis& axis : box.axes) {
    const std::int64_t whole = (std::max<std::int64_t>(axis.extent, 1) - 1) * axis.*stride;
    (whole < 0 ? low : high) += whole;
  }
  return {low, high};
}

Box make_box(fuzz::Bytes& bytes) {
  Box box;
  box.unit = std::int32_t{1} << bytes.number(0, 4);
  const auto rank = static_cast<std::size_t>(bytes.number(0, 6));
  std::int64_t src_stride = box.unit, dst_stride = box.unit;
  for (std::size_t a = 0; a < rank; ++a) {
    Axis axis;
    axis.extent = bytes.number(bytes.number(0, 31) == 31 ? 0 : 1, 5);
    const std::int64_t shape = bytes.number(0, 31);
    axis.src_stride = shape == 0 ? 0 : shape == 1 ? src_stride / 2 : src_stride;
    axis.dst_stride = dst_stride;
    if (shape % 5 == 4) axis.src_stride = -axis.src_stride;
    if (shape % 7 == 6) axis.dst_stride = -axis.dst_stride;
    src_stride *= std::max<std::int64_t>(axis.extent, 1) + (shape % 11 == 10 ? 1 : 0);  // sometimes a gap
    dst_stride *= std::max<std::int64_t>(axis.extent, 1) + (shape % 13 == 12 ? 1 : 0);
    box.axes.push_back(axis);
  }
  // The source's strides are dealt out in another order than the destination's.
  for (std::size_t a = rank; a > 1; --a)
    std::swap(box.axes[a - 1].src_stride, box.axes[static_cast<std::size_t>(bytes.number(0, static_cast<std::int64_t>(a) - 1))].src_stride);
  std::reverse(box.axes.begin(), box.axes.end());
  if (bytes.number(0, 7) == 7) {
    box.is_fill = true;
    for (std::int32_t i = 0; i < box.unit; ++i) box.pattern[static_cast<std::size_t>(i)] = static_cast<std::byte>(bytes.number(0, 3));
  }
  return box;
}

// The box, cut in two along one of its axes where there is something to cut.
void append_cut(Boxes& boxes, const Box& box, fuzz::Bytes& bytes) {
  if (box.axes.empty() || bytes.number(0, 2) == 0) return boxes.push_back(box);
  const auto a = static_cast<std::size_t>(bytes.number(0, static_cast<std::int64_t>(box.axes.size()) - 1));
  const std::int64_t cut = bytes.number(0, box.axes[a].extent);
  Box first = box, second = box;
  first.axes[a].extent = cut;
  second.axes[a].extent -= cut;
  second.src_offset += cut * box.axes[a].src_stride;
  second.dst_offset += cut * box.axes[a].dst_stride;
  if (bytes.number(0, 1) == 1) std::swap(first, second);
  boxes.push_back(first);
  boxes.push_back(second);
}

Case make_case(fuzz::Bytes& bytes) {
  Case made;
  const std::int64_t n_boxes = bytes.number(1, 3);
  for (std::int64_t b = 0; b < n_boxes; ++b) {
    Box box = make_box(bytes);
    const auto [src_low, src_high] = reach(box, &Axis::src_stride);
    const auto [dst_low, dst_high] = reach(box, &Axis::dst_stride);
    box.src_offset = bytes.number(0, 17) - src_low;
    box.dst_offset = made.dst_bytes + bytes.number(0, 1) * bytes.number(0, 17) - dst_low;
    made.src_bytes = std::max(made.src_bytes, box.src_offset + src_high);
    made.dst_bytes = box.dst_offset + dst_high;
    append_cut(made.boxes, box, bytes);
  }
  return made;
}

// Whether every unit of the box begins at a multiple of its size, where the buffers begin at one of `alignment`.
bool is_aligned(const Box& box, std::int64_t alignment) {
  if (box.unit > alignment || box.dst_offset % box.unit != 0 || (!box.is_fill && box.src_offset % box.unit != 0)) return false;
  return std::all_of(box.axes.begin(), box.axes.end(),
                     [&](const Axis& axis) { return axis.dst_stride % box.unit == 0 && (box.is_fill || axis.src_stride % box.unit == 0); });
}

std::vector<std::byte> moved(const Boxes& boxes, const Case& made) {
  std::vector<std::byte> src(static_cast<std::size_t>(made.src_bytes)), dst(static_cast<std::size_t>(made.dst_bytes), std::byte{0xA5});
  std::uint32_t state = 1;
  for (std::byte& b : src) b = static_cast<std::byte>((state = state * 1664525u + 1013904223u) >> 24);
  const std::array<const std::byte*, 1> from = {src.data()};
  const std::array<std::byte*, 1> to = {dst.data()};
  run_reference(boxes, from, to);
  return dst;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const Case made = make_case(bytes);
  if (made.src_bytes > max_bytes || made.dst_bytes > max_bytes) return 0;
  const std::vector<std::byte> expected = moved(made.boxes, made);
  const auto require_same = [&](const Boxes& boxes) {
    if (moved(boxes, made) != expected) std::abort();
  };

  Boxes boxes = made.boxes;
  simplify(boxes);
  require_same(boxes);
  Boxes again = boxes;
  simplify(again);
  require_same(again);

  Boxes rows;
  for (const tile::Rows& row : stitch(boxes)) {
    const Boxes of_row = boxes_of(row);
    rows.append(of_row.begin(), of_row.end());
  }
  require_same(rows);

  const std::int64_t alignment = std::int64_t{1} << bytes.number(0, 4);
  for (Box& box : boxes) {
    const std::int32_t unit = box.unit;
    widen(box, alignment);
    if (box.unit < unit || (box.unit > unit && !is_aligned(box, alignment))) std::abort();
  }
  require_same(boxes);
  return 0;
}
