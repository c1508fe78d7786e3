// One arena an executor. oneTBB refuses more workers than the machine has cores, with a warning on standard error, unless the process
// allows them, and of several allowances the smallest counts: so there is one, made with the first arena and kept.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/executor.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <string>

#include "cpu/thread_sanitizer.hpp"
#include "crinkle/error.hpp"

namespace crinkle {
namespace {

constexpr int most_workers = 1024;  // an arena reserves memory for every one

class Arena final : public Executor {
 public:
  explicit Arena(int n_workers) : arena_(n_workers == 0 ? tbb::info::default_concurrency() : n_workers) {
    static const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, most_workers);
  }

  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    if (n_workers() == 1 || n_chunks < 2) {
      for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
      return;
    }
    ThreadOrder order;
    const auto chunk = [&](std::int64_t c) {
      const ThreadOrder::Chunk ordered(order);
      body(c);
    };
    arena_.execute([&] { tbb::parallel_for(std::int64_t{0}, n_chunks, chunk, tbb::static_partitioner{}); });
  }
  int n_workers() const noexcept override { return arena_.max_concurrency(); }

 private:
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(int n_workers) {
  if (n_workers < 0) throw Error(ErrorCode::bad_shape, std::to_string(n_workers) + " threads; give 1 or more, or 0 for all");
  if (n_workers > most_workers) {
    throw Error(ErrorCode::bad_shape,
                std::to_string(n_workers) + " threads; give at most " + std::to_string(most_workers) + ", or 0 for all");
  }
  return std::make_unique<Arena>(n_workers);
}

Executor& default_executor() {
  static Arena arena(0);
  return arena;
}

}  // namespace crinkle
