// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "plan/describe.hpp"

namespace crinkle::tool {

using namespace std::chrono_literals;

Progress::Progress(std::int64_t n_bytes)
    : all_(n_bytes), is_terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), last_(start_) {}

Progress::~Progress() {
  if (has_line_) fmt::print(stderr, "\r\033[K");
}

void Progress::advance(std::int64_t n_bytes) {
  done_ += n_bytes;
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || now - start_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  has_line_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[K{:3.0f} %  {} of {}  {}/s", 100.0 * static_cast<double>(done_) / static_cast<double>(all_),
             plan::print_bytes(static_cast<double>(done_)), plan::print_bytes(static_cast<double>(all_)),
             plan::print_bytes(static_cast<double>(done_) / seconds));
}

}  // namespace crinkle::tool
