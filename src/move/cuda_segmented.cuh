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
  std::int32_t a_step, b_step, c_step;
  bool is_all;

  template <class Tile>
  __device__ explicit FewCells(const Tile& tile) : a_origin(tile.cells[0].origin), a_step(tile.cells[0].step) {
    b_step = c_step = a_step;
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
  __device__ bool has_one_step() const { return a_step == b_step && a_step == c_step; }
  template <bool one_step>
  __device__ std::int32_t cell(std::int32_t base, std::int32_t column) const {
    const bool in_b = column >= b_first, in_c = column >= c_first;
    const std::int32_t origin = in_c ? c_origin : in_b ? b_origin : a_origin;
    const std::int32_t step = one_step ? a_step : in_c ? c_step : in_b ? b_step : a_step;
    return base + origin + column * step;
  }
};

template <int unit>
__device__ inline void read_masked(const tile::SegmentedTile::Load& piece, char* shared, const char* from) {
  for (int k = 0; k < 16 / unit; ++k)
    if ((piece.mask >> k & 1) != 0) store(shared + piece.cell + k * unit, load<Word<unit>>(from + k * unit));
}

template <int unit, class Tile>
__device__ inline void read_stretches(const Tile& tile, const tile::Block& block, char* shared, const Buffers<0>& buffers) {
  const int n_vectors = tile.n_reads * static_cast<int>(tile.read_pieces.value());
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < n_vectors; i += tile.threads) {
    const auto piece = tile.load(block, i);
    if (piece.cell < 0) continue;
    const char* from = buffers.source(piece.slot) + piece.address;
    if (piece.mask == (1u << (16 / unit)) - 1) {
      copy_async<16>(shared + piece.cell, from);
    } else {
      read_masked<unit>(piece, shared, from);
    }
  }
}

/// Runs that are read as a stretch each, all of it inside what may be read: nothing else to ask.
template <int unit, class Tile>
__device__ inline void read_runs(const Tile& tile, const tile::Block& block, char* shared, const Buffers<0>& buffers) {
  const auto reads = tile.run_reads(block);
  if (!reads.is_inside) return read_stretches<unit>(tile, block, shared, buffers);
  const char* src = buffers.source(block.src_slot);
  const int thread = static_cast<int>(threadIdx.x);
  if (tile.n_runs == 1) {
    const std::int64_t first = reads.begin & ~std::int64_t{15};
    const int n_vectors = static_cast<int>((reads.begin + reads.bytes - first + 15) >> 4);
#pragma unroll 4
    for (int i = thread; i < n_vectors; i += tile.threads) copy_async<16>(shared + 16 * i, src + first + 16 * i);
    return;
  }
  const int n_vectors = block.write_rows * static_cast<int>(tile.read_pieces.value());
#pragma unroll 4
  for (int i = thread; i < n_vectors; i += tile.threads) {
    const Division<std::uint32_t> at = tile.read_pieces.divide(static_cast<std::uint32_t>(i));
    const auto run = static_cast<int>(at.quotient), v = static_cast<int>(at.remainder);
    const std::int64_t begin = reads.begin + run * tile.run_src.address;
    const int offset = 16 * v - (static_cast<int>(begin) & 15);
    if (offset < reads.bytes) copy_async<16>(shared + 16 * i, src + begin + offset);
  }
}

/// A whole piece of rows no shorter than a vector and of few segments: two rows at most.
template <int unit, bool one_step, class Tile>
__device__ inline uint4 collected(const Tile& tile, std::int32_t first, std::int32_t row_before, const FewCells& few,
                                  const std::int32_t* bases, const char* shared) {
  constexpr int n = 16 / unit;
  const Division<std::uint32_t> at = tile.row_units.divide(static_cast<std::uint32_t>(first));
  const auto row_units = static_cast<std::int32_t>(tile.row_units.value()), column = static_cast<std::int32_t>(at.remainder);
  const std::int32_t* row = bases + row_before + static_cast<std::int32_t>(at.quotient);
  const std::int32_t base = row[0], next = row[1] - row_units * few.a_step;
  Units<unit> v;
#pragma unroll
  for (int k = 0; k < n; ++k) {
    const std::int32_t c = column + k;
    const bool is_next = c >= row_units;
    if constexpr (one_step) {  // the next row's columns are taken off its base
      const std::int32_t in_row = is_next ? c - row_units : c;
      const std::int32_t origin = in_row >= few.c_first ? few.c_origin : in_row >= few.b_first ? few.b_origin : few.a_origin;
      v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(shared + ((is_next ? next : base) + origin + c * few.a_step));
    } else {
      v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(shared + few.cell<false>(is_next ? row[1] : base, is_next ? c - row_units : c));
    }
  }
  return v.all;
}

/// Any piece.
template <int unit, class Tile>
__device__ inline void put_any(const Tile& tile, const tile::SegmentedTile::Piece& piece, char* to, const std::int32_t* bases,
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
  if (tile.reads_runs && tile.run_src.slot == 0) {
    read_runs<unit>(tile, block, shared, buffers);
  } else {
    read_stretches<unit>(tile, block, shared, buffers);
  }
  auto* bases = reinterpret_cast<std::int32_t*>(shared + tile.bases_at());
  for (int r = static_cast<int>(threadIdx.x); r < tile.n_bases(); r += tile.threads) bases[r] = tile.base(block, r);
  const FewCells few(tile);
  const bool is_quick = few.is_all && static_cast<int>(tile.row_units.value()) >= n, has_one_step = few.has_one_step();
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const int n_pieces = tile.n_runs * static_cast<int>(tile.write_pieces.value());
  const int n_units = block.read_rows * static_cast<int>(tile.row_units.value());
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < n_pieces; i += tile.threads) {
    const auto start = tile.start(block, i);
    if (start.run >= block.write_rows) return;
    if (is_quick && start.first >= 0 && start.first + n <= n_units) {
      char* to = buffers.destination(start.slot) + start.address;
      const std::int32_t row_before = start.run * tile.run_rows;
      store(to, has_one_step ? collected<unit, true>(tile, start.first, row_before, few, bases, shared)
                             : collected<unit, false>(tile, start.first, row_before, few, bases, shared));
    } else {
      const auto piece = tile.piece(block, i);
      if (piece.access.mask != 0) put_any<unit>(tile, piece, buffers.destination(piece.access.slot) + piece.access.address, bases, shared);
    }
  }
}

}  // namespace crinkle::kernel
