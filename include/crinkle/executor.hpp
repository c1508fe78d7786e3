// Who runs the chunks of a move on a CPU. By default threads that sleep between loops; a program that has threads already passes an
// executor of its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace crinkle {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Calls body(c) once for every 0 ≤ c < n_chunks, in any order and on any threads, and returns when all have returned. An exception of a
  /// body is thrown again here, once.
  virtual void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) = 0;
  virtual int n_workers() const noexcept = 0;
};

/// `n_workers` threads (0: as many as the process may use), the caller's among them, the others started by the first loop and ended with
/// the executor; so it must outlive its loops. One worker: the caller's thread alone. Loops of several callers share the other threads, and
/// a body may run a loop itself. A child of fork() has threads of its own, whatever others did when it was made; a body must not fork.
/// Throws bad_shape for a negative number or one above 1024.
std::unique_ptr<Executor> make_executor(int n_workers = 0);

/// The process' own executor with all workers, made at first use. It lasts as long as the process; its threads end with the program.
Executor& default_executor();

}  // namespace crinkle
