// Rows whose units are picked by an index array, from rows in shared memory. Compiled for one plan or for all, walked through on a CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/vectors.cuh"
#include "tile/taken_tile.hpp"

namespace crinkle::kernel {

/// A vector that leaves what may be read: unit by unit.
template <int unit>
__device__ inline void stage_part(const tile::TakenTile& tile, std::int64_t from, const char* src, char* cell) {
#pragma unroll 1
  for (int b = 0; b < tile.load_bytes; b += unit)
    if (from + b >= tile.src_begin && from + b < tile.src_end) *reinterpret_cast<Word<unit>*>(cell + b) = load<Word<unit>>(src + from + b);
}

/// The rows of a block to shared memory, some vectors of each thread under way at once.
template <int unit>
__device__ inline void stage_rows(const tile::TakenTile& tile, std::uint32_t block, const char* src, char* shared) {
  constexpr int batch = 4;
  const int n_vectors = tile.pitch() / tile.load_bytes, n_cells = tile.n_rows * n_vectors;
  for (int first = static_cast<int>(threadIdx.x); first < n_cells; first += batch * tile.threads) {
    uint4 vector[batch] = {};  // [batch]
    std::int64_t from[batch];  // [batch], bytes
    int how[batch];            // [batch], 0: nothing, 1: in part, 2: whole
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int i = first + q * tile.threads, r = i / n_vectors, v = i - r * n_vectors;
      const auto row = tile.row(block, r < tile.n_rows ? r : 0);
      from[q] = row.src + v * tile.load_bytes;
      how[q] = i >= n_cells || v >= row.n_vectors ? 0 : tile.is_inside(from[q]) ? 2 : 1;
      if (how[q] == 2) vector[q] = load_once(src + from[q]);
    }
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      char* const cell = shared + (first + q * tile.threads) * tile.load_bytes;
      if (how[q] == 2) *reinterpret_cast<uint4*>(cell) = vector[q];
      if (how[q] == 1) stage_part<unit>(tile, from[q], src, cell);
    }
  }
}

/// Where the units of a piece lie in a row, in units.
template <int n>
union Picked {
  static constexpr int bytes = 2 * n < 16 ? 2 * n : 16;  // of a load
  std::uint16_t unit[n];
  Word<bytes> all[2 * n / bytes];
};

/// Requires tile.shared_bytes() of shared memory and tile.row_units indices.
template <int unit, int vector>
__device__ inline void move_taken(const tile::TakenTile& tile, std::uint32_t block, const char* src, char* dst, const char* indices,
                                  char* shared) {
  constexpr int n = vector / unit;
  stage_rows<unit>(tile, block, src, shared);
  __syncthreads();
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < tile.n_items(); i += static_cast<std::uint32_t>(tile.threads)) {
    const std::uint32_t group = i / tile.n_pieces(), piece = i - group * tile.n_pieces();
    Picked<n> at;
#pragma unroll
    for (int k = 0; k < static_cast<int>(sizeof(at.all) / sizeof(at.all[0])); ++k)
      at.all[k] = load<Word<Picked<n>::bytes>>(indices + std::int64_t{piece} * (2 * n) + k * Picked<n>::bytes);
#pragma unroll
    for (int k = 0; k < tile.rows_each; ++k) {
      const int r = static_cast<int>(group) * tile.rows_each + k;
      const auto row = tile.row(block, r);
      if (row.n_vectors == 0) continue;
      const char* const cells = shared + r * tile.pitch() + row.phase;
      union {
        Word<unit> unit_of[n];
        Word<vector> all;
      } made;
#pragma unroll
      for (int u = 0; u < n; ++u) made.unit_of[u] = *reinterpret_cast<const Word<unit>*>(cells + at.unit[u] * unit);
      store(dst + row.dst + std::int64_t{piece} * vector, made.all);
    }
  }
}

}  // namespace crinkle::kernel
