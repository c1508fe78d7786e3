// The kernels that the suites `hypercubic` and `versions` compare: version A, written for two dimensions, and versions B and C,
// one thread a cell.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "papers/hypercubic/maps.hpp"

namespace crinkle::bench {

// --- A: dst[z][y][x] = src[place(x, y, z)], z the phase of a crinkle and else 0 -------------------------------------------------------

/// Requires a grid of width / threads by height by phases blocks, and no remainder.
template <class Place, class Word>
__global__ void in_two_dimensions(const Word* src, Word* dst, Place place) {
  const Cell x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  const Cell width = gridDim.x * blockDim.x;
  dst[(z * gridDim.y + y) * width + x] = place.turned(src[place(x, y, z)]);
}

struct Straight {
  __device__ static float turned(float v) { return v; }
  __device__ static float4 turned(float4 v) { return v; }
};
struct Turned {
  __device__ static float turned(float v) { return v; }
  __device__ static float4 turned(float4 v) { return {v.w, v.z, v.y, v.x}; }
};
struct FlipY : Straight {
  Cell width, height;
  __device__ Cell operator()(Cell x, Cell y, Cell) const { return (height - 1 - y) * width + x; }
};
struct FlipX : Turned {
  Cell width;
  __device__ Cell operator()(Cell x, Cell y, Cell) const { return y * width + width - 1 - x; }
};
struct FlipYX : Turned {
  Cell width, height;
  __device__ Cell operator()(Cell x, Cell y, Cell) const { return (height - 1 - y) * width + width - 1 - x; }
};
struct ShiftBoth : Straight {
  Cell width, height, by_y, by_x;
  __device__ Cell operator()(Cell x, Cell y, Cell) const {
    const Cell from_y = y < by_y ? y + height - by_y : y - by_y, from_x = x < by_x ? x + width - by_x : x - by_x;
    return from_y * width + from_x;
  }
};
struct CrinkleY : Straight {
  Cell width, step;
  __device__ Cell operator()(Cell x, Cell y, Cell z) const { return (y * step + z) * width + x; }
};
struct CrinkleX : Straight {
  Cell width, step;  // width of the source
  __device__ Cell operator()(Cell x, Cell y, Cell z) const { return y * width + x * step + z; }
};

/// Requires a grid as above, of one phase.
__global__ inline void blur_in_two_dimensions(const float* src, float* dst) {
  const Cell x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, width = gridDim.x * blockDim.x, height = gridDim.y;
  const Cell left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
  const Cell above = y == 0 ? height - 1 : y - 1, below = y == height - 1 ? 0 : y + 1;
  const float sum = src[y * width + x] + src[y * width + left] + src[y * width + right] + src[above * width + x] + src[below * width + x];
  dst[y * width + x] = sum * 0.2F;
}

// --- B and C: dst[map(k)] = src[k] ------------------------------------------------------------------------------------------------------

template <class Index, class Map>
__global__ void by_index(Index index, Map map, const float* src, float* dst) {
  const Cell k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < index.total()) dst[map(index, k)] = src[k];
}

template <class Index>
__global__ void blur_by_index(Index index, const float* src, float* dst) {
  const Cell k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < index.total()) dst[k] = blurred_at(index, src, k);
}

}  // namespace crinkle::bench
