// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/executor.hpp"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <string>

#include "crinkle/error.hpp"

namespace crinkle {
namespace {

class Arena final : public Executor {
 public:
  explicit Arena(int n_workers) : arena_(n_workers == 0 ? tbb::task_arena::automatic : n_workers) {}

  void parallel_for(std::int64_t n_chunks, const std::function<void(std::int64_t)>& body) override {
    if (n_workers() == 1 || n_chunks < 2) {
      for (std::int64_t c = 0; c < n_chunks; ++c) body(c);
      return;
    }
    arena_.execute([&] { tbb::parallel_for(std::int64_t{0}, n_chunks, body, tbb::static_partitioner{}); });
  }
  int n_workers() const noexcept override { return arena_.max_concurrency(); }

 private:
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Executor> make_executor(int n_workers) {
  if (n_workers < 0) throw Error(ErrorCode::bad_shape, std::to_string(n_workers) + " threads; give 1 or more, or 0 for all");
  return std::make_unique<Arena>(n_workers);
}

Executor& default_executor() {
  static Arena arena(0);
  return arena;
}

}  // namespace crinkle
