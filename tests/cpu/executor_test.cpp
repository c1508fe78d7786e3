// The executor: every chunk once, on as many threads as were asked for, and an exception of a chunk reaches the caller.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "crinkle/error.hpp"

namespace crinkle::executor_test {
namespace {

// How often each of n chunks was run.
std::vector<int> runs_of_chunks(Executor& executor, std::int64_t n) {
  std::vector<std::atomic<int>> counts(static_cast<std::size_t>(n));
  executor.parallel_for(n, [&](std::int64_t c) { ++counts.at(static_cast<std::size_t>(c)); });
  return {counts.begin(), counts.end()};
}

TEST(Executor, runs_every_chunk_once) {
  for (const int n_workers : {0, 1, 2, 3, 9}) {
    const auto executor = make_executor(n_workers);
    for (const std::int64_t n : {0, 1, 2, 7, 1000}) {
      EXPECT_EQ(runs_of_chunks(*executor, n), std::vector<int>(static_cast<std::size_t>(n), 1)) << n_workers << " workers";
    }
  }
}

TEST(Executor, has_the_workers_that_were_asked_for) {
  for (const int n_workers : {1, 2, 9}) EXPECT_EQ(make_executor(n_workers)->n_workers(), n_workers);
  EXPECT_GE(make_executor()->n_workers(), 1);
  EXPECT_EQ(&default_executor(), &default_executor());
}

TEST(Executor, of_one_worker_stays_on_the_callers_thread) {
  make_executor(1)->parallel_for(5, [me = std::this_thread::get_id()](std::int64_t) { EXPECT_EQ(std::this_thread::get_id(), me); });
}

TEST(Executor, throws_a_chunks_exception_again) {
  for (const int n_workers : {1, 4}) {
    const auto executor = make_executor(n_workers);
    const auto third_fails = [](std::int64_t c) {
      if (c == 3) throw std::runtime_error("chunk 3");
    };
    try {
      executor->parallel_for(8, third_fails);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) { EXPECT_STREQ(e.what(), "chunk 3"); }
    EXPECT_EQ(runs_of_chunks(*executor, 8), std::vector<int>(8, 1)) << "after an exception";
  }
}

// Workers that wait for work do it without using the processor: a spinning one uses all of the time that this sleeps.
TEST(Executor, no_worker_spins_after_a_run) {
  const auto cpu_ms = [] { return 1000 * std::clock() / CLOCKS_PER_SEC; };  // of all threads of the process
  const auto three = make_executor(3);
  for (Executor* executor : {&default_executor(), three.get()}) {
    runs_of_chunks(*executor, 100000);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // to fall asleep
    const auto before = cpu_ms();
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    EXPECT_LT(cpu_ms() - before, 200);
  }
}

TEST(Executor, serves_callers_at_the_same_time) {
  const auto executor = make_executor(2);
  std::vector<std::vector<int>> counts(4);
  std::vector<std::thread> callers;
  for (auto& mine : counts) callers.emplace_back([&] { mine = runs_of_chunks(*executor, 100); });
  for (std::thread& caller : callers) caller.join();
  for (const auto& mine : counts) EXPECT_EQ(mine, std::vector<int>(100, 1));
}

TEST(Executor, serves_more_callers_than_it_keeps_apart) {
  const auto executor = make_executor(3);
  std::vector<std::vector<int>> counts(24);
  std::vector<std::thread> callers;
  for (auto& mine : counts) callers.emplace_back([&] { mine = runs_of_chunks(*executor, 300); });
  for (std::thread& caller : callers) caller.join();
  for (const auto& mine : counts) EXPECT_EQ(mine, std::vector<int>(300, 1));
}

TEST(Executor, runs_loops_within_loops) {
  const auto executor = make_executor(4);
  std::vector<std::atomic<int>> counts(12 * 12 * 12);
  executor->parallel_for(12, [&](std::int64_t a) {
    executor->parallel_for(12, [&](std::int64_t b) {
      executor->parallel_for(12, [&](std::int64_t c) { ++counts[static_cast<std::size_t>((a * 12 + b) * 12 + c)]; });
    });
  });
  for (const auto& n : counts) EXPECT_EQ(n, 1);
}

TEST(Executor, works_on_several_threads_at_once) {
  const auto executor = make_executor(4);
  std::atomic<int> n_there{0};
  std::atomic<bool> is_alone{false};
  executor->parallel_for(4, [&](std::int64_t) {  // every chunk waits for the others, the first of a single thread in vain
    ++n_there;
    const auto begin = std::chrono::steady_clock::now();
    while (n_there < 4 && !is_alone) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) is_alone = true;
      std::this_thread::yield();
    }
  });
  EXPECT_FALSE(is_alone);
}

TEST(Executor, a_chunk_that_fails_ends_its_loop_alone) {
  const auto executor = make_executor(4);
  for (int k = 0; k < 200; ++k) {
    std::atomic<int> n_run{0};
    EXPECT_THROW(executor->parallel_for(64,
                                        [&](std::int64_t c) {
                                          ++n_run;
                                          if (c % 16 == 5) throw std::runtime_error("a chunk");
                                        }),
                 std::runtime_error);
    EXPECT_LE(n_run, 64);
  }
  EXPECT_EQ(runs_of_chunks(*executor, 64), std::vector<int>(64, 1));
}

int threads_of_this_process() {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator()));
}

TEST(Executor, gives_its_threads_back) {
  const int before = threads_of_this_process();
  for (int k = 0; k < 100; ++k) {
    const auto executor = make_executor(2 + k % 7);
    EXPECT_EQ(runs_of_chunks(*executor, 100), std::vector<int>(100, 1));
    EXPECT_LE(threads_of_this_process(), before + 30) << "after " << k;
  }
  const auto begin = std::chrono::steady_clock::now();  // the system lists a thread for a moment after it was joined
  while (threads_of_this_process() > before && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
    std::this_thread::yield();
  EXPECT_EQ(threads_of_this_process(), before);
}

TEST(Executor, impossible_numbers_of_workers_are_refused) {
  for (const int n_workers : {-1, 1025}) {
    try {
      (void)make_executor(n_workers);
      ADD_FAILURE() << n_workers << " workers were taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_shape);
      EXPECT_NE(std::string(e.what()).find(std::to_string(n_workers)), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace crinkle::executor_test
