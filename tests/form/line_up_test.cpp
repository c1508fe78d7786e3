// Lines of boxes: the same, box for box, as a search through all that is left, written down as the header says it.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/line_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "support/generators.hpp"

namespace crinkle::line_up_test {
namespace {

// From a to b: bytes and buffers of the source, bytes and buffers of the destination.
using Step = std::tuple<std::int64_t, std::int32_t, std::int64_t, std::int32_t>;

std::optional<Step> step_of(const Box& a, const Box& b) {
  if (a.unit != b.unit || !(a.axes == b.axes)) return {};
  const Step step{b.src_offset - a.src_offset, b.src_slot - a.src_slot, b.dst_offset - a.dst_offset, b.dst_slot - a.dst_slot};
  const auto [src, src_slot, dst, dst_slot] = step;
  const auto has = [&](Counts Axis::* counts) {
    return std::any_of(a.axes.begin(), a.axes.end(), [&](const Axis& x) { return x.*counts == Counts::buffers; });
  };
  if (dst < 0 || dst_slot < 0 || (src != 0 && src_slot != 0) || (dst != 0 && dst_slot != 0)) return {};
  if ((src_slot != 0 && has(&Axis::src_counts)) || (dst_slot != 0 && has(&Axis::dst_counts))) return {};
  return step;
}

// Of the first box that is left, the longest line whose second box is among the next 64; the first of several that are as long.
Boxes lined_up_by_search(const Boxes& boxes) {
  std::vector<std::size_t> left(boxes.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  Boxes result;
  while (!left.empty()) {
    std::vector<std::size_t> longest{left[0]};
    std::optional<Step> of_longest;
    for (std::size_t second = 1; second < left.size() && left[second] <= left[0] + 64; ++second) {
      const std::optional<Step> step = step_of(boxes[left[0]], boxes[left[second]]);
      if (!step) continue;
      std::vector<std::size_t> line{left[0], left[second]};
      for (std::size_t k = second + 1; k < left.size(); ++k)
        if (step_of(boxes[line.back()], boxes[left[k]]) == step) line.push_back(left[k]);
      if (line.size() > longest.size()) longest = line, of_longest = step;
    }
    Box box = boxes[left[0]];
    if (of_longest) {
      const auto [src, src_slot, dst, dst_slot] = *of_longest;
      Axis axis{static_cast<std::int64_t>(longest.size()), src_slot != 0 ? src_slot : src, dst_slot != 0 ? dst_slot : dst};
      axis.src_counts = src_slot != 0 ? Counts::buffers : Counts::bytes;
      axis.dst_counts = dst_slot != 0 ? Counts::buffers : Counts::bytes;
      box.axes.push_back(axis);
    }
    result.push_back(box);
    std::erase_if(left, [&](std::size_t k) { return std::find(longest.begin(), longest.end(), k) != longest.end(); });
  }
  return result;
}

// A few kinds of boxes, close to each other, so that there are lines, crossings, gaps and boxes that are there twice.
Boxes any_boxes(std::int64_t n) {
  const bool has_slots = chance(2);
  const std::int64_t grid = one_of<std::int64_t>({1, 3, 8, 50}), kinds = pick(1, 3);
  Boxes boxes;
  for (std::int64_t k = 0; k < n; ++k) {
    Box box;
    box.unit = pick(1, kinds) == 2 ? 8 : 4;
    box.axes.push_back({10 + pick(0, kinds - 1), 100, 400});
    if (chance(6)) {
      Axis slots{2, 1, 1};
      slots.src_counts = Counts::buffers;
      if (chance(2)) slots.dst_counts = Counts::buffers;
      box.axes.push_back(slots);
    }
    box.src_offset = 4 * pick(0, grid);
    box.dst_offset = 4 * pick(0, grid);
    if (has_slots) box.src_slot = static_cast<std::int32_t>(pick(0, 3)), box.dst_slot = static_cast<std::int32_t>(pick(0, 3));
    boxes.push_back(box);
  }
  return boxes;
}

TEST(LineUp, is_as_a_search_through_all_that_is_left) {
  EXPECT_TRUE(check_many("boxes in lines", 400, [] {
    const Boxes boxes = any_boxes(pick(0, 90));
    const Boxes once = lined_up(boxes);
    RC_ASSERT(once == lined_up_by_search(boxes));
    RC_ASSERT(lined_up(once) == lined_up_by_search(once));
  }));
}

// Records of so many fields of 4 and 8 bytes, to arrays in an order of their own.
Boxes shuffled_fields(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  Boxes boxes;
  for (const std::size_t k : order) {
    Box box;
    box.unit = k % 5 == 0 ? 8 : 4;
    box.axes.push_back({1000, static_cast<std::int64_t>(8 * n), box.unit});
    box.src_offset = static_cast<std::int64_t>(8 * k);
    box.dst_offset = static_cast<std::int64_t>(8000 * boxes.size());
    boxes.push_back(box);
  }
  return boxes;
}

TEST(LineUp, of_many_shuffled_fields_is_the_same) {
  for (const std::uint32_t seed : {1u, 2u}) {
    const Boxes boxes = shuffled_fields(700, seed);
    EXPECT_EQ(lined_up(boxes), lined_up_by_search(boxes));
  }
  std::size_t in_lines = 0;  // of 50000, more than a search could go through
  for (const Box& box : lined_up(shuffled_fields(50000, 3)))
    in_lines += box.axes.size() > 1 ? static_cast<std::size_t>(box.axes[1].extent) : 1;
  EXPECT_EQ(in_lines, 50000u);
}

TEST(LineUp, boxes_at_the_ends_of_what_64_bits_count_are_left_as_they_are) {
  Boxes boxes;
  for (const std::int64_t at : {std::int64_t{0}, INT64_MAX - 8, INT64_MAX - 4}) {
    Box box;
    box.unit = 4;
    box.src_offset = box.dst_offset = at;
    boxes.push_back(box);
  }
  EXPECT_EQ(lined_up(boxes), lined_up_by_search(boxes));
}

}  // namespace
}  // namespace crinkle::line_up_test
