// Partners by canonical forms; what is left by composition.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/involution.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "form/check.hpp"
#include "form/compose.hpp"

namespace crinkle::planning {
namespace {

constexpr std::size_t most_nested_boxes = 256;
constexpr std::size_t most_boxes_of_identity = 4096;  // a composition cut small is an identity nevertheless

bool is_plain(const Box& box) {  // has a source everywhere, read once, and no slot changes places with bytes
  return !box.is_fill && std::none_of(box.axes.begin(), box.axes.end(),
                                      [](const Axis& a) { return a.src_counts != a.dst_counts || (a.src_stride == 0 && a.extent > 1); });
}

Box inverse_of(Box box) {
  std::swap(box.src_offset, box.dst_offset);
  std::swap(box.src_slot, box.dst_slot);
  for (Axis& a : box.axes) {
    std::swap(a.src_stride, a.dst_stride);
    std::swap(a.src_counts, a.dst_counts);
  }
  simplify(box);
  return box;
}

bool is_identity(const Box& box) {
  return !box.is_fill && box.src_offset == box.dst_offset && box.src_slot == box.dst_slot &&
         std::all_of(box.axes.begin(), box.axes.end(), [](const Axis& a) { return a.src_stride == a.dst_stride; });
}

bool has_slots(const Boxes& boxes) {
  return std::any_of(boxes.begin(), boxes.end(), [](const Box& b) {
    return b.src_slot != 0 || b.dst_slot != 0 ||
           std::any_of(b.axes.begin(), b.axes.end(), [](const Axis& a) { return a.dst_counts == Counts::buffers; });
  });
}

// The source of the byte at `place`, or nothing where the boxes do not write it. Requires nested boxes.
std::optional<std::int64_t> source_of(const Boxes& boxes, std::int64_t place) {
  for (const Box& box : boxes) {
    std::int64_t rest = place - box.dst_offset, source = box.src_offset;
    if (rest < 0) continue;
    for (const Axis& a : box.axes) {  // nested: the largest stride first
      const std::int64_t i = std::min(rest / a.dst_stride, a.extent - 1);
      rest -= i * a.dst_stride;
      source += i * a.src_stride;
    }
    if (rest < box.unit) return source + rest;
  }
  return {};
}

bool goes_on(const Boxes& boxes, std::int64_t place) {
  const std::optional<std::int64_t> from = source_of(boxes, place);
  return from && *from != place && source_of(boxes, *from) != place;
}

// A place that does not come back, looked for at the corners of nested boxes and next to them.
std::optional<std::int64_t> example_of_fault(const Boxes& boxes) {
  if (!std::all_of(boxes.begin(), boxes.end(), is_nested)) return {};
  for (const Box& box : boxes) {
    std::int64_t last = box.dst_offset;
    if (goes_on(boxes, last)) return last;
    for (const Axis& a : box.axes) {
      last += (a.extent - 1) * a.dst_stride;
      for (const std::int64_t place : {box.dst_offset + a.dst_stride, last})
        if (goes_on(boxes, place)) return place;
    }
  }
  return {};
}

// The same map in boxes whose strides are nested on both sides: a box where they are not is cut along its shortest axis.
void append_nested(const Box& box, Boxes& all) {
  const auto is_shorter = [](const Axis& a, const Axis& b) { return a.extent < b.extent; };
  const Axis* const axis = std::min_element(box.axes.begin(), box.axes.end(), is_shorter);
  if ((is_nested(box) && has_nested_strides(box, Side::source)) || all.size() + static_cast<std::size_t>(axis->extent) > most_nested_boxes)
    return all.push_back(box);
  const Axis cut = *axis;
  Box part = box;
  part.axes.erase(part.axes.begin() + (axis - box.axes.begin()));
  for (std::int64_t i = 0; i < cut.extent; ++i) {
    append_nested(part, all);
    part.src_offset += cut.src_stride;
    part.dst_offset += cut.dst_stride;
  }
}

Boxes nested(const Boxes& boxes) {
  Boxes all;
  for (const Box& b : boxes) append_nested(b, all);
  return all;
}

// Whether the map, done twice, takes all that it writes back to where it was.
bool comes_back(const Boxes& boxes) {
  const Boxes cut = nested(boxes);
  if (example_of_fault(cut)) return false;
  std::string why;
  const std::optional<Boxes> twice = compose_boxes(cut, cut, why, {most_boxes_of_identity});
  if (!twice || !std::all_of(twice->begin(), twice->end(), is_identity)) return false;
  std::int64_t n = 0, n_twice = 0;
  for (const Box& b : boxes) n = add(n, n_bytes_of(b));
  for (const Box& b : *twice) n_twice = add(n_twice, n_bytes_of(b));
  return n == n_twice;
}

}  // namespace

std::optional<Partners> partners_of(const Boxes& boxes) {
  if (boxes.size() > most_paired_boxes || !std::all_of(boxes.begin(), boxes.end(), is_plain)) return {};
  Partners partners(boxes.size(), no_partner);
  bool is_paired = true;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    if (partners[a] != no_partner) continue;
    const Box inverse = inverse_of(boxes[a]);
    const auto found = std::find(boxes.begin() + a, boxes.end(), inverse);
    if (found == boxes.end()) {
      if (boxes.size() == 1) return {};
      is_paired = false;
      continue;
    }
    const auto b = static_cast<std::size_t>(found - boxes.begin());
    partners[a] = static_cast<std::int32_t>(b);
    partners[b] = static_cast<std::int32_t>(a);
  }
  if (!is_paired && (has_slots(boxes) || !comes_back(boxes))) return {};
  return partners;
}

std::string why_not_its_own_inverse(const Boxes& boxes) {
  if (std::any_of(boxes.begin(), boxes.end(), [](const Box& b) { return b.is_fill; })) return "some of the destination is filled";
  if (!has_slots(boxes)) {
    const Boxes cut = nested(boxes);
    if (const std::optional<std::int64_t> place = example_of_fault(cut)) {
      const std::int64_t from = *source_of(cut, *place);
      const std::string way = "byte " + std::to_string(from) + " goes to byte " + std::to_string(*place) + " and ";
      const std::optional<std::int64_t> before = source_of(cut, from);
      return way + (before ? "byte " + std::to_string(*before) + " takes its place" : "nothing takes its place");
    }
  }
  if (boxes.size() > most_paired_boxes)
    return "it takes " + std::to_string(boxes.size()) + " boxes, and up to " + std::to_string(most_paired_boxes) + " are looked at";
  return "doing it twice does not bring every byte back, as far as can be told from its boxes";
}

}  // namespace crinkle::planning
