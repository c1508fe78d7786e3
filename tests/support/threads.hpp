// An executor of plain threads, which ThreadSanitizer can watch.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <thread>
#include <vector>

#include "crinkle/executor.hpp"

namespace crinkle::testing {

class Threads final : public Executor {
 public:
  explicit Threads(int n) : n_(n) {}
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    std::vector<std::thread> threads;
    for (int t = 0; t < n_; ++t) {
      threads.emplace_back([&, t] {
        for (std::int64_t c = t; c < n_chunks; c += n_) body(c);
      });
    }
    for (std::thread& t : threads) t.join();
  }
  int n_workers() const noexcept override { return n_; }

 private:
  int n_;
};

}  // namespace crinkle::testing
