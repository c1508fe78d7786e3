// The transpose as it is written by hand: squares of 32 × 32 words through shared memory, a column of padding against bank conflicts
// (paper 3), the blocks in order or along diagonals.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace crinkle::bench {

inline constexpr unsigned side_of_square = 32;

/// dst[x][y] = src[y][x]; along diagonals width = height. Requires a grid of width / 32 by height / 32 blocks of 32 × 8 threads, and no
/// remainder.
template <bool is_diagonal>
__global__ void transpose_squares(const float* src, float* dst, unsigned width, unsigned height) {
  constexpr unsigned n = side_of_square;
  __shared__ float square[n][n + 1];
  unsigned bx = blockIdx.x, by = blockIdx.y;
  if constexpr (is_diagonal) {
    by = blockIdx.x;
    bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  }
  for (unsigned k = threadIdx.y; k < n; k += blockDim.y)
    square[k][threadIdx.x] = src[std::size_t{by * n + k} * width + bx * n + threadIdx.x];
  __syncthreads();
  for (unsigned k = threadIdx.y; k < n; k += blockDim.y)
    dst[std::size_t{bx * n + k} * height + by * n + threadIdx.x] = square[threadIdx.x][k];
}

}  // namespace crinkle::bench
