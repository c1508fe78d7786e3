// Convolutions of a long array and a shorter one in blocks (overlap-save): every transform makes `step` results from as many numbers and
// those before them that they see. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "move/planned.hpp"

namespace crinkle::fft {

/// An axis of the array that is cut and of the other one, and which of their convolution's results are wanted.
struct ConvolvedAxis {
  std::int64_t main = 1, other = 1;
  std::int64_t start = 0, n_results = 1;
  bool is_transformed = false;
};
/// How an axis is transformed: `count` blocks of n numbers that make `step` results each; step 0: whole.
struct AxisBlocks {
  std::int64_t n = 1, step = 0, count = 1;

  bool is_cut() const { return step > 0; }
  std::int64_t covered(std::int64_t other) const { return step * count + other - 1; }  // numbers of all blocks together
};

/// The smallest sizes multiple · 2^i 3^j 5^k that hold the whole convolution.
std::vector<AxisBlocks> whole_axes(const std::vector<ConvolvedAxis>& axes, std::int64_t multiple);
/// Those, or blocks along some axes where that costs less on a CPU.
std::vector<AxisBlocks> cheapest_blocks(const std::vector<ConvolvedAxis>& axes, std::int64_t multiple);
bool is_cut(const std::vector<AxisBlocks>& blocks);

/// The move that puts zeros around the main array, as far as its blocks reach beyond it; `main` becomes what it makes, dense.
PlannedMove widening(const std::vector<ConvolvedAxis>& axes, const std::vector<AxisBlocks>& blocks, Layout& main, Device device);
/// The moves that take the results out of all blocks' transforms, whose axes that are cut are two, the blocks and their numbers.
std::vector<PlannedMove> windows(const std::vector<ConvolvedAxis>& axes, const std::vector<AxisBlocks>& blocks, const Layout& whole,
                                 const Layout& out, Device device);

}  // namespace crinkle::fft
