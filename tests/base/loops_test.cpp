// Indices in C order, stepped through and found by their number; where they lie in two arrays. Compared with loops written out.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/loops.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace crinkle::loops_test {
namespace {

using Index = std::vector<std::int64_t>;

constexpr std::array<Loop, 3> loops{{{2, 100, -7}, {3, 0, 50}, {4, -1, 8}}};
std::int64_t extent(std::size_t a) { return loops[a].extent; }

TEST(Loops, step_through_all_indices_and_their_places) {
  std::vector<Index> have, want;
  std::vector<std::int64_t> in_have, in_want;
  std::array<std::int64_t, 3> index{};
  std::int64_t in = 5;
  do {
    have.emplace_back(index.begin(), index.end());
    in_have.push_back(in);
  } while (step_index(index, 3, extent, [&](std::size_t a, std::int64_t by) { in += by * loops[a].in; }));
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      for (std::int64_t k = 0; k < 4; ++k) {
        want.push_back({i, j, k});
        in_want.push_back(5 + 100 * i - k);
      }
  EXPECT_EQ(have, want);
  EXPECT_EQ(in_have, in_want);
  EXPECT_EQ(index, (std::array<std::int64_t, 3>{})) << "the first again";
  EXPECT_EQ(in, 5);
}

TEST(Loops, step_in_a_region_and_only_the_axes_that_are_meant) {
  const std::array<std::int64_t, 3> low{-2, 3, 9}, high{0, 5, 11};
  std::array<std::int64_t, 3> index = low;
  std::vector<Index> have;
  do have.emplace_back(index.begin(), index.end());
  while (step_index(
      index, 2, [&](std::size_t a) { return low[a]; }, [&](std::size_t a) { return high[a]; }, [](std::size_t, std::int64_t) {}));
  EXPECT_EQ(have, (std::vector<Index>{{-2, 3, 9}, {-2, 4, 9}, {-1, 3, 9}, {-1, 4, 9}}));
  EXPECT_EQ(index, low);
}

TEST(Loops, may_have_their_first_axis_the_fastest) {
  std::vector<Index> have;
  std::array<std::int64_t, 2> index{};
  const auto of = [](std::size_t a) { return a == 0 ? 3 : 2; };
  std::int64_t n = 0, at = 0;
  do {
    have.emplace_back(index.begin(), index.end());
    split_index<Fastest::first>(n, 2, of, [&](std::size_t a, std::int64_t i) { EXPECT_EQ(i, index[a]) << n; });
    EXPECT_EQ(at, index[0] + 10 * index[1]);
    ++n;
  } while (step_index<Fastest::first>(index, 2, of, [&](std::size_t a, std::int64_t by) { at += by * (a == 0 ? 1 : 10); }));
  EXPECT_EQ(have, (std::vector<Index>{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}}));
}

TEST(Loops, count_with_any_integer) {
  std::vector<std::size_t> index(2, 0), sizes{2, 2};
  std::int64_t at = 0, n = 0;
  do n += 1 + 10 * at;
  while (
      step_index(index, 2, [&](std::size_t a) { return sizes[a]; }, [&](std::size_t a, std::int64_t by) { at += by * (a == 0 ? 2 : 1); }));
  EXPECT_EQ(n, 4 + 10 * (1 + 2 + 3));
  EXPECT_EQ(at, 0);
}

TEST(Loops, call_a_body_for_each_index) {
  const auto indices = [](const Index& extents) {
    std::vector<Index> all;
    for_each_index(extents, [&](const Index& index) { all.push_back(index); });
    return all;
  };
  EXPECT_EQ(indices({2, 2}), (std::vector<Index>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(indices({}), std::vector<Index>{{}}) << "of no axis: one";
  EXPECT_EQ(indices({3, 0}), std::vector<Index>());
  EXPECT_EQ(indices({0, 3}), std::vector<Index>());
  EXPECT_EQ(indices({1, 1, 1}), (std::vector<Index>{{0, 0, 0}}));
}

TEST(Loops, find_the_nth_index_where_stepping_comes_to) {
  std::array<std::int64_t, 3> index{};
  std::int64_t n = 0, in = 0, out = 0;
  do {
    std::array<std::int64_t, 3> found{};
    split_index(n, 3, extent, [&](std::size_t a, std::int64_t i) { found[a] = i; });
    EXPECT_EQ(found, index) << n;
    const LoopPlace place = place_in(loops.data(), 3, n);
    EXPECT_EQ(place.in, in) << n;
    EXPECT_EQ(place.out, out) << n;
    ++n;
  } while (step_index(index, 3, extent, [&](std::size_t a, std::int64_t by) {
    in += by * loops[a].in;
    out += by * loops[a].out;
  }));
  EXPECT_EQ(n, 24);
  EXPECT_EQ(place_in(loops.data(), 0, 0).in, 0);
}

static_assert(place_in(loops.data(), 3, 23).out == -7 + 2 * 50 + 3 * 8);

}  // namespace
}  // namespace crinkle::loops_test
