// Random shapes of 1 to 8 axes, primes, composites and ones among them: every map of a k-index against lists of cells, a cell at a time
// and in runs. with_index gives the form that suits the extents.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>
#include <type_traits>

#include "kindex/shapes.hpp"

namespace crinkle::run_test {
namespace {

using reference::Cell;

constexpr std::uint64_t some_extents[] = {1,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13, 15,
                                          16, 17, 20, 24, 25, 30, 31, 36, 49, 60, 64, 97, 105, 210};
constexpr std::uint64_t most_cells = 600;

/// The map, one k at a time and in runs from any k on, is where[k]; every run is as long as it says.
template <class Index, class Map, class Apply>
void expect_map(const Index& index, const Map& map, const Apply& apply, const std::vector<std::int64_t>& where) {
  using K = typename Index::Integer;
  const K total = index.total();
  ASSERT_EQ(where.size(), total);
  for (K k = 0; k < total; ++k) {
    ASSERT_EQ(plain(index, apply(k)), where[k]) << "k " << k;
    const KIndexRun<K> run = index.run(k, map);
    ASSERT_GE(run.count, K(1));
    ASSERT_LE(run.count, static_cast<K>(total - k));
    for (K j = 0; j < run.count; ++j)
      ASSERT_EQ(plain(index, static_cast<K>(run.to + j * run.stride)), where[k + j]) << "k " << k << " + " << j;
  }
  for (const auto& [first, last] : {std::pair<K, K>{0, total}, {total / 3, total - total / 5}, {total / 2, total / 2}}) {
    K next = first;
    for_each_move(index, map, first, last, [&](K k, K to) {
      EXPECT_EQ(k, next++);
      EXPECT_EQ(plain(index, to), where[k]);
    });
    ASSERT_EQ(next, last);
  }
}

template <int N>
void check_flips(const auto& index, const Cell& extents, std::mt19937_64& random) {
  const auto cells = reference::cells_of(extents);
  Axes<N> axes{};
  for (int axis = 0; axis < N; ++axis) axes[axis] = random() % 2 != 0;
  std::vector<std::int64_t> where;
  for (Cell cell : cells) {
    for (int axis = 0; axis < N; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (axes[axis]) cell[a] = extents[a] - 1 - cell[a];
    }
    where.push_back(reference::k_of(extents, cell));
  }
  const auto flip = index.make_flip(axes);
  expect_map(index, flip, [&](auto k) { return index.flip(k, flip); }, where);
}

template <int N>
void check_shifts(const auto& index, const Cell& extents, std::mt19937_64& random) {
  const auto cells = reference::cells_of(extents);
  Array<std::int64_t, N> distances{};
  for (int axis = 0; axis < N; ++axis) distances[axis] = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 500) - 250;
  std::vector<std::int64_t> where;
  for (Cell cell : cells) {
    for (int axis = 0; axis < N; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      cell[a] = reference::walk(cell[a], extents[a], distances[axis], Boundary::periodic);
    }
    where.push_back(reference::k_of(extents, cell));
  }
  const auto shift = index.make_shift(distances);
  expect_map(index, shift, [&](auto k) { return index.shift(k, shift); }, where);
}

template <int N>
void check_crinkles(const auto& index, const Cell& extents, std::mt19937_64& random) {
  const int axis = static_cast<int>(random() % N);
  const std::uint64_t extent = index.extent(axis), any = 1 + random() % (extent + 1);
  for (const std::uint64_t step : {any, extent / (1 + random() % extent), std::uint64_t{2}, std::uint64_t{3}}) {
    const Placement placement = random() % 2 != 0 ? Placement::global : Placement::local;
    const auto source = reference::crinkled(extents, static_cast<std::size_t>(axis), static_cast<std::int64_t>(step), placement);
    std::vector<std::int64_t> where(source.size());
    for (std::size_t k = 0; k < source.size(); ++k) where[static_cast<std::size_t>(source[k])] = static_cast<std::int64_t>(k);
    const auto crinkle = index.make_crinkle(axis, step, placement);
    expect_map(index, crinkle, [&](auto k) { return index.crinkle(k, crinkle); }, where);
    using K = typename std::decay_t<decltype(index)>::Integer;
    for (K k = 0; k < index.total(); ++k)
      ASSERT_EQ(plain(index, index.uncrinkle(k, crinkle)), source[k]) << "step " << step << " axis " << axis;
  }
}

template <int N>
void check_shapes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 8; ++trial) {
    Array<std::uint64_t, N> extents{};
    std::uint64_t left = most_cells;
    for (int axis = 0; axis < N; ++axis) {
      do extents[axis] = some_extents[random() % std::size(some_extents)];
      while (extents[axis] > left);
      left /= extents[axis];
    }
    on_shapes<N>({extents}, [&](const auto& index, const Cell& plain_extents) {
      check_flips<N>(index, plain_extents, random);
      check_shifts<N>(index, plain_extents, random);
      check_crinkles<N>(index, plain_extents, random);
    });
  }
}

TEST(KIndexRun, random_shapes_of_1_to_8_axes_move_as_their_definitions_say) {
  check_shapes<1>(1);
  check_shapes<2>(2);
  check_shapes<3>(3);
  check_shapes<4>(4);
  check_shapes<5>(5);
  check_shapes<6>(6);
  check_shapes<7>(7);
  check_shapes<8>(8);
}

TEST(KIndexRun, the_largest_totals_of_64_bits_move_as_their_indices_do) {
  const AnyIndex<4> index({3037000493, 7, 9, 48205000});  // 2^63 less a little
  ASSERT_TRUE(index.is_valid());
  ASSERT_GT(index.total(), std::uint64_t{1} << 62);
  const auto flip = index.make_flip({false, true, false, true});
  const auto shift = index.make_shift({-5, 3, 0, 48204999});
  const auto crinkle = index.make_crinkle(2, 3), local = index.make_crinkle(1, 7, Placement::local);
  const AnyIndex<5> apart({3037000493, 7, 3, 48205000, 3}), moved({3037000493, 1, 7, 9, 48205000});
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::uint64_t k = trial == 0 ? 0 : trial == 1 ? index.total() - 1 : random() % index.total();
    std::uint64_t i[4], rest = k;
    for (int axis = 0; axis < 4; ++axis) {
      i[axis] = rest % index.extent(axis);
      rest /= index.extent(axis);
    }
    ASSERT_EQ(index.flip(k, flip), index.compose({i[0], 6 - i[1], i[2], 48204999 - i[3]}));
    ASSERT_EQ(index.shift(k, shift), index.compose({(i[0] + 3037000488) % 3037000493, (i[1] + 3) % 7, i[2], (i[3] + 48204999) % 48205000}));
    ASSERT_EQ(index.crinkle(k, crinkle), apart.compose({i[0], i[1], i[2] / 3, i[3], i[2] % 3}));
    ASSERT_EQ(index.uncrinkle(index.crinkle(k, crinkle), crinkle), k);
    ASSERT_EQ(index.crinkle(k, local), moved.compose({i[0], 0, i[1], i[2], i[3]}));
  }
}

TEST(KIndexRun, extents_choose_the_form_of_the_index) {
  const auto is_bits = [](const auto& index) { return std::is_same_v<std::decay_t<decltype(index)>, PowerOfTwoIndex<2, std::uint32_t>>; };
  EXPECT_TRUE(with_index<std::uint32_t>(Array<std::uint64_t, 2>{64, 1}, is_bits));
  EXPECT_FALSE(with_index<std::uint32_t>(Array<std::uint64_t, 2>{64, 3}, is_bits));
  EXPECT_FALSE(with_index<std::uint32_t>(Array<std::uint64_t, 2>{0, 64}, is_bits));
  const auto total = [](const auto& index) { return std::uint64_t{index.total()}; };
  EXPECT_EQ(with_index<std::uint32_t>(Array<std::uint64_t, 2>{7, 11}, total), 77U);
  EXPECT_EQ(with_index<std::uint32_t>(Array<std::uint64_t, 2>{1U << 16, 1U << 16}, total), 0U) << "no 32-bit k for so many";
}

}  // namespace
}  // namespace crinkle::run_test
