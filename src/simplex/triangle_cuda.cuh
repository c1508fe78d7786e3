// The kernels of conversions between triangles' layouts: one for lines that are copied, one for lines that cross, one for a diagonal of
// zeros. All index arithmetic is in tile/triangle_tile.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda_rows.cuh"
#include "tile/triangle_tile.hpp"

namespace crinkle::kernel {

template <int unit>
__device__ inline void copy_units(const tile::TriangleCopyTile& tile, const tile::TriangleCopyTile::Window& w, std::int64_t k,
                                  const char* src, char* dst) {
  constexpr int n = 16 / unit;
  const char* const from = src + w.src + w.shift + 16 * k;
  char* const to = dst + w.dst + 16 * k;
#pragma unroll
  for (int u = 0; u < n; ++u)
    if (tile.holds(w, k, u)) store(to + u * unit, load<Word<unit>>(from + u * unit));
}

template <int unit>
__global__ void __launch_bounds__(tile::TriangleCopyTile::threads, 4)
    copy_triangle_lines(const __grid_constant__ tile::TriangleCopyTile tile, std::uint64_t first, const char* __restrict__ src,
                        char* __restrict__ dst) {
  using Tile = tile::TriangleCopyTile;
  constexpr int batch = 4;
  __shared__ Tile::Window windows[Tile::most_lines];
  const auto block = tile.blocks.block(first + blockIdx.x);
  const int n_lines = static_cast<int>(block.last - block.first);
  if (static_cast<int>(threadIdx.x) < n_lines) windows[threadIdx.x] = tile.window(block, block.first + threadIdx.x);
  __syncthreads();
  for (std::int64_t k = threadIdx.x; k < tile.n_pieces; k += Tile::threads) {
    for (int line = 0; line < n_lines; line += batch) {
      Vector low[batch], high[batch];
      Tile::How how[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        how[q] = line + q < n_lines ? tile.how(windows[line + q], k) : Tile::How::nothing;
        if (how[q] != Tile::How::whole) continue;
        const Tile::Window& w = windows[line + q];
        const char* const from = src + w.src + 16 * k;
        low[q] = load_vector(from);
        if (w.shift != 0) high[q] = load_vector(from + 16);
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (how[q] == Tile::How::nothing) continue;
        const Tile::Window& w = windows[line + q];
        if (how[q] == Tile::How::units) copy_units<unit>(tile, w, k, src, dst);
        else store(dst + w.dst + 16 * k, packed(w.shift != 0 ? shifted(low[q], high[q], w.shift) : low[q]));
      }
    }
  }
}

/// Global memory to shared memory; of narrow units by way of a register.
template <int unit>
__device__ inline void bring(char* cell, const char* from) {
  if constexpr (unit >= 4) copy_async<unit>(cell, from);
  else stage(cell, load<Word<unit>>(from));
}

/// A warp has a row, or a column, at a time.
template <int unit, bool is_single>
__global__ void __launch_bounds__(tile::TriangleCrossTile::threads, 4)
    cross_triangle_lines(const __grid_constant__ tile::TriangleCrossTile tile, std::uint64_t first, const char* __restrict__ src,
                         char* __restrict__ dst) {
  using Tile = tile::TriangleCrossTile;
  constexpr int n_warps = Tile::threads / 32;
  extern __shared__ __align__(128) char cells[];
  auto* const rows = reinterpret_cast<Tile::Row*>(cells + tile.table_at());
  auto* const columns = reinterpret_cast<Tile::Column*>(rows + tile.n_rows);
  const auto block = tile.blocks.block(first + blockIdx.x);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int r = static_cast<int>(threadIdx.x); r < tile.n_rows; r += Tile::threads) rows[r] = tile.row(block, r);
  for (int c = static_cast<int>(threadIdx.x); c < tile.blocks.n_lines; c += Tile::threads) columns[c] = tile.column(block, c);
  __syncthreads();
  const int n_across = tile.row_units();
#pragma unroll 4
  for (int r = warp; r < tile.n_rows; r += n_warps) {
    const int begin = rows[r].begin, end = rows[r].end;
    const char* const from = src + rows[r].src * unit;
    char* const to = cells + r * tile.pitch * unit;
    for (int x = lane; x < n_across; x += 32)
      if (x >= begin && x < end) bring<unit>(to + x * unit, from + x * std::int64_t{unit});
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const int n_along = static_cast<int>(tile.window_units());
  for (int c = warp; c < tile.blocks.n_lines; c += n_warps) {
    const Tile::Column column = columns[c];
    char* const to = dst + column.dst * unit;
#pragma unroll 4
    for (int t = lane; t < n_along; t += 32)
      if (t >= column.begin && t < column.end)
        store(to + t * std::int64_t{unit},
              *reinterpret_cast<const Word<unit>*>(cells + tile.template cell<is_single>(column, c, t) * unit));
  }
  if (!tile.has_beside) return;
  for (int r = tile.early + warp; r < tile.n_rows; r += n_warps) {
    const Tile::Row row = rows[r];
    const char* const from = cells + r * tile.pitch * unit;
    for (int x = lane; x < n_across; x += 32)
      if (tile.is_beside(block, row, r, x)) store(dst + (row.beside + x) * unit, *reinterpret_cast<const Word<unit>*>(from + x * unit));
  }
}

/// Elements of several sectors, which both sides have whole.
template <int unit>
__global__ void __launch_bounds__(tile::TriangleCrossTile::threads)
    cross_triangle_units(const __grid_constant__ tile::TriangleCrossTile tile, std::uint64_t first, const char* __restrict__ src,
                         char* __restrict__ dst) {
  using Tile = tile::TriangleCrossTile;
  const auto block = tile.blocks.block(first + blockIdx.x);
  const std::int64_t n = tile.blocks.n_lines * tile.window_units();
  for (std::int64_t k = threadIdx.x; k < n; k += Tile::threads) {
    const Division<std::uint64_t> at = tile.by_window.divide(static_cast<std::uint64_t>(k));
    const int c = static_cast<int>(at.quotient);
    const auto t = static_cast<std::int64_t>(at.remainder);
    const Tile::Column column = tile.column(block, c);
    if (t >= column.begin && t < column.end)
      store(dst + (column.dst + t) * unit, load<Word<unit>>(src + tile.source(block, column, c, t) * unit));
  }
  if (!tile.has_beside) return;
  const std::int64_t n_across = tile.row_units();
  for (int r = tile.early; r < tile.n_rows; ++r) {
    const Tile::Row row = tile.row(block, r);
    for (std::int64_t x = threadIdx.x; x < n_across; x += Tile::threads)
      if (tile.is_beside(block, row, r, static_cast<std::int32_t>(x)))
        store(dst + (row.beside + x) * unit, load<Word<unit>>(src + (row.src + x) * unit));
  }
}

template <int unit>
__global__ void __launch_bounds__(256)
    zero_triangle_diagonal(TriangleLines lines, std::int64_t begin, std::int64_t n, std::int64_t n_units, char* __restrict__ dst) {
  for (std::int64_t k = blockIdx.x * std::int64_t{256} + threadIdx.x; k < n; k += gridDim.x * std::int64_t{256})
    for (std::int64_t u = 0; u < n_units; ++u) store(dst + (lines.place(begin + k, begin + k) * n_units + u) * unit, Word<unit>{});
}

}  // namespace crinkle::kernel
