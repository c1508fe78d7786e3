// The aligned tile on a GPU: V vectors from V rows, transposed in registers, staged in shared memory, written along the destination.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/words.cuh"
#include "tile/transposed_tile.hpp"

namespace crinkle::kernel {

template <int unit, Known known>
__device__ inline void move_transposed(const tile::TransposedTile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
  constexpr int n = 16 / unit;
  constexpr int squares = n >= 4 ? 1 : 4 / n;  // at least four loads in flight
  const Buffers<known> buffers(slots);
  const bool has_table = (known & tile::even_rows) == 0 && tile.table_bytes() > 0;
  auto* table = has_table ? reinterpret_cast<tile::Place*>(shared + tile.staged_bytes()) : nullptr;
  const int n_in = tile.n_table();
  const tile::Block block = opened(tile, index, tile.rows, n_in, tile.write.rows, tile.write.n_table(), table);
  const tile::Walk::Lane reader = tile.read.lane(static_cast<int>(threadIdx.x));
  for (int step = 0; step < tile.read.n_steps; step += squares) {
    Array<Vector, n> v[squares];  // [squares][n], 16 bytes each
    tile::TransposedTile::Square square[squares];
#pragma unroll
    for (int q = 0; q < squares; ++q) {
      square[q] = tile.template square<known>(block, reader, step + q);
      if (square[q].is_inside)
#pragma unroll
        for (int k = 0; k < n; ++k) {
          const tile::Access access = tile.template load<known>(square[q], k, table);
          v[q][k] = load_vector_once(buffers.source(access.slot) + access.address);
        }
    }
#pragma unroll
    for (int q = 0; q < squares; ++q)
      if (square[q].is_inside) {
        tile::transpose_vectors<unit>(v[q]);
#pragma unroll
        for (int i = 0; i < n; ++i) stage(shared + tile.cell(square[q], i), packed(v[q][i]));
      }
  }
  __syncthreads();
  const tile::Walk::Lane writer = tile.write.lane(static_cast<int>(threadIdx.x));
  const tile::Place* out = table == nullptr ? nullptr : table + n_in;
#pragma unroll 4
  for (int step = 0; step < tile.write.n_steps; ++step) {
    const auto piece = tile.template store<known>(block, writer, step, out);
    if (piece.access.mask != 0)
      store(buffers.destination(piece.access.slot) + piece.access.address, *reinterpret_cast<const uint4*>(shared + piece.cell));
  }
}

}  // namespace crinkle::kernel
