// Records on a GPU: stretches of all source regions through shared memory, straight from memory in aligned pieces; every destination piece
// is collected from the cells that its lane found in the table of places, and moves on from piece to piece.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/gathered.cuh"
#include "tile/record_tile.hpp"

namespace crinkle::kernel {

/// A piece at an end of a source region: what may be read of it.
template <int unit, int bytes>
__device__ inline void read_part(const tile::RecordTile::Load& part, char* shared, const char* from) {
  if (part.cell < 0) return;
  for (int k = 0; k < bytes / unit; ++k)
    if ((part.mask >> k & 1) != 0) stage(shared + part.cell + k * unit, load<Word<unit>>(from + part.address + k * unit));
}

template <int unit, int bytes>
__device__ inline void read_regions(const tile::RecordTile& tile, const tile::Block& block, char* shared, const Buffers<0>& buffers) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  tile::RecordTile::Share share = tile.read_share(static_cast<int>(threadIdx.x) / 32);
  for (int at = share.first; at < share.last; ++share.region) {
    const int here = tile.source_end(share.region), end = share.last < here ? share.last : here,
              first = tile.source[share.region].first_piece;
    const auto source = tile.source_of(block, share.region);
    const auto whole = tile.whole(source, bytes);
    const char* from = buffers.source(source.slot);
    const int whole_end = end < first + whole.last ? end : first + whole.last;
#pragma unroll 4
    for (int piece = at - first + lane; piece < whole_end - first; piece += 32) {
      if (piece < whole.first) continue;
      char* const cell = shared + tile.swizzle.place(source.cell + piece * bytes);
      const char* const address = from + source.address + piece * bytes;
      if constexpr (bytes >= 4) copy_async<bytes>(cell, address);
      else stage(cell, load<Word<unit>>(address));
    }
    if (whole.first > 0 && at == first && lane == 0) read_part<unit, bytes>(tile.load(source, 0), shared, from);
    const int behind = at - first > whole.last ? at - first : whole.last;
    for (int piece = behind + lane; piece < end - first; piece += 32)
      if (piece >= whole.first) read_part<unit, bytes>(tile.load(source, piece), shared, from);
    at = end;
  }
}

/// Words that all lanes of a warp treat alike in a piece of 16 bytes: bit w where its word w lies in one stretch of shared memory, bit
/// 4 + w where that begins at a multiple of 4; now and in all later pieces.
template <int unit>
__device__ inline std::uint32_t words_of(const tile::RecordTile& tile, const tile::RecordTile::Cell* cells) {
  constexpr int of_word = 4 / unit;
  std::uint32_t words = 0;
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    const tile::RecordTile::Cell& cell = cells[w * of_word];
    bool is_word = true;
#pragma unroll
    for (int k = 1; k < of_word; ++k) is_word = is_word && tile.follows(cells[w * of_word + k], cells[w * of_word + k - 1]);
    words |= (is_word ? 1u << w : 0u) | (((cell.at | cell.next) & 3) == 0 ? 16u << w : 0u);
  }
  return __reduce_and_sync(__activemask(), words);
}

__device__ inline void move_on(tile::RecordTile::Cell& cell) { cell.at += cell.next; }

/// A whole piece, n units of it: words from the one or two in which they lie, others unit by unit. The cells move on, of a word the first.
template <int unit, int n>
__device__ inline void put_whole(const tile::RecordTile& tile, tile::RecordTile::Cell* cells, std::uint32_t words, const char* shared,
                                 char* to) {
  const auto at = [&](std::int32_t cell) { return shared + tile.swizzle.place(cell); };
  if constexpr (n * unit != 16) {
#pragma unroll
    for (int k = 0; k < n; ++k) {
      store(to + k * unit, *reinterpret_cast<const Word<unit>*>(at(cells[k].at)));
      move_on(cells[k]);
    }
  } else {
    constexpr int of_word = unit < 4 ? 4 / unit : 1;
    union {
      Word<unit> unit_of[n];
      std::uint32_t word_of[4];
      uint4 all;
    } v;
#pragma unroll
    for (int w = 0; w < n / of_word; ++w) {
      tile::RecordTile::Cell& first = cells[w * of_word];
      if (unit < 4 && (words >> w & 1) != 0) {
        const std::int32_t aligned = first.at & ~3;
        std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(at(aligned));
        if ((words >> w & 16) == 0)
          word = __funnelshift_r(word, *reinterpret_cast<const std::uint32_t*>(at(aligned + 4)), (first.at & 3) * 8);
        v.word_of[w] = word;
        move_on(first);
      } else {
#pragma unroll
        for (int k = w * of_word; k < (w + 1) * of_word; ++k) {
          v.unit_of[k] = *reinterpret_cast<const Word<unit>*>(at(cells[k].at));
          move_on(cells[k]);
        }
      }
    }
    store(to, v.all);
  }
}

/// The cells that put_whole left where they were.
template <int unit>
__device__ inline void catch_up(tile::RecordTile::Cell* cells, std::uint32_t words) {
  constexpr int of_word = 4 / unit;
#pragma unroll
  for (int w = 0; w < 4; ++w)
#pragma unroll
    for (int k = 1; k < of_word; ++k)
      if ((words >> w & 1) != 0) cells[w * of_word + k].at = cells[w * of_word].at + k * unit;
}

/// A piece at an end of the stretch, or with gaps.
template <int unit, int n>
__device__ inline void put_part(const tile::RecordTile& tile, const tile::RecordTile::Cell* cells, const tile::Access& access,
                                const char* shared, char* dst) {
  if constexpr (n * unit == 16) {
    put<unit, 0>(access, shared, dst, [&](int k) { return tile.swizzle.place(cells[k].at); });
  } else {
#pragma unroll
    for (int k = 0; k < n; ++k)
      if ((access.mask >> k & 1) != 0)
        store(dst + access.address + k * unit, *reinterpret_cast<const Word<unit>*>(shared + tile.swizzle.place(cells[k].at)));
  }
}

/// The pieces of one block's destination regions, n units each.
template <int unit, int n>
__device__ inline void write_regions(const tile::RecordTile& tile, const tile::Block& block, const tile::RecordTile::Entry* entries,
                                     const char* shared, const Buffers<0>& buffers) {
  constexpr std::uint32_t all = (1u << n) - 1;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  tile::RecordTile::Share share = tile.write_share(static_cast<int>(threadIdx.x) / 32);
  for (int at = share.first; at < share.last; ++share.region) {
    const tile::RecordTile::Region& region = tile.destination[share.region];
    const int here = tile.destination_end(share.region), end = (share.last < here ? share.last : here) - region.first_piece,
              step = region.lanes_used;
    const auto destination = tile.destination_of(block, share.region);
    const auto whole = tile.whole(destination, n);
    char* const dst = buffers.destination(destination.slot);
    tile::RecordTile::Cell cells[n];
    std::uint32_t written = 0, words = 0;
    constexpr bool has_words = unit < 4 && n * unit == 16;
    const auto find = [&](int piece) {
      written = 0;
      tile.find_cells(destination, tile.first_unit(destination, piece), n, entries, cells);
#pragma unroll
      for (int k = 0; k < n; ++k)
        if (!tile.is_gap(cells[k])) written |= 1u << k;
      if constexpr (has_words) words = words_of<unit>(tile, cells);
    };
    int piece = at - region.first_piece + lane;
    const bool is_used = lane < step && piece < end;
    if (is_used) find(piece);
    while (is_used) {
      const std::int64_t address = destination.address + piece * (n * unit);
      if (written == all && piece >= whole.first && piece < whole.last) {
        put_whole<unit, n>(tile, cells, words, shared, dst + address);
      } else {
        if constexpr (has_words) catch_up<unit>(cells, written == all ? words : 0);
        const std::uint32_t mask = tile.mask(destination, tile.first_unit(destination, piece)) & written;
        put_part<unit, n>(tile, cells, {address, destination.slot, mask}, shared, dst);
#pragma unroll
        for (int k = 0; k < n; ++k) move_on(cells[k]);
      }
      piece += step;
      if (piece >= end) break;
      if (region.records_apart == 0) find(piece);
    }
    at = end + region.first_piece;
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
