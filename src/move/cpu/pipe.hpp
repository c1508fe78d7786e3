// The blocks of a transposition that go through a stage, one after the other: while one is read, the one before it leaves and the one
// behind it is fetched.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
  /// A strip: its rows' bytes [0, n_columns · element) in blocks of some columns. `carry` has a line for every column.
  void push_strip(simd::StagedBlock strip, std::int64_t n_block_columns, std::int64_t element) {
    const simd::StagedBlock all = strip;
    for (std::int64_t c = 0; c < all.n_columns; c += n_block_columns) {
      strip.columns = all.columns + c;
      strip.n_columns = std::min(n_block_columns, all.n_columns - c);
      strip.in_at = c * element;
      strip.carry = all.carry + c * 64;
      push(strip);
    }
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
