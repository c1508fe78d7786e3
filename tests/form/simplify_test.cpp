// The canonical form: same map, nothing left to do, and the same form whichever way the axes were split.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/simplify.hpp"

#include <gtest/gtest.h>

#include <map>

#include "crinkle/error.hpp"
#include "form/check.hpp"
#include "support/generators.hpp"

namespace crinkle::simplify_test {
namespace {

// Destination byte -> source byte, or −1 − the byte's value where it is fill. Fails when a byte is written twice.
std::map<std::int64_t, std::int64_t> map_of(const Boxes& boxes) {
  std::map<std::int64_t, std::int64_t> result;
  for (const Box& box : boxes) {
    std::vector<std::pair<std::int64_t, std::int64_t>> units = {{box.src_offset, box.dst_offset}};
    for (const Axis& a : box.axes) {
      std::vector<std::pair<std::int64_t, std::int64_t>> more;
      for (const auto& [src, dst] : units)
        for (std::int64_t i = 0; i < a.extent; ++i) more.emplace_back(src + i * a.src_stride, dst + i * a.dst_stride);
      units = more;
    }
    for (const auto& [src, dst] : units) {
      for (std::int32_t k = 0; k < box.unit; ++k) {
        const std::int64_t from = box.is_fill ? -1 - std::to_integer<std::int64_t>(box.pattern[static_cast<std::size_t>(k)]) : src + k;
        RC_ASSERT(result.emplace(dst + k, from).second);
      }
    }
  }
  return result;
}

bool is_canonical(const Box& box) {
  for (std::size_t k = 0; k < box.axes.size(); ++k) {
    const Axis& a = box.axes[k];
    if (a.extent < 2 || a.dst_stride <= 0 || (k > 0 && box.axes[k - 1].dst_stride <= a.dst_stride)) return false;
    for (const Axis& b : box.axes) {
      if (b.src_stride == a.extent * a.src_stride && b.dst_stride == a.extent * a.dst_stride) return false;
    }
  }
  return true;
}

TEST(Simplify, keeps_the_map_and_leaves_nothing_to_do) {
  EXPECT_TRUE(rc::check("simplify a box", [] {
    const Box box = any_box();
    Box simple = box;
    simplify(simple);
    RC_ASSERT(map_of({simple}) == map_of({box}));
    RC_ASSERT(is_canonical(simple));
    RC_ASSERT(simple.unit == box.unit);
    Box again = simple;
    simplify(again);
    RC_ASSERT(again == simple);
  }));
}

TEST(Simplify, splitting_any_axis_and_fusing_again_gives_the_same_box) {
  EXPECT_TRUE(check_many("split and fuse", 1000, [] {
    Box box = any_box();
    Box simple = box;
    simplify(simple);
    for (std::int64_t k = pick(1, 4); k > 0 && !box.axes.empty(); --k) {
      const auto a = static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(box.axes.size()) - 1));
      Axis outer = box.axes[a];
      const std::int64_t factor = one_of<std::int64_t>({1, 2, 3, 5});
      if (outer.extent % factor != 0) continue;
      box.axes[a].extent = factor;
      outer.extent /= factor;
      outer.src_stride *= factor;
      outer.dst_stride *= factor;
      box.axes.insert(box.axes.begin() + pick(0, static_cast<std::int64_t>(box.axes.size())), outer);
    }
    simplify(box);
    RC_ASSERT(box == simple);
  }));
}

// Cuts boxes of one map in two along random axes and shuffles them.
Boxes cut(const Box& box, std::int64_t times) {
  std::vector<Box> pieces = {box};
  for (; times > 0; --times) {
    const auto b = static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(pieces.size()) - 1));
    if (pieces[b].axes.empty()) continue;
    const auto a = static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(pieces[b].axes.size()) - 1));
    Box rest = pieces[b];
    const std::int64_t n = pick(0, rest.axes[a].extent);
    pieces[b].axes[a].extent = n;
    rest.axes[a].extent -= n;
    rest.src_offset += n * rest.axes[a].src_stride;
    rest.dst_offset += n * rest.axes[a].dst_stride;
    pieces.push_back(rest);
  }
  pieces = shuffled(pieces);
  return Boxes(pieces.begin(), pieces.end());
}

TEST(Simplify, of_a_list_keeps_the_map_drops_what_is_empty_and_merges) {
  EXPECT_TRUE(check_many("simplify a list", 500, [] {
    const Box whole = any_box();
    const Boxes pieces = cut(whole, pick(0, 6));
    Boxes simple = pieces;
    simplify(simple);
    RC_ASSERT(map_of(simple) == map_of({whole}));
    for (const Box& box : simple) RC_ASSERT(is_canonical(box));
    Boxes again = simple;
    simplify(again);
    RC_ASSERT(again == simple);
  }));
}

TEST(Simplify, merges_an_axis_that_was_cut_into_one_box_again) {
  EXPECT_TRUE(rc::check("merge", [] {
    const Box whole = any_box();
    Box simple = whole;
    simplify(simple);
    if (simple.axes.empty()) return;
    const auto a = static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(simple.axes.size()) - 1));
    std::vector<Box> pieces;
    for (std::int64_t at = 0; at < simple.axes[a].extent;) {
      Box piece = simple;
      piece.axes[a].extent = std::min(simple.axes[a].extent - at, pick(1, 3));
      piece.src_offset += at * simple.axes[a].src_stride * (simple.is_fill ? 0 : 1);
      piece.dst_offset += at * simple.axes[a].dst_stride;
      at += piece.axes[a].extent;
      pieces.push_back(piece);
    }
    pieces = shuffled(pieces);
    Boxes merged(pieces.begin(), pieces.end());
    simplify(merged);
    RC_ASSERT(merged.size() == 1U);
    RC_ASSERT(merged[0] == simple);
  }));
}

TEST(Simplify, keeps_slot_axes_apart_and_walks_them_forwards) {
  Box box;
  box.unit = 4;
  box.axes = {{3, 1, 4, Counts::buffers, Counts::bytes}, {5, 4, 12}, {2, 20, -1, Counts::bytes, Counts::buffers}};
  box.dst_slot = 1;
  simplify(box);
  ASSERT_EQ(box.axes.size(), 3U);
  EXPECT_EQ(box.axes[0], (Axis{2, -20, 1, Counts::bytes, Counts::buffers}));
  EXPECT_EQ(box.axes[1], (Axis{5, 4, 12}));
  EXPECT_EQ(box.axes[2], (Axis{3, 1, 4, Counts::buffers, Counts::bytes}));
  EXPECT_EQ(box.dst_slot, 0);
  EXPECT_EQ(box.src_offset, 20);
}

TEST(Simplify, refuses_an_axis_that_writes_one_place_twice) {
  Box box;
  box.axes = {{2, 1, 0}};
  try {
    simplify(box);
    ADD_FAILURE();
  } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::overlap); }
}

TEST(Simplify, narrowing_keeps_the_map) {
  EXPECT_TRUE(rc::check("narrow", [] {
    Box box = any_box();
    if (box.is_fill) {
      for (std::int32_t k = 0; k < box.unit; ++k) box.pattern[static_cast<std::size_t>(k)] = std::byte(pick(0, 1));
    }
    const auto unit = static_cast<std::int32_t>(box.unit / (std::int32_t{1} << pick(0, 4)));
    Boxes narrowed;
    append_narrowed(narrowed, box, std::max(unit, 1));
    for (const Box& b : narrowed) RC_ASSERT(b.unit == std::max(unit, 1));
    RC_ASSERT(map_of(narrowed) == map_of({box}));
  }));
}

}  // namespace
}  // namespace crinkle::simplify_test
