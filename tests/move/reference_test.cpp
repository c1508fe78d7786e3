// The definition of a move, checked by hand: arrays of at most 5 per axis, every expected byte written out. All else is compared with
// run_reference(), and run_reference() only with this file.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/reference.hpp"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <vector>

namespace crinkle::reference_test {
namespace {

using Bytes = std::vector<int>;

std::vector<std::byte> bytes(const Bytes& values) {
  std::vector<std::byte> result;
  for (const int v : values) result.push_back(static_cast<std::byte>(v));
  return result;
}

// The destinations' bytes after the move; −1 stands for a byte that is left as it was, which has to be true of two different poisons.
template <class Moved>
std::vector<Bytes> moved(const Moved& what, const std::vector<Bytes>& sources, const std::vector<std::size_t>& n_dst) {
  std::vector<std::vector<std::byte>> from;
  std::vector<const std::byte*> src;
  for (const Bytes& source : sources) from.push_back(bytes(source));
  for (const auto& source : from) src.push_back(source.data());
  std::vector<Bytes> results;
  for (const int poison : {0xa5, 0x5a}) {
    std::vector<std::vector<std::byte>> to;
    std::vector<std::byte*> dst;
    for (const std::size_t n : n_dst) to.emplace_back(n, static_cast<std::byte>(poison));
    for (auto& buffer : to) dst.push_back(buffer.data());
    run_reference(what, src, dst);
    for (std::size_t s = 0; s < to.size(); ++s) {
      if (poison == 0xa5) results.emplace_back(n_dst[s], -1);
      for (std::size_t i = 0; i < n_dst[s]; ++i) {
        const int now = std::to_integer<int>(to[s][i]);
        if (now != poison) results[s][i] = now;
      }
    }
  }
  for (std::size_t s = 0; s < sources.size(); ++s) EXPECT_EQ(from[s], bytes(sources[s])) << "a source was written";
  return results;
}

Box box_of(std::int32_t unit, std::initializer_list<Axis> axes, std::int64_t src_offset = 0, std::int64_t dst_offset = 0) {
  Box box;
  for (const Axis& a : axes) box.axes.push_back(a);
  box.unit = unit;
  box.src_offset = src_offset;
  box.dst_offset = dst_offset;
  return box;
}

Box fill_of(std::int32_t unit, std::initializer_list<int> pattern, std::initializer_list<Axis> axes, std::int64_t dst_offset = 0) {
  Box box = box_of(unit, axes, 0, dst_offset);
  box.is_fill = true;
  std::size_t i = 0;
  for (const int b : pattern) box.pattern[i++] = static_cast<std::byte>(b);
  return box;
}

TEST(Reference, a_box_without_axes_is_one_unit) {
  EXPECT_EQ(moved(Boxes{box_of(2, {}, 1, 2)}, {{10, 11, 12}}, {5}), (std::vector<Bytes>{{-1, -1, 11, 12, -1}}));
}

TEST(Reference, copies_between_offsets) {
  EXPECT_EQ(moved(Boxes{box_of(1, {{3, 1, 1}}, 1, 2)}, {{10, 11, 12, 13, 14}}, {5}), (std::vector<Bytes>{{-1, -1, 11, 12, 13}}));
}

TEST(Reference, copies_between_pitches) {
  // two rows of two elements of two bytes, five bytes from row to row here and six there
  EXPECT_EQ(moved(Boxes{box_of(2, {{2, 5, 6}, {2, 2, 2}})}, {{10, 11, 12, 13, 99, 20, 21, 22, 23}}, {11}),
            (std::vector<Bytes>{{10, 11, 12, 13, -1, -1, 20, 21, 22, 23, -1}}));
}

TEST(Reference, transposes) {
  // [2][3] of two-byte elements to [3][2]
  EXPECT_EQ(moved(Boxes{box_of(2, {{3, 2, 4}, {2, 6, 2}})}, {{0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51}}, {12}),
            (std::vector<Bytes>{{0, 1, 30, 31, 10, 11, 40, 41, 20, 21, 50, 51}}));
}

TEST(Reference, transposes_three_axes) {
  // [z 2][y 2][x 3] bytes to [x 3][z 2][y 2]
  EXPECT_EQ(moved(Boxes{box_of(1, {{3, 1, 4}, {2, 6, 2}, {2, 3, 1}})}, {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}, {12}),
            (std::vector<Bytes>{{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}}));
}

TEST(Reference, a_negative_source_stride_reverses) {
  EXPECT_EQ(moved(Boxes{box_of(2, {{3, -2, 2}}, 4)}, {{0, 1, 10, 11, 20, 21}}, {6}), (std::vector<Bytes>{{20, 21, 10, 11, 0, 1}}));
}

TEST(Reference, a_negative_destination_stride_reverses) {
  EXPECT_EQ(moved(Boxes{box_of(1, {{4, 1, -1}}, 0, 3)}, {{1, 2, 3, 4}}, {5}), (std::vector<Bytes>{{4, 3, 2, 1, -1}}));
}

TEST(Reference, a_zero_source_stride_repeats) {
  EXPECT_EQ(moved(Boxes{box_of(1, {{3, 0, 2}, {2, 1, 1}})}, {{7, 8}}, {6}), (std::vector<Bytes>{{7, 8, 7, 8, 7, 8}}));
}

TEST(Reference, a_fill_writes_the_first_unit_bytes_of_its_pattern) {
  EXPECT_EQ(moved(Boxes{fill_of(2, {1, 2, 3, 4}, {{2, 0, 4}}, 1)}, {{}}, {8}), (std::vector<Bytes>{{-1, 1, 2, -1, -1, 1, 2, -1}}));
}

TEST(Reference, an_extent_of_zero_moves_nothing) {
  EXPECT_EQ(moved(Boxes{box_of(1, {{3, 1, 1}, {0, 1, 1}})}, {{1, 2, 3}}, {3}), (std::vector<Bytes>{{-1, -1, -1}}));
}

TEST(Reference, boxes_are_all_done) {
  // a roll by two of five, padded by one byte of nine in front
  EXPECT_EQ(moved(Boxes{fill_of(1, {9}, {}), box_of(1, {{2, 1, 1}}, 3, 1), box_of(1, {{3, 1, 1}}, 0, 3)}, {{0, 1, 2, 3, 4}}, {6}),
            (std::vector<Bytes>{{9, 3, 4, 0, 1, 2}}));
}

TEST(Reference, a_source_slot_axis_interlaces) {
  EXPECT_EQ(moved(Boxes{box_of(1, {{3, 1, 2}, {2, 1, 1, Counts::buffers, Counts::bytes}})}, {{0, 1, 2}, {10, 11, 12}}, {6}),
            (std::vector<Bytes>{{0, 10, 1, 11, 2, 12}}));
}

TEST(Reference, a_destination_slot_axis_deinterlaces) {
  EXPECT_EQ(moved(Boxes{box_of(1, {{2, 1, 1, Counts::bytes, Counts::buffers}, {3, 2, 1}})}, {{0, 10, 1, 11, 2, 12}}, {3, 3}),
            (std::vector<Bytes>{{0, 1, 2}, {10, 11, 12}}));
}

TEST(Reference, slots_count_from_the_boxs_slots) {
  Box box = box_of(1, {{2, -1, 1, Counts::buffers, Counts::buffers}});
  box.src_slot = 2;
  box.dst_slot = 1;
  EXPECT_EQ(moved(Boxes{box}, {{1}, {2}, {3}}, {1, 1, 1}), (std::vector<Bytes>{{-1}, {3}, {2}}));
}

TEST(Reference, a_gathered_axis_repeats_its_boxes) {
  // rows 2, 0, 2 of [3][2]
  Step step;
  step.boxes = {box_of(1, {{2, 1, 1}})};
  step.gathers = {GatherAxis{{4, 0, 4}, {0, 2, 4}, {}}};
  EXPECT_EQ(moved(step, {{0, 1, 10, 11, 20, 21}}, {6}), (std::vector<Bytes>{{20, 21, 0, 1, 20, 21}}));
}

TEST(Reference, a_gathered_entry_may_be_a_fill) {
  // row 1, a fill, row 0 of [2][2]
  Step step;
  step.boxes = {box_of(1, {{2, 1, 1}})};
  step.gathers = {GatherAxis{{2, 0, 0}, {0, 2, 4}, {-1, 0, -1}}};
  step.fill_boxes = {{fill_of(1, {9}, {{2, 0, 1}})}};
  EXPECT_EQ(moved(step, {{0, 1, 10, 11}}, {6}), (std::vector<Bytes>{{10, 11, 9, 9, 0, 1}}));
}

TEST(Reference, of_two_gathered_fills_the_highest_counts) {
  // columns 1 and a fill of 8; rows a fill of 9, row 1, row 0 of [2][2]
  Step step;
  step.boxes = {box_of(1, {})};
  step.gathers = {GatherAxis{{0, 2, 0}, {0, 2, 4}, {1, -1, -1}}, GatherAxis{{1, 0}, {0, 1}, {-1, 0}}};
  step.fill_boxes = {{fill_of(1, {8}, {})}, {fill_of(1, {9}, {})}};
  EXPECT_EQ(moved(step, {{0, 1, 10, 11}}, {6}), (std::vector<Bytes>{{9, 9, 11, 8, 1, 8}}));
}

}  // namespace
}  // namespace crinkle::reference_test
