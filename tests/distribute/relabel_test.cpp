// Relabelling against all permutations, assignments against brute force, and layouts of very many ranks.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include "distribute/assignment.hpp"
#include "distribute/layouts.hpp"

namespace crinkle {
namespace {

TEST(relabel, sends_as_little_as_the_best_permutation_of_7_ranks) {
  Draw draw{std::mt19937_64(7)};
  std::size_t n_turned = 0;
  for (int k = 0; k < 140; ++k) {
    const Extents extents{draw.pick(1, 12), draw.pick(1, 12)};
    const std::int64_t n = 1 + k % 7;
    const Distribution from = spread::layout_of(spread::all_kinds[k / 7 % 4], extents, n, draw),
                       to = spread::layout_of(spread::all_kinds[k / 7 % 5], extents, n, draw);
    const Redistribution r(from, to, 4);
    const Relabelling found = relabel(r);
    // What position p takes from every rank; all permutations of them.
    std::vector<std::vector<std::int64_t>> takes(static_cast<std::size_t>(n), std::vector<std::int64_t>(static_cast<std::size_t>(n), 0));
    std::int64_t all = 0, most = 0;
    for (std::int64_t p = 0; p < n; ++p)
      for (const Message& m : r.receives(to.rank_at(p))) {
        takes[static_cast<std::size_t>(p)][static_cast<std::size_t>(m.from)] = m.elements;
        all += m.elements;
      }
    std::vector<std::size_t> ranks(static_cast<std::size_t>(n));
    std::iota(ranks.begin(), ranks.end(), 0u);
    do {
      std::int64_t kept = 0;
      for (std::size_t p = 0; p < ranks.size(); ++p) kept += takes[p][ranks[p]];
      most = std::max(most, kept);
    } while (std::next_permutation(ranks.begin(), ranks.end()));
    const std::int64_t sent = Redistribution(from, to.on(found.ranks), 4).traffic().sent;
    ASSERT_EQ(sent, all - most) << from.text() << " to " << to.text();
    ASSERT_EQ(static_cast<double>(sent), found.cost);
    ASSERT_EQ(found.gap, 0);
    if (r.traffic().sent > sent) ++n_turned;
  }
  EXPECT_GT(n_turned, 50u);  // not only layouts that were best as they are
}

TEST(relabel, assignments_are_the_best_of_all) {
  Draw draw{std::mt19937_64(8)};
  for (int k = 0; k < 400; ++k) {
    const std::int64_t n = draw.pick(1, 7), most = draw.chance(2) ? 3 : 1000;
    std::vector<std::int64_t> cost(static_cast<std::size_t>(n * n));
    for (std::int64_t& c : cost) c = draw.pick(-most, most);
    const std::vector<double> real(cost.begin(), cost.end());
    std::vector<std::size_t> columns(static_cast<std::size_t>(n));
    std::iota(columns.begin(), columns.end(), 0u);
    const auto sum = [&](const auto& of) {
      std::int64_t s = 0;
      for (std::size_t i = 0; i < of.size(); ++i) s += cost[i * of.size() + static_cast<std::size_t>(of[i])];
      return s;
    };
    std::int64_t least = INT64_MAX;
    do least = std::min(least, sum(columns));
    while (std::next_permutation(columns.begin(), columns.end()));
    std::int64_t bound = 0;
    ASSERT_EQ(sum(distributed::assign(std::span<const std::int64_t>(cost), n, &bound)), least);
    ASSERT_EQ(bound, least);
    ASSERT_EQ(sum(distributed::assign(std::span<const double>(real), n)), least);
    std::vector<distributed::Gain> gains;
    for (std::int64_t i = 0; i < n * n; ++i)
      if (cost[static_cast<std::size_t>(i)] < 0) gains.push_back({i / n, i % n, -cost[static_cast<std::size_t>(i)]});
    const distributed::Auctioned sold = distributed::auction(gains, n, 1);
    std::vector<std::int64_t> positive(cost);
    for (std::int64_t& c : positive) c = std::min<std::int64_t>(c, 0);
    std::int64_t best = 0;
    distributed::assign(std::span<const std::int64_t>(positive), n, &best);
    ASSERT_LE(sold.gain, -best);
    ASSERT_LE(-best, sold.most);
    ASSERT_LE(sold.most - sold.gain, n);
    std::vector<std::int64_t> seen = sold.columns;
    std::sort(seen.begin(), seen.end());
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
  }
}

TEST(relabel, a_grid_turned_round_stays_where_it_is) {
  const Distribution rows({64, 64}, {"y", "x"}, "y:block(32) x:block(32)"), columns({64, 64}, {"y", "x"}, "x:block(32) y:block(32)");
  EXPECT_GT(Redistribution(rows, columns, 8).traffic().sent, 0);
  const Relabelling found = relabel(Redistribution(rows, columns, 8));
  EXPECT_EQ(found.cost, 0);
  EXPECT_EQ(Redistribution(rows, columns.on(found.ranks), 8).traffic().sent, 0);
}

TEST(relabel, by_costs_a_rank_goes_to_the_near_node) {
  // Two nodes of two ranks; all that position p wants lies on rank 3 − p.
  const Distribution from({4}, {}, "@0:block(4)");
  const Redistribution r(from, from, Rearrangement(Layout::dense({4}, 8)).flip("@0"));
  std::vector<double> cost(16, 10);
  for (const std::size_t k : {0u, 1u, 4u, 5u, 10u, 11u, 14u, 15u}) cost[k] = k % 5 == 0 ? 0 : 1;
  const Relabelling found = relabel(r, cost);
  EXPECT_EQ(found.ranks, (std::vector<std::int64_t>{3, 2, 1, 0}));
  EXPECT_EQ(found.cost, 0);
  EXPECT_THROW(relabel(r, std::vector<double>(15, 1.0)), Error);
  EXPECT_THROW(relabel(r, std::vector<double>(16, -1.0)), Error);
  EXPECT_THROW(relabel(Redistribution(from, Distribution({4}, {}, "@0:block(2)"), 8)), Error);
  EXPECT_THROW(relabel(Redistribution(Distribution({4}, {}, "copies(4)"), from, 8)), Error);
}

TEST(relabel, above_4096_ranks_the_gap_is_small) {
  const Distribution rows({160, 160}, {"y", "x"}, "y:block(80) x:block(80)"), columns({160, 160}, {"y", "x"}, "x:block(80) y:block(80)");
  const Relabelling found = relabel(Redistribution(rows, columns, 8));
  EXPECT_LE(found.gap, 0.01 * 160 * 160);
  EXPECT_LE(found.cost, found.gap);  // a grid turned round could stay where it is
  EXPECT_EQ(static_cast<double>(Redistribution(rows, columns.on(found.ranks), 8).traffic().sent), found.cost);
}

TEST(relabel, a_hundred_thousand_ranks_are_described_by_products) {
  const Extents extents{4000, 4000, 4000};
  const Distribution pencils(extents, {"z", "y", "x"}, "z:block(400) y:block(250)"),
      others(extents, {"z", "y", "x"}, "z:block(250) x:block(400)");
  const Redistribution r(pencils, others, 16);
  const Traffic t = r.traffic();
  EXPECT_EQ(t.elements, 64'000'000'000);
  // Rank by rank: 10 × 16 × 4000 before, 16 × 4000 × 10 behind, of which it keeps what both have.
  std::int64_t kept = 0, least_kept = INT64_MAX, messages = 0, of_rank = 0;
  for (std::int64_t rank = 0; rank < 100'000; ++rank) {
    const std::int64_t z = rank / 250 * 10, first = rank / 400 * 16;
    const std::int64_t own = std::max<std::int64_t>(0, std::min(z + 10, first + 16) - std::max(z, first)) * 16 * 10;
    kept += own;
    least_kept = std::min(least_kept, own);
    const std::int64_t from = ((first + 15) / 10 - first / 10 + 1) * 250 - (own > 0 ? 1 : 0);
    messages += from;
    if (rank == 77'777) of_rank = 640'000 - own;
  }
  EXPECT_EQ(t.sent, t.elements - kept);
  EXPECT_EQ(t.messages, messages);
  EXPECT_EQ(t.peak_received, 640'000 - least_kept);
  EXPECT_EQ(t.peak_sent, 640'000 - least_kept);
  std::int64_t received = 0;
  for (const Message& m : r.receives(77'777)) received += m.from == 77'777 ? 0 : m.elements;
  EXPECT_EQ(received, of_rank);
  EXPECT_NE(r.describe({1e-6, 25e9}).find("1024000000000 bytes are sent"), std::string::npos) << r.describe();
  EXPECT_THROW((void)r.describe({-1, 1}), Error);
  EXPECT_THROW((void)r.describe({0, 0}), Error);
}

}  // namespace
}  // namespace crinkle
