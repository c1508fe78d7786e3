// Spans are the corners of boxes: per axis the end that the sign of its stride makes lowest or highest. A layout overlaps itself when,
// from the smallest stride up, a stride steps into the bytes that the axes below it reach.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/checked.hpp"

namespace crinkle {
namespace {

// The lowest and highest value of offset + Σ i·stride over a side's axes of one kind.
ByteSpan reach(const Box& box, Side side, Counts counts, std::int64_t from) {
  ByteSpan r{from, from};
  for (const Axis& a : box.axes) {
    if (counts_of(a, side) != counts) continue;
    const std::int64_t far = multiply(a.extent - 1, stride_of(a, side));
    (far < 0 ? r.first : r.last) = add(far < 0 ? r.first : r.last, far);
  }
  return r;
}

ByteSpan slots_of(const Box& box, Side side) {
  return reach(box, side, Counts::buffers, side == Side::source ? box.src_slot : box.dst_slot);
}

// Between the buffers that a box reaches: it has at most one axis that counts them.
std::int64_t slot_step_of(const Box& box, Side side) {
  for (const Axis& a : box.axes)
    if (counts_of(a, side) == Counts::buffers && stride_of(a, side) != 0) return std::abs(stride_of(a, side));
  return 1;
}

void widen_span(ByteSpan& span, const ByteSpan& other) {
  if (other.first == other.last) return;
  if (span.first == span.last) {
    span = other;
  } else {
    span = {std::min(span.first, other.first), std::max(span.last, other.last)};
  }
}

}  // namespace

void check_boxes(const Boxes& boxes) {
  const auto refuse = [](std::size_t b, const std::string& text) {
    throw Error(ErrorCode::bad_shape, "box " + std::to_string(b) + " " + text);
  };
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const Box& box = boxes[b];
    if (box.unit < 1 || box.unit > 16 || (box.unit & (box.unit - 1)) != 0)
      refuse(b, "moves units of " + std::to_string(box.unit) + " bytes; units are 1, 2, 4, 8 or 16");
    if (box.axes.size() > max_axes) {
      throw Error(ErrorCode::too_large, "box " + std::to_string(b) + " has " + std::to_string(box.axes.size()) + " axes; at most " +
                                            std::to_string(max_axes) + " fit");
    }
    for (const Axis& a : box.axes)
      if (a.extent < 0) refuse(b, "has an axis of the extent " + std::to_string(a.extent) + "; extents are 0 or more");
    for (const Side side : {Side::source, Side::destination}) {
      const auto counts = [&](const Axis& a) { return counts_of(a, side) == Counts::buffers; };
      const char* const of = side == Side::source ? "source" : "destination";
      if (std::count_if(box.axes.begin(), box.axes.end(), counts) > 1)
        refuse(b, std::string("has several axes that count ") + of + " buffers; one may");
      if (side == Side::source && box.is_fill) continue;
      if (const ByteSpan slots = slots_of(box, side); slots.first < 0 || slots.last > INT32_MAX)
        refuse(b, std::string("reaches ") + of + " buffers " + std::to_string(slots.first) + " to " + std::to_string(slots.last));
    }
  }
}

std::int64_t count_slots(const Boxes& boxes, Side side) {
  std::int64_t n = 1;
  for (const Box& b : boxes) {
    if (side == Side::destination || !b.is_fill) n = std::max(n, slots_of(b, side).last + 1);
  }
  return n;
}

std::vector<ByteSpan> spans_of(const Boxes& boxes, Side side, std::int64_t n_slots) {
  std::vector<ByteSpan> spans(static_cast<std::size_t>(n_slots));
  for (const Box& b : boxes) {
    const bool is_empty = std::any_of(b.axes.begin(), b.axes.end(), [](const Axis& a) { return a.extent == 0; });
    if (is_empty || (side == Side::source && b.is_fill)) continue;
    ByteSpan r = reach(b, side, Counts::bytes, side == Side::source ? b.src_offset : b.dst_offset);
    r.last = add(r.last, b.unit);
    const ByteSpan slots = slots_of(b, side);
    for (std::int64_t s = slots.first; s <= slots.last; s += slot_step_of(b, side)) widen_span(spans[static_cast<std::size_t>(s)], r);
  }
  return spans;
}

std::vector<ByteSpan> spans_of(const Steps& steps, Side side, std::int64_t n_slots) {
  if (steps.steps.empty()) return std::vector<ByteSpan>(static_cast<std::size_t>(n_slots));
  const Step& step = side == Side::source ? steps.steps.front() : steps.steps.back();
  std::vector<ByteSpan> spans = spans_of(step.boxes, side, n_slots);
  ByteSpan extra;  // what the gathered axes add at either end
  bool is_empty = false;
  for (const GatherAxis& g : step.gathers) {
    if (g.src_offsets.empty()) is_empty = true;
    if (is_empty) break;
    const std::vector<std::int64_t>& offsets = side == Side::source ? g.src_offsets : g.dst_offsets;
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (std::size_t j = 0; j < offsets.size(); ++j) {
      if (side == Side::source && !g.fills.empty() && g.fills[j] >= 0) continue;
      low = std::min(low, offsets[j]);
      high = std::max(high, offsets[j]);
    }
    if (low > high) is_empty = true;  // nothing but fill
    if (!is_empty) extra = {add(extra.first, low), add(extra.last, high)};
  }
  for (ByteSpan& span : spans) {
    if (is_empty && side == Side::source) span = {};
    if (span.first != span.last) span = {add(span.first, extra.first), add(span.last, extra.last)};
  }
  if (side == Side::destination) {  // boxes of fill may reach what no data reaches
    for (const Boxes& boxes : step.fill_boxes) {
      const std::vector<ByteSpan> filled = spans_of(boxes, side, n_slots);
      for (std::size_t s = 0; s < spans.size(); ++s) {
        if (filled[s].first != filled[s].last) widen_span(spans[s], {add(filled[s].first, extra.first), add(filled[s].last, extra.last)});
      }
    }
  }
  return spans;
}

void check_no_overlap(const Layout& layout) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // |stride|, extent
  for (std::size_t a = 0; a < layout.extents.size(); ++a) {
    if (layout.extents[a] == 0) return;
    if (layout.extents[a] > 1)
      axes.emplace_back(layout.strides[a] < 0 ? subtract(0, layout.strides[a]) : layout.strides[a], layout.extents[a]);
  }
  std::sort(axes.begin(), axes.end());
  std::int64_t reached = layout.element_bytes;
  for (const auto& [stride, extent] : axes) {
    if (stride < reached) {
      throw Error(ErrorCode::overlap, "the destination " + print_shape(layout.extents) + " would be written twice: a stride of " +
                                          std::to_string(stride) + " bytes steps into the " + std::to_string(reached) + " bytes below it");
    }
    reached = add_product(reached, stride, extent - 1);
  }
}

std::int64_t n_bytes_of(const Box& box) {
  std::int64_t n = box.unit;
  for (const Axis& a : box.axes) n = multiply(n, a.extent);
  return n;
}

}  // namespace crinkle
