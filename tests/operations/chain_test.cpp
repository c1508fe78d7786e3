// then() and inverse() over the makers: a chain is the same as its links one after the other.
// SPDX-License-Identifier: BSD-3-Clause
#include <functional>

#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::chain_test {
namespace {

using Maker = std::function<Rearrangement(const Layout&)>;
using Numbers = std::vector<std::int64_t>;

// Makers that fit a layout of any rank and extents.
std::vector<std::pair<const char*, Maker>> makers() {
  const auto per_axis = [](const Layout& l, std::int64_t first, std::int64_t step) {
    Numbers v;
    for (std::size_t a = 0; a < l.extents.size(); ++a) v.push_back(first + step * static_cast<std::int64_t>(a));
    return v;
  };
  return {
      {"permute", [=](const Layout& l) { return permute(l, per_axis(l, static_cast<std::int64_t>(l.extents.size()) - 1, -1)); }},
      {"flip", [](const Layout& l) { return flip(l, Numbers{0}); }},
      {"roll", [=](const Layout& l) { return roll(l, per_axis(l, 1, 2)); }},
      {"crinkle", [](const Layout& l) { return crinkle(l, std::vector<Crinkle>{{-1, 2}}, Placement::global, Tail::ragged); }},
      {"crinkle locally", [](const Layout& l) { return crinkle(l, std::vector<Crinkle>{{0, 3}}, Placement::local, Tail::ragged); }},
      {"byte_swap", [](const Layout& l) { return byte_swap(l); }},
      {"checkerboard", [](const Layout& l) { return checkerboard(l); }},
      {"slice",
       [](const Layout& l) {
         std::vector<SliceRange> ranges(l.extents.size());
         ranges[0] = {1, {}, {}};
         return slice(l, ranges);
       }},
      {"pad",
       [](const Layout& l) {
         std::vector<PadWidth> widths(l.extents.size());
         widths.back() = {1, 2};
         return pad(l, widths);
       }},
      {"gather", [](const Layout& l) { return gather(l, 0, Numbers{0, -1, 0}); }},
      {"repeat", [](const Layout& l) { return repeat(l, 2); }},
  };
}

TEST(chain, of_two_makers_is_one_after_the_other) {
  for (const Extents& extents : {Extents{6}, Extents{4, 6}, Extents{3, 5}, Extents{2, 3, 4}, Extents{3, 0}}) {
    const Array array = numbered(extents, 4);
    for (const Lie lie : {Lie::c_order, Lie::gaps}) {
      const Source source = laid(array, lie);
      for (const auto& [first_name, first_maker] : makers()) {
        const Rearrangement first = first_maker(source.layout);
        const Array between = moved(first, source);
        for (const auto& [second_name, second_maker] : makers()) {
          if (between.extents[0] == 0 && std::string(second_name) == "gather") continue;  // there is nothing to gather
          const Rearrangement second = second_maker(Layout::dense(between.extents, 4));
          ASSERT_EQ(moved(first.then(second), source), moved(second, between))
              << first_name << " then " << second_name << " on " << print_shape(extents);
        }
      }
    }
  }
}

TEST(chain, of_three_makers_does_not_depend_on_how_it_is_bracketed) {
  const Array array = numbered({4, 6}, 4);
  const Layout layout = Layout::dense({4, 6}, 4);
  const Rearrangement a = permute(layout, Numbers{1, 0}), b = roll(a.destination(), Numbers{1, -1}),
                      c = crinkle(b.destination(), std::vector<Crinkle>{{0, 2}, {1, 2}});
  const Array expected = moved(c, moved(b, moved(a, array)));
  EXPECT_EQ(moved(a.then(b).then(c), array), expected);
  EXPECT_EQ(moved(a.then(b.then(c)), array), expected);
}

TEST(chain, with_the_inverse_is_the_identity) {
  for (const Extents& extents : {Extents{6}, Extents{4, 6}, Extents{3, 5}, Extents{2, 3, 4}}) {
    const Array array = numbered(extents, 3);
    const Layout layout = Layout::dense(extents, 3);
    for (const auto& [name, maker] : makers()) {
      const std::string what(name);
      if (what == "slice" || what == "pad" || what == "gather" || what == "repeat") {
        EXPECT_THROW(maker(layout).inverse(), Error) << what;
        continue;
      }
      const Rearrangement r = maker(layout);
      EXPECT_EQ(moved(r.then(r.inverse()), array), array) << what;
      EXPECT_EQ(moved(r.inverse(), moved(r, array)), array) << what;
    }
  }
}

TEST(chain, of_shifts_and_flips_obeys_the_group_laws) {
  const Array array = numbered({5, 7}, 4);
  const Layout layout = Layout::dense({5, 7}, 4);
  const Rearrangement twice = roll(layout, Numbers{2, -3}).then(roll(layout, Numbers{4, 5}));
  EXPECT_EQ(moved(twice, array), moved(roll(layout, Numbers{6, 2}), array));
  EXPECT_EQ(moved(flip(layout, Numbers{0, 1}).then(flip(layout, Numbers{1, 0})), array), array);
  EXPECT_EQ(flip(layout, Numbers{0}).then(flip(layout, Numbers{0})).boxes().size(), 1u);
}

TEST(chain, of_permute_and_crinkle_is_one_pass) {
  const Layout layout = Layout::dense({4, 6, 8}, 4);
  const Rearrangement permuted = permute(layout, Numbers{2, 0, 1});
  EXPECT_EQ(permuted.then(crinkle(permuted.destination(), std::vector<Crinkle>{{0, 2}, {2, 3}})).boxes().size(), 1u);
}

TEST(chain, leads_from_a_permuted_array_to_its_checkerboard_and_to_morton_order) {
  const Array array = numbered({4, 8, 2}, 4);
  const Layout layout = Layout::dense(array.extents, 4);
  const Rearrangement permuted = permute(layout, Numbers{2, 1, 0});
  const Array between = moved(permuted, array);
  EXPECT_EQ(moved(permuted.then(checkerboard(permuted.destination())), array), moved(checkerboard(permuted.destination()), between));
  const Rearrangement curve = permuted.then(morton(permuted.destination()));
  EXPECT_EQ(moved(curve, array), moved(morton(permuted.destination()), between));
  EXPECT_EQ(curve.boxes().size(), 1u);
  EXPECT_EQ(moved(curve.inverse(), moved(curve, array)), array);
}

TEST(chain, of_uncrinkle_after_crinkle_is_the_identity_when_the_step_does_not_divide) {
  const Array array = numbered({7, 11}, 4);
  const std::vector<Crinkle> crinkles{{0, 3}, {1, 4}};
  for (const Placement placement : {Placement::global, Placement::local}) {
    const Rearrangement there = crinkle(Layout::dense({7, 11}, 4), crinkles, placement, Tail::ragged);
    EXPECT_EQ(moved(there.then(uncrinkle({7, 11}, 4, crinkles, placement, Tail::ragged)), array), array);
  }
}

}  // namespace
}  // namespace crinkle::testing::chain_test
