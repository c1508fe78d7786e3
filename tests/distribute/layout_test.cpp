// Distributed layouts as values: owners against plain loops, the text form, and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "distribute/layouts.hpp"

namespace crinkle {
namespace {

using spread::Kind;

TEST(layouts, every_index_has_one_owner_and_one_place) {
  Draw draw{std::mt19937_64(1)};
  for (int k = 0; k < 600; ++k) {
    const std::int64_t n = draw.pick(0, 40), parts = draw.pick(1, 9);
    const AxisParts axis = spread::axis_of(spread::all_kinds[k % 4], n, parts, draw);
    std::vector<std::int64_t> count(static_cast<std::size_t>(parts), 0);
    for (std::int64_t i = 0; i < n; ++i) {
      const AxisParts::Cell cell = axis.cell(i);
      ASSERT_LE(cell.first, i);
      ASSERT_LT(i, cell.end);
      ASSERT_EQ(count[static_cast<std::size_t>(cell.owner)]++, cell.local + i - cell.first) << axis.text() << " at " << i;
    }
    for (std::int64_t p = 0; p < parts; ++p) {
      ASSERT_EQ(axis.count(p), count[static_cast<std::size_t>(p)]) << axis.text() << " of " << n << ", part " << p;
      std::int64_t held = 0;
      for (const Range& range : axis.held(p)) {
        for (std::int64_t i = range.first; i < range.first + range.n; ++i) ASSERT_EQ(axis.cell(i).owner, p);
        held += range.n;
      }
      ASSERT_EQ(held, axis.count(p));
    }
  }
}

TEST(layouts, block_cyclic_is_scalapacks) {
  const AxisParts axis = AxisParts::cyclic(10, 2, 3);
  EXPECT_EQ(axis.held(0), (std::vector<Range>{{0, 3}, {6, 3}}));
  EXPECT_EQ(axis.held(1), (std::vector<Range>{{3, 3}, {9, 1}}));
}

TEST(layouts, the_order_of_words_is_the_order_of_ranks) {
  const Distribution rows({4, 6}, {"y", "x"}, "y:block(2) x:block(3)"), columns({4, 6}, {"y", "x"}, "x:block(3) y:block(2)");
  EXPECT_EQ(rows.part_of(1, 1), 1);
  EXPECT_EQ(rows.part_of(1, 0), 0);
  EXPECT_EQ(columns.part_of(1, 1), 0);
  EXPECT_EQ(columns.part_of(1, 0), 1);
  EXPECT_EQ(rows.local_extents(5), (Extents{2, 2}));
  EXPECT_EQ(rows.local_extents(6), (Extents{0, 0}));
  EXPECT_EQ(rows.on({5, 4, 3, 2, 1, 0}).part_of(0, 1), 2);
}

TEST(layouts, texts_come_back) {
  Draw draw{std::mt19937_64(2)};
  for (int k = 0; k < 200; ++k) {
    const Extents extents{draw.pick(1, 20), draw.pick(1, 20), draw.pick(1, 20)};
    std::vector<std::string> names;
    if (draw.chance(2)) names = {"z", "y", "x"};
    const Distribution drawn = spread::layout_of(spread::all_kinds[k % 5], extents, draw.pick(1, 16), draw);
    const Distribution d(drawn.axes(), drawn.grid(), names);
    EXPECT_EQ(Distribution(extents, names, d.text()).text(), d.text());
  }
  EXPECT_EQ(Distribution({8, 8}, {"y", "x"}, " y:block(4)  x:cyclic(2,64) ").text(), "y:block(4) x:cyclic(2,64)");
  EXPECT_EQ(Distribution({8}, {}, "").text(), "whole");
  EXPECT_EQ(Distribution({10}, {"x"}, "x:cuts(0,3,10;1,0) copies(2)").n_ranks(), 4);
}

void expect_refused(const Extents& extents, const std::string& text, const std::string& part) {
  try {
    Distribution(extents, extents.size() == 2 ? std::vector<std::string>{"y", "x"} : std::vector<std::string>{}, text);
    FAIL() << text << " was taken";
  } catch (const Error& e) { EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what(); }
}

TEST(layouts, wrong_texts_say_what_is_wrong) {
  expect_refused({8, 8}, "z:block(4)", "there is no axis 'z'; there are y, x");
  expect_refused({8, 8}, "y", "'y' needs how it is divided");
  expect_refused({8, 8}, "y:blocks(4)", "expected block(…), cyclic(…), cuts(…) or whole");
  expect_refused({8, 8}, "y:block", "expected 'block(parts)'");
  expect_refused({8, 8}, "y:block()", "expected a number of 'block(parts)'");
  expect_refused({8, 8}, "y:block(0)", "0 parts of an axis of 8");
  expect_refused({8, 8}, "y:block(2", "has no closing ')'");
  expect_refused({8, 8}, "y:block(2,3)", "2 numbers; it is 'block(parts)'");
  expect_refused({8, 8}, "y:block(2)x:block(2)", "expected a space between items");
  expect_refused({8, 8}, "y:block(2) y:cyclic(2)", "axis 'y' is divided twice");
  expect_refused({8, 8}, "y:cyclic(2,0)", "cells of 0 indices");
  expect_refused({8, 8}, "y:cyclic(2,1,2)", "the first cell is of part 2; parts are 0 to 1");
  expect_refused({8, 8}, "y:cuts(0,3,7)", "cuts end at 7 and the axis has 8 indices");
  expect_refused({8, 8}, "y:cuts(1,8)", "cuts begin at 1: nobody holds the indices from 0 on");
  expect_refused({8, 8}, "y:cuts(0,5,3,8)", "cut 3 follows cut 5: cuts ascend");
  expect_refused({8, 8}, "y:cuts(0,5,8;0)", "1 owners of the 2 cells");
  expect_refused({8, 8}, "y:cuts(0,5,8;0,-1)", "a cell is of part -1");
  expect_refused({8, 8}, "y:cuts(0,5,8;0,2000000000)", "parts are 0 to 16777215");  // counts of them would take 16 GB
  expect_refused({8, 8}, "copies(0)", "0 copies");
  expect_refused({8, 8}, "y:block(99999999999999999999)", "does not fit 64 bits");
  expect_refused({8, 8}, "y:block(65536) x:block(65536)", "a grid of 4294967296 ranks");
  expect_refused({8}, "y:block(2)", "axes have no names here: write '@0'");
  expect_refused({8}, "@1:block(2)", "there is no axis '@1'");
  expect_refused({-8}, "", "an extent is 0 or more");
}

TEST(layouts, wrong_values_say_what_is_wrong) {
  EXPECT_THROW(Distribution({AxisParts::block(8, 2)}, {}), Error);
  EXPECT_THROW(Distribution({AxisParts::block(8, 2)}, {{0, 3}}), Error);
  EXPECT_THROW(Distribution({AxisParts::block(8, 2)}, {{0, 2}, {0, 2}}), Error);
  EXPECT_THROW(Distribution({AxisParts::block(8, 2)}, {{1, 2}}), Error);
  const Distribution d({8}, {}, "@0:block(2)");
  EXPECT_THROW((void)d.on({0, 0}), Error);
  EXPECT_THROW((void)d.on({0, 2}), Error);
  EXPECT_THROW((void)d.on({0}), Error);
  EXPECT_THROW((void)d.on({1, 0}).part_of(2, 0), Error);
  EXPECT_THROW((void)d.part_of(-1, 0), Error);
  EXPECT_THROW((void)d.on({1, 0}).rank_at(2), Error);
  EXPECT_THROW(Distribution({8, 8}, {"y", "y"}, "y:block(2)"), Error);
  EXPECT_THROW((void)Distribution::windows({8}, {{{0, 9}}}), Error);
  EXPECT_THROW((void)Distribution::windows({8}, {{{8, 1}}}), Error);
  EXPECT_THROW((void)Distribution::windows({8}, {{{0, 1}, {0, 1}}}), Error);
}

}  // namespace
}  // namespace crinkle
