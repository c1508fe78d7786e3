// The kernels of the suite `simplex`: one template for all maps and all that is done with their cells, in blocks of 16 × 16 threads, of
// threads beside each other, and of 8 × 8 × 8.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

#include "crinkle/error.hpp"
#include "pairs/cuda/collisions.cuh"
#include "papers/simplex/work.hpp"

namespace crinkle::bench {

inline constexpr unsigned block_threads = block_side * block_side, cube_threads = cube_side * cube_side * cube_side;

inline void check_launch() {
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
    throw Error(ErrorCode::device, std::string("a kernel of the benchmark: ") + cudaGetErrorString(status));
}

inline unsigned long long* atomics(std::uint64_t* totals) { return reinterpret_cast<unsigned long long*>(totals); }

// --- what is done with a pair, by all threads of a block together; `is_there`: i ≥ j
// ------------------------------------------------------

struct DummyBody {
  std::uint32_t* place;
  __device__ void pair(std::uint32_t i, std::uint32_t j, bool is_there) const {
    if (is_there) *place = i + j;
  }
};

struct MapAloneBody {
  std::uint32_t* place;
  std::uint32_t never;  // no i + j, which the compiler does not know
  __device__ void pair(std::uint32_t i, std::uint32_t j, bool is_there) const {
    if (is_there && i + j == never) *place = i + j;
  }
};

// Of a whole block: one addition.
__device__ inline void add_cells(unsigned long long* totals, bool is_there, std::uint64_t number) {
  __shared__ unsigned long long sum;
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (t == 0) sum = 0;
  const int count = __syncthreads_count(is_there);
  for (int step = 16; step > 0; step /= 2) number += __shfl_down_sync(0xFFFFFFFFu, number, step);
  if (t % 32 == 0) atomicAdd(&sum, number);
  __syncthreads();
  if (t != 0 || count == 0) return;
  atomicAdd(&totals[0], static_cast<unsigned long long>(count));
  atomicAdd(&totals[1], sum);
}

struct TallyBody {
  unsigned long long* totals;
  __device__ void pair(std::uint32_t i, std::uint32_t j, bool is_there) const {
    add_cells(totals, is_there, is_there ? number_of_cell(i, j) : 0);
  }
};

struct PackedRows {
  __device__ std::uint64_t place(std::uint32_t i, std::uint32_t j) const { return (std::uint64_t{i} * (i + 1) >> 1) + j; }
};
struct FullRows {
  std::uint32_t first, width;
  __device__ std::uint64_t place(std::uint32_t i, std::uint32_t j) const { return std::uint64_t{i - first} * width + j; }
};

template <class Place>
struct DistanceBody {
  const float4* points;
  float* out;
  Place to;
  __device__ void pair(std::uint32_t i, std::uint32_t j, bool is_there) const {
    if (!is_there) return;
    const float4 a = points[i], b = points[j];
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, w = a.w - b.w;
    out[to.place(i, j)] = sqrtf(x * x + y * y + z * z + w * w);
  }
};

/// One addition a block that has collisions. In blocks of 16 × 16 the spheres of rows and columns lie in shared memory.
template <int dimensions>
struct CollisionBody {
  const float *centres, *radii;
  unsigned long long* total;

  __device__ void add(bool is_hit) const {
    const int count = __syncthreads_count(is_hit);
    if (threadIdx.x == 0 && threadIdx.y == 0 && count != 0) atomicAdd(total, static_cast<unsigned long long>(count));
  }
  __device__ void pair(std::uint32_t i, std::uint32_t j, bool is_there) const {
    is_there = is_there && i > j;
    add(is_there && kernel::collide<true>(kernel::load_sphere<float, dimensions>(centres, radii, i),
                                          kernel::load_sphere<float, dimensions>(centres, radii, j)));
  }
  __device__ void tile(std::uint32_t i, std::uint32_t j) const {
    __shared__ kernel::Sphere<float, dimensions> rows[block_side], columns[block_side];
    if (threadIdx.y == 0) rows[threadIdx.x] = kernel::load_sphere<float, dimensions>(centres, radii, i * block_side + threadIdx.x);
    else if (threadIdx.y == 1) columns[threadIdx.x] = kernel::load_sphere<float, dimensions>(centres, radii, j * block_side + threadIdx.x);
    __syncthreads();
    add((i > j || threadIdx.y > threadIdx.x) && kernel::collide<true>(rows[threadIdx.y], columns[threadIdx.x]));
  }
};
template <class Body>
inline constexpr bool has_tile = requires { &Body::tile; };

// --- maps
// ---------------------------------------------------------------------------------------------------------------------------------

template <class Map>
__device__ auto cell_of_block(const Map& map) {
  using K = typename Map::Integer;
  if constexpr (is_spatial<Map>) return map.at(K(blockIdx.x), K(blockIdx.y), K(blockIdx.z));
  else if constexpr (is_planar<Map>) return map.at(K(blockIdx.x), K(blockIdx.y));
  else return map.at(K(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)));
}

template <class Map, class Body>
__global__ void __launch_bounds__(block_threads) on_blocks(const __grid_constant__ Map map, const __grid_constant__ Body body) {
  const auto block = cell_of_block(map);
  if (!block.is_inside) return;
  if constexpr (has_tile<Body>) {
    body.tile(block.i, block.j);
  } else {
    const std::uint32_t i = block.i * block_side + threadIdx.y, j = block.j * block_side + threadIdx.x;
    body.pair(i, j, i >= j);
  }
}

template <class Map, class Body>
__global__ void __launch_bounds__(block_threads) on_threads(const __grid_constant__ Map map, const __grid_constant__ Body body) {
  using K = typename Map::Integer;
  const K w = K(blockIdx.x) * block_threads + threadIdx.x;
  const bool is_there = w < map.size();
  const auto cell = map.at(is_there ? w : K(0));
  body.pair(static_cast<std::uint32_t>(cell.i), static_cast<std::uint32_t>(cell.j), is_there);
}

template <class Map, class Body>
__global__ void __launch_bounds__(cube_threads) on_cubes(const __grid_constant__ Map map, const __grid_constant__ Body body) {
  const auto block = cell_of_block(map);
  if (!block.is_inside) return;
  body.triplet(block.i * cube_side + threadIdx.z, block.j * cube_side + threadIdx.y, block.k * cube_side + threadIdx.x);
}

inline dim3 grid_of(const Array<BlockIndex, 3>& extents) { return {extents[0], extents[1], extents[2]}; }

template <class Map, class Body>
MapWay way_of(const Map& map, const Body& body, CUstream_st* stream) {
  if constexpr (is_of_threads<Map>) {
    const auto n_blocks = static_cast<unsigned>((map.size() + block_threads - 1) / block_threads);
    return {Map::name,
            [=] {
              on_threads<<<n_blocks, block_threads, 0, stream>>>(map, body);
              check_launch();
            },
            n_blocks, 0};
  } else {
    return {Map::name,
            [=] {
              on_blocks<<<grid_of(map.grid()), dim3(block_side, block_side), 0, stream>>>(map, body);
              check_launch();
            },
            map.size(), map.size() - map.n_cells()};
  }
}

template <class Map, class Body>
MapWay cube_way_of(const Map& map, const Body& body, CUstream_st* stream) {
  return {Map::name,
          [=] {
            on_cubes<<<grid_of(map.grid()), dim3(cube_side, cube_side, cube_side), 0, stream>>>(map, body);
            check_launch();
          },
          map.size(), map.size() - map.n_cells()};
}

}  // namespace crinkle::bench
