// A child of fork() has one thread, and loops, plans and the cache of plans work there whatever other threads of its parent were doing.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <vector>

#include "crinkle/executor.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/plan.hpp"

namespace crinkle::fork_test {
namespace {

/// Threads that do something again and again.
class Busy {
 public:
  template <class Body>
  Busy(int n, const Body& body) {
    for (int k = 0; k < n; ++k) {
      threads_.emplace_back([this, body] {
        while (!is_over_) body();
      });
    }
  }
  ~Busy() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

/// How many of n children, one after the other, found that body() is true, within seconds.
template <class Body>
int successes(int n, const Body& body) {
  int found = 0;
  for (int k = 0; k < n; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      _exit(body() ? 42 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    found += WIFEXITED(status) && WEXITSTATUS(status) == 42 ? 1 : 0;
  }
  return found;
}

bool runs_every_chunk(Executor& executor) {
  std::vector<std::atomic<int>> counts(100);
  executor.parallel_for(100, [&](std::int64_t c) { ++counts[static_cast<std::size_t>(c)]; });
  return std::all_of(counts.begin(), counts.end(), [](const auto& n) { return n == 1; });
}

/// Whether n chunks have n threads: each waits for the others, the first of a single thread in vain.
bool has_threads(Executor& executor, int n) {
  std::atomic<int> n_there{0};
  std::atomic<bool> is_alone{false};
  executor.parallel_for(n, [&](std::int64_t) {
    ++n_there;
    const auto begin = std::chrono::steady_clock::now();
    while (n_there < n && !is_alone) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(5)) is_alone = true;
      std::this_thread::yield();
    }
  });
  return !is_alone;
}

void run_loop(Executor& executor) {
  executor.parallel_for(8, [](std::int64_t) {
    for (std::atomic<int> i = 0; i < 5000;) ++i;
  });
}

TEST(Fork, a_child_runs_loops_while_its_parent_does) {
  const auto own = make_executor(4);
  const Busy busy(3, [&] { run_loop(*own), run_loop(default_executor()); });
  EXPECT_EQ(successes(20,
                      [&] {
                        const auto another = make_executor(3);
                        return runs_every_chunk(*own) && runs_every_chunk(default_executor()) && runs_every_chunk(*another) &&
                               has_threads(*own, 4) && has_threads(*another, 3);
                      }),
            20);
}

TEST(Fork, a_childs_child_runs_loops) {
  const auto own = make_executor(4);
  const Busy busy(2, [&] { run_loop(*own); });
  EXPECT_EQ(successes(3, [&] { return runs_every_chunk(*own) && successes(2, [&] { return runs_every_chunk(*own); }) == 2; }), 3);
}

TEST(Fork, a_child_ends_as_its_parent_would) {
  const auto own = make_executor(4);
  run_loop(default_executor());
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    const bool is_right = runs_every_chunk(default_executor()) && runs_every_chunk(*own);
    std::exit(is_right ? 42 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42);
}

TEST(Fork, a_child_moves_and_finds_plans_while_its_parent_does) {
  const std::int64_t side = 1024;  // parted among the threads
  std::vector<std::int32_t> in(static_cast<std::size_t>(side * side)), out(in.size());
  std::iota(in.begin(), in.end(), 0);
  const auto bytes = static_cast<std::int64_t>(4 * in.size());
  const Plan transpose(parse("y x -> x y", Layout::dense({side, side}, 4)));
  std::atomic<std::int64_t> shape{1};
  const Busy busy(3, [&] {
    std::vector<std::int32_t> mine(in.size());
    transpose.run({in.data(), bytes}, {mine.data(), bytes});
    for (int k = 0; k < 50; ++k) {  // the cache is locked most of the time
      const std::int64_t n = 1 + shape++ % 5000;
      (void)cached_plan(parse("y x -> x y", Layout::dense({n, 3}, 4)).boxes());
    }
  });
  EXPECT_EQ(successes(20,
                      [&] {
                        (void)cached_plan(parse("y x -> x y", Layout::dense({7, 3}, 4)).boxes());
                        transpose.run({in.data(), bytes}, {out.data(), bytes});
                        return out[1] == side && out[static_cast<std::size_t>(side)] == 1 && plan_cache_facts().n_plans == 1;
                      }),
            20);
}

}  // namespace
}  // namespace crinkle::fork_test
