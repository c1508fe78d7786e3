// Uneven work in even parts: every item once, in one range a worker, no range with much more work than another.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/even_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "support/threads.hpp"

namespace crinkle::even_parts_test {
namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

Ranges ranges_of(std::int64_t n, const std::function<double(std::int64_t)>& work, double least, int n_threads) {
  Threads threads(n_threads);
  Ranges ranges;
  std::mutex mutex;
  in_even_parts(n, work, least, threads, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    ranges.emplace_back(begin, end);
  });
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

TEST(in_even_parts, does_every_item_once_whatever_the_work) {
  const auto rising = [](std::int64_t i) { return static_cast<double>(i); };
  const auto lone = [](std::int64_t i) { return i == 3 ? 1e6 : 1.0; };
  const auto none = [](std::int64_t) { return 0.0; };
  for (const auto& work : std::vector<std::function<double(std::int64_t)>>{rising, lone, none}) {
    for (const std::int64_t n : {0, 1, 2, 7, 1000}) {
      for (const int n_threads : {1, 2, 5}) {
        std::int64_t next = 0;
        for (const auto& [begin, end] : ranges_of(n, work, 0, n_threads)) {
          EXPECT_EQ(begin, next);
          EXPECT_LT(begin, end);
          next = end;
        }
        EXPECT_EQ(next, n);
      }
    }
  }
}

TEST(in_even_parts, gives_no_part_more_than_its_share_and_an_item) {
  constexpr std::int64_t n = 1000;
  constexpr int n_threads = 4;
  const auto work = [](std::int64_t i) { return static_cast<double>(n - i); };
  const Ranges ranges = ranges_of(n, work, 0, n_threads);
  ASSERT_EQ(ranges.size(), static_cast<std::size_t>(n_threads));
  for (const auto& [begin, end] : ranges) {
    double done = 0;
    for (std::int64_t i = begin; i < end; ++i) done += work(i);
    EXPECT_NEAR(done, n * (n + 1) / 2.0 / n_threads, n);
  }
}

TEST(in_even_parts, is_one_part_where_there_is_little_to_do) {
  EXPECT_EQ(ranges_of(100, [](std::int64_t) { return 1.0; }, 101, 4), (Ranges{{0, 100}}));
}

}  // namespace
}  // namespace crinkle::even_parts_test
