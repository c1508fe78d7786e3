// The general staged tile on a GPU. Source pieces of 4 bytes or more go straight from memory to shared memory, all of a tile in flight at
// once and none in registers; destination pieces are collected unit by unit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/words.cuh"
#include "tile/gathered_known.hpp"
#include "tile/gathered_tile.hpp"

namespace crinkle::kernel {

/// One destination piece: collected unit by unit, `cell(k)` being that of its unit k, and stored whole, or as the words of 4 bytes or the
/// units that are whole in it. That all lanes of a vote have full masks is only taken to mean that this one has.
template <int unit, Known known, class Access, class Cell>
__device__ inline void put(const Access& access, const char* shared, char* dst, const Cell& cell) {
  constexpr int n = 16 / unit, wide = unit < 4 ? 4 : unit, of_wide = wide / unit;
  constexpr std::uint32_t all = (1u << n) - 1, all_of_wide = (1u << of_wide) - 1;
  union {
    Word<unit> unit_of[n];
    Word<wide> wide_of[16 / wide];
    uint4 all;
  } v;
  const auto collect = [&](int k) { v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(shared + cell(k)); };
  char* const to = dst + access.address;
  constexpr bool is_whole = (known & (tile::inner | tile::aligned)) != 0;
  constexpr bool is_often_cut = (known & tile::looked_up) != 0;  // somewhere in nearly every warp
  const bool is_full = is_whole || (!is_often_cut && __all_sync(__activemask(), access.mask == all));
  if (is_full) {
#pragma unroll
    for (int k = 0; k < n; ++k) collect(k);
    store(to, v.all);
  }
  if constexpr (!is_whole) {
    if (is_full) return;
#pragma unroll
    for (int k = 0; k < n; ++k)
      if ((access.mask >> k & 1) != 0) collect(k);
    if (access.mask == all) return store(to, v.all);
#pragma unroll
    for (int w = 0; w < 16 / wide; ++w) {
      const std::uint32_t mask = access.mask >> w * of_wide & all_of_wide;
      if (mask == all_of_wide) {
        store(to + w * wide, v.wide_of[w]);
      } else {
#pragma unroll
        for (int k = 0; k < of_wide; ++k)
          if ((mask >> k & 1) != 0) store(to + w * wide + k * unit, v.unit_of[w * of_wide + k]);
      }
    }
  }
}

/// Calls visit(row, lane, step along it) for all pieces of a thread; `row_of(lane)` is what those of a row have in common. Two at once
/// where the kernel is not one for every tile.
template <Known known, class Row, class Visit>
__device__ inline void down_and_along(const tile::Walk& walk, const Row& row_of, const Visit& visit) {
  tile::Walk::Lane lane = walk.lane(static_cast<int>(threadIdx.x));
  const tile::Place row_step = walk.row_step();
  const int n_along = walk.steps_along(), n_down = walk.steps_down;
  constexpr int at_once = (known & tile::contiguous) != 0 ? 2 : 1;
  if (at_once > 1 && n_along == 1) {
#pragma unroll at_once
    for (int down = 0; down < n_down; ++down) {
      visit(row_of(lane), lane, 0);
      walk.advance(lane, row_step);
    }
    return;
  }
#pragma unroll 1
  for (int down = 0; down < n_down; ++down) {
    const auto row = row_of(lane);
#pragma unroll at_once
    for (int along = 0; along < n_along; ++along) visit(row, lane, along);
    walk.advance(lane, row_step);
  }
}

template <int unit, int bytes, Known known, class Tile, class AnyBuffers>
__device__ inline void read_async(const Tile& tile, const tile::Block& block, const tile::Place* table, char* shared,
                                  const AnyBuffers& buffers) {
  constexpr int n = bytes / unit;
  constexpr bool is_whole = (known & (tile::exact | tile::inner)) != 0;  // every piece is read whole
  const auto row_of = [&](const tile::Walk::Lane& lane) { return tile.template source<known>(block, lane, 0, table); };
  down_and_along<known>(tile.read, row_of, [&](const auto& row, const tile::Walk::Lane& lane, int along) {
    const auto piece = tile.template load<known>(row, lane, along);
    if (piece.cell < 0) return;
    const char* from = buffers.source(piece.slot) + piece.address;
    if (is_whole || piece.mask == (1u << n) - 1) {
      copy_async<bytes>(shared + piece.cell, from);
    } else {  // the first or last vector of the whole source
      for (int i = 0; i < n; ++i)
        if ((piece.mask >> i & 1) != 0) stage(shared + piece.cell + i * unit, load<Word<unit>>(from + i * unit));
    }
  });
  asm volatile("cp.async.wait_all;" ::: "memory");
}

/// Pieces of 1 and 2 bytes, which the copy engine does not take.
template <int bytes, Known known, class Tile, class AnyBuffers>
__device__ inline void read_narrow(const Tile& tile, const tile::Block& block, const tile::Place* table, char* shared,
                                   const AnyBuffers& buffers) {
  constexpr int batch = 8;
  const tile::Walk::Lane reader = tile.read.lane(static_cast<int>(threadIdx.x));
  for (int first = 0; first < tile.read.n_steps; first += batch) {
    Word<bytes> v[batch];
    std::int32_t cell[batch];
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      cell[q] = -1;
      if (first + q >= tile.read.n_steps) continue;
      const tile::Walk::Step step = tile.read.step(first + q);
      const auto piece = tile.template load<known>(tile.template source<known>(block, reader, step.down, table), reader, step.along);
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
  const tile::GatheredTile::RunCell* run_cells = nullptr;
  char* shared = nullptr;
};

/// Decodes a block and fills its tables, in `shared`. Returns when the places of rows are there; cells along runs are after the next
/// barrier.
template <Known known, class Tile>
__device__ inline Opened opened_gathered(const Tile& tile, std::uint32_t index, char* shared) {
  const bool has_table = (known & tile::even_rows) == 0 && tile.table_bytes() > 0;
  auto* table = has_table ? reinterpret_cast<tile::Place*>(shared + tile.staged_bytes()) : nullptr;
  tile::GatheredTile::RunCell* run_cells = nullptr;
  if constexpr ((known & tile::fixed) == 0) {
    const int n_cells = tile.n_run_table();
    if ((known & tile::looked_up) != 0 || n_cells > 0) {
      run_cells = reinterpret_cast<tile::GatheredTile::RunCell*>(shared + tile.staged_bytes() + tile.table_bytes());
      for (int u = static_cast<int>(threadIdx.x); u < n_cells; u += static_cast<int>(blockDim.x))
        run_cells[u] = static_cast<tile::GatheredTile::RunCell>(tile.run_cell(u));
    }
  }
  const tile::Block block = opened(tile, index, tile.read.rows, tile.read.n_table(), tile.write.rows, tile.write.n_table(), table);
  return {block, table, run_cells, shared};
}

template <int unit, Known known = 0, class Tile, class AnyBuffers>
__device__ inline void read_gathered(const Tile& tile, const Opened& open, const AnyBuffers& buffers) {
  const tile::Block& block = open.block;
  const tile::Place* table = open.table;
  char* shared = open.shared;
  if ((known & tile::wide) != 0 || tile.load_bytes == 16) return read_async<unit, 16, known>(tile, block, table, shared, buffers);
  if constexpr (unit <= 8)
    if (tile.load_bytes == 8) return read_async<unit, 8, known>(tile, block, table, shared, buffers);
  if constexpr (unit <= 4)
    if (tile.load_bytes == 4) return read_async<unit, 4, known>(tile, block, table, shared, buffers);
  if constexpr (unit <= 2)
    if (tile.load_bytes == 2) return read_narrow<2, known>(tile, block, table, shared, buffers);
  if constexpr (unit == 1) read_narrow<1, known>(tile, block, table, shared, buffers);
}

/// Requires that all threads have read.
template <int unit, Known known = 0, class Tile, class AnyBuffers>
__device__ inline void write_gathered(const Tile& tile, const Opened& open, const AnyBuffers& buffers) {
  constexpr int n = 16 / unit;
  std::int32_t along[n];  // [n] bytes of shared memory
  const tile::Walk::Lane first = tile.write.lane(static_cast<int>(threadIdx.x));
  along[0] = tile.template along<known>(first, 0);  // without `fixed` perhaps 0, and not used
#pragma unroll
  for (int k = 1; k < n; ++k) along[k] = tile.unit_cell != 0 ? along[0] + k * tile.unit_cell : tile.template along<known>(first, k);
  const tile::Place* rows = open.table == nullptr ? nullptr : open.table + tile.read.n_table();
  const auto row_of = [&](const tile::Walk::Lane& lane) { return tile.template row<known>(open.block, lane, 0, rows); };
  down_and_along<known>(tile.write, row_of, [&](const auto& row, const tile::Walk::Lane&, int along_step) {
    const auto piece = tile.template store<known>(row, along_step);
    if (piece.access.mask == 0) return;
    char* dst = buffers.destination(row.slot);
    if ((known & tile::looked_up) != 0 || ((known & tile::fixed) == 0 && open.run_cells != nullptr)) {
      put<unit, known>(piece.access, open.shared, dst,
                       [&](int k) { return tile.template cell_at<known>(row, open.run_cells[piece.first + k]); });
    } else {
      put<unit, known>(piece.access, open.shared, dst, [&](int k) { return tile.template cell_of<known>(row, piece, along[k], k); });
    }
  });
}

template <int unit, Known known>
__device__ inline void move_gathered(const tile::GatheredTile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
  constexpr Known whole = known | tile::inner;
  constexpr bool knows_inner = tile::gathered::knows_inner_blocks(known);
  const Opened open = opened_gathered<known>(tile, index, shared);
  const Buffers<known> buffers(slots);
  if (knows_inner && open.block.reads_inner) read_gathered<unit, whole>(tile, open, buffers);
  else read_gathered<unit, known>(tile, open, buffers);
  __syncthreads();
  if (knows_inner && open.block.is_inner) write_gathered<unit, whole>(tile, open, buffers);
  else write_gathered<unit, known>(tile, open, buffers);
}

}  // namespace crinkle::kernel
