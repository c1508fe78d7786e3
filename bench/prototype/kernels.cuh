// The throw-away kernels: a dozen lines around each tile type, to see what the tiles allow before their interface is settled.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/shape.hpp"
#include "tile/swizzle.hpp"

namespace prototype {

using namespace crinkle;
using tile::Vector;

template <int Bytes>
struct Word;
template <>
struct Word<1> {
  using type = std::uint8_t;
};
template <>
struct Word<2> {
  using type = std::uint16_t;
};
template <>
struct Word<4> {
  using type = std::uint32_t;
};
template <>
struct Word<8> {
  using type = uint2;
};
template <>
struct Word<16> {
  using type = uint4;
};
template <int Bytes>
using word = typename Word<Bytes>::type;

__device__ inline Vector load16(const char* p) {
  const uint4 v = __ldg(reinterpret_cast<const uint4*>(p));
  return {{v.x, v.y, v.z, v.w}};
}
__device__ inline uint4 pack(const Vector& v) { return {v.word[0], v.word[1], v.word[2], v.word[3]}; }

/// The first warp decodes the block; tables of rows are filled by all.
template <class Tile>
__device__ inline const tile::Block& open(const Tile& tile, const tile::Digits& in, int n_in, const tile::Digits& out, int n_out,
                                          tile::Place* table) {
  __shared__ tile::Block block;
  if (threadIdx.x < 32) {
    const tile::Block decoded = tile.block(blockIdx.x);
    if (threadIdx.x == 0) block = decoded;
  }
  for (int r = static_cast<int>(threadIdx.x); r < n_in; r += static_cast<int>(blockDim.x)) table[r] = in.at(static_cast<std::uint32_t>(r));
  for (int r = static_cast<int>(threadIdx.x); r < n_out; r += static_cast<int>(blockDim.x))
    table[n_in + r] = out.at(static_cast<std::uint32_t>(r));
  __syncthreads();
  return block;
}

template <int Unit, tile::Known known>
__global__ void move_transposed(const __grid_constant__ tile::TransposedTile tile, const char* __restrict__ src, char* __restrict__ dst) {
  constexpr int n = 16 / Unit;
  constexpr int squares = n >= 4 ? 1 : 4 / n;  // at least four loads in flight
  extern __shared__ __align__(128) char shared[];
  const auto* table = reinterpret_cast<tile::Place*>(shared + tile.shared_bytes());
  const tile::Block block = open(tile, tile.rows, tile.n_table(), tile.write.rows, tile.write.n_table(), const_cast<tile::Place*>(table));
  const tile::Walk::Lane reader = tile.read.lane(static_cast<int>(threadIdx.x));
  for (int step = 0; step < tile.read.n_steps; step += squares) {
    Array<Vector, n> v[squares];  // [squares][n], 16 bytes each
    tile::TransposedTile::Square square[squares];
#pragma unroll
    for (int q = 0; q < squares; ++q) {
      square[q] = tile.template square<known>(block, reader, step + q);
      if (square[q].is_inside)
#pragma unroll
        for (int k = 0; k < n; ++k) v[q][k] = load16(src + tile.template load<known>(square[q], k, table).address);
    }
#pragma unroll
    for (int q = 0; q < squares; ++q)
      if (square[q].is_inside) {
        tile::transpose_vectors<Unit>(v[q]);
#pragma unroll
        for (int i = 0; i < n; ++i) *reinterpret_cast<uint4*>(shared + tile.cell(square[q], i)) = pack(v[q][i]);
      }
  }
  __syncthreads();
  const tile::Walk::Lane writer = tile.write.lane(static_cast<int>(threadIdx.x));
#pragma unroll 4
  for (int step = 0; step < tile.write.n_steps; ++step) {
    const auto piece = tile.template store<known>(block, writer, step, table + tile.n_table());
    if (piece.access.mask != 0)
      *reinterpret_cast<uint4*>(dst + piece.access.address) = *reinterpret_cast<const uint4*>(shared + piece.cell);
  }
}

/// One destination piece: collected unit by unit, stored whole where it is.
template <int Unit, tile::Known known>
__device__ inline void put(const tile::GatheredTile& tile, const tile::GatheredTile::Row& row, int step,
                           const std::int32_t (&along)[16 / Unit], const char* shared, char* __restrict__ dst) {
  constexpr int n = 16 / Unit;
  const auto piece = tile.template store<known>(row, step);
  if (piece.access.mask == 0) return;
  union {
    word<Unit> unit[n];
    uint4 all;
  } v;
  if ((known & (tile::inner | tile::aligned)) != 0 || piece.access.mask == (1u << n) - 1) {
#pragma unroll
    for (int k = 0; k < n; ++k)
      v.unit[k] = *reinterpret_cast<const word<Unit>*>(shared + tile.template cell_of<known>(row, piece, along[k], k));
    *reinterpret_cast<uint4*>(dst + piece.access.address) = v.all;
  } else {
#pragma unroll
    for (int k = 0; k < n; ++k)
      if ((piece.access.mask >> k & 1) != 0)
        *reinterpret_cast<word<Unit>*>(dst + piece.access.address + k * Unit) =
            *reinterpret_cast<const word<Unit>*>(shared + tile.template cell_of<known>(row, piece, along[k], k));
  }
}

template <int Unit, int Bytes, tile::Known known>
__device__ inline void gather(const tile::GatheredTile& tile, const tile::Block& block, const tile::Place* table, char* shared,
                              const char* __restrict__ src, char* __restrict__ dst) {
  constexpr int n = 16 / Unit;
  constexpr int batch = 8;
  constexpr bool is_whole = (known & (tile::exact | tile::inner)) != 0;  // every piece is read whole
  const tile::Walk::Lane reader = tile.read.lane(static_cast<int>(threadIdx.x));
  if constexpr (Bytes == 16) {
    // Straight from memory to shared memory: no registers, every load of the tile in flight at once. Whole lines come to L2, which is worth
    // 2 % where rows begin anywhere in a line.
#pragma unroll 4
    for (int step = 0; step < tile.read.n_steps; ++step) {
      const tile::GatheredTile::Load load = tile.template load<known>(block, reader, step, table);
      if (load.cell < 0) continue;
      if (is_whole || load.mask == (1u << (16 / Unit)) - 1) {
        const auto cell = static_cast<unsigned>(__cvta_generic_to_shared(shared + load.cell));
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(cell), "l"(src + load.address) : "memory");
      } else {  // the first or last vector of the whole source
        for (int i = 0; i < 16 / Unit; ++i)
          if ((load.mask >> i & 1) != 0)
            *reinterpret_cast<word<Unit>*>(shared + load.cell + i * Unit) =
                __ldg(reinterpret_cast<const word<Unit>*>(src + load.address + i * Unit));
      }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
  } else {
    for (int step = 0; step < tile.read.n_steps; step += batch) {
      word<Bytes> v[batch];  // [batch], Bytes each
      std::int32_t cell[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const tile::GatheredTile::Load load = tile.template load<known>(block, reader, step + q, table);
        cell[q] = load.cell;
        if (load.cell >= 0) v[q] = __ldg(reinterpret_cast<const word<Bytes>*>(src + load.address));
      }
#pragma unroll
      for (int q = 0; q < batch; ++q)
        if (cell[q] >= 0) *reinterpret_cast<word<Bytes>*>(shared + cell[q]) = v[q];
    }
  }
  __syncthreads();
  const tile::Walk::Lane writer = tile.write.lane(static_cast<int>(threadIdx.x));
  std::int32_t along[n];  // [n] bytes of shared memory
#pragma unroll
  for (int k = 0; k < n; ++k) along[k] = tile.template along<known>(writer, k);
  const tile::Place* rows = table + tile.read.n_table();
#pragma unroll((known & tile::superset) != 0 ? 1 : 2)
  for (int index = 0; index < tile.write.n_steps; ++index) {
    const tile::Walk::Step step = tile.write.step(index);
    put<Unit, known>(tile, tile.template row<known>(block, writer, step.down, rows), step.along, along, shared, dst);
  }
}

template <int Unit, int Bytes, tile::Known known>
__global__ void __launch_bounds__(256, 5)
    move_gathered(const __grid_constant__ tile::GatheredTile tile, const char* __restrict__ src, char* __restrict__ dst) {
  extern __shared__ __align__(128) char shared[];
  auto* table = reinterpret_cast<tile::Place*>(shared + tile.shared_bytes());
  const tile::Block block = open(tile, tile.read.rows, tile.read.n_table(), tile.write.rows, tile.write.n_table(), table);
  if constexpr ((known & tile::superset) != 0)
    if (block.is_inner) return gather < Unit, Bytes, known | tile::inner > (tile, block, table, shared, src, dst);
  gather<Unit, Bytes, known>(tile, block, table, shared, src, dst);
}

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

template <int Unit>
__device__ inline Vector turned(const Vector& v) {
  if constexpr (Unit == 16) return v;
  if constexpr (Unit == 8) return {{v.word[2], v.word[3], v.word[0], v.word[1]}};
  constexpr std::uint32_t order = Unit == 4 ? 0x3210 : Unit == 2 ? 0x1032 : 0x0123;
  Vector t;
#pragma unroll
  for (int i = 0; i < 4; ++i) t.word[i] = __byte_perm(v.word[3 - i], 0, order);
  return t;
}

template <int Unit>
__global__ void __launch_bounds__(256)
    move_rows(const __grid_constant__ tile::RowTile tile, const char* __restrict__ src, char* __restrict__ dst) {
  using How = tile::RowTile::How;
  constexpr int batch = 4;
  __shared__ tile::RowTile::Stretch shared;
  __shared__ tile::Block block;
  if (threadIdx.x < 32) {
    const tile::Block decoded = tile.block(blockIdx.x);
    const auto common = tile.stretch(decoded);
    if (threadIdx.x == 0) {
      block = decoded;
      shared = common;
    }
  }
  __syncthreads();
  const tile::RowTile::Stretch stretch = shared;
  const tile::Walk::Lane lane = tile.walk.lane(static_cast<int>(threadIdx.x));
  for (int step = 0; step < tile.walk.n_steps; step += batch) {
    Vector low[batch], high[batch];  // [batch], 16 bytes each
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int i = tile.index(lane, step + q);
      if (!stretch.holds(i)) continue;
      low[q] = load16(src + tile.source(stretch, i));
      if (stretch.shift != 0) high[q] = load16(src + tile.source(stretch, i) + 16);
    }
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int i = tile.index(lane, step + q);
      if (!stretch.holds(i)) continue;
      const Vector v = stretch.shift != 0 ? shifted(low[q], high[q], stretch.shift) : low[q];
      *reinterpret_cast<uint4*>(dst + stretch.dst + i * 16) = pack(stretch.how == How::backwards ? turned<Unit>(v) : v);
    }
    for (int q = 0; q < batch; ++q) {
      if (stretch.holds(tile.index(lane, step + q))) continue;
      const tile::RowTile::Piece piece = tile.piece(block, lane, step + q);
      for (int k = 0; k < 16 / Unit; ++k)
        if ((piece.access.mask >> k & 1) != 0)
          *reinterpret_cast<word<Unit>*>(dst + piece.access.address + k * Unit) =
              __ldg(reinterpret_cast<const word<Unit>*>(src + tile.source(piece, k).address));
    }
  }
}

}  // namespace prototype
