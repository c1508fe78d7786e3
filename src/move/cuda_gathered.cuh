// The general staged tile on a GPU. Source pieces of 4 bytes or more go straight from memory to shared memory, all of a tile in flight at
// once and none in registers; destination pieces are collected unit by unit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda_words.cuh"
#include "tile/gathered_tile.hpp"

namespace crinkle::kernel {

/// One destination piece: collected unit by unit, stored whole where it is. `cell(k)` is that of its unit k.
template <int unit, Known known, class Access, class Cell>
__device__ inline void put(const Access& access, const char* shared, char* dst, const Cell& cell) {
  constexpr int n = 16 / unit;
  union {
    Word<unit> unit_of[n];
    uint4 all;
  } v;
  if ((known & (tile::inner | tile::aligned)) != 0 || access.mask == (1u << n) - 1) {
#pragma unroll
    for (int k = 0; k < n; ++k) v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(shared + cell(k));
    store(dst + access.address, v.all);
  } else {
#pragma unroll
    for (int k = 0; k < n; ++k)
      if ((access.mask >> k & 1) != 0) store(dst + access.address + k * unit, *reinterpret_cast<const Word<unit>*>(shared + cell(k)));
  }
}

template <int unit, int bytes, Known known, class Tile>
__device__ inline void read_async(const Tile& tile, const tile::Block& block, const tile::Place* table, char* shared,
                                  const Buffers<known>& buffers) {
  constexpr int n = bytes / unit;
  constexpr bool is_whole = (known & (tile::exact | tile::inner)) != 0;  // every piece is read whole
  tile::Walk::Lane reader = tile.read.lane(static_cast<int>(threadIdx.x));
  constexpr bool is_down = (known & tile::one_run) != 0;  // each step is one down
#pragma unroll 4
  for (int step = 0; step < tile.read.n_steps; ++step) {
    const auto piece = tile.template load<known>(block, reader, is_down ? 0 : step, table);
    if constexpr (is_down) tile.read.advance(reader);
    if (piece.cell < 0) continue;
    const char* from = buffers.source(piece.slot) + piece.address;
    if (is_whole || piece.mask == (1u << n) - 1) {
      copy_async<bytes>(shared + piece.cell, from);
    } else {  // the first or last vector of the whole source
      for (int i = 0; i < n; ++i)
        if ((piece.mask >> i & 1) != 0) stage(shared + piece.cell + i * unit, load<Word<unit>>(from + i * unit));
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
}

/// Pieces of 1 and 2 bytes, which the copy engine does not take.
template <int bytes, Known known, class Tile>
__device__ inline void read_narrow(const Tile& tile, const tile::Block& block, const tile::Place* table, char* shared,
                                   const Buffers<known>& buffers) {
  constexpr int batch = 8;
  const tile::Walk::Lane reader = tile.read.lane(static_cast<int>(threadIdx.x));
  for (int step = 0; step < tile.read.n_steps; step += batch) {
    Word<bytes> v[batch];
    std::int32_t cell[batch];
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      cell[q] = -1;
      if (step + q >= tile.read.n_steps) continue;
      const auto piece = tile.template load<known>(block, reader, step + q, table);
      cell[q] = piece.cell;
      if (piece.cell >= 0) v[q] = load<Word<bytes>>(buffers.source(piece.slot) + piece.address);
    }
#pragma unroll
    for (int q = 0; q < batch; ++q)
      if (cell[q] >= 0) stage(shared + cell[q], v[q]);
  }
}

/// A block that is open: what it is, its tables, and where its data are staged.
struct Opened {
  tile::Block block;
  const tile::Place* table = nullptr;
  const std::int32_t* run_cells = nullptr;
  char* shared = nullptr;
};

/// Decodes a block and fills its tables, in `shared`. Returns when the places of rows are there; cells along runs are after the next
/// barrier.
template <Known known, class Tile>
__device__ inline Opened opened_gathered(const Tile& tile, std::uint32_t index, char* shared) {
  const bool has_table = (known & tile::even_rows) == 0 && tile.table_bytes() > 0;
  auto* table = has_table ? reinterpret_cast<tile::Place*>(shared + tile.staged_bytes()) : nullptr;
  std::int32_t* run_cells = nullptr;
  if constexpr ((known & tile::contiguous) == 0) {
    const int n_cells = tile.n_run_table();
    if (n_cells > 0) {
      run_cells = reinterpret_cast<std::int32_t*>(shared + tile.staged_bytes() + tile.table_bytes());
      for (int u = static_cast<int>(threadIdx.x); u < n_cells; u += static_cast<int>(blockDim.x)) run_cells[u] = tile.run_cell(u);
    }
  }
  const tile::Block block = opened(tile, index, tile.read.rows, tile.read.n_table(), tile.write.rows, tile.write.n_table(), table);
  return {block, table, run_cells, shared};
}

template <int unit, Known known = 0, class Tile>
__device__ inline void read_gathered(const Tile& tile, const Opened& open, const Buffers<known>& buffers) {
  const tile::Block& block = open.block;
  const tile::Place* table = open.table;
  char* shared = open.shared;
  if ((known & tile::wide) != 0 || tile.load_bytes == 16) return read_async<unit, 16>(tile, block, table, shared, buffers);
  if constexpr (unit <= 8)
    if (tile.load_bytes == 8) return read_async<unit, 8>(tile, block, table, shared, buffers);
  if constexpr (unit <= 4)
    if (tile.load_bytes == 4) return read_async<unit, 4>(tile, block, table, shared, buffers);
  if constexpr (unit <= 2)
    if (tile.load_bytes == 2) return read_narrow<2>(tile, block, table, shared, buffers);
  if constexpr (unit == 1) read_narrow<1>(tile, block, table, shared, buffers);
}

/// Requires that all threads have read.
template <int unit, Known known = 0, class Tile>
__device__ inline void write_gathered(const Tile& tile, const Opened& open, const Buffers<known>& buffers) {
  constexpr int n = 16 / unit;
  tile::Walk::Lane writer = tile.write.lane(static_cast<int>(threadIdx.x));
  std::int32_t along[n];  // [n] bytes of shared memory
#pragma unroll
  for (int k = 0; k < n; ++k) along[k] = tile.template along<known>(writer, k);
  const tile::Place* rows = open.table == nullptr ? nullptr : open.table + tile.read.n_table();
  const auto write_piece = [&](const auto& row, int step) {
    const auto piece = tile.template store<known>(row, step);
    if (piece.access.mask == 0) return;
    char* dst = buffers.destination(row.slot);
    if ((known & tile::contiguous) == 0 && open.run_cells != nullptr) {
      put<unit, known>(piece.access, open.shared, dst,
                       [&](int k) { return tile.template cell_at<known>(row, open.run_cells[piece.first + k]); });
    } else {
      put<unit, known>(piece.access, open.shared, dst, [&](int k) { return tile.template cell_of<known>(row, piece, along[k], k); });
    }
  };
  if constexpr ((known & tile::aligned) != 0) {
#pragma unroll 2
    for (int index = 0; index < tile.write.n_steps; ++index) {
      const tile::Walk::Step step = tile.write.step(index);
      write_piece(tile.template row<known>(open.block, writer, step.down, rows), step.along);
    }
  } else {  // what a row begins with costs more than its pieces
    const auto along_steps = static_cast<int>(tile.write.steps_run.value());
#pragma unroll 1
    for (int down = 0; down < tile.write.steps_down(); ++down, tile.write.advance(writer)) {
      const auto row = tile.template row<known>(open.block, writer, 0, rows);
#pragma unroll 1
      for (int step = 0; step < along_steps; ++step) write_piece(row, step);
    }
  }
}

template <int unit, Known known, class Tile>
__device__ inline void move_block(const Tile& tile, const Opened& open, const Buffers<known>& buffers) {
  read_gathered<unit, known>(tile, open, buffers);
  __syncthreads();
  write_gathered<unit, known>(tile, open, buffers);
}

template <int unit, Known known>
__device__ inline void move_gathered(const tile::GatheredTile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
  const Opened open = opened_gathered<known>(tile, index, shared);
  if constexpr ((known & tile::superset) != 0)
    if (open.block.is_inner) {
      constexpr Known whole = known | tile::inner;
      return move_block<unit, whole>(tile, open, Buffers<whole>(slots));
    }
  move_block<unit, known>(tile, open, Buffers<known>(slots));
}

}  // namespace crinkle::kernel
