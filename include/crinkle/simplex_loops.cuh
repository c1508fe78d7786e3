// Loops over all pairs and triplets of n things on a GPU, for .cu files (nvcc, C++17 or newer; nothing to link but the CUDA runtime):
//
//     struct Touch {                                                    // for_each_pair(n, Touch{…}, stream)
//       __device__ void operator()(std::int64_t i, std::int64_t j) const;
//     };
//     struct Attract {                                                  // for_each_loaded_pair(n, Attract{…}, stream)
//       __device__ float4 load(std::int64_t i) const;                   // once a tile, into shared memory
//       __device__ void operator()(std::int64_t i, std::int64_t j, const float4& a, const float4& b);
//       __device__ void finish();                                       // may be left out
//     };
//
// 0 ≤ i < j (< k) < n, with the diagonal i ≤ j (≤ k); threads of a warp have neighbouring last indices. Every thread has its own copy of
// the body, so sums may be kept in it; finish() is called at the end by all threads of a block together, and may use __syncthreads().
// Blocks are tiles of pairs (detail/simplex_blocks.hpp), found by TriangleMap or another map that is named first:
//     for_each_pair<BoundingBox<std::uint64_t>>(n, body, stream);
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <type_traits>
#include <utility>

#include "crinkle/detail/simplex_blocks.hpp"
#include "crinkle/simplex_loops.hpp"

namespace crinkle {

namespace detail {

template <class Body>
__device__ auto finish(Body& body, int) -> decltype(body.finish(), void()) {
  body.finish();
}
template <class Body>
__device__ void finish(Body&, long) {}

template <class Body>
using Loaded = std::decay_t<decltype(std::declval<const Body&>().load(std::int64_t{}))>;

template <class Blocks, class Body>
__global__ void __launch_bounds__(Blocks::threads) visit_pairs(const Blocks blocks, std::uint64_t first, const Body of_all) {
  const auto tile = blocks.tile(first + blockIdx.x);
  if (!tile.is_inside) return;
  Body body = of_all;
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t j = tile.j_begin + Blocks::column(thread);
  for (int step = 0; step < Blocks::steps; ++step) {
    const std::int64_t i = tile.i_begin + Blocks::row(thread, step);
    if (blocks.is_pair(i, j)) body(i, j);
  }
  finish(body, 0);
}

template <class Blocks, class Body>
__global__ void __launch_bounds__(Blocks::threads) visit_triplets(const Blocks blocks, std::uint64_t first, const Body of_all) {
  const auto tile = blocks.tile(first + blockIdx.x);
  if (!tile.is_inside) return;
  Body body = of_all;
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t k = tile.k_begin + Blocks::column(thread);
  for (int step = 0; step < Blocks::steps; ++step) {
    const std::int64_t i = tile.i_begin + Blocks::layer(step), j = tile.j_begin + Blocks::row(thread, step);
    if (blocks.is_triplet(i, j, k)) body(i, j, k);
  }
  finish(body, 0);
}

/// The values of a tile's things, in shared memory: n_values of Value.
template <class Value, class Blocks, class Body>
__device__ inline Value* load_values(const Blocks& blocks, const typename Blocks::Tile& tile, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Value>, "shared memory holds values that are plain bytes");
  static_assert(Blocks::n_values * sizeof(Value) <= 48 * 1024, "a tile's values are more than 48 KiB: give a smaller side");
  __shared__ alignas(16) alignas(Value) unsigned char memory[Blocks::n_values * sizeof(Value)];
  Value* values = reinterpret_cast<Value*>(memory);
  for (int place = static_cast<int>(threadIdx.x); place < Blocks::n_values; place += Blocks::threads) {
    const std::int64_t thing = blocks.thing(tile, place);
    if (thing < blocks.n) values[place] = body.load(thing);
  }
  __syncthreads();
  return values;
}

template <class Blocks, class Body>
__global__ void __launch_bounds__(Blocks::threads) visit_loaded_pairs(const Blocks blocks, std::uint64_t first, const Body of_all) {
  const auto tile = blocks.tile(first + blockIdx.x);
  if (!tile.is_inside) return;
  Body body = of_all;
  const auto* values = load_values<Loaded<Body>>(blocks, tile, of_all);  // [2][side]
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t j = tile.j_begin + Blocks::column(thread);
  const auto own = values[Blocks::side + Blocks::column(thread)];
  for (int step = 0; step < Blocks::steps; ++step) {
    const int row = Blocks::row(thread, step);
    if (blocks.is_pair(tile.i_begin + row, j)) body(tile.i_begin + row, j, values[row], own);
  }
  finish(body, 0);
}

template <class Blocks, class Body>
__global__ void __launch_bounds__(Blocks::threads) visit_loaded_triplets(const Blocks blocks, std::uint64_t first, const Body of_all) {
  const auto tile = blocks.tile(first + blockIdx.x);
  if (!tile.is_inside) return;
  Body body = of_all;
  const auto* values = load_values<Loaded<Body>>(blocks, tile, of_all);  // [3][side]
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t k = tile.k_begin + Blocks::column(thread);
  const auto own = values[2 * Blocks::side + Blocks::column(thread)];
  for (int step = 0; step < Blocks::steps; ++step) {
    const int layer = Blocks::layer(step), row = Blocks::row(thread, step);
    const std::int64_t i = tile.i_begin + layer, j = tile.j_begin + row;
    if (blocks.is_triplet(i, j, k)) body(i, j, k, values[layer], values[Blocks::side + row], own);
  }
  finish(body, 0);
}

template <class Blocks, class Body>
void launch_blocks(void (*kernel)(Blocks, std::uint64_t, Body), std::int64_t n, Diagonal diagonal, const Body& body, cudaStream_t stream) {
  if (!Blocks::fits(n)) {
    throw Error(ErrorCode::too_large, "the tiles of " + std::to_string(n) + " things do not fit the integers of the map " +
                                          Blocks::Map::name + "; name a map of std::uint64_t");
  }
  Blocks blocks(n, diagonal);
  Body of_all = body;
  in_launches(blocks.n_blocks(), 0x7FFFFFFF, [&](std::uint64_t first, std::uint64_t count) {
    void* arguments[] = {&blocks, &first, &of_all};
    const cudaError_t status = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(count)),
                                                dim3(static_cast<unsigned>(Blocks::threads)), arguments, 0, stream);
    if (status != cudaSuccess)
      throw Error(ErrorCode::device, std::string("a loop over tiles could not be launched: ") + cudaGetErrorString(status));
  });
}

}  // namespace detail

/// body(i, j) once for all 0 ≤ i < j < n, with the diagonal i ≤ j, given to the stream, not waited for. n = 0 and 1 launch nothing.
/// Requires: a body that may be copied byte by byte. Throws, before any launch, bad_shape for n < 0, too_large for n(n − 1)/2 (or
/// n(n + 1)/2) above 2^63 − 1; device, with CUDA's text, for a launch that fails. Cost: neither allocates nor synchronises.
template <class Map = TriangleMap<std::uint64_t>, int side = 64, class Body>
void for_each_pair(std::int64_t n, const Body& body, cudaStream_t stream, Diagonal diagonal = Diagonal::without) {
  if (detail::count_pairs(n, diagonal) == 0) return;
  using Blocks = PairBlocks<Map, side>;
  detail::launch_blocks<Blocks, Body>(detail::visit_pairs<Blocks, Body>, n, diagonal, body, stream);
}

/// body(i, j, load(i), load(j)) for the same pairs; load(i) is called once for every tile of `side` things, 2·side values of it lie in
/// shared memory. The rest is as for_each_pair.
template <class Map = TriangleMap<std::uint64_t>, int side = 64, class Body>
void for_each_loaded_pair(std::int64_t n, const Body& body, cudaStream_t stream, Diagonal diagonal = Diagonal::without) {
  if (detail::count_pairs(n, diagonal) == 0) return;
  using Blocks = PairBlocks<Map, side>;
  detail::launch_blocks<Blocks, Body>(detail::visit_loaded_pairs<Blocks, Body>, n, diagonal, body, stream);
}

/// body(i, j, k) once for all 0 ≤ i < j < k < n, with the diagonals i ≤ j ≤ k. The rest is as for_each_pair, of triplets.
template <class Map = TetrahedronMap<std::uint64_t>, int side = 32, class Body>
void for_each_triplet(std::int64_t n, const Body& body, cudaStream_t stream, Diagonal diagonal = Diagonal::without) {
  if (detail::count_triplets(n, diagonal) == 0) return;
  using Blocks = TripletBlocks<Map, side>;
  detail::launch_blocks<Blocks, Body>(detail::visit_triplets<Blocks, Body>, n, diagonal, body, stream);
}

/// body(i, j, k, load(i), load(j), load(k)) for the same triplets, 3·side values in shared memory.
template <class Map = TetrahedronMap<std::uint64_t>, int side = 32, class Body>
void for_each_loaded_triplet(std::int64_t n, const Body& body, cudaStream_t stream, Diagonal diagonal = Diagonal::without) {
  if (detail::count_triplets(n, diagonal) == 0) return;
  using Blocks = TripletBlocks<Map, side>;
  detail::launch_blocks<Blocks, Body>(detail::visit_loaded_triplets<Blocks, Body>, n, diagonal, body, stream);
}

}  // namespace crinkle
