// An executor of plain threads, joined at the end of every run: ThreadSanitizer sees all that they do.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "crinkle/executor.hpp"

namespace crinkle {

/// Chunk c runs on thread c mod n. What a body throws is thrown again, that of the lowest thread if several do.
class Threads final : public Executor {
 public:
  explicit Threads(int n) : n_(n) {}
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(n_));
    for (int t = 0; t < n_; ++t) {
      threads.emplace_back([&, t] {
        try {
          for (std::int64_t c = t; c < n_chunks; c += n_) body(c);
        } catch (...) { thrown[static_cast<std::size_t>(t)] = std::current_exception(); }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& e : thrown)
      if (e != nullptr) std::rethrow_exception(e);
  }
  int n_workers() const noexcept override { return n_; }

 private:
  int n_;
};

}  // namespace crinkle
