// SPDX-License-Identifier: BSD-3-Clause
#include "running/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <utility>

#include "base/sizes.hpp"
#include "formats/listener.hpp"
#include "plan/describe.hpp"

namespace crinkle::tool {

using namespace std::chrono_literals;

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) fmt::print(stderr, "crinkle: note: {}\n", note);
}

void say_verified(const std::string& what) {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: verified{}\n", what);
}

Progress::Progress(std::int64_t n_bytes)
    : all_(n_bytes), is_terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), last_(start_) {
  if (Listener* const listener = Listener::present()) {
    listener->expect(n_bytes);
    listener->advance(0);
  }
}

Progress::~Progress() {
  if (has_line_) fmt::print(stderr, "\r\033[K");
}

void Progress::advance(std::int64_t n_bytes) {
  n_bytes = std::min(n_bytes, all_ - done_);
  if (n_bytes <= 0) return;
  if (Listener* const listener = Listener::present()) listener->advance(n_bytes);
  done_ += n_bytes;
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || now - start_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  has_line_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[K{:3.0f} %  {} of {}  {}/s", 100.0 * static_cast<double>(done_) / static_cast<double>(all_),
             planning::print_bytes(static_cast<double>(done_)), planning::print_bytes(static_cast<double>(all_)),
             planning::print_bytes(static_cast<double>(done_) / seconds));
}

bool Progress::is_told() const { return is_terminal_ || Listener::present() != nullptr; }

PassExecutor::PassExecutor(std::shared_ptr<Executor> executor, Progress& progress, std::int64_t bytes_of_a_pass)
    : executor_(std::move(executor)),
      progress_(progress),
      bytes_(bytes_of_a_pass),
      n_workers_(executor_->n_workers() * (progress.is_told() ? 16 : 1)) {}

void PassExecutor::parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) {
  std::mutex mutex;
  std::int64_t n_done = 0;
  executor_->parallel_for(n_chunks, [&](std::int64_t chunk) {
    body(chunk);
    const std::lock_guard lock(mutex);
    ++n_done;
    progress_.advance(part_begin(bytes_, n_chunks, n_done) - part_begin(bytes_, n_chunks, n_done - 1));
  });
}

ToldExecutor::ToldExecutor(std::shared_ptr<Executor> executor)
    : executor_(std::move(executor)), is_terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

void ToldExecutor::parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) {
  if (!is_terminal_) return executor_->parallel_for(n_chunks, body);
  std::atomic<std::int64_t> n_done{0};
  executor_->parallel_for(n_chunks, [&](std::int64_t chunk) {
    body(chunk);
    tell(++n_done, n_chunks);
  });
  if (has_line_.exchange(false)) fmt::print(stderr, "\r\033[K");
}

void ToldExecutor::tell(std::int64_t n_done, std::int64_t n_all) {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start_).count();
  std::int64_t due = next_;
  if (now < due || !next_.compare_exchange_strong(due, now + 100)) return;  // one thread speaks
  has_line_ = true;
  fmt::print(stderr, "\r\033[K{:3} %  {:.1f} s", 100 * n_done / n_all, static_cast<double>(now) / 1000);
}

}  // namespace crinkle::tool
