// Short rows of segments on a GPU: whole rows through shared memory, straight from memory in aligned vectors, out in aligned pieces.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda_rows.cuh"
#include "tile/segmented_tile.hpp"

namespace crinkle::kernel {

/// Up to three segments without a fill, in registers: asked by comparing, not looked up.
struct FirstCells {
  tile::SegmentedFacts::Cells a, b, c;
  bool is_all;

  template <class Tile>
  __device__ explicit FirstCells(const Tile& tile) : a(tile.cells[0]), b(tile.cells[0]), c(tile.cells[0]), is_all(tile.n_segments <= 3) {
    b.first = c.first = INT32_MAX;
    is_all = is_all && !a.is_fill;
    if (tile.n_segments > 1) {
      b = tile.cells[1];
      is_all = is_all && !b.is_fill;
    }
    if (tile.n_segments > 2) {
      c = tile.cells[2];
      is_all = is_all && !c.is_fill;
    }
  }
  __device__ std::int32_t cell(const tile::SegmentedFacts::Piece& p) const {
    const bool in_b = p.column >= b.first, in_c = p.column >= c.first;
    const std::int32_t origin = in_c ? c.origin : in_b ? b.origin : a.origin, step = in_c ? c.step : in_b ? b.step : a.step;
    return p.base + origin + p.column * step;
  }
};

template <int unit, class Room>
__device__ inline void move_segmented(const tile::SegmentedTileOf<Room>& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
  constexpr int n = 16 / unit;
  __shared__ tile::Block opened_block;
  if (threadIdx.x < 32) {
    const tile::Block decoded = tile.block(index);
    if (threadIdx.x == 0) opened_block = decoded;
  }
  __syncthreads();
  const tile::Block block = opened_block;
  const Buffers<0> buffers(slots);
  const int thread = static_cast<int>(threadIdx.x);
  const int n_vectors = tile.n_reads * static_cast<int>(tile.read_pieces.value());
#pragma unroll 4
  for (int i = thread; i < n_vectors; i += tile.threads) {
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
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const int n_pieces = tile.n_runs * static_cast<int>(tile.write_pieces.value());
  const FirstCells few(tile);
  for (int i = thread; i < n_pieces; i += tile.threads) {
    auto piece = tile.piece(block, i);
    if (piece.access.mask == 0) continue;
    char* to = buffers.destination(piece.access.slot) + piece.access.address;
    const std::uint32_t mask = piece.access.mask;
    Units<unit> v;
    if (few.is_all) {
      const std::int32_t row_units = static_cast<std::int32_t>(tile.row_units.value());
#pragma unroll
      for (int k = 0; k < n; ++k) {
        if ((mask >> k & 1) == 0) continue;
        v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(shared + few.cell(piece));
        if (++piece.column == row_units) tile.next_row(block, piece);
      }
    } else {
#pragma unroll
      for (int k = 0; k < n; ++k) {
        if ((mask >> k & 1) == 0) continue;
        const auto& cells = tile.cells[piece.segment];
        v.unit_of[k] = cells.is_fill ? pattern_of<unit>(cells) : *reinterpret_cast<const Word<unit>*>(shared + tile.cell(piece));
        tile.advance(block, piece);
      }
    }
    if (mask == (1u << n) - 1) {
      store(to, v.all);
    } else {
#pragma unroll
      for (int k = 0; k < n; ++k)
        if ((mask >> k & 1) != 0) store(to + k * unit, v.unit_of[k]);
    }
  }
}

}  // namespace crinkle::kernel
