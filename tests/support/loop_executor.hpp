// An executor that is a loop: every run has the same thread. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "crinkle/executor.hpp"

namespace crinkle::testing {

/// Runs chunks one after the other, and says that it has n workers.
struct LoopExecutor final : Executor {
  int n = 1;
  explicit LoopExecutor(int n_workers) : n(n_workers) {}
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
  }
  int n_workers() const noexcept override { return n; }
};

}  // namespace crinkle::testing
