// Compose, decompose, flip, shift, crinkle and uncrinkle of a k-index against lists of cells, for both forms and both integers.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <type_traits>

#include "kindex/shapes.hpp"

namespace crinkle::map_test {
namespace {

using reference::Cell;

TEST(KIndexMap, composing_and_decomposing_follow_the_nested_loops) {
  on_every_index([](const auto& index, const Cell& extents) {
    using Index = std::decay_t<decltype(index)>;
    using K = typename Index::Integer;
    const auto cells = reference::cells_of(extents);
    ASSERT_EQ(index.total(), cells.size());
    ASSERT_TRUE(index.is_valid());
    for (K k = 0; k < index.total(); ++k) {
      typename Index::Indices indices{};
      for (int axis = 0; axis < Index::rank; ++axis) {
        indices[axis] = static_cast<K>(cells[k][static_cast<std::size_t>(axis)]);
        ASSERT_EQ(index.index(k, axis), indices[axis]);
      }
      ASSERT_TRUE(index.decompose(k) == indices);
      ASSERT_EQ(index.compose(indices), k);
    }
  });
}

TEST(KIndexMap, a_unit_is_the_product_of_the_extents_below) {
  on_every_index([](const auto& index, const Cell& extents) {
    std::int64_t unit = 1;
    for (int axis = 0; axis < std::decay_t<decltype(index)>::rank; ++axis) {
      EXPECT_EQ(plain(index, index.unit(axis)), unit);
      EXPECT_EQ(plain(index, index.extent(axis)), extents[static_cast<std::size_t>(axis)]);
      EXPECT_EQ(index.extents()[axis], static_cast<std::uint64_t>(extents[static_cast<std::size_t>(axis)]));
      unit *= extents[static_cast<std::size_t>(axis)];
    }
  });
}

TEST(KIndexMap, flipping_any_set_of_axes_mirrors_just_these) {
  on_every_index([](const auto& index, const Cell& extents) {
    using Index = std::decay_t<decltype(index)>;
    using K = typename Index::Integer;
    const auto cells = reference::cells_of(extents);
    for (unsigned set = 0; set < (1u << Index::rank); ++set) {
      Axes<Index::rank> axes{};
      for (int axis = 0; axis < Index::rank; ++axis) axes[axis] = (set >> axis & 1u) != 0;
      const auto flip = index.make_flip(axes);
      for (K k = 0; k < index.total(); ++k) {
        Cell cell = cells[k];
        K one_by_one = k;
        for (int axis = 0; axis < Index::rank; ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          if (!axes[axis]) continue;
          cell[a] = extents[a] - 1 - cell[a];
          one_by_one = index.flip(one_by_one, axis);
        }
        ASSERT_EQ(plain(index, index.flip(k, flip)), reference::k_of(extents, cell));
        ASSERT_EQ(one_by_one, index.flip(k, flip));
        ASSERT_EQ(index.flip(index.flip(k, flip), flip), k);
      }
    }
  });
}

TEST(KIndexMap, shifting_by_any_distance_of_either_sign_on_every_axis_is_a_roll) {
  on_every_index([](const auto& index, const Cell& extents) {
    using Index = std::decay_t<decltype(index)>;
    using K = typename Index::Integer;
    const auto cells = reference::cells_of(extents);
    for (std::int64_t s = -20; s <= 20; ++s) {
      typename Index::Distances distances{}, back{};
      for (int axis = 0; axis < Index::rank; ++axis) {
        distances[axis] = axis % 2 == 0 ? s + axis : -3 * s - axis;
        back[axis] = -distances[axis];
      }
      const auto shift = index.make_shift(distances), unshift = index.make_shift(back);
      for (K k = 0; k < index.total(); ++k) {
        Cell cell = cells[k];
        for (int axis = 0; axis < Index::rank; ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          cell[a] = reference::walk(cell[a], extents[a], distances[axis], Boundary::periodic);
        }
        ASSERT_EQ(plain(index, index.shift(k, shift)), reference::k_of(extents, cell)) << "by " << s;
        ASSERT_EQ(index.shift(index.shift(k, shift), unshift), k);
        ASSERT_EQ(index.shift(k, shift), index.neighbour(k, distances));
      }
    }
  });
}

TEST(KIndexMap, a_shift_by_the_widest_distances_is_reduced_first) {
  const AnyIndex<2, std::uint32_t> any({10, 7});
  // 2^63 mod 10 = 8 and 2^63 mod 7 = 1, so −2^63 is +2 and −1 = +6; 2^63 − 1 mod 7 = 0.
  EXPECT_EQ(any.shift(0, any.make_shift({INT64_MIN, INT64_MIN})), any.compose({2, 6}));
  EXPECT_EQ(any.shift(0, any.make_shift({INT64_MAX, INT64_MAX})), any.compose({7, 0}));
  const PowerOfTwoIndex<2, std::uint32_t> bits({8, 4});
  EXPECT_EQ(bits.shift(9, bits.make_shift({INT64_MIN, INT64_MAX})), bits.compose({1, 0}));
}

TEST(KIndexMap, crinkling_lists_the_phases_one_after_the_other) {
  on_every_index([](const auto& index, const Cell& extents) {
    using Index = std::decay_t<decltype(index)>;
    using K = typename Index::Integer;
    for (int axis = 0; axis < Index::rank; ++axis)
      for (const Placement placement : {Placement::global, Placement::local})
        for (std::uint64_t step = 1; step <= index.extent(axis) + 3; ++step) {
          const auto crinkle = index.make_crinkle(axis, step, placement);
          const auto source = reference::crinkled(extents, static_cast<std::size_t>(axis), static_cast<std::int64_t>(step), placement);
          ASSERT_EQ(source.size(), index.total());
          for (K k = 0; k < index.total(); ++k) {
            ASSERT_EQ(plain(index, index.uncrinkle(k, crinkle)), source[k]) << "axis " << axis << " step " << step;
            ASSERT_EQ(index.crinkle(index.uncrinkle(k, crinkle), crinkle), k) << "axis " << axis << " step " << step;
          }
        }
  });
}

TEST(KIndexMap, a_dividing_crinkle_is_the_papers_equation_24) {
  const AnyIndex<3> index({12, 6, 8});
  for (int axis = 0; axis < 3; ++axis) {
    const auto crinkle = index.make_crinkle(axis, 2);
    for (std::uint64_t k = 0; k < index.total(); ++k) {
      const std::uint64_t unit = index.unit(axis), n = 2;
      ASSERT_EQ(index.crinkle(k, crinkle), index.total() / n * (k / unit % n) + k % unit + k / (n * unit) * unit);
    }
  }
}

TEST(KIndexMap, a_crinkle_of_a_crinkle_goes_outside_it) {
  const AnyIndex<2> first({4, 4});
  const auto along_x = first.make_crinkle(0, 2);
  const AnyIndex<3> second({2, 4, 2});  // x, y, phase of x
  const auto along_y = second.make_crinkle(1, 2);
  const AnyIndex<4> both({2, 2, 2, 2});  // x, y, phase of x, phase of y
  for (std::uint64_t k = 0; k < 16; ++k)
    EXPECT_EQ(second.crinkle(first.crinkle(k, along_x), along_y), both.compose({k % 4 / 2, k / 8, k % 2, k / 4 % 2}));
}

TEST(KIndexMap, every_step_from_the_extent_on_makes_the_same_map) {
  const AnyIndex<2, std::uint32_t> index({5, 3});
  const auto just = index.make_crinkle(0, 5), far = index.make_crinkle(0, UINT64_MAX);
  for (std::uint32_t k = 0; k < 15; ++k) EXPECT_EQ(index.crinkle(k, far), index.crinkle(k, just));
}

}  // namespace
}  // namespace crinkle::map_test
