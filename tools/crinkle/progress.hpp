// A line on standard error that says how far a move is: only on a terminal, only when it lasts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>

namespace crinkle::tool {

class Progress {
 public:
  explicit Progress(std::int64_t n_bytes);
  ~Progress();
  void advance(std::int64_t n_bytes);

 private:
  std::int64_t all_ = 0, done_ = 0;
  bool is_terminal_ = false, has_line_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace crinkle::tool
