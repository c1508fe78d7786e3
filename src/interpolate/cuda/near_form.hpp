// The arguments of the kernels of neighbours on a GPU: the k-d tree, and which target a thread has.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "interpolate/form.hpp"
#include "interpolate/reach.hpp"

namespace crinkle::interpolation {

/// A k-d tree (kd_tree.hpp) and what is asked of it. Samples are in the order of the tree.
struct CudaTree {
  const double* places = nullptr;         // [n][n_dimensions]
  const double* boxes = nullptr;          // [nodes][2][n_dimensions]: least, most
  const std::int64_t* bounds = nullptr;   // [leaves + 1]: where the samples of leaves begin
  const std::int64_t* indices = nullptr;  // [n]: which of equal distances comes first
  const double* values = nullptr;         // [n][n_columns]
  const double* weights = nullptr;        // [n], or null
  const CudaColumn* columns = nullptr;
  std::int64_t n = 0, n_columns = 1;
  std::uint32_t first_leaf = 0;
  int sectors = 1;
  std::int64_t neighbours = 0, least_neighbours = 1;
  double power = 2, smoothing = 0, nodata = 0;  // the second a square
  Reach reach;
};

inline constexpr int near_bits = 7, near_threads = 1 << near_bits;

/// The targets of a block: of a raster a tile of cells, which every bit of a thread's number makes twice as long along an axis.
struct CudaTiles {
  std::uint8_t axis[near_bits] = {};  // 3: none
  std::int64_t size[3] = {1, 1, 1}, n[3] = {1, 1, 1};
  const std::uint32_t* order = nullptr;  // [targets]: of places, the order in which threads have them; null: their own

  std::int64_t n_blocks(const CudaTargets& targets) const {
    return targets.is_raster ? n[0] * n[1] * n[2] : (targets.n + near_threads - 1) / near_threads;
  }
};

/// Memory in which places are put in an order.
std::int64_t order_bytes(std::int64_t n_targets);
/// All targets along Morton's curve through the box of all samples, given to the stream; in the memory. Requires fewer than 2^32 of them.
const std::uint32_t* put_in_order(int n_dimensions, const CudaTree& tree, const CudaTargets& targets, void* memory, CUstream_st* stream);

/// One launch, for up to cuda_columns columns.
void launch_near(int n_dimensions, const CudaTree& tree, const CudaTargets& targets, const CudaTiles& tiles, const CudaValues& values,
                 CUstream_st* stream);

}  // namespace crinkle::interpolation
