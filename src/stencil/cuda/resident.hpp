// Many steps over a small array in one launch: every block keeps its rows of the array, with a rim around them, in shared memory over all
// steps. Rows that its neighbours need go through memory of the device, and each block waits for its two neighbours alone; an array that
// fits one block waits for nobody. A step then takes a microsecond or two, where a launch takes two to four.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "stencil/cuda/form.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

inline constexpr int resident_threads = 1024;
/// Of one launch, a tenth of a second: a GPU that draws a screen, too, ends kernels that take seconds.
inline constexpr std::int64_t most_resident_steps = 1 << 15;

/// A cell around a block's own, and where it is copied from: another of the block's, or below 0 one that a neighbour writes.
struct alignas(8) RimCell {
  std::int32_t to, from;
};

/// One list of points over all steps. Block b of n_blocks has rows [extent · b / n_blocks, extent · (b + 1) / n_blocks) of the first axis.
template <class T>
struct ResidentSweep {
  static constexpr std::int64_t size = sizeof(T);
  CudaSweepAxis<T> axes[3];  // the one that blocks share, the one within, and the line
  std::int64_t steps = 0;
  std::int32_t n_blocks = 1, n_points = 0;
  std::int32_t deltas[most_cuda_points];  // cells, among those that a block keeps
  T coefficients[most_cuda_points];

  /// Cells that a block keeps along an axis.
  CRINKLE_HD constexpr std::int32_t kept(int a) const {
    const std::int64_t own = a == 0 ? (axes[0].extent + n_blocks - 1) / n_blocks : axes[a].extent;
    return static_cast<std::int32_t>(own) + axes[a].below + axes[a].above;
  }
  CRINKLE_HD constexpr std::int64_t n_kept() const { return std::int64_t{kept(0)} * kept(1) * kept(2); }
  std::int64_t n_rim() const { return n_kept() - (kept(0) - axes[0].below - axes[0].above) * axes[1].extent * axes[2].extent; }
  /// Cells of this step and of the next one; the list of the rim's, and how many they are.
  std::int64_t shared_bytes() const { return (2 * n_kept() * size + 8) + 8 * n_rim(); }
  std::int64_t n_launches() const { return (steps + most_resident_steps - 1) / most_resident_steps; }
  /// The k-th of n launches that make all steps: but for the first they go on in the destination. Blocks of theirs that are several need
  /// two steps or more, so that neighbours have read what a block writes last.
  ResidentSweep launched(std::int64_t k, std::int64_t n) const {
    ResidentSweep some = *this;
    some.steps = steps / n + (k < steps % n ? 1 : 0);
    for (CudaSweepAxis<T>& axis : some.axes) axis.in = k == 0 ? axis.in : axis.out;
    return some;
  }
  /// Of each of two memories in which blocks write for their neighbours.
  std::int64_t exchange_bytes() const { return n_blocks == 1 ? 0 : 2 * size * axes[0].extent * kept(1) * kept(2); }
};

/// What a GPU has to have for it.
struct ResidentLimits {
  std::int64_t workers = 1, shared_bytes = 0;  // multiprocessors; of a block
};

/// Seconds of a step, as expected: docs/tuning.md.
template <class T>
double seconds_of_step(const ResidentSweep<T>& sweep);

/// The sweep in that many blocks; nothing where rows of a block would be fewer than its neighbours need, or its cells do not fit. Requires
/// `stage` to be the list as it reads the source and writes the destination, `list` its points.
template <class T>
std::optional<ResidentSweep<T>> resident_in(std::int64_t n_blocks, const CudaStage<T>& stage, const Stage& list, std::int64_t steps,
                                            const ResidentLimits& limits);

/// The sweep in as many blocks as are expected to be fastest; nothing where launches are expected to be as fast.
template <class T>
std::optional<ResidentSweep<T>> resident_of(const CudaStage<T>& stage, const Stage& list, std::int64_t steps, const ResidentLimits& limits);

/// Given to the stream. `in` and `out` are where the first cells lie, at multiples of the elements' size; of several blocks `exchange` are
/// two memories of exchange_bytes(), at multiples of 8 bytes.
template <class T>
void launch_resident(const ResidentSweep<T>& sweep, const std::byte* in, std::byte* out, std::byte* exchange_0, std::byte* exchange_1,
                     CUstream_st* stream);

}  // namespace crinkle
