// Rows of segments on a GPU: no shared memory, one aligned destination piece a thread and step. Where source and destination begin at
// different phases of a vector, two source vectors are read and shifted together.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda_words.cuh"
#include "tile/row_tile.hpp"

namespace crinkle::kernel {

/// Sixteen bytes of the thirty-two, `shift` bytes from their beginning.
__device__ inline Vector shifted(const Vector& low, const Vector& high, int shift) {
  std::uint32_t w[8] = {low.word[0], low.word[1], low.word[2], low.word[3], high.word[0], high.word[1], high.word[2], high.word[3]};
#pragma unroll
  for (int i = 0; i < 6; ++i) w[i] = (shift & 8) != 0 ? w[i + 2] : w[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) w[i] = (shift & 4) != 0 ? w[i + 1] : w[i];
  Vector v;
#pragma unroll
  for (int i = 0; i < 4; ++i) v.word[i] = __funnelshift_r(w[i], w[i + 1], 8 * (shift & 3));
  return v;
}

/// The units in reverse order.
template <int unit>
__device__ inline Vector turned(const Vector& v) {
  if constexpr (unit == 16) return v;
  if constexpr (unit == 8) return {{v.word[2], v.word[3], v.word[0], v.word[1]}};
  constexpr std::uint32_t order = unit == 4 ? 0x3210 : unit == 2 ? 0x1032 : 0x0123;
  Vector t;
#pragma unroll
  for (int i = 0; i < 4; ++i) t.word[i] = __byte_perm(v.word[3 - i], 0, order);
  return t;
}

template <int unit>
__device__ inline Word<unit> pattern_of(const tile::Segment& segment) {
  return *reinterpret_cast<const Word<unit>*>(segment.pattern.begin());
}
template <>
__device__ inline uint4 pattern_of<16>(const tile::Segment& segment) {
  const auto* half = reinterpret_cast<const uint2*>(segment.pattern.begin());  // it lies at a multiple of 8
  return {half[0].x, half[0].y, half[1].x, half[1].y};
}

template <int unit>
union Units {
  static constexpr int n = 16 / unit;
  Word<unit> unit_of[n];
  uint4 all;
};

/// A piece whose units come from anywhere: collected one by one, stored whole where the piece is.
template <int unit, class Tile>
__device__ inline void move_units(const Tile& tile, const tile::RowFacts::Piece& piece, const Buffers<0>& buffers) {
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

template <int unit, class Tile>
__device__ inline void move_piece(const Tile& tile, const tile::RowFacts::Piece& piece, const Buffers<0>& buffers) {
  using How = tile::RowFacts::How;
  constexpr int n = 16 / unit;
  if (piece.access.mask == 0) return;
  if (piece.how == How::units || tile.vector != n) return move_units<unit>(tile, piece, buffers);
  const tile::Segment& segment = tile.segments[piece.segment];
  char* to = buffers.destination(piece.access.slot) + piece.access.address;
  if (piece.how == How::standing || piece.how == How::pattern) {
    const Word<unit> word = piece.how == How::pattern
                                ? pattern_of<unit>(segment)
                                : load<Word<unit>>(buffers.source(piece.row_slot + segment.src_slot) + piece.src);
    Units<unit> v;
#pragma unroll
    for (int k = 0; k < n; ++k) v.unit_of[k] = word;
    return store(to, v.all);
  }
  const char* from = buffers.source(piece.row_slot + segment.src_slot) + piece.src;
  Vector v = load_vector(from);
  if (piece.shift != 0) v = shifted(v, load_vector(from + 16), piece.shift);
  store(to, packed(piece.how == How::backwards ? turned<unit>(v) : v));
}

template <int unit, class Room>
__device__ inline void move_rows(const tile::RowTileOf<Room>& tile, std::uint32_t index, const CudaSlots& slots) {
  using How = tile::RowFacts::How;
  constexpr int batch = 4;
  __shared__ tile::RowFacts::Stretch common;
  __shared__ tile::Block opened_block;
  if (threadIdx.x < 32) {
    const tile::Block decoded = tile.block(index);
    const auto stretch = tile.stretch(decoded);
    if (threadIdx.x == 0) {
      opened_block = decoded;
      common = stretch;
    }
  }
  __syncthreads();
  const tile::RowFacts::Stretch stretch = common;
  const tile::Block block = opened_block;
  const Buffers<0> buffers(slots);
  const tile::Walk::Lane lane = tile.walk.lane(static_cast<int>(threadIdx.x));
  const bool has_stretch = stretch.begin < stretch.end && tile.vector == 16 / unit;
  const char* src = has_stretch ? buffers.source(stretch.src_slot) : nullptr;
  char* dst = has_stretch ? buffers.destination(block.dst_slot) + stretch.dst : nullptr;
  for (int step = 0; step < tile.walk.n_steps; step += batch) {
    Vector low[batch], high[batch];  // [batch], 16 bytes each
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int i = tile.index(lane, step + q);
      if (!has_stretch || !stretch.holds(i)) continue;
      low[q] = load_vector(src + tile.source(stretch, i));
      if (stretch.shift != 0) high[q] = load_vector(src + tile.source(stretch, i) + 16);
    }
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int i = tile.index(lane, step + q);
      if (!has_stretch || !stretch.holds(i)) continue;
      const Vector v = stretch.shift != 0 ? shifted(low[q], high[q], stretch.shift) : low[q];
      store(dst + i * 16, packed(stretch.how == How::backwards ? turned<unit>(v) : v));
    }
    for (int q = 0; q < batch; ++q) {
      if (step + q >= tile.walk.n_steps || (has_stretch && stretch.holds(tile.index(lane, step + q)))) continue;
      move_piece<unit>(tile, tile.piece(block, lane, step + q), buffers);
    }
  }
}

}  // namespace crinkle::kernel
