// permute, flip, roll, slice, repeat and reorder against loops over indices.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::axes_test {
namespace {

TEST(permute, sends_axis_order_k_to_place_k) {
  for_each_source([](const Array& array, const Source& source) {
    std::vector<std::int64_t> order(array.extents.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      Extents extents;
      for (const std::int64_t a : order) extents.push_back(array.extents[static_cast<std::size_t>(a)]);
      const Array expected = naive(array, extents, [&](const Index& i) {
        Index from(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) from[static_cast<std::size_t>(order[k])] = i[k];
        return from;
      });
      ASSERT_EQ(moved(permute(source.layout, order), source), expected);
    } while (order.size() < 4 ? std::next_permutation(order.begin(), order.end()) : std::prev_permutation(order.begin(), order.end()));
  });
}

TEST(permute, counts_axes_from_the_end_too) {
  const Array array = numbered({2, 3, 4}, 4);
  const Layout layout = Layout::dense(array.extents, 4);
  EXPECT_EQ(moved(permute(layout, std::vector<std::int64_t>{-1, 0, -2}), array),
            moved(permute(layout, std::vector<std::int64_t>{2, 0, 1}), array));
}

TEST(permute, keeps_the_order_of_four_and_five_axes_in_every_permutation) {
  for (const Extents& extents : {Extents{2, 3, 4, 5}, Extents{2, 3, 1, 4, 2}}) {
    const Array array = numbered(extents, 3);
    std::vector<std::int64_t> order(extents.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      Extents permuted;
      for (const std::int64_t a : order) permuted.push_back(extents[static_cast<std::size_t>(a)]);
      const Array expected = naive(array, permuted, [&](const Index& i) {
        Index from(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) from[static_cast<std::size_t>(order[k])] = i[k];
        return from;
      });
      ASSERT_EQ(moved(permute(Layout::dense(extents, 3), order), array), expected);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(flip, reverses_any_set_of_axes) {
  for_each_source([](const Array& array, const Source& source) {
    for (std::uint32_t set = 0; set < (1u << array.extents.size()); ++set) {
      std::vector<std::int64_t> axes;
      for (std::size_t a = 0; a < array.extents.size(); ++a) {
        if ((set >> a & 1) != 0)
          axes.push_back(static_cast<std::int64_t>(a) - (a % 2 == 1 ? static_cast<std::int64_t>(array.extents.size()) : 0));
      }
      const Array expected = naive(array, array.extents, [&](Index i) {
        for (std::size_t a = 0; a < i.size(); ++a) {
          if ((set >> a & 1) != 0) i[a] = array.extents[a] - 1 - i[a];
        }
        return i;
      });
      ASSERT_EQ(moved(flip(source.layout, axes), source), expected);
    }
  });
}

TEST(roll, moves_every_axis_by_any_distance) {
  for_each_source([](const Array& array, const Source& source) {
    for (const std::int64_t d : {0, 1, -1, 3, -8, 29, -1000003}) {
      std::vector<std::int64_t> distances;
      for (std::size_t a = 0; a < array.extents.size(); ++a) distances.push_back(d * static_cast<std::int64_t>(a + 1));
      const Array expected = naive(array, array.extents, [&](Index i) {
        for (std::size_t a = 0; a < i.size(); ++a) i[a] = modulo(i[a] - distances[a], array.extents[a]);
        return i;
      });
      ASSERT_EQ(moved(roll(source.layout, distances), source), expected) << d;
    }
  });
}

TEST(roll, takes_the_farthest_distances) {
  const Array array = numbered({7}, 4);
  const Layout layout = Layout::dense({7}, 4);
  for (const std::int64_t d : {INT64_MIN, INT64_MAX}) {
    const std::int64_t near = modulo(d, 7);
    EXPECT_EQ(moved(roll(layout, std::vector<std::int64_t>{d}), array), moved(roll(layout, std::vector<std::int64_t>{near}), array));
  }
}

TEST(roll, takes_two_boxes_for_each_rolled_axis) {
  const Layout layout = Layout::dense({5, 6, 7}, 4);
  EXPECT_EQ(roll(layout, std::vector<std::int64_t>{0, 1, 0}).boxes().size(), 2u);
  EXPECT_EQ(roll(layout, std::vector<std::int64_t>{2, -1, 70}).boxes().size(), 4u);
}

// Python's slice.indices, written from its rules for one element at a time.
std::vector<std::int64_t> python_range(std::int64_t n, const SliceRange& s) {
  const std::int64_t step = s.step.value_or(1);
  const auto bound = [&](std::optional<std::int64_t> given, std::int64_t otherwise) {
    if (!given) return otherwise;
    const std::int64_t i = *given < 0 ? *given + n : *given;
    return step > 0 ? std::clamp<std::int64_t>(i, 0, n) : std::clamp<std::int64_t>(i, -1, n - 1);
  };
  const std::int64_t start = bound(s.start, step > 0 ? 0 : n - 1), stop = bound(s.stop, step > 0 ? n : -1);
  std::vector<std::int64_t> indices;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) indices.push_back(i);
  return indices;
}

TEST(slice, follows_the_rules_of_numpy) {
  const std::optional<std::int64_t> bounds[] = {{}, -9, -3, -1, 0, 1, 4, 9};
  for (const Lie lie : all_lies) {
    for (const Extents& extents : {Extents{5}, Extents{0}, Extents{1}}) {
      const Array array = numbered(extents, 3);
      const Source source = laid(array, lie);
      for (const auto& start : bounds) {
        for (const auto& stop : bounds) {
          for (const std::optional<std::int64_t> step : {std::optional<std::int64_t>{}, {1}, {2}, {3}, {7}, {-1}, {-2}, {-6}}) {
            const SliceRange range{start, stop, step};
            const std::vector<std::int64_t> from = python_range(extents[0], range);
            const Array expected = naive(array, {static_cast<std::int64_t>(from.size())},
                                         [&](const Index& i) { return Index{from[static_cast<std::size_t>(i[0])]}; });
            ASSERT_EQ(moved(slice(source.layout, std::vector{range}), source), expected)
                << start.value_or(99) << ":" << stop.value_or(99) << ":" << step.value_or(99);
          }
        }
      }
    }
  }
}

TEST(slice, cuts_every_axis_on_its_own) {
  const SliceRange kinds[] = {{1, {}, {}}, {{}, {}, -2}, {{}, -1, {}}, {-2, {}, {}}, {{}, {}, 2}};
  for_each_source([&](const Array& array, const Source& source) {
    std::vector<SliceRange> ranges;
    std::vector<std::vector<std::int64_t>> from;
    Extents extents;
    for (std::size_t a = 0; a < array.extents.size(); ++a) {
      ranges.push_back(kinds[a]);
      from.push_back(python_range(array.extents[a], kinds[a]));
      extents.push_back(static_cast<std::int64_t>(from[a].size()));
    }
    const Array expected = naive(array, extents, [&](Index i) {
      for (std::size_t a = 0; a < i.size(); ++a) i[a] = from[a][static_cast<std::size_t>(i[a])];
      return i;
    });
    ASSERT_EQ(moved(slice(source.layout, ranges), source), expected);
  });
}

TEST(repeat, is_a_new_slowest_axis) {
  for_each_source([](const Array& array, const Source& source) {
    for (const std::int64_t count : {0, 1, 3}) {
      Extents extents = array.extents;
      extents.insert(extents.begin(), count);
      const Array expected = naive(array, extents, [](const Index& i) { return Index(i.begin() + 1, i.end()); });
      ASSERT_EQ(moved(repeat(source.layout, count), source), expected);
    }
  });
}

TEST(reorder, takes_a_box_of_n_axes_into_m_axes) {
  const Extents extents{4, 5, 3, 6};
  const std::vector<std::int64_t> base{1, 3, 0, 2}, range{2, 1, 3, 4};
  const std::vector<std::vector<std::int64_t>> orders{{3, 0, 2}, {0, 2, 3}, {2, 1, 3, 0}, {-1, -2, -4}};
  for (const std::vector<std::int64_t>& order : orders) {
    for (const Lie lie : all_lies) {
      const Array array = numbered(extents, 12);
      const Source source = laid(array, lie);
      Extents reordered;
      for (const std::int64_t a : order) reordered.push_back(range[static_cast<std::size_t>((a + 4) % 4)]);
      const Array expected = naive(array, reordered, [&](const Index& i) {
        Index from = base;
        for (std::size_t k = 0; k < order.size(); ++k) from[static_cast<std::size_t>((order[k] + 4) % 4)] += i[k];
        return from;
      });
      EXPECT_EQ(moved(reorder(source.layout, order, base, range), source), expected);
    }
  }
}

TEST(reorder, to_no_axes_is_one_element) {
  const Array array = numbered({3, 4}, 4);
  const Array one = moved(reorder(Layout::dense({3, 4}, 4), {}, std::vector<std::int64_t>{2, 1}, std::vector<std::int64_t>{1, 1}), array);
  EXPECT_TRUE(one.extents.empty());
  EXPECT_EQ(one.bytes, array.element({2, 1}));
}

TEST(reorder, of_an_empty_box_is_empty) {
  const Array array = numbered({3, 4}, 4);
  const Rearrangement r =
      reorder(Layout::dense({3, 4}, 4), std::vector<std::int64_t>{1, 0}, std::vector<std::int64_t>{3, 1}, std::vector<std::int64_t>{0, 2});
  EXPECT_EQ(moved(r, array), filled({2, 0}, 4, poison));
}

// The Tesla C1060 library (operations.hpp) lists its order vector with the fastest axis first and numbers axes from the fastest; ours is
// that list backwards, N−1 minus each entry. Its table's [3 2 0 1] of [256 256 1 256], smaller here.
TEST(reorder, means_what_the_tesla_c1060_library_means) {
  const Extents sizes_fastest_first{5, 4, 1, 3};
  const std::vector<std::int64_t> order_fastest_first{3, 2, 0, 1};
  const Extents extents(sizes_fastest_first.rbegin(), sizes_fastest_first.rend());
  std::vector<std::int64_t> order;
  for (auto d = order_fastest_first.rbegin(); d != order_fastest_first.rend(); ++d) order.push_back(3 - *d);
  const Array array = numbered(extents, 4);
  Array expected = filled({4, 5, 1, 3}, 4, std::byte{0});
  std::size_t at = 0;
  for (std::int64_t i1 = 0; i1 < 4; ++i1) {  // slowest of the new order: the paper's axis 1
    for (std::int64_t i0 = 0; i0 < 5; ++i0) {
      for (std::int64_t i3 = 0; i3 < 3; ++i3) {
        const std::int64_t k = i0 + 5 * (i1 + 4 * i3);
        for (int b = 0; b < 4; ++b) expected.bytes[at++] = array.bytes[static_cast<std::size_t>(4 * k + b)];
      }
    }
  }
  const std::vector<std::int64_t> base(4, 0);
  EXPECT_EQ(moved(reorder(Layout::dense(extents, 4), order, base, extents), array), expected);
}

}  // namespace
}  // namespace crinkle::testing::axes_test
