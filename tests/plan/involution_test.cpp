// Involutions: the decision against every byte of small maps, both ways; exchanges against the same bytes: each pair once, nothing else.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/involution.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "form/check.hpp"
#include "plan/in_place.hpp"
#include "support/box_map.hpp"
#include "support/involutions.hpp"

namespace crinkle::involution_test {
namespace {

// Where every byte comes from.
std::map<std::int64_t, std::int64_t> bytes_of(const Boxes& boxes) {
  std::map<std::int64_t, std::int64_t> source;
  const auto walk = [&](const auto& self, const Box& box, std::size_t a, std::int64_t from, std::int64_t to) -> void {
    if (a == box.axes.size()) {
      for (std::int64_t b = 0; b < box.unit; ++b) source[to + b] = from + b;
      return;
    }
    for (std::int64_t i = 0; i < box.axes[a].extent; ++i)
      self(self, box, a + 1, from + i * box.axes[a].src_stride, to + i * box.axes[a].dst_stride);
  };
  for (const Box& box : boxes) walk(walk, box, 0, box.src_offset, box.dst_offset);
  return source;
}

bool is_own_inverse(const Boxes& boxes) {
  const auto source = bytes_of(boxes);
  return std::all_of(source.begin(), source.end(), [&](const auto& byte) {
    const auto back = source.find(byte.second);
    return back != source.end() && back->second == byte.first;
  });
}

Boxes simplified(Boxes boxes) {
  simplify(boxes);
  return boxes;
}

std::vector<std::int64_t> any_order(std::int64_t rank) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return shuffled(order);
}

TEST(partners_of, knows_every_involution_and_nothing_else) {
  int n_own_inverse = 0, n_other = 0, n_too_long = 0;
  EXPECT_TRUE(check_many("partners_of", 3000, [&] {
    std::string text;
    Rearrangement r = testing::any_involution(text, 150);
    const auto rank = static_cast<std::int64_t>(r.source().extents.size());
    if (chance(2) && r.source().is_dense()) {  // most often it is none with something before it
      const std::int64_t a = pick(0, rank - 1);
      const Rearrangement here(r.source());
      const std::string name = "@" + std::to_string(a);
      const std::int64_t kind = pick(0, 2);
      text += " after " + std::to_string(kind) + " of axis " + std::to_string(a);
      if (kind == 0) r = here.roll(name, pick(0, 3)).then(r);
      if (kind == 1) r = here.flip(name).then(r);
      if (kind == 2) r = r.then(permute(r.source(), any_order(rank)));
    }
    const Steps steps = r.steps();
    if (steps.steps.size() != 1) return;
    const Boxes boxes = simplified(steps.steps[0].boxes);
    const bool expected = is_own_inverse(boxes), found = planning::partners_of(boxes).has_value();
    ++(expected ? n_own_inverse : n_other);
    if (found == expected) return;
    RC_LOG() << text << '\n';
    for (const Box& box : boxes) RC_LOG() << testing::text_of(box) << '\n';
    RC_ASSERT(!found);
    RC_ASSERT(boxes.size() > 20U);
    ++n_too_long;
  }));
  EXPECT_GT(n_own_inverse, 1000);
  EXPECT_GT(n_other, 250);
  EXPECT_LT(n_too_long, 100);
}

TEST(partners_of, refuses_rolls_by_other_distances_rectangular_transposes_and_crinkles) {
  const Layout row = Layout::dense({10}, 4), rectangle = Layout::dense({4, 6}, 4);
  const Crinkle by_2{0, 2};
  const auto is_refused = [](const Rearrangement& r) { return !planning::partners_of(simplified(r.boxes())).has_value(); };
  for (std::int64_t d = 0; d < 10; ++d) EXPECT_EQ(is_refused(Rearrangement(row).roll("@0", d)), d % 5 != 0) << d;
  EXPECT_TRUE(is_refused(permute(rectangle, std::vector<std::int64_t>{1, 0})));
  EXPECT_TRUE(is_refused(crinkle(row, {&by_2, 1})));
  EXPECT_TRUE(is_refused(
      Rearrangement(Layout::dense({4, 4}, 4)).flip("@0").then(permute(Layout::dense({4, 4}, 4), std::vector<std::int64_t>{1, 0}))))
      << "a quarter turn";
  EXPECT_TRUE(is_refused(Rearrangement(row).pad("@0", 1, 0).slice("@0", 0, 10, 1))) << "filled";
  EXPECT_FALSE(is_refused(Rearrangement(row))) << "nothing moves";
  EXPECT_FALSE(is_refused(Rearrangement(row).flip("@0").roll("@0", 3))) << "a flip about another middle";
}

TEST(partners_of, refuses_a_map_of_which_one_byte_inside_has_none_that_takes_its_place) {
  const auto run = [](std::int64_t n, std::int64_t from, std::int64_t to) {
    Box box;
    box.axes = {{n, 1, 1}};
    box.src_offset = from, box.dst_offset = to;
    return box;
  };
  EXPECT_FALSE(planning::partners_of({run(5, 10, 0), run(2, 0, 10), run(2, 3, 13)}).has_value());
  EXPECT_TRUE(planning::partners_of({run(5, 10, 0), run(2, 0, 10), run(3, 2, 12)}).has_value());
}

TEST(why_not_its_own_inverse, names_a_byte_that_does_not_come_back) {
  const auto why = [](const Rearrangement& r) { return planning::why_not_its_own_inverse(simplified(r.boxes())); };
  EXPECT_EQ(why(Rearrangement(Layout::dense({10}, 4)).roll("@0", 3)), "byte 28 goes to byte 0 and byte 16 takes its place");
  EXPECT_EQ(why(permute(Layout::dense({2, 3}, 1), std::vector<std::int64_t>{1, 0})), "byte 1 goes to byte 2 and byte 3 takes its place");
  EXPECT_EQ(why(Rearrangement(Layout::dense({4}, 1)).pad("@0", 1, 0)), "some of the destination is filled");
}

TEST(pair_at, counts_every_pair_once) {
  for (std::int64_t n = 2; n < 40; ++n) {
    std::set<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t k = 0; k < planning::n_pairs(n); ++k) {
      const planning::Pair p = planning::pair_at(k, n);
      EXPECT_TRUE(p.below >= 0 && p.below < p.above && p.above < n) << n << " " << k;
      pairs.insert({p.above, p.below});
    }
    EXPECT_EQ(static_cast<std::int64_t>(pairs.size()), n * (n - 1) / 2);
  }
}

TEST(exchanges_of, write_what_moves_once_and_hardly_anything_else) {
  EXPECT_TRUE(check_many("exchanges_of", 1500, [] {
    std::string text;
    const Rearrangement r = testing::any_involution(text, 300);
    const Steps steps = r.steps();
    if (steps.steps.size() != 1) return;
    const Boxes boxes = simplified(steps.steps[0].boxes);
    const auto partners = planning::partners_of(boxes);
    if (!partners) return;
    std::int64_t n_written = 0, n_moved = 0, n_all = 0;
    for (const planning::Exchange& x : planning::exchanges_of(boxes, *partners)) n_written += x.n_bytes;
    for (const auto& [to, from] : bytes_of(boxes)) n_moved += to != from ? 1 : 0, ++n_all;
    RC_ASSERT(n_written <= n_all);
    RC_ASSERT(n_written >= n_moved / 2);
    RC_ASSERT((n_written == 0) == (n_moved == 0));
  }));
}

}  // namespace
}  // namespace crinkle::involution_test
