// Short rows of segments on a GPU: whole rows through shared memory, straight from memory in aligned vectors, out in aligned pieces.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda_rows.cuh"
#include "tile/segmented_tile.hpp"

namespace crinkle::kernel {

/// Up to three segments without a fill, in registers: asked by comparing, not looked up.
struct FewCells {
  std::int32_t b_first = INT32_MAX, c_first = INT32_MAX;
  std::int32_t a_origin, b_origin = 0, c_origin = 0;
  std::int32_t a_step, b_step = 0, c_step = 0;
  bool is_all;

  template <class Tile>
  __device__ explicit FewCells(const Tile& tile) : a_origin(tile.cells[0].origin), a_step(tile.cells[0].step) {
    is_all = tile.n_segments <= 3 && !tile.cells[0].is_fill;
    if (tile.n_segments > 1) {
      b_first = tile.cells[1].first, b_origin = tile.cells[1].origin, b_step = tile.cells[1].step;
      is_all = is_all && !tile.cells[1].is_fill;
    }
    if (tile.n_segments > 2) {
      c_first = tile.cells[2].first, c_origin = tile.cells[2].origin, c_step = tile.cells[2].step;
      is_all = is_all && !tile.cells[2].is_fill;
    }
  }
  __device__ std::int32_t cell(std::int32_t base, std::int32_t column) const {
    std::int32_t origin = a_origin, step = a_step;
    if (column >= b_first) origin = b_origin, step = b_step;
    if (column >= c_first) origin = c_origin, step = c_step;
    return base + origin + column * step;
  }
};

template <int unit, class Tile>
__device__ inline void read_stretches(const Tile& tile, const tile::Block& block, char* shared, const Buffers<0>& buffers) {
  constexpr int n = 16 / unit;
  const int n_vectors = tile.n_reads * static_cast<int>(tile.read_pieces.value());
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < n_vectors; i += tile.threads) {
    const auto piece = tile.load(block, i);
    if (piece.cell < 0) continue;
    const char* from = buffers.source(piece.slot) + piece.address;
    if (piece.mask == (1u << n) - 1) {
      copy_async<16>(shared + piece.cell, from);
    } else {
      for (int k = 0; k < n; ++k)
        if ((piece.mask >> k & 1) != 0) store(shared + piece.cell + k * unit, load<Word<unit>>(from + k * unit));
    }
  }
}

/// A whole piece of rows no shorter than a vector and of few segments: two rows at most.
template <int unit, class Tile>
__device__ inline uint4 collected(const Tile& tile, const tile::SegmentedFacts::Piece& piece, const FewCells& few,
                                  const std::int32_t* bases, const char* shared) {
  constexpr int n = 16 / unit;
  const auto row_units = static_cast<std::int32_t>(tile.row_units.value());
  const std::int32_t base = bases[piece.row], next = bases[piece.row + 1];
  Units<unit> v;
#pragma unroll
  for (int k = 0; k < n; ++k) {
    std::int32_t column = piece.column + k, at = base;
    if (column >= row_units) column -= row_units, at = next;
    v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(shared + few.cell(at, column));
  }
  return v.all;
}

/// Any piece.
template <int unit, class Tile>
__device__ inline void put_any(const Tile& tile, const tile::SegmentedFacts::Piece& piece, char* to, const std::int32_t* bases,
                               const char* shared) {
  constexpr int n = 16 / unit;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    if ((piece.access.mask >> k & 1) == 0) continue;
    const auto spot = tile.spot(piece, k);
    const std::int32_t segment = tile.segment_of(spot.column);
    const auto& cells = tile.cells[segment];
    store(to + k * unit, cells.is_fill ? pattern_of<unit>(cells)
                                       : *reinterpret_cast<const Word<unit>*>(shared + tile.cell(bases[spot.row], segment, spot.column)));
  }
}

template <int unit>
__device__ inline void move_segmented(const tile::SegmentedTile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
  constexpr int n = 16 / unit;
  __shared__ tile::Block opened_block;
  if (threadIdx.x < 32) {
    const tile::Block decoded = tile.block(index);
    if (threadIdx.x == 0) opened_block = decoded;
  }
  __syncthreads();
  const tile::Block block = opened_block;
  const Buffers<0> buffers(slots);
  read_stretches<unit>(tile, block, shared, buffers);
  auto* bases = reinterpret_cast<std::int32_t*>(shared + tile.bases_at());
  for (int r = static_cast<int>(threadIdx.x); r < tile.n_bases(); r += tile.threads) bases[r] = tile.base(block, r);
  const FewCells few(tile);
  const bool is_quick = few.is_all && static_cast<int>(tile.row_units.value()) >= n;
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const int n_pieces = tile.n_runs * static_cast<int>(tile.write_pieces.value());
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < n_pieces; i += tile.threads) {
    const auto piece = tile.piece(block, i);
    if (piece.access.mask == 0) continue;
    char* to = buffers.destination(piece.access.slot) + piece.access.address;
    if (is_quick && piece.access.mask == (1u << n) - 1) {
      store(to, collected<unit>(tile, piece, few, bases, shared));
    } else {
      put_any<unit>(tile, piece, to, bases, shared);
    }
  }
}

}  // namespace crinkle::kernel
