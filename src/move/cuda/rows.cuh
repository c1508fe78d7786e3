// Rows of segments on a GPU: nothing is staged in shared memory, one aligned destination piece a thread and step. Where source and
// destination begin at different phases of a vector, two source vectors are read and shifted together.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/words.cuh"
#include "tile/row_tile.hpp"

namespace crinkle::kernel {

/// A piece whose units come from anywhere: collected one by one, stored whole where the piece is.
template <int unit, class Tile>
__device__ inline void move_units(const Tile& tile, const tile::RowTile::Piece& piece, const Buffers<0>& buffers) {
  constexpr int n = 16 / unit;
  Units<unit> v;
#pragma unroll
  for (int k = 0; k < n; ++k) {
    if ((piece.access.mask >> k & 1) == 0) continue;
    const tile::Access from = tile.source(piece, k);
    v.unit_of[k] = from.mask != 0 ? load<Word<unit>>(buffers.source(from.slot) + from.address)
                                  : pattern_of<unit>(tile.segments[tile.segment_of(piece.first + k)]);
  }
  char* to = buffers.destination(piece.access.slot) + piece.access.address;
  if (piece.access.mask == (1u << n) - 1 && tile.is_contiguous) return store(to, v.all);
#pragma unroll
  for (int k = 0; k < n; ++k)
    if ((piece.access.mask >> k & 1) != 0) store(to + k * unit, v.unit_of[k]);
}

/// Stores what was read as one vector, or as two that are shifted together.
template <int unit>
__device__ inline void put_vector(char* to, const Vector& low, const Vector& high, std::int32_t shift, bool is_turned) {
  const Vector v = shift != 0 ? shifted(low, high, shift) : low;
  store(to, packed(is_turned ? turned<unit>(v) : v));
}

template <int unit, class Tile>
__device__ inline void move_other_piece(const Tile& tile, const tile::RowTile::Piece& piece, const Buffers<0>& buffers) {
  using How = tile::RowTile::How;
  constexpr int n = 16 / unit;
  if (piece.how == How::units || tile.vector != n) return move_units<unit>(tile, piece, buffers);
  const tile::Segment& segment = tile.segments[piece.segment];
  const Word<unit> word = piece.how == How::pattern ? pattern_of<unit>(segment)
                                                    : load<Word<unit>>(buffers.source(piece.row_slot + segment.src_slot) + piece.src);
  Units<unit> v;
#pragma unroll
  for (int k = 0; k < n; ++k) v.unit_of[k] = word;
  store(buffers.destination(piece.access.slot) + piece.access.address, v.all);
}

/// One piece, whatever it is made of.
template <int unit, class Tile>
__device__ inline void move_piece(const Tile& tile, const tile::RowTile::Piece& piece, const Buffers<0>& buffers) {
  using How = tile::RowTile::How;
  if (piece.access.mask == 0) return;
  const bool is_vector = (piece.how == How::forwards || piece.how == How::backwards) && tile.vector == 16 / unit;
  if (!is_vector) return move_other_piece<unit>(tile, piece, buffers);
  const char* from = buffers.source(piece.row_slot + tile.segments[piece.segment].src_slot) + piece.src;
  put_vector<unit>(buffers.destination(piece.access.slot) + piece.access.address, load_vector(from),
                   piece.shift != 0 ? load_vector(from + 16) : Vector{}, piece.shift, piece.how == How::backwards);
}

/// Vectors from vectors, some of each thread's under way at once.
template <Known known, class Tile>
__device__ inline void move_plain(const Tile& tile, const tile::Block& block, const Buffers<known>& buffers) {
  constexpr int batch = 4;
  const int n = tile.n_plain();
  for (int first = static_cast<int>(threadIdx.x); first < n; first += batch * tile.threads) {
    uint4 v[batch];
    char* to[batch];
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      to[q] = nullptr;
      const int i = first + q * tile.threads;
      if (i >= n) continue;
      const auto piece = tile.plain(block, i);
      if (piece.access.mask == 0) continue;
      to[q] = buffers.destination(piece.access.slot) + piece.access.address;
      v[q] = load_once(buffers.source(piece.src_slot) + piece.src);
    }
#pragma unroll
    for (int q = 0; q < batch; ++q)
      if (to[q] != nullptr) store(to[q], v[q]);
  }
}

/// A block of one row, most of which is one stretch, from where it is read to where it is written.
template <int unit, class Tile>
__device__ inline void move_stretch(const Tile& tile, const tile::RowTile::Stretch& stretch, const char* src, char* dst) {
  constexpr int batch = 2, shifted_batch = 4;  // what is shifted waits twice: for its vectors, and for their neighbours in the cache
  const bool is_turned = stretch.how == tile::RowTile::How::backwards;
  const int thread = static_cast<int>(threadIdx.x), n_steps = tile.n_stretch_steps();
  if (stretch.shift == 0) {
    for (int step = 0; step < n_steps; step += batch) {
      Vector v[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const int i = tile.stretch_piece(thread, step + q);
        if (stretch.holds(i)) v[q] = load_vector_once(src + stretch.source(i));
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const int i = tile.stretch_piece(thread, step + q);
        if (stretch.holds(i)) put_vector<unit>(dst + stretch.destination(i), v[q], v[q], 0, is_turned);
      }
    }
    return;
  }
  for (int step = 0; step < n_steps; step += shifted_batch) {
    Vector low[shifted_batch];  // [shifted_batch], 16 bytes each
#pragma unroll
    for (int q = 0; q < shifted_batch; ++q) {
      const int i = tile.stretch_piece(thread, step + q);
      if (!stretch.holds(i)) continue;
      const char* from = src + stretch.source(i);
      low[q] = load_vector(from);
    }
    // A second vector of a shifted piece is the first one of a neighbour and waits for nothing: it is in the cache when that one is.
#pragma unroll
    for (int q = 0; q < shifted_batch; ++q) {
      const int i = tile.stretch_piece(thread, step + q);
      if (!stretch.holds(i)) continue;
      const Vector high = load_vector(src + stretch.source(i) + 16);
      put_vector<unit>(dst + stretch.destination(i), low[q], high, stretch.shift, is_turned);
    }
  }
}

/// A block of one plain row.
__device__ inline void move_plain_row(const tile::RowTile::Stretch& stretch, int threads, const char* src, char* dst) {
  constexpr int batch = 4;
  src += stretch.src;
  dst += stretch.dst;
  for (int first = static_cast<int>(threadIdx.x); first < stretch.end; first += batch * threads) {
    uint4 v[batch];
#pragma unroll
    for (int q = 0; q < batch; ++q)
      if (stretch.holds(first + q * threads)) v[q] = load_once(src + 16ll * (first + q * threads));
#pragma unroll
    for (int q = 0; q < batch; ++q)
      if (stretch.holds(first + q * threads)) store(dst + 16ll * (first + q * threads), v[q]);
  }
}

template <Known known>
__device__ inline void move_plain_rows(const tile::RowTile& tile, std::uint32_t index, const CudaSlots& slots) {
  if (static_cast<int>(threadIdx.x) >= tile.threads) return;  // of a launch of tiles with more
  const tile::Block block = tile.block(index);
  const Buffers<known> buffers(slots);
  if (tile.walk.n_rows > 1) return move_plain(tile, block, buffers);
  const auto stretch = tile.plain_stretch(block);
  move_plain_row(stretch, tile.threads, buffers.source(stretch.src_slot), buffers.destination(block.dst_slot));
}

/// The first warp decodes the block.
template <int unit>
__device__ inline void move_rows(const tile::RowTile& tile, std::uint32_t index, const CudaSlots& slots) {
  __shared__ tile::RowTile::Stretch common;
  __shared__ tile::Block opened_block;
  if (threadIdx.x < 32) {
    const tile::Block decoded = tile.block(index);
    const auto of_all = tile.stretch(decoded);
    if (threadIdx.x == 0) {
      opened_block = decoded;
      common = of_all;
    }
  }
  __syncthreads();
  if (static_cast<int>(threadIdx.x) >= tile.threads) return;  // of a launch of tiles with more
  const Buffers<0> buffers(slots);
  const bool has_stretch = common.begin < common.end;
  if (has_stretch) {
    const tile::RowTile::Stretch stretch = common;
    move_stretch<unit>(tile, stretch, buffers.source(stretch.src_slot) + stretch.src,
                       buffers.destination(opened_block.dst_slot) + stretch.dst);
  }
  // The rest is little, and is read anew: kept in registers, it would push what a stretch needs out to local memory.
  asm volatile("" ::: "memory");
  const tile::Block block = opened_block;
  if (has_stretch) {
    const tile::RowTile::Stretch stretch = common;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < tile.n_beside(stretch); i += tile.threads)
      move_piece<unit>(tile, tile.beside(block, stretch, i), buffers);
    return;
  }
  const tile::Walk::Lane lane = tile.walk.lane(static_cast<int>(threadIdx.x));
#pragma unroll 1
  for (int step = 0; step < tile.walk.n_steps; ++step) move_piece<unit>(tile, tile.piece(block, lane, step), buffers);
}

}  // namespace crinkle::kernel
