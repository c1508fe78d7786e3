// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "crinkle/executor.hpp"

namespace crinkle::fft {

/// Runs passes inside passes, which are on a thread already.
class OneThread final : public Executor {
 public:
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
  }
  int n_workers() const noexcept override { return 1; }
};

}  // namespace crinkle::fft
