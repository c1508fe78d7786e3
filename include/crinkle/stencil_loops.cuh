// Sweeps of stencils of your own (stencil.hpp) on a GPU, for .cu files (nvcc -std=c++20; nothing to link but the CUDA runtime):
//
//     sweep(stencil(Heat{0.2f}, filled<2>(Faces(Bound::periodic)), field), next, stream);
//     sweep(stencil(Reaction{…}, faces, u, v), std::tuple(next_u, next_v), stream);          // several results: the function gives an
//     Array
//
// All cells, as sweep() of stencil_loops.hpp makes them on threads: any boundary, types and strides, 1 to 6 axes, one field or several.
// Blocks have tiles in shared memory (detail/sweep_tile.hpp), through which planes of the fields pass; what lies beyond the faces stands
// there, too. The function sees the same values in the same order as on a CPU, so the bits are the CPU's where both compilers keep
// products and sums apart (nvcc -fmad=false, g++ -ffp-contract=off) or the function says fma itself. `beyond` is asked for all that lies
// within the radius of a cell, corners too, whether the function looks there or not.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

#include "crinkle/detail/sweep_block.hpp"
#include "crinkle/stencil_loops.hpp"

namespace crinkle {

namespace detail {

template <int n>
__device__ inline void wait_for_all_but() {  // the newest n groups that this thread asked for
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
#endif
  __syncthreads();
}
__device__ inline void end_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <class Tile, bool is_several, class Stencil, class Outs>
__global__ void __launch_bounds__(Tile::n_threads, Tile::blocks)
    sweep_tiles(const __grid_constant__ Stencil stencil, const __grid_constant__ Outs outs, const __grid_constant__ SweepGrid grid,
                std::int64_t first_block) {
  extern __shared__ int4 rings[];  // Tile::n_bytes
  const SweepBlock<Tile, Stencil, Outs, is_several> block(stencil, outs, grid, reinterpret_cast<unsigned char*>(rings),
                                                          first_block + blockIdx.x);
  const int n_turns = block.n_turns(), n_groups = n_turns + Tile::lead;
  if (block.has_places()) {
    block.prepare(static_cast<int>(threadIdx.x));
    __syncthreads();
  }
  for (int turn = -Tile::lead - Tile::ahead; turn < n_turns; ++turn) {
    int thread;  // read anew: what is known of it would take a hundred registers
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    if (turn >= 0) wait_for_all_but<Tile::ahead - 1>();
    if (const int group = turn + Tile::lead + Tile::ahead; group < n_groups) block.load(thread, group);
    end_group();
    if (turn >= 0) block.make(thread, turn);
  }
}

/// A cell a thread, its neighbours from memory: where a GPU has too little shared memory for a tile.
template <bool is_several, class Stencil, class Outs>
__global__ void __launch_bounds__(256) sweep_cells(const __grid_constant__ Stencil stencil, const __grid_constant__ Outs outs,
                                                   std::int64_t first_block, std::int64_t n_cells) {
  std::int64_t cell = (first_block + blockIdx.x) * blockDim.x + threadIdx.x;
  if (cell >= n_cells) return;
  typename Stencil::Index index{};
  for (int a = Stencil::rank; a-- > 0; cell /= stencil.extents()[a]) index[a] = cell % stencil.extents()[a];
  put_cell<is_several>(moved(outs, index), 0, 0, stencil.cell(index));
}

inline void check_cuda(cudaError_t status) {
  if (status != cudaSuccess) throw Error(ErrorCode::device, std::string("a sweep could not be launched: ") + cudaGetErrorString(status));
}

/// Bit i: rows of field i may be read by vectors of 16 bytes.
template <int rank>
std::uint32_t fields_of_vectors(const Inputs<rank>&, std::uint32_t) {
  return 0;
}
template <int rank, class S, class... Rest>
std::uint32_t fields_of_vectors(const Inputs<rank, S, Rest...>& inputs, std::uint32_t bit = 1) {
  bool is_of_vectors = 16 % sizeof(S) == 0 && reinterpret_cast<std::uintptr_t>(inputs.field.data) % 16 == 0 &&
                       (inputs.field.strides[rank - 1] == 1 || inputs.field.extents[rank - 1] == 1);
  for (int a = 0; a + 1 < rank; ++a)
    is_of_vectors = is_of_vectors && (inputs.field.extents[a] == 1 || inputs.field.strides[a] * std::int64_t{sizeof(S)} % 16 == 0);
  return (is_of_vectors ? bit : 0) | fields_of_vectors(inputs.rest, bit << 1);
}

/// kernel<<<…>>>(arguments…, first block, rest…) for blocks [0, n_blocks), in as many launches as it takes.
template <class Launch>
void launch_in_grids(std::int64_t n_blocks, const Launch& launch) {
  constexpr std::int64_t most = 0x7FFFFFFF;
  for (std::int64_t first = 0; first < n_blocks; first += most) {
    launch(first, static_cast<unsigned>(std::min(most, n_blocks - first)));
    check_cuda(cudaGetLastError());
  }
}

template <bool is_several, class F, class... S, class Outs>
void launch_sweep(const Stencil<F, S...>& stencil, const Outs& outs, cudaStream_t stream) {
  check_faces(stencil);
  using Tile = typename SweepTileOf<typename F::Radius, S...>::Type;
  std::int64_t n_cells = 1;
  for (const std::int64_t extent : stencil.extents()) {
    if (extent <= 0) return;
    n_cells *= extent;
  }
  int device = 0, n_multiprocessors = 0, most_bytes = 0, n_blocks_each = 0;
  check_cuda(cudaGetDevice(&device));
  check_cuda(cudaDeviceGetAttribute(&n_multiprocessors, cudaDevAttrMultiProcessorCount, device));
  check_cuda(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (Tile::n_bytes > most_bytes) {
    launch_in_grids((n_cells + 255) / 256, [&](std::int64_t first, unsigned n_blocks) {
      sweep_cells<is_several><<<n_blocks, 256, 0, stream>>>(stencil, outs, first, n_cells);
    });
    return;
  }
  const auto kernel = &sweep_tiles<Tile, is_several, Stencil<F, S...>, Outs>;
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::n_bytes));
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_blocks_each, kernel, Tile::n_threads, Tile::n_bytes));
  SweepGrid grid = SweepGrid::of<Tile>(stencil.extents(), std::int64_t{n_multiprocessors} * std::max(n_blocks_each, 1));
  grid.has_vectors = fields_of_vectors(stencil.inputs());
  launch_in_grids(grid.n_blocks, [&](std::int64_t first, unsigned n_blocks) {
    kernel<<<n_blocks, Tile::n_threads, Tile::n_bytes, stream>>>(stencil, outs, grid, first);
  });
}

}  // namespace detail

/// out[i] = stencil.cell(i) for all cells, on the current device, given to the stream, not waited for. Requires fields that lie where the
/// device reaches them. Throws as the sweep on threads does, before any launch; device, with CUDA's text, for a launch that fails. Cost:
/// neither allocates nor synchronises.
template <class F, class T, class... S>
void sweep(const Stencil<F, S...>& stencil, const StencilField<T, F::Radius::rank>& out, cudaStream_t stream) {
  detail::check_inputs(stencil.inputs(), out);
  detail::launch_sweep<false>(stencil, detail::outputs_of(out), stream);
}

/// outs[k][i] = stencil.cell(i)[k], of a stencil whose results are an Array.
template <class F, class... T, class... S>
void sweep(const Stencil<F, S...>& stencil, const std::tuple<StencilField<T, F::Radius::rank>...>& outs, cudaStream_t stream) {
  std::apply(
      [&](const auto&... out) {
        (detail::check_inputs(stencil.inputs(), out), ...);
        detail::check_apart<F::Radius::rank>(out...);
        detail::launch_sweep<true>(stencil, detail::outputs_of<F::Radius::rank>(out...), stream);
      },
      outs);
}

}  // namespace crinkle
