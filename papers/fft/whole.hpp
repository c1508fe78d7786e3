// The other two kernels of the suite `fft_paper`, as steps of a thread: the reversal of bits through shared memory (figure 4b of paper 1),
// for signals that no block holds, and one stage of radix 2 that goes from global memory to global memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "papers/fft/steps.hpp"

namespace crinkle::bench::fft_paper {

/// dst[signal][reversed(i)] = src[signal][i] for i < 2^n: a block has 2^c rows of 2^c samples, those with the same n − 2c bits in the
/// middle of their address, and writes them transposed. n ≥ 2c.
struct Reversal {
  static constexpr int log_each = 2, n_each = 1 << log_each;  // samples a thread
  int n = 0, c = 0;
  bool is_padded = false;  // a cell behind every 2^(c − 4) rows: 16 lanes, which write columns, meet in no bank

  CRINKLE_HD constexpr int threads() const { return 1 << (2 * c - log_each); }
  CRINKLE_HD constexpr int n_places() const { return place(1 << c, 0); }
  CRINKLE_HD constexpr std::int32_t place(std::int32_t row, std::int32_t column) const {
    return (row << c) + (is_padded ? row >> (c > 4 ? c - 4 : 0) : 0) + column;
  }

  CRINKLE_HD constexpr std::int64_t source(std::int64_t block, std::int32_t e) const { return address(block, middle(block), e); }
  CRINKLE_HD constexpr std::int64_t destination(std::int64_t block, std::int32_t e) const {
    return address(block, reversed(middle(block), n - 2 * c), e);
  }

  template <class Memory>
  CRINKLE_HD void step(Step step, Sample (&x)[n_each], std::int64_t block, std::int32_t t, Memory& memory) const {
    CRINKLE_UNROLL for (int j = 0; j < n_each; ++j) {
      const std::int32_t e = t + j * threads(), row = e >> c, column = e & ((1 << c) - 1);
      switch (step) {
        case Step::load: x[j] = memory.load(source(block, e)); break;
        case Step::put: memory.put(place(reversed(column, c), reversed(row, c)), x[j]); break;
        case Step::take: x[j] = memory.take(place(row, column)); break;
        case Step::store: memory.store(destination(block, e), x[j]); break;
        default: break;
      }
    }
  }

 private:
  CRINKLE_HD constexpr std::int32_t middle(std::int64_t block) const {
    return static_cast<std::int32_t>(block & ((std::int64_t{1} << (n - 2 * c)) - 1));
  }
  CRINKLE_HD constexpr std::int64_t address(std::int64_t block, std::int32_t between, std::int32_t e) const {
    const std::int64_t signal = block >> (n - 2 * c), row = e >> c;
    return (((signal << c | row) << (n - 2 * c) | between) << c) | (e & ((1 << c) - 1));
  }
};

/// Thread t of a stage in place: X and Y are read, joined and written.
template <class Memory>
CRINKLE_HD void do_whole_stage(int stage, std::int64_t t, const Roots& roots, Memory& memory) {
  const std::int64_t below = t & ((std::int64_t{1} << stage) - 1), at = (t >> stage << (stage + 1)) | below;
  const Sample x = memory.load(at), y = memory.load(at + (std::int64_t{1} << stage)) * roots.at(stage, below, memory);
  memory.store(at, x + y);
  memory.store(at + (std::int64_t{1} << stage), x - y);
}

}  // namespace crinkle::bench::fft_paper
