// The kernels of conversions between triangles' layouts: one for lines that are copied, one for lines that cross, one for a diagonal of
// zeros. All index arithmetic is in tile/triangle_{copy,cross}_tile.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/rows.cuh"
#include "tile/triangle_copy_tile.hpp"
#include "tile/triangle_cross_tile.hpp"

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
    copy_triangle_lines(const __grid_constant__ tile::TriangleCopyTile tile, std::int64_t first, const char* __restrict__ src,
                        char* __restrict__ dst) {
  using Tile = tile::TriangleCopyTile;
  constexpr int batch = 4;
  __shared__ Tile::Window windows[Tile::most_lines];
  const auto block = tile.blocks.block(static_cast<std::uint64_t>(first + blockIdx.x));
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

/// Rows into shared memory, by whole vectors where the source has them.
template <int unit>
__device__ inline void stage_rows(const tile::TriangleCrossTile& tile, const tile::TriangleCrossTile::Row* rows, const char* src,
                                  char* cells) {
  using Tile = tile::TriangleCrossTile;
  const int lane = static_cast<int>(threadIdx.x) & (tile.row_lanes - 1), step = Tile::threads / tile.row_lanes;
#pragma unroll 4
  for (int r = static_cast<int>(threadIdx.x) / tile.row_lanes; r < tile.n_rows; r += step) {
    const Tile::Row row = rows[r];
    const char* const from = src + row.src;
    char* const to = cells + tile.row_cell(r);
    for (int k = lane; k < tile.row_vectors; k += tile.row_lanes) {
      if (k < row.first || k >= row.last) continue;
      if (row.is_whole) {
        copy_async<16>(to + Tile::vector * k, from + Tile::vector * k);
        continue;
      }
      for (int at = Tile::vector * k; at < Tile::vector * (k + 1); at += unit)
        if (at >= row.first_byte && at < row.last_byte) stage(to + at, load<Word<unit>>(from + at));
    }
  }
}

template <int unit>
__device__ inline void store_piece(char* to, const Units<unit>& v, int first, int begin, int end) {
  constexpr int n = 16 / unit;
  if (first >= begin && first + n <= end) return store(to, v.all);
#pragma unroll
  for (int u = 0; u < n; ++u)
    if (first + u >= begin && first + u < end) store(to + u * unit, v.unit_of[u]);
}

/// Rows from shared memory to where they are written besides.
template <int unit>
__device__ inline void store_beside(const tile::TriangleCrossTile& tile, const tile::TriangleCrossTile::Beside* rows, const char* cells,
                                    char* dst) {
  using Tile = tile::TriangleCrossTile;
  constexpr int n = Tile::vector / unit;
  const int lane = static_cast<int>(threadIdx.x) & (tile.beside_lanes - 1), step = Tile::threads / tile.beside_lanes;
#pragma unroll 2
  for (int r = tile.early + static_cast<int>(threadIdx.x) / tile.beside_lanes; r < tile.n_rows; r += step) {
    const Tile::Beside row = rows[r];
    const int begin = static_cast<int>(row.begin - row.x), end = static_cast<int>(row.end - row.x);
    const int shift = row.cell & (Tile::vector - unit);
    for (int k = lane; k * n < end; k += tile.beside_lanes) {
      if (k * n + n <= begin) continue;
      const auto* const from = reinterpret_cast<const uint4*>(cells + (row.cell - shift)) + k;
      const uint4 low = from[0], high = from[1];
      Units<unit> v;
      v.all = packed(shifted({{low.x, low.y, low.z, low.w}}, {{high.x, high.y, high.z, high.w}}, shift));
      store_piece<unit>(dst + row.dst + Tile::vector * k, v, k * n, begin, end);
    }
  }
}

template <int unit>
__global__ void __launch_bounds__(tile::TriangleCrossTile::threads, 5)
    cross_triangle_lines(const __grid_constant__ tile::TriangleCrossTile tile, std::int64_t first, const char* __restrict__ src,
                         char* __restrict__ dst) {
  using Tile = tile::TriangleCrossTile;
  constexpr int along = Tile::along, n = Tile::vector / unit;
  extern __shared__ __align__(128) char cells[];
  auto* const columns = reinterpret_cast<Tile::Column*>(cells + tile.cell_bytes());
  auto* const rows = reinterpret_cast<Tile::Row*>(columns + tile.blocks.n_lines);
  auto* const besides = reinterpret_cast<Tile::Beside*>(rows);
  auto* const unit_cells = reinterpret_cast<std::uint16_t*>(cells + tile.shared_bytes()) - tile.column_units();
  const auto block = tile.blocks.block(static_cast<std::uint64_t>(first + blockIdx.x));
  const int thread = static_cast<int>(threadIdx.x);
  for (int r = thread; r < tile.n_rows; r += Tile::threads) rows[r] = tile.row(block, r);
  __syncthreads();
  stage_rows<unit>(tile, rows, src, cells);
  for (int c = thread; c < tile.blocks.n_lines; c += Tile::threads) columns[c] = tile.column(block, c);
  for (int f = thread; f < tile.column_units(); f += Tile::threads) unit_cells[f] = static_cast<std::uint16_t>(tile.unit_cell(block, f));
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const int n_vectors = tile.window_vectors(), element = static_cast<int>(tile.move.element);
  for (int c = Tile::column_of<unit>(thread / along); c < tile.blocks.n_lines; c += Tile::threads / along) {
    const Tile::Column column = columns[c];
    const int begin = static_cast<int>(column.begin), end = static_cast<int>(column.end);
    const std::uint16_t* const cells_of = unit_cells + column.first;
    const char* const from = cells + c * element;
#pragma unroll 2
    for (int k = thread % along; k < n_vectors; k += along) {
      if (k * n + n <= begin || k * n >= end) continue;
      Units<unit> v;
#pragma unroll
      for (int u = 0; u < n; ++u) v.unit_of[u] = *reinterpret_cast<const Word<unit>*>(from + cells_of[k * n + u]);
      store_piece<unit>(dst + column.dst + Tile::vector * k, v, k * n, begin, end);
    }
  }
  if (!tile.has_beside) return;
  for (int r = thread; r < tile.n_rows; r += Tile::threads) besides[r] = tile.beside_row(block, r);
  __syncthreads();
  store_beside<unit>(tile, besides, cells, dst);
}

/// Elements of more than a sector: nothing is staged.
template <int unit>
__global__ void __launch_bounds__(tile::TriangleCrossTile::threads)
    cross_triangle_units(const __grid_constant__ tile::TriangleCrossTile tile, std::int64_t first, const char* __restrict__ src,
                         char* __restrict__ dst) {
  using Tile = tile::TriangleCrossTile;
  const auto block = tile.blocks.block(static_cast<std::uint64_t>(first + blockIdx.x));
  const std::int64_t n = tile.blocks.n_lines * tile.window_units();
  for (std::int64_t k = threadIdx.x; k < n; k += Tile::threads) {
    const Division<std::uint64_t> at = tile.by_window.divide(static_cast<std::uint64_t>(k));
    const int c = static_cast<int>(at.quotient);
    const auto t = static_cast<std::int64_t>(at.remainder);
    const Tile::Column column = tile.column(block, c);
    if (t >= column.begin && t < column.end) store(dst + column.dst + t * unit, load<Word<unit>>(src + tile.source(block, column, c, t)));
  }
  if (!tile.has_beside) return;
  for (int r = tile.early; r < tile.n_rows; ++r) {
    const Tile::Beside row = tile.beside_row(block, r);
    const char* const from = src + (tile.move.from.start(tile.row_line(block, r)) + tile.first_column(block)) * tile.move.element;
    for (std::int64_t x = row.begin + threadIdx.x; x < row.end; x += Tile::threads)
      store(dst + row.dst + (x - row.x) * unit, load<Word<unit>>(from + x * unit));
  }
}

constexpr int zero_threads = 256;
template <int unit>
__global__ void __launch_bounds__(zero_threads)
    zero_triangle_diagonal(TriangleLines lines, std::int64_t begin, std::int64_t n, std::int64_t n_units, char* __restrict__ dst) {
  for (std::int64_t k = blockIdx.x * std::int64_t{zero_threads} + threadIdx.x; k < n; k += gridDim.x * std::int64_t{zero_threads})
    for (std::int64_t u = 0; u < n_units; ++u) store(dst + (lines.place(begin + k, begin + k) * n_units + u) * unit, Word<unit>{});
}

}  // namespace crinkle::kernel
