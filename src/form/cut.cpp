// Boxes are cut by composing them with the identity of the slab. An entry of a gathered axis is the boxes moved by an offset o: of them the
// slab S keeps what S − o keeps of the boxes. Where that is the same for the lowest and the highest of some offsets no further apart than S
// is long, it is the same for all of them: what both keep, every o between keeps; and an element m that some o keeps but neither of the two
// has S.last − highest ≤ m < S.first − lowest, so they would lie further apart. Sorted entries are therefore halved until the ends agree.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/cut.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "base/checked.hpp"
#include "form/compose.hpp"

namespace crinkle {
namespace {

using Lists = std::vector<Boxes>;  // a step's boxes, then the boxes of each of its fills

struct Part {
  Lists lists;
  std::vector<GatherAxis> gathers;
  friend bool operator==(const Part&, const Part&) = default;
};
using Parts = std::vector<Part>;

const std::vector<std::int64_t>& offsets_of(const GatherAxis& axis, Side side) {
  return side == Side::source ? axis.src_offsets : axis.dst_offsets;
}

GatherAxis entries_of(const GatherAxis& axis, const std::vector<std::size_t>& which) {
  GatherAxis some;
  for (const std::size_t j : which) {
    some.src_offsets.push_back(axis.src_offsets[j]);
    some.dst_offsets.push_back(axis.dst_offsets[j]);
    if (!axis.fills.empty()) some.fills.push_back(axis.fills[j]);
  }
  return some;
}

constexpr std::size_t max_boxes = 4096;           // of a list that is to be cut, once its strides are nested
constexpr std::size_t max_boxes_again = 1 << 20;  // of a part of it that is cut on its other side

// The box with nested strides on the side: where they are not, its shortest axis is written out index by index. False beyond the limit.
bool append_nested(Boxes& boxes, const Box& box, Side side, std::size_t limit) {
  if (has_nested_strides(box, side)) {
    boxes.push_back(box);
    return boxes.size() <= limit;
  }
  const Axis* shortest = nullptr;
  for (const Axis& a : box.axes) {
    if (stride_of(a, side) != 0 && a.extent > 1 && (shortest == nullptr || a.extent < shortest->extent)) shortest = &a;
  }
  const Axis axis = *shortest;
  Box one = box;
  one.axes.erase(one.axes.begin() + (shortest - box.axes.begin()));
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    if (!append_nested(boxes, one, side, limit)) return false;
    if (axis.src_counts == Counts::bytes) one.src_offset += axis.src_stride;
    else one.src_slot += static_cast<std::int32_t>(axis.src_stride);
    if (axis.dst_counts == Counts::bytes) one.dst_offset += axis.dst_stride;
    else one.dst_slot += static_cast<std::int32_t>(axis.dst_stride);
  }
  return true;
}

std::optional<Boxes> nested(const Boxes& boxes, Side side, std::size_t limit) {
  Boxes all;
  for (const Box& b : boxes) {
    if (!(side == Side::source && b.is_fill) && !append_nested(all, b, side, limit)) return {};
  }
  return all;
}

class Cutter {
 public:
  Cutter(const Lists& lists, std::span<const GatherAxis> gathers, Side side, ByteSpan slab) : lists_(lists), side_(side) {
    std::int64_t unit = std::gcd(std::gcd(slab.first, slab.last), std::int64_t{16});
    for (const GatherAxis& axis : gathers) {
      for (const std::int64_t o : offsets_of(axis, side)) unit = std::gcd(unit, o);
    }
    unit_ = static_cast<std::int32_t>(unit);
    ByteSpan reach{INT64_MAX, INT64_MIN};
    for (const Boxes& boxes : lists) {
      const ByteSpan span = spans_of(boxes, side, 1).front();
      if (span.first != span.last) reach = {std::min(reach.first, span.first), std::max(reach.last, span.last)};
    }
    if (reach.first > reach.last) reach = {};
    reaches_.push_back(reach);
    for (std::size_t g = gathers.size(); g-- > 0;) {
      const std::vector<std::int64_t>& offsets = offsets_of(gathers[g], side);
      if (!offsets.empty()) {
        const auto [low, high] = std::minmax_element(offsets.begin(), offsets.end());
        reach = {add(reach.first, *low), add(reach.last, *high)};
      }
      reaches_.push_back(reach);
    }
  }

  // In the places of the whole array: equal parts of different entries compare equal.
  Parts parts(std::span<const GatherAxis> gathers, ByteSpan slab) const {
    const ByteSpan reach = reaches_[gathers.size()];
    if (reach.last <= slab.first || slab.last <= reach.first) return {};
    if (slab.first <= reach.first && reach.last <= slab.last) return {Part{lists_, {gathers.begin(), gathers.end()}}};
    if (gathers.empty()) return boxes_in(slab);
    const std::vector<std::int64_t>& offsets = offsets_of(gathers.front(), side_);
    std::vector<std::size_t> order(offsets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
    std::vector<Group> groups;
    if (!order.empty()) halve(gathers, slab, order, groups);
    Parts all;
    for (Group& group : groups) {
      std::sort(group.entries.begin(), group.entries.end());
      const GatherAxis axis = entries_of(gathers.front(), group.entries);
      for (Part& part : group.parts) {
        part.gathers.insert(part.gathers.begin(), axis);
        all.push_back(std::move(part));
      }
    }
    return all;
  }

 private:
  struct Group {
    std::vector<std::size_t> entries;
    Parts parts;  // of each of them
  };

  void halve(std::span<const GatherAxis> gathers, ByteSpan slab, std::span<const std::size_t> entries, std::vector<Group>& groups) const {
    const std::vector<std::int64_t>& offsets = offsets_of(gathers.front(), side_);
    const std::int64_t low = offsets[entries.front()], high = offsets[entries.back()];
    const ByteSpan each = reaches_[gathers.size() - 1];
    if (add(each.last, high) <= slab.first || slab.last <= add(each.first, low)) return;
    const bool is_inside = slab.first <= add(each.first, low) && add(each.last, high) <= slab.last;
    const auto parts_at = [&](std::int64_t o) { return parts(gathers.subspan(1), {subtract(slab.first, o), subtract(slab.last, o)}); };
    Parts here = parts_at(low);
    if (is_inside || low == high || (high - low <= slab.last - slab.first && here == parts_at(high))) {
      if (here.empty()) return;
      if (groups.empty() || !(groups.back().parts == here)) groups.push_back({{}, std::move(here)});
      groups.back().entries.insert(groups.back().entries.end(), entries.begin(), entries.end());
    } else {
      halve(gathers, slab, entries.first(entries.size() / 2), groups);
      halve(gathers, slab, entries.subspan(entries.size() / 2), groups);
    }
  }

  Parts boxes_in(ByteSpan slab) const {
    Box same;
    same.unit = unit_;
    same.src_offset = same.dst_offset = slab.first;
    same.axes = {{(slab.last - slab.first) / unit_, unit_, unit_}};
    Part part;
    bool is_empty = true;
    for (const Boxes& boxes : lists_) {
      std::string why;
      constexpr CompositionLimits none{std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::int64_t>::max()};
      auto inside = side_ == Side::source ? compose_boxes({same}, boxes, why, none) : compose_boxes(boxes, {same}, why, none);
      if (!inside) throw Error(ErrorCode::too_large, "no slab can be cut: " + why);
      is_empty = is_empty && inside->empty();
      part.lists.push_back(std::move(*inside));
    }
    return is_empty ? Parts{} : Parts{std::move(part)};
  }

  const Lists& lists_;
  Side side_;
  std::int32_t unit_ = 1;
  std::vector<ByteSpan> reaches_;  // [n]: of the boxes with the last n gathered axes
};

}  // namespace

bool can_be_cut(const Step& step, Side side) {
  const auto is_cuttable = [side](const Boxes& boxes) {
    return count_slots(boxes, side) == 1 && nested(boxes, side, max_boxes).has_value();
  };
  return is_cuttable(step.boxes) && (side == Side::source || std::all_of(step.fill_boxes.begin(), step.fill_boxes.end(), is_cuttable));
}

std::vector<Step> cut(const Step& step, Side side, ByteSpan slab) {
  std::vector<Step> steps;
  if (slab.first == slab.last) return steps;
  Lists lists;
  const auto add_list = [&](const Boxes& boxes) {
    auto list = nested(boxes, side, max_boxes_again);
    if (!list)
      throw Error(ErrorCode::too_large, "no slab can be cut: it would take more than " + std::to_string(max_boxes_again) + " boxes");
    lists.push_back(std::move(*list));
  };
  add_list(step.boxes);
  for (const Boxes& boxes : step.fill_boxes) add_list(boxes);
  for (Part& part : Cutter(lists, step.gathers, side, slab).parts(step.gathers, slab)) {
    for (Boxes& boxes : part.lists) {
      for (Box& b : boxes) {
        std::int64_t& offset = side == Side::source ? b.src_offset : b.dst_offset;
        offset = subtract(offset, slab.first);
      }
    }
    Step inside{std::move(part.lists.front()), std::move(part.gathers), {}};
    inside.fill_boxes.assign(std::make_move_iterator(part.lists.begin() + 1), std::make_move_iterator(part.lists.end()));
    steps.push_back(std::move(inside));
  }
  return steps;
}

Step data_of(const Step& step) {
  Step data = step;
  data.boxes.erase(std::remove_if(data.boxes.begin(), data.boxes.end(), [](const Box& b) { return b.is_fill; }), data.boxes.end());
  data.fill_boxes.clear();
  for (GatherAxis& axis : data.gathers) {
    if (axis.fills.empty()) continue;
    std::vector<std::size_t> kept;
    for (std::size_t j = 0; j < axis.fills.size(); ++j) {
      if (axis.fills[j] < 0) kept.push_back(j);
    }
    axis = entries_of(axis, kept);
    axis.fills.clear();
  }
  return data;
}

Step fills_of(const Step& step) {
  Step fills = step;
  fills.boxes.erase(std::remove_if(fills.boxes.begin(), fills.boxes.end(), [](const Box& b) { return !b.is_fill; }), fills.boxes.end());
  return fills;
}

bool is_nothing(const Step& step) {
  return step.boxes.empty() && std::all_of(step.fill_boxes.begin(), step.fill_boxes.end(), [](const Boxes& b) { return b.empty(); });
}

}  // namespace crinkle
