// The blocks of a transposition that go through a stage, one after the other: while one is read, the one before it leaves and the one
// behind it is fetched.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/kernels.hpp"

namespace crinkle {

class Pipe {
 public:
  static constexpr int n_alive = 3;  // blocks: fetched, read, leaving

  /// Two stages of `stage` bytes each, a multiple of 64, lie at `stages`.
  Pipe(simd::Kernels::TableStaged staged, std::byte* stages, std::int64_t stage) : staged_(staged), stages_{stages, stages + stage} {}

  /// The block's rows are used until the second push after it, its columns until the third; a flush ends all uses.
  void push(simd::StagedBlock block) {
    block.stage = stages_[n_++ % 2];
    if (n_ > 1) staged_(&in_, n_ > 2 ? &out_ : nullptr, &block);
    out_ = in_;
    in_ = block;
  }
  void flush() {
    if (n_ > 0) staged_(&in_, n_ > 1 ? &out_ : nullptr, nullptr);
    if (n_ > 0) staged_(nullptr, &in_, nullptr);
    n_ = 0;
  }

 private:
  simd::Kernels::TableStaged staged_;
  std::byte* stages_[2];
  simd::StagedBlock in_, out_;
  std::int64_t n_ = 0;
};

}  // namespace crinkle
