// Who runs the chunks of a move on a CPU. By default a oneTBB arena, whose workers sleep between runs; a program that
// has threads already passes an executor of its own.
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

/// A oneTBB arena of `n_workers` threads (0: as many as the machine has). One worker: the caller's thread alone.
/// Throws bad_shape for a negative number or one above 1024.
std::unique_ptr<Executor> make_executor(int n_workers = 0);

/// The process' own executor with all workers, made at first use.
Executor& default_executor();

}  // namespace crinkle
