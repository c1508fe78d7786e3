// Neighbours at any distance under every boundary against a walker who goes cell by cell, and the tables made of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "kindex/shapes.hpp"

namespace crinkle::neighbour_test {
namespace {

using reference::Cell;

constexpr Boundary every_boundary[] = {Boundary::periodic, Boundary::clamped, Boundary::reflecting, Boundary::symmetric, Boundary::open};

TEST(KIndexNeighbour, a_neighbour_is_where_a_walker_ends) {
  on_every_index([](const auto& index, const Cell& extents) {
    using Index = std::decay_t<decltype(index)>;
    using K = typename Index::Integer;
    const auto cells = reference::cells_of(extents);
    for (const Boundary boundary : every_boundary)
      for (int axis = 0; axis < Index::rank; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const std::int64_t far = 3 * extents[a] + 2;
        for (std::int64_t distance = -far; distance <= far; ++distance)
          for (K k = 0; k < index.total(); ++k) {
            Cell cell = cells[k];
            cell[a] = reference::walk(cell[a], extents[a], distance, boundary);
            const std::int64_t expected = cell[a] < 0 ? -1 : reference::k_of(extents, cell);
            ASSERT_EQ(plain(index, index.neighbour(k, axis, distance, boundary)), expected)
                << "k " << k << " axis " << axis << " distance " << distance << " boundary " << static_cast<int>(boundary);
          }
      }
  });
}

template <class Index>
void check_far_walks(const Index& index) {
  const auto extent = static_cast<std::int64_t>(index.extent(1));
  const std::int64_t period[] = {extent, 1, extent == 1 ? 1 : 2 * extent - 2, 2 * extent};
  const std::int64_t far[] = {INT64_MIN,
                              INT64_MIN + 1,
                              -(std::int64_t{1} << 32) - 1,
                              -(std::int64_t{1} << 32),
                              std::int64_t{1} << 32,
                              (std::int64_t{1} << 32) + 5,
                              INT64_MAX - 1,
                              INT64_MAX};
  for (const std::int64_t distance : far)
    for (typename Index::Integer k = 0; k < index.total(); ++k) {
      EXPECT_EQ(plain(index, index.neighbour(k, 1, distance, Boundary::open)), -1);
      for (int b = 0; b < 4; ++b) {
        const Boundary boundary = every_boundary[b];
        const std::int64_t near = boundary == Boundary::clamped ? (distance < 0 ? -extent : extent) : distance % period[b];
        EXPECT_EQ(index.neighbour(k, 1, distance, boundary), index.neighbour(k, 1, near, boundary)) << distance << " boundary " << b;
      }
    }
}

TEST(KIndexNeighbour, distances_far_beyond_the_extent_wrap_by_the_period) {
  for (std::uint64_t extent : {1u, 2u, 5u, 8u, 11u}) {
    check_far_walks(AnyIndex<3, std::uint32_t>({3, extent, 2}));
    check_far_walks(AnyIndex<3, std::uint64_t>({3, extent, 2}));
  }
  for (std::uint64_t extent : {1u, 2u, 8u}) {
    check_far_walks(PowerOfTwoIndex<3, std::uint32_t>({4, extent, 2}));
    check_far_walks(PowerOfTwoIndex<3, std::uint64_t>({4, extent, 2}));
  }
}

TEST(KIndexNeighbour, each_axis_keeps_its_own_boundary_and_one_open_end_is_enough_to_be_outside) {
  on_shapes<3>({{4, 5, 3}, {4, 2, 8}, {1, 7, 2}}, [](const auto& index, const Cell& extents) {
    using Index = std::decay_t<decltype(index)>;
    const Array<Boundary, 3> mixed = {Boundary::open, Boundary::periodic, Boundary::reflecting};
    const auto cells = reference::cells_of(extents);
    for (std::int64_t x = -5; x <= 5; ++x)
      for (std::int64_t y = -9; y <= 9; y += 3)
        for (std::int64_t z = -4; z <= 4; z += 2)
          for (typename Index::Integer k = 0; k < index.total(); ++k) {
            const Cell& cell = cells[k];
            const Cell to = {reference::walk(cell[0], extents[0], x, mixed[0]), reference::walk(cell[1], extents[1], y, mixed[1]),
                             reference::walk(cell[2], extents[2], z, mixed[2])};
            ASSERT_EQ(plain(index, index.neighbour(k, {x, y, z}, mixed)), to[0] < 0 ? -1 : reference::k_of(extents, to));
          }
  });
}

TEST(KIndexNeighbour, a_table_holds_the_neighbour_of_every_slot_in_either_order) {
  on_every_index([](const auto& index, const Cell&) {
    using Index = std::decay_t<decltype(index)>;
    using K = typename Index::Integer;
    constexpr std::size_t slots = 2 * Index::rank;
    for (const Boundary boundary : every_boundary) {
      const K poison = Index::outside - 1;
      std::vector<K> by_cell(slots * index.total() + 1, poison), by_slot(slots * index.total() + 1, poison);
      fill_neighbours(index, nearest_distances<Index::rank>(), boundary, TableOrder::by_cell, by_cell.data());
      fill_neighbours(index, nearest_distances<Index::rank>(), boundary, TableOrder::by_slot, by_slot.data());
      for (K k = 0; k < index.total(); ++k)
        for (std::size_t slot = 0; slot < slots; ++slot) {
          const K expected = index.neighbour(k, static_cast<int>(slot / 2), slot % 2 == 0 ? -1 : 1, boundary);
          ASSERT_EQ(by_cell[k * slots + slot], expected);
          ASSERT_EQ(by_slot[slot * index.total() + k], expected);
        }
      EXPECT_EQ(by_cell.back(), poison);
      EXPECT_EQ(by_slot.back(), poison);
    }
  });
}

TEST(KIndexNeighbour, a_table_of_given_distances_knows_the_diagonals) {
  const AnyIndex<2, std::uint32_t> index({3, 2});
  const Array<Array<std::int64_t, 2>, 2> diagonals = {{{{1, 1}}, {{-2, 0}}}};
  std::uint32_t table[6][2] = {};
  fill_neighbours(index, diagonals, Boundary::open, TableOrder::by_cell, &table[0][0]);
  const std::uint32_t no = index.outside;
  const std::uint32_t expected[6][2] = {{4, no}, {5, no}, {no, 0}, {no, no}, {no, no}, {no, 3}};
  for (int k = 0; k < 6; ++k)
    for (int slot = 0; slot < 2; ++slot) EXPECT_EQ(table[k][slot], expected[k][slot]);
}

}  // namespace
}  // namespace crinkle::neighbour_test
