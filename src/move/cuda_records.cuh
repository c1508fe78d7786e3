// Records on a GPU: stretches of all source regions through shared memory, straight from memory in aligned pieces; every destination piece
// is collected from the cells that its lane found in the table of places, and moves on from piece to piece.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda_gathered.cuh"
#include "tile/record_tile.hpp"

namespace crinkle::kernel {

template <int unit, int bytes>
__device__ inline void read_regions(const tile::RecordTile& tile, const tile::Block& block, char* shared, const Buffers<0>& buffers) {
  constexpr int n = bytes / unit;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  tile::RecordTile::Share share = tile.read_share(static_cast<int>(threadIdx.x) / 32);
  for (int at = share.first; at < share.last; ++share.region) {
    const int here = tile.source_end(share.region), end = share.last < here ? share.last : here,
              first = tile.source[share.region].first_piece;
    const auto source = tile.source_of(block, share.region);
    const char* from = buffers.source(source.slot);
#pragma unroll 2
    for (int piece = at + lane; piece < end; piece += 32) {
      const auto load_of = tile.load(source, piece - first);
      if (load_of.cell < 0) continue;
      const char* const address = from + load_of.address;
      if (bytes >= 4 && load_of.mask == (1u << n) - 1) {
        if constexpr (bytes >= 4) copy_async<bytes>(shared + load_of.cell, address);
      } else {
        for (int k = 0; k < n; ++k)
          if ((load_of.mask >> k & 1) != 0) stage(shared + load_of.cell + k * unit, load<Word<unit>>(address + k * unit));
      }
    }
    at = end;
  }
}

/// Which words of 4 bytes of a piece lie in one stretch of shared memory, now and in all later pieces of the lane.
template <int unit>
__device__ inline std::uint32_t words_of(const tile::RecordTile& tile, const tile::RecordTile::Cell* cells) {
  constexpr int of_word = 4 / unit;
  std::uint32_t words = 0;
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    bool is_word = true;
#pragma unroll
    for (int k = 1; k < of_word; ++k) is_word = is_word && tile.follows(cells[w * of_word + k], cells[w * of_word + k - 1]);
    words |= is_word ? 1u << w : 0u;
  }
  return words;
}

/// A whole piece: words from the one or two in which they lie, others unit by unit.
template <int unit>
__device__ inline void put_words(const tile::RecordTile& tile, const tile::RecordTile::Cell* cells, std::uint32_t words, const char* shared,
                                 char* to) {
  constexpr int of_word = 4 / unit;
  union {
    Word<unit> unit_of[16 / unit];
    std::uint32_t word_of[4];
    uint4 all;
  } v;
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    if ((words >> w & 1) != 0) {
      const std::int32_t at = cells[w * of_word].at, aligned = at & ~3, bits = (at & 3) * 8;
      const auto word_at = [&](std::int32_t cell) { return *reinterpret_cast<const std::uint32_t*>(shared + tile.swizzle.place(cell)); };
      std::uint32_t word = word_at(aligned);
      if (bits != 0) word = __funnelshift_r(word, word_at(aligned + 4), bits);
      v.word_of[w] = word;
    } else {
#pragma unroll
      for (int k = w * of_word; k < (w + 1) * of_word; ++k)
        v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(shared + tile.swizzle.place(cells[k].at));
    }
  }
  store(to, v.all);
}

/// The pieces of one block's destination regions, n units each.
template <int unit, int n>
__device__ inline void write_regions(const tile::RecordTile& tile, const tile::Block& block, const tile::RecordTile::Entry* entries,
                                     const char* shared, const Buffers<0>& buffers) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  tile::RecordTile::Share share = tile.write_share(static_cast<int>(threadIdx.x) / 32);
  for (int at = share.first; at < share.last; ++share.region) {
    const tile::RecordTile::Region& region = tile.destination[share.region];
    const int here = tile.destination_end(share.region), end = share.last < here ? share.last : here, step = region.lanes_used;
    const auto destination = tile.destination_of(block, share.region);
    char* const dst = buffers.destination(destination.slot);
    tile::RecordTile::Cell cells[n];
    std::uint32_t written = 0, words = 0;
    bool is_found = false;
    for (int piece = at + lane; lane < step && piece < end; piece += step) {
      const int of_region = piece - region.first_piece, first = tile.first_unit(destination, of_region);
      if (!is_found) {
        written = 0;
#pragma unroll
        for (int k = 0; k < n; ++k) {
          cells[k] = tile.cell(destination, first + k, entries);
          if (!tile.is_gap(cells[k])) written |= 1u << k;
        }
        if constexpr (unit < 4 && n * unit == 16) words = words_of<unit>(tile, cells);
        is_found = region.records_apart != 0;
      }
      const tile::Access access{destination.address + of_region * (n * unit), destination.slot, tile.mask(destination, first) & written};
      if (unit < 4 && n * unit == 16 && __all_sync(__activemask(), access.mask == (1u << n) - 1)) {
        if constexpr (unit < 4) put_words<unit>(tile, cells, words, shared, dst + access.address);
      } else if constexpr (n * unit == 16) {
        put<unit, 0>(access, shared, dst, [&](int k) { return tile.swizzle.place(cells[k].at); });
      } else {
#pragma unroll
        for (int k = 0; k < n; ++k)
          if ((access.mask >> k & 1) != 0)
            store(dst + access.address + k * unit, *reinterpret_cast<const Word<unit>*>(shared + tile.swizzle.place(cells[k].at)));
      }
#pragma unroll
      for (int k = 0; k < n; ++k) cells[k].at += cells[k].next;
    }
    at = end;
  }
}

template <int unit>
__device__ inline void move_records(const tile::RecordTile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
  const tile::Block block = tile.block(index);
  const Buffers<0> buffers(slots);
  if (tile.piece_bytes == 16) read_regions<unit, 16>(tile, block, shared, buffers);
  else read_regions<unit, unit>(tile, block, shared, buffers);
  auto* entries = reinterpret_cast<tile::RecordTile::Entry*>(shared + tile.staged_bytes());
  for (int e = static_cast<int>(threadIdx.x); e < tile.n_entries; e += tile.threads) entries[e] = tile.entry(e);
  if (tile.zeros_at >= 0 && threadIdx.x < 32) stage(shared + tile.zeros_at + 4 * static_cast<int>(threadIdx.x), 0u);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  if (tile.piece_bytes == 16) write_regions<unit, 16 / unit>(tile, block, entries, shared, buffers);
  else write_regions<unit, 1>(tile, block, entries, shared, buffers);
}

}  // namespace crinkle::kernel
