// An executor for one call from Python: Ctrl-C ends it between two chunks of work.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

#include "crinkle/executor.hpp"
#include "view.hpp"

namespace crinkle::python {

class Interruptible final : public Executor {
 public:
  /// `bytes`: that the call reads and writes, about. Work on many is cut finer, so that there are ends of chunks to stop at.
  Interruptible(std::shared_ptr<Executor> executor, std::int64_t bytes)
      : executor_(std::move(executor)), caller_(std::this_thread::get_id()), finer_(bytes >= many_bytes ? 8 : 1) {}

  int n_workers() const noexcept override { return executor_->n_workers() * finer_; }

  /// Throws what Python's handlers of signals raise: KeyboardInterrupt. Chunks that have not begun are left out then. Without Python's
  /// lock.
  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    executor_->parallel_for(n_chunks, [&](std::int64_t chunk) {
      if (is_stopped_.load(std::memory_order_relaxed)) return;
      body(chunk);
      if (std::this_thread::get_id() == caller_) look();
    });
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t many_bytes = 64 << 20;

  void look() {
    const Clock::time_point now = Clock::now();
    if (now - looked_ < std::chrono::milliseconds(100)) return;
    looked_ = now;
    const Locked lock;
    if (PyErr_CheckSignals() == 0) return;
    try {
      throw nb::python_error();
    } catch (...) { raised_ = std::current_exception(); }
    is_stopped_ = true;
  }

  std::shared_ptr<Executor> executor_;
  std::thread::id caller_;
  int finer_;
  Clock::time_point looked_ = Clock::now();
  std::atomic<bool> is_stopped_{false};
  std::exception_ptr raised_;
};

}  // namespace crinkle::python
