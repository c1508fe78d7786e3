// Short rows of segments on a GPU: whole rows through shared memory, straight from memory in aligned vectors, out in aligned pieces.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/rows.cuh"
#include "tile/segmented_tile.hpp"

namespace crinkle::kernel {

template <int unit>
__device__ inline void read_masked(const tile::SegmentedTile::Load& piece, char* shared, const char* from) {
  for (int k = 0; k < 16 / unit; ++k)
    if ((piece.mask >> k & 1) != 0) stage(shared + piece.cell + k * unit, load<Word<unit>>(from + k * unit));
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

/// Runs that are read as a stretch each, all of it inside what may be read.
template <bool is_single, class Tile>
__device__ inline void read_runs(const Tile& tile, const tile::Block& block, const tile::SegmentedTile::RunReads& reads, char* shared,
                                 const Buffers<0>& buffers) {
  const char* src = buffers.source(block.src_slot);
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < reads.n_vectors; i += tile.threads) {
    const auto piece = tile.template run_load<is_single>(block, reads, i);
    if (is_single || piece.cell >= 0) copy_async<16>(shared + piece.cell, src + piece.address);
  }
}

template <int unit, class Tile>
__device__ inline void read_rows(const Tile& tile, const tile::Block& block, char* shared, const Buffers<0>& buffers) {
  const auto reads = tile.run_reads(block);
  if (!reads.is_inside) return read_stretches<unit>(tile, block, shared, buffers);
  if (tile.n_runs == 1) return read_runs<true>(tile, block, reads, shared, buffers);
  read_runs<false>(tile, block, reads, shared, buffers);
}

/// A piece of a tile of few segments: collected unit by unit, stored whole where it is.
template <int unit, bool one_step, class Tile>
__device__ inline void put_few(const Tile& tile, const tile::SegmentedTile::Spot& at, std::uint32_t mask,
                               const tile::SegmentedTile::Few& few, const std::int32_t* bases, const char* shared, char* to) {
  constexpr int n = 16 / unit;
  const std::int32_t base = bases[at.row], next = bases[at.row + 1];
  const auto unit_at = [&](int k) {
    return *reinterpret_cast<const Word<unit>*>(shared + tile.template cell<one_step>(few, at, k, base, next));
  };
  if (mask == (1u << n) - 1) {
    Units<unit> v;
#pragma unroll
    for (int k = 0; k < n; ++k) v.unit_of[k] = unit_at(k);
    return store(to, v.all);
  }
#pragma unroll(n < 4 ? n : 4)
  for (int k = 0; k < n; ++k)
    if ((mask >> k & 1) != 0) store(to + k * unit, unit_at(k));
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
  __shared__ tile::Block opened_block;
  if (threadIdx.x < 32) {
    const tile::Block decoded = tile.block(index);
    if (threadIdx.x == 0) opened_block = decoded;
  }
  __syncthreads();
  const tile::Block block = opened_block;
  const Buffers<0> buffers(slots);
  read_rows<unit>(tile, block, shared, buffers);
  auto* bases = reinterpret_cast<std::int32_t*>(shared + tile.staged_bytes());
  for (int r = static_cast<int>(threadIdx.x); r < tile.n_bases(); r += tile.threads) bases[r] = tile.base(block, r);
  const tile::SegmentedTile::Few few = tile.few();
  const bool has_one_step = few.has_one_step();
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const int n_pieces = tile.n_runs * static_cast<int>(tile.write_pieces.value());
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < n_pieces; i += tile.threads) {
    const auto start = tile.start(block, i);
    if (start.run >= block.write_rows) return;
    char* to = buffers.destination(start.slot) + start.address;
    std::uint32_t mask = (1u << tile.vector) - 1;
    tile::SegmentedTile::Spot at;
    if (few.is_all && tile.is_whole(block, start)) {
      at = tile.two_rows(start);
    } else {
      const auto piece = tile.piece(block, i);
      mask = piece.access.mask;
      if (mask == 0) continue;
      if (!few.is_all) {
        put_any<unit>(tile, piece, to, bases, shared);
        continue;
      }
      at = tile.two_rows(piece);
    }
    if (has_one_step) put_few<unit, true>(tile, at, mask, few, bases, shared, to);
    else put_few<unit, false>(tile, at, mask, few, bases, shared, to);
  }
}

}  // namespace crinkle::kernel
