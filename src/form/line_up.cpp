// From every box on, the longest line: the boxes are sorted by what makes them alike and by where they begin, so that the next of a line is
// found by bisection.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/line_up.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "base/checked.hpp"

namespace crinkle {
namespace {

constexpr std::size_t farthest_second = 64;  // boxes: where the second of a line is looked for

/// From one box to the next: bytes or buffers, never both on one side.
struct Spacing {
  std::int64_t src = 0, dst = 0;
  std::int32_t src_slot = 0, dst_slot = 0;

  friend bool operator==(const Spacing&, const Spacing&) = default;
};

bool has_slot_axis(const Box& box, bool of_source) {
  for (const Axis& a : box.axes)
    if ((of_source ? a.src_counts : a.dst_counts) == Counts::buffers) return true;
  return false;
}

/// Requires boxes that are alike.
std::optional<Spacing> step_between(const Box& a, const Box& b) {
  const Spacing step{subtract(b.src_offset, a.src_offset), subtract(b.dst_offset, a.dst_offset), b.src_slot - a.src_slot,
                     b.dst_slot - a.dst_slot};
  const bool is_split = (step.src != 0 && step.src_slot != 0) || (step.dst != 0 && step.dst_slot != 0);
  const bool is_second_axis = (step.src_slot != 0 && has_slot_axis(a, true)) || (step.dst_slot != 0 && has_slot_axis(a, false));
  const bool is_back = step.dst < 0 || step.dst_slot < 0;
  if (is_split || is_second_axis || is_back) return {};
  return step;
}

Axis axis_of(std::int64_t n, const Spacing& step) {
  Axis axis{n, step.src, step.dst};
  if (step.src_slot != 0) axis.src_stride = step.src_slot, axis.src_counts = Counts::buffers;
  if (step.dst_slot != 0) axis.dst_stride = step.dst_slot, axis.dst_counts = Counts::buffers;
  return axis;
}

/// The place at which a box begins, and its number among the boxes.
struct Begin {
  std::int64_t src = 0, dst = 0;
  std::int32_t src_slot = 0, dst_slot = 0;
  std::size_t index = 0;

  friend auto operator<=>(const Begin&, const Begin&) = default;
};

/// Orders boxes that are not alike, in any way.
std::strong_ordering compare_kinds(const Box& a, const Box& b) {
  if (const auto order = std::tuple(a.unit, a.axes.size()) <=> std::tuple(b.unit, b.axes.size()); order != 0) return order;
  for (std::size_t k = 0; k < a.axes.size(); ++k) {
    const auto key = [](const Axis& x) { return std::tuple(x.extent, x.src_stride, x.dst_stride, x.src_counts, x.dst_counts); };
    if (const auto order = key(a.axes[k]) <=> key(b.axes[k]); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

class Lines {
 public:
  explicit Lines(const Boxes& boxes) : boxes_(boxes), is_taken_(boxes.size(), false), family_(boxes.size()) {
    std::vector<std::size_t> order(boxes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto begin_of = [&](std::size_t i) {
      const Box& box = boxes[i];
      return Begin{box.src_offset, box.dst_offset, box.src_slot, box.dst_slot, i};
    };
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      const std::strong_ordering kinds = compare_kinds(boxes[i], boxes[j]);
      return kinds != 0 ? kinds < 0 : begin_of(i) < begin_of(j);
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
      const bool is_first = k == 0 || compare_kinds(boxes[order[k - 1]], boxes[order[k]]) != 0;
      if (is_first) families_.emplace_back();
      families_.back().push_back(begin_of(order[k]));
      family_[order[k]] = families_.size() - 1;
    }
  }

  bool is_taken(std::size_t i) const { return is_taken_[i]; }
  void take(const std::vector<std::size_t>& line) {
    for (const std::size_t k : line) is_taken_[k] = true;
  }
  bool are_alike(std::size_t i, std::size_t j) const { return family_[i] == family_[j]; }

  /// i, j, and every next box that begins one step behind the last and stands behind it.
  std::vector<std::size_t> line(std::size_t i, std::size_t j, const Spacing& step) const {
    std::vector<std::size_t> line{i, j};
    while (const std::optional<std::size_t> next = behind(line.back(), step)) line.push_back(*next);
    return line;
  }

 private:
  std::optional<std::size_t> behind(std::size_t i, const Spacing& step) const {
    const Box& box = boxes_[i];
    Begin wanted{0, 0, box.src_slot + step.src_slot, box.dst_slot + step.dst_slot, i + 1};
    if (__builtin_add_overflow(box.src_offset, step.src, &wanted.src) || __builtin_add_overflow(box.dst_offset, step.dst, &wanted.dst))
      return {};
    const std::vector<Begin>& family = families_[family_[i]];
    const auto place = [](const Begin& b) { return std::tuple(b.src, b.dst, b.src_slot, b.dst_slot); };
    auto at = std::lower_bound(family.begin(), family.end(), wanted);
    while (at != family.end() && place(*at) == place(wanted) && is_taken_[at->index]) ++at;
    if (at == family.end() || place(*at) != place(wanted)) return {};
    return at->index;
  }

  const Boxes& boxes_;
  std::vector<bool> is_taken_;
  std::vector<std::size_t> family_;           // of every box
  std::vector<std::vector<Begin>> families_;  // of boxes that are alike, sorted
};

}  // namespace

Boxes lined_up(const Boxes& boxes) {
  if (boxes.size() < 2) return boxes;
  Lines lines(boxes);
  Boxes result;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (lines.is_taken(i)) continue;
    std::vector<std::size_t> longest{i};
    std::optional<Spacing> of_longest;
    for (std::size_t j = i + 1; j < std::min(boxes.size(), i + 1 + farthest_second); ++j) {
      if (lines.is_taken(j) || !lines.are_alike(i, j)) continue;
      const std::optional<Spacing> step = step_between(boxes[i], boxes[j]);
      if (!step || (of_longest && *of_longest == *step)) continue;
      std::vector<std::size_t> line = lines.line(i, j, *step);
      if (line.size() > longest.size()) longest = std::move(line), of_longest = step;
    }
    Box box = boxes[i];
    lines.take(longest);
    if (of_longest) box.axes.push_back(axis_of(static_cast<std::int64_t>(longest.size()), *of_longest));
    result.push_back(std::move(box));
  }
  return result;
}

}  // namespace crinkle
