// A line on standard error that says how far a move is: only on a terminal, only when it lasts; and the same for a program that listens.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crinkle/executor.hpp"

namespace crinkle::tool {

/// "crinkle: note: …" on standard error, a line each.
void print_notes(const std::vector<std::string>& notes);
/// To a terminal: "crinkle: verified", and what else there is to say of it.
void say_verified(const std::string& what = "");

class Progress {
 public:
  explicit Progress(std::int64_t n_bytes);
  ~Progress();
  void advance(std::int64_t n_bytes);  // at most to the end
  void finish() { advance(all_ - done_); }
  /// Does anybody see it?
  bool is_told() const;

 private:
  std::int64_t all_ = 0, done_ = 0;
  bool is_terminal_ = false, has_line_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

/// An executor for passes over as many bytes each: says of every part of a pass that it is done.
class PassExecutor final : public Executor {
 public:
  PassExecutor(std::shared_ptr<Executor> executor, Progress& progress, std::int64_t bytes_of_a_pass);
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override;
  /// More than there are where it tells, so that there are parts to tell of.
  int n_workers() const noexcept override { return n_workers_; }

 private:
  std::shared_ptr<Executor> executor_;
  Progress& progress_;
  std::int64_t bytes_;
  int n_workers_;
};

/// An executor that says how far the work is that it runs now, on a terminal, in parts done: for work that does not say so itself.
class ToldExecutor final : public Executor {
 public:
  explicit ToldExecutor(std::shared_ptr<Executor> executor);
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override;
  /// More than there are where it tells, so that work that is cut into as many parts has some to tell of.
  int n_workers() const noexcept override { return executor_->n_workers() * (is_terminal_ ? 16 : 1); }

 private:
  void tell(std::int64_t n_done, std::int64_t n_all);

  std::shared_ptr<Executor> executor_;
  bool is_terminal_ = false;
  std::chrono::steady_clock::time_point start_;
  std::atomic<bool> has_line_{false};
  std::atomic<std::int64_t> next_{500};  // milliseconds after the start, when it speaks again
};

}  // namespace crinkle::tool
