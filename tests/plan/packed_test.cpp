// Packed schedules: blocks and what they leave are the box, no byte more or less, and blocks are as small, their runs as long as was asked
// for.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/packed.hpp"

#include <gtest/gtest.h>

#include <random>

#include "form/check.hpp"
#include "form/simplify.hpp"
#include "plan/stitch.hpp"
#include "support/generators.hpp"

namespace crinkle::planning::packed_test {
namespace {

// A dense array with its axes in another order, both fastest first.
tile::Rows permuted(std::int32_t unit, const std::vector<std::int64_t>& extents, const std::vector<std::size_t>& order) {
  Box box;
  box.unit = unit;
  for (const std::int64_t n : extents) box.axes.push_back({n, 0, 0});
  std::int64_t src = unit, dst = unit;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    box.axes[a].src_stride = src;
    src *= extents[a];
    box.axes[order[a]].dst_stride = dst;
    dst *= extents[order[a]];
  }
  Boxes boxes{box};
  simplify(boxes);
  return stitch(boxes)[0];
}

// Which byte of the source every byte of the destination comes from, none of them written twice.
std::vector<std::int64_t> origins_of(const Box& box, std::int64_t n_bytes, std::vector<std::int64_t> origins = {}) {
  origins.resize(static_cast<std::size_t>(n_bytes), -1);
  std::vector<std::int64_t> index(box.axes.size(), 0);
  for (;;) {
    std::int64_t src = box.src_offset, dst = box.dst_offset;
    for (std::size_t a = 0; a < index.size(); ++a) {
      src += index[a] * box.axes[a].src_stride;
      dst += index[a] * box.axes[a].dst_stride;
    }
    for (std::int64_t b = 0; b < box.unit; ++b) {
      std::int64_t& origin = origins[static_cast<std::size_t>(dst + b)];
      EXPECT_EQ(origin, -1) << "byte " << dst + b << " is written twice";
      origin = src + b;
    }
    std::size_t a = 0;
    while (a < index.size() && ++index[a] == box.axes[a].extent) index[a++] = 0;
    if (a == index.size()) return origins;
  }
}

Box box_of(const Schedule& schedule) {
  Box box;
  box.src_offset = schedule.src_offset;
  box.dst_offset = schedule.dst_offset;
  box.unit = static_cast<std::int32_t>(schedule.element);
  for (const Axis& a : schedule.outer) box.axes.push_back(a);
  for (const Axis& a : schedule.block) box.axes.push_back(a);
  return box;
}

TEST(Packed, blocks_and_what_they_leave_are_the_box) {
  std::mt19937_64 random(20261122);
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  int n_packed = 0, n_with_rest = 0;
  for (int k = 0; k < 400; ++k) {
    std::vector<std::int64_t> extents;
    for (std::int64_t rank = pick(2, 4); rank > 0; --rank) extents.push_back(pick(2, rank == 1 ? 60 : 14));
    std::vector<std::size_t> order(extents.size());
    for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
    std::shuffle(order.begin(), order.end(), random);
    const tile::Rows rows = permuted(std::int32_t{1} << pick(0, 4), extents, order);
    const PackLimits limits{0, 256 << pick(0, 3), 64 << pick(0, 2), 64 << pick(0, 2), 64, 64};
    const std::optional<Packed> packed = packed_schedule(rows, limits);
    if (!packed) continue;
    ++n_packed;
    n_with_rest += packed->rest.empty() ? 0 : 1;
    Box whole = rows.box;
    whole.axes.back().src_stride = rows.segments[0].src_step;
    const std::int64_t n_bytes = n_bytes_of(whole);
    std::vector<std::int64_t> origins = origins_of(box_of(packed->schedule), n_bytes);
    for (const Box& rest : packed->rest) origins = origins_of(rest, n_bytes, std::move(origins));
    EXPECT_EQ(origins, origins_of(whole, n_bytes));
    std::int64_t block = packed->schedule.element;
    for (const Axis& a : packed->schedule.block) block *= a.extent;
    EXPECT_LE(block, limits.block);
    EXPECT_EQ(packed->schedule.n_bytes, n_bytes_of(box_of(packed->schedule)));
  }
  EXPECT_GT(n_packed, 100);
  EXPECT_GT(n_with_rest, 30);
}

// 12-byte records of a matrix, transposed: 2048 bytes of the destination and 1024 of the source want 171 × 86 elements, 172 KiB. Parts of
// 700 and 1000 are as equal as they can be.
TEST(Packed, runs_grow_on_both_sides_until_they_are_long_or_the_block_is_full) {
  const tile::Rows rows = permuted(4, {3, 1000, 700}, {0, 2, 1});
  const auto extents = [&](std::int64_t block) {
    PackLimits limits;
    limits.block = block;
    const auto packed = packed_schedule(rows, limits);
    std::vector<std::int64_t> list{packed ? packed->schedule.element : 0};
    for (const Axis& a : packed ? packed->schedule.block : AxisList{}) list.push_back(a.extent);
    return list;
  };
  EXPECT_EQ(extents(64 << 10), (std::vector<std::int64_t>{12, 700 / 11, 1000 / 16})) << "64 × 64 elements";
  EXPECT_EQ(extents(1 << 20), (std::vector<std::int64_t>{12, 700 / 3, 1000 / 8})) << "256 × 128 elements";
}

TEST(Packed, no_block_has_long_runs_of_every_second_element) {
  tile::Rows rows = permuted(4, {64, 1000}, {1, 0});
  for (Axis& a : rows.box.axes) a.src_stride *= 2;
  rows.segments[0].src_step *= 2;
  EXPECT_FALSE(packed_schedule(rows, {}));
}

TEST(Packed, elements_of_a_line_are_runs_of_their_own) { EXPECT_FALSE(packed_schedule(permuted(16, {4, 300, 300}, {0, 2, 1}), {})); }

}  // namespace
}  // namespace crinkle::planning::packed_test
