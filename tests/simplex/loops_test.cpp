// Loops over pairs and triplets: each one once, in order, on any number of threads; the blocks of a GPU walked thread by thread; errors.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/simplex_loops.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "crinkle/detail/simplex_blocks.hpp"
#include "simplex/maps_support.hpp"
#include "support/threads.hpp"

namespace crinkle::loops_test {
namespace {

constexpr std::int64_t sizes[] = {0, 1, 2, 3, 4, 7, 13, 31, 64, 101};

// How often each triplet of indices was met; pairs are (0, i, j).
class Counter {
 public:
  explicit Counter(std::int64_t layers, std::int64_t n) : n_(n), times_(static_cast<std::size_t>(layers * n * n)) {}
  void meet(std::int64_t i, std::int64_t j, std::int64_t k) {
    if (i < 0 || j < 0 || k < 0 || j >= n_ || k >= n_) throw std::out_of_range(std::to_string(i) + ", " + std::to_string(j));
    times_.at(static_cast<std::size_t>((i * n_ + j) * n_ + k)).fetch_add(1, std::memory_order_relaxed);
  }
  int of(std::int64_t i, std::int64_t j, std::int64_t k) const { return times_[static_cast<std::size_t>((i * n_ + j) * n_ + k)]; }

 private:
  std::int64_t n_;
  std::vector<std::atomic<int>> times_;
};

void expect_pairs_once(const Counter& counter, std::int64_t n, Diagonal diagonal, const std::string& what) {
  const std::int64_t gap = diagonal == Diagonal::without ? 1 : 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      ASSERT_EQ(counter.of(0, i, j), i + gap <= j ? 1 : 0) << i << ", " << j << " of " << n << ' ' << name_of(diagonal) << ": " << what;
}

void expect_triplets_once(const Counter& counter, std::int64_t n, Diagonal diagonal, const std::string& what) {
  const std::int64_t gap = diagonal == Diagonal::without ? 1 : 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t k = 0; k < n; ++k)
        ASSERT_EQ(counter.of(i, j, k), i + gap <= j && j + gap <= k ? 1 : 0)
            << i << ", " << j << ", " << k << " of " << n << ' ' << name_of(diagonal) << ": " << what;
}

TEST(Loops, meet_every_pair_and_triplet_once_on_any_number_of_threads) {
  for (const int n_threads : {1, 2, 3, 7}) {
    Threads executor(n_threads);
    const std::string what = std::to_string(n_threads) + " threads";
    for (const Diagonal diagonal : both_diagonals)
      for (const std::int64_t n : sizes) {
        Counter pairs(1, n);
        for_each_pair(n, [&](std::int64_t i, std::int64_t j) { pairs.meet(0, i, j); }, executor, diagonal);
        expect_pairs_once(pairs, n, diagonal, what);
        if (n > 31) continue;
        Counter triplets(n, n);
        for_each_triplet(n, [&](std::int64_t i, std::int64_t j, std::int64_t k) { triplets.meet(i, j, k); }, executor, diagonal);
        expect_triplets_once(triplets, n, diagonal, what);
      }
  }
}

TEST(Loops, on_one_thread_the_last_index_runs_fastest) {
  const auto executor = make_executor(1);
  std::vector<std::int64_t> met, expected;
  for_each_pair(17, [&](std::int64_t i, std::int64_t j) { met.insert(met.end(), {i, j}); }, *executor);
  for (std::int64_t i = 0; i < 17; ++i)
    for (std::int64_t j = i + 1; j < 17; ++j) expected.insert(expected.end(), {i, j});
  EXPECT_EQ(met, expected);
  met.clear();
  expected.clear();
  for_each_triplet(
      11, [&](std::int64_t i, std::int64_t j, std::int64_t k) { met.insert(met.end(), {i, j, k}); }, *executor, Diagonal::with);
  for (std::int64_t i = 0; i < 11; ++i)
    for (std::int64_t j = i; j < 11; ++j)
      for (std::int64_t k = j; k < 11; ++k) expected.insert(expected.end(), {i, j, k});
  EXPECT_EQ(met, expected);
}

// Runs what it is given from the last part to the first.
class Backwards final : public Executor {
 public:
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t c = n_chunks; c-- > 0;) {
      body(c);
      ends.push_back(n_met);
    }
  }
  int n_workers() const noexcept override { return 5; }

  std::int64_t n_met = 0;
  std::vector<std::int64_t> ends;
};

TEST(Loops, parts_hold_equally_many_pairs) {
  Backwards executor;
  for_each_pair(100, [&](std::int64_t, std::int64_t) { ++executor.n_met; }, executor);
  ASSERT_EQ(executor.ends.size(), 40u);
  EXPECT_EQ(executor.ends.back(), 4950);
  for (std::size_t part = 1; part < executor.ends.size(); ++part) {
    const std::int64_t n = executor.ends[part] - executor.ends[part - 1];
    EXPECT_TRUE(n == 123 || n == 124) << n;
  }
}

TEST(Loops, tiles_hold_every_pair_once) {
  for (const int n_threads : {1, 3}) {
    Threads executor(n_threads);
    for (const std::int64_t n : sizes)
      for (const std::int64_t tile : {std::int64_t{1}, std::int64_t{4}, std::int64_t{13}, std::int64_t{1} << 40}) {
        Counter pairs(1, n);
        const auto body = [&](const PairTile& t) {
          if (t.is_on_diagonal != (t.i_begin == t.j_begin) || (!t.is_on_diagonal && t.i_end > t.j_begin))
            throw std::logic_error("diagonal");
          if (t.i_end - t.i_begin > tile || t.i_end <= t.i_begin || t.j_end <= t.j_begin) throw std::logic_error("extent");
          for (std::int64_t i = t.i_begin; i < t.i_end; ++i)
            for (std::int64_t j = t.is_on_diagonal ? i + 1 : t.j_begin; j < t.j_end; ++j) pairs.meet(0, i, j);
        };
        for_each_pair_tile(n, tile, body, executor);
        expect_pairs_once(pairs, n, Diagonal::without, "tiles of " + std::to_string(tile));
        if (n > 31) continue;
        Counter triplets(n, n);
        const auto of_three = [&](const TripletTile& t) {
          if (t.is_on_diagonal != (t.i_begin == t.j_begin || t.j_begin == t.k_begin)) throw std::logic_error("diagonal");
          for (std::int64_t i = t.i_begin; i < t.i_end; ++i)
            for (std::int64_t j = t.j_begin; j < t.j_end; ++j)
              for (std::int64_t k = t.k_begin; k < t.k_end; ++k)
                if (!t.is_on_diagonal || (i < j && j < k)) triplets.meet(i, j, k);
        };
        for_each_triplet_tile(n, tile, of_three, executor);
        expect_triplets_once(triplets, n, Diagonal::without, "tiles of " + std::to_string(tile));
      }
  }
}

template <class Run>
void expect_error(ErrorCode code, const std::string& part, const Run& run) {
  try {
    run();
    FAIL() << "nothing was thrown; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Loops, refuse_sizes_before_any_call) {
  int n_calls = 0;
  const auto pair = [&](std::int64_t, std::int64_t) { ++n_calls; };
  const auto triplet = [&](std::int64_t, std::int64_t, std::int64_t) { ++n_calls; };
  const auto tile = [&](const PairTile&) { ++n_calls; };
  const auto triplet_tile = [&](const TripletTile&) { ++n_calls; };
  expect_error(ErrorCode::bad_shape, "-1 things cannot have pairs", [&] { for_each_pair(-1, pair); });
  expect_error(ErrorCode::bad_shape, "-5 things cannot have triplets", [&] { for_each_triplet(-5, triplet); });
  expect_error(ErrorCode::bad_shape, "-1 things", [&] { for_each_pair_tile(-1, 8, tile); });
  expect_error(ErrorCode::bad_shape, "tiles of 0 things", [&] { for_each_pair_tile(9, 0, tile); });
  expect_error(ErrorCode::bad_shape, "tiles of -2 things", [&] { for_each_triplet_tile(9, -2, triplet_tile); });
  constexpr std::int64_t huge = 0x7FFFFFFFFFFFFFFF;
  expect_error(ErrorCode::too_large, "give at most 4294967296 things", [&] { for_each_pair(4294967297, pair); });
  expect_error(ErrorCode::too_large, "give at most 4294967295 things",
               [&] { for_each_pair(4294967296, pair, default_executor(), Diagonal::with); });
  expect_error(ErrorCode::too_large, "the pairs of 9223372036854775807 things", [&] { for_each_pair(huge, pair); });
  expect_error(ErrorCode::too_large, "the triplets of 3810780 things are more than 2^63 - 1; give at most 3810779 things",
               [&] { for_each_triplet(3810780, triplet); });
  expect_error(ErrorCode::too_large, "give at most", [&] { for_each_pair_tile(huge, huge, tile); });
  expect_error(ErrorCode::too_large, "give at most", [&] { for_each_triplet_tile(huge, huge, triplet_tile); });
  EXPECT_EQ(n_calls, 0);
}

TEST(Loops, the_largest_sizes_are_counted_exactly) {
  const Wide most = 0x7FFFFFFFFFFFFFFF;
  for (const Diagonal diagonal : both_diagonals) {
    const std::int64_t gap = diagonal == Diagonal::without ? 1 : 0, n = 4294967295 + gap, m = 3810777 + 2 * gap;
    EXPECT_TRUE(static_cast<Wide>(detail::count_pairs(n, diagonal)) == triangle(static_cast<Wide>(n - gap)));
    EXPECT_TRUE(triangle(static_cast<Wide>(n - gap)) <= most && triangle(static_cast<Wide>(n - gap + 1)) > most);
    EXPECT_TRUE(static_cast<Wide>(detail::count_triplets(m, diagonal)) == tetrahedron(static_cast<Wide>(m - 2 * gap)));
    EXPECT_TRUE(tetrahedron(static_cast<Wide>(m - 2 * gap)) <= most && tetrahedron(static_cast<Wide>(m - 2 * gap + 1)) > most);
  }
}

TEST(Loops, what_a_body_throws_arrives) {
  Threads executor(3);
  const auto body = [](std::int64_t i, std::int64_t j) {
    if (i == 20 && j == 30) throw std::runtime_error("twenty and thirty");
  };
  EXPECT_THROW(for_each_pair(50, body, executor), std::runtime_error);
  EXPECT_NO_THROW(for_each_pair(30, body, executor));
}

// The kernels of simplex_loops.cuh, step by step: what body gets, and the places of the values that it gets with it.
template <class Blocks>
void walk_pairs(std::int64_t n, Diagonal diagonal, std::uint64_t most_blocks) {
  const Blocks blocks(n, diagonal);
  ASSERT_TRUE(Blocks::fits(n));
  Counter pairs(1, n);
  detail::in_launches(blocks.n_blocks(), most_blocks, [&](std::uint64_t first, std::uint64_t count) {
    ASSERT_TRUE(count >= 1 && count <= most_blocks);
    for (std::uint64_t block = 0; block < count; ++block) {
      const auto tile = blocks.tile(first + block);
      if (!tile.is_inside) continue;
      for (int thread = 0; thread < Blocks::threads; ++thread) {
        const std::int64_t j = tile.j_begin + Blocks::column(thread);
        ASSERT_EQ(blocks.thing(tile, Blocks::side + Blocks::column(thread)), j);
        for (int step = 0; step < Blocks::steps; ++step) {
          const int row = Blocks::row(thread, step);
          ASSERT_TRUE(row < Blocks::side && blocks.thing(tile, row) == tile.i_begin + row);
          if (blocks.is_pair(tile.i_begin + row, j)) pairs.meet(0, tile.i_begin + row, j);
        }
      }
    }
  });
  expect_pairs_once(pairs, n, diagonal, Blocks::Map::name);
}

template <class Blocks>
void walk_triplets(std::int64_t n, Diagonal diagonal, std::uint64_t most_blocks) {
  const Blocks blocks(n, diagonal);
  ASSERT_TRUE(Blocks::fits(n));
  Counter triplets(n, n);
  detail::in_launches(blocks.n_blocks(), most_blocks, [&](std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t block = 0; block < count; ++block) {
      const auto tile = blocks.tile(first + block);
      if (!tile.is_inside) continue;
      for (int thread = 0; thread < Blocks::threads; ++thread) {
        const std::int64_t k = tile.k_begin + Blocks::column(thread);
        ASSERT_EQ(blocks.thing(tile, 2 * Blocks::side + Blocks::column(thread)), k);
        for (int step = 0; step < Blocks::steps; ++step) {
          const int layer = Blocks::layer(step), row = Blocks::row(thread, step);
          const std::int64_t i = tile.i_begin + layer, j = tile.j_begin + row;
          ASSERT_TRUE(row < Blocks::side && layer < Blocks::side);
          ASSERT_TRUE(blocks.thing(tile, layer) == i && blocks.thing(tile, Blocks::side + row) == j);
          if (blocks.is_triplet(i, j, k)) triplets.meet(i, j, k);
        }
      }
    }
  });
  expect_triplets_once(triplets, n, diagonal, Blocks::Map::name);
}

TEST(Blocks, walked_meet_every_pair_once) {
  for (const Diagonal diagonal : both_diagonals) {
    for (const std::int64_t n : {0, 1, 2, 63, 64, 65, 127, 128, 129, 150}) {
      walk_pairs<PairBlocks<>>(n, diagonal, 0x7FFFFFFF);
      walk_pairs<PairBlocks<TriangleMap<std::uint32_t>, 32>>(n, diagonal, 3);
    }
    for (std::int64_t n = 0; n < 40; ++n) {
      walk_pairs<PairBlocks<BoundingBox<std::uint32_t>, 8, 32>>(n, diagonal, 7);
      walk_pairs<PairBlocks<Lambda<ReciprocalRoot>, 4, 16>>(n, diagonal, 2);
      walk_pairs<PairBlocks<Banded<>, 8, 64>>(n, diagonal, 5);
    }
  }
}

TEST(Blocks, walked_meet_every_triplet_once) {
  for (const Diagonal diagonal : both_diagonals) {
    for (const std::int64_t n : {0, 1, 2, 3, 31, 32, 33, 65}) walk_triplets<TripletBlocks<>>(n, diagonal, 0x7FFFFFFF);
    for (std::int64_t n = 0; n < 18; ++n) {
      walk_triplets<TripletBlocks<TetrahedronBox<std::uint32_t>, 4, 8>>(n, diagonal, 9);
      walk_triplets<TripletBlocks<TetrahedronMap<std::uint32_t>, 4, 16>>(n, diagonal, 1);
    }
  }
}

TEST(Blocks, neighbours_in_a_warp_have_neighbouring_last_indices) {
  for (int thread = 0; thread < 255; ++thread)
    if (thread % 32 != 31) {
      EXPECT_EQ(PairBlocks<>::column(thread) + 1, PairBlocks<>::column(thread + 1));
      EXPECT_EQ(PairBlocks<>::row(thread, 5), PairBlocks<>::row(thread + 1, 5));
      EXPECT_EQ(TripletBlocks<>::column(thread) + 1, TripletBlocks<>::column(thread + 1));
    }
}

// More blocks than a grid holds, and more things than a map of 32 bits has tiles for.
TEST(Blocks, of_huge_loops_are_spread_over_launches) {
  const std::int64_t n = 4294967295;
  const PairBlocks<> blocks(n, Diagonal::without);
  EXPECT_TRUE(PairBlocks<>::fits(n) && blocks.n_blocks() == triangle(67108864));
  std::uint64_t met = 0, n_launches = 0;
  detail::in_launches(blocks.n_blocks(), 0x7FFFFFFF, [&](std::uint64_t first, std::uint64_t count) {
    EXPECT_TRUE(first == met && count <= 0x7FFFFFFF);
    met += count;
    ++n_launches;
  });
  EXPECT_TRUE(met == blocks.n_blocks() && n_launches == 1048577);
  const auto tile = blocks.tile(blocks.n_blocks() - 1);
  EXPECT_TRUE(tile.is_inside && tile.i_begin % 64 == 0 && tile.i_begin <= tile.j_begin && tile.j_begin < n);
  EXPECT_TRUE(blocks.is_pair(n - 2, n - 1) && !blocks.is_pair(n - 1, n) && !blocks.is_pair(n - 1, n - 1));
  using Narrow = PairBlocks<TriangleMap<std::uint32_t>>;
  EXPECT_TRUE(Narrow::fits(5931520) && !Narrow::fits(8000000) && !Narrow::fits(n) && !Narrow::fits(0x7FFFFFFFFFFFFFFF));
  EXPECT_TRUE(TripletBlocks<>::fits(3810777));
}

}  // namespace
}  // namespace crinkle::loops_test
