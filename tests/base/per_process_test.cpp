// One a process: the same for all threads, another in a child of fork(), where the parent's may be locked by a thread that is not there.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/per_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace crinkle::per_process_test {
namespace {

struct Locked {
  std::mutex mutex;
  int value = 0;
};

/// What body() returns in a child; −1 where it did not come to an end within seconds.
template <class Body>
int in_a_child(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(PerProcess, is_one_for_all_threads) {
  static constinit PerProcess<Locked> object;
  EXPECT_EQ(object.find(), nullptr);
  std::vector<Locked*> found(8);
  std::vector<std::thread> threads;
  for (Locked*& mine : found) threads.emplace_back([&] { mine = &object.get(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set(found.begin(), found.end()), std::set{object.find()});
}

TEST(PerProcess, is_another_in_a_child_where_no_lock_is_held) {
  static constinit PerProcess<Locked> object;
  const std::lock_guard lock(object.get().mutex);
  object.get().value = 3;
  const int generation = fork_generation();
  EXPECT_EQ(in_a_child([&] {
              if (object.find() != nullptr || fork_generation() == generation) return 1;
              const std::lock_guard again(object.get().mutex);
              return object.get().value == 0 ? 42 : 2;
            }),
            42);
  EXPECT_EQ(object.get().value, 3);
  EXPECT_EQ(fork_generation(), generation);
}

TEST(PerProcess, is_made_of_arguments_and_can_end) {
  PerProcess<std::vector<int>> object;
  EXPECT_EQ(object.get(std::size_t{3}, 7), std::vector<int>({7, 7, 7}));
  EXPECT_EQ(object.get(std::size_t{1}, 1).size(), 3u);
  object.end();
  EXPECT_EQ(object.find(), nullptr);
  EXPECT_EQ(object.get(std::size_t{1}, 1).size(), 1u);
  object.end();
}

}  // namespace
}  // namespace crinkle::per_process_test
