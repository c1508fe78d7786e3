// Mapped axes on a GPU: one aligned piece of the destination a thread and step, nothing staged in shared memory. Compiled for one plan,
// `maps` is a constant: divisions are products, axes and segments that are not there vanish. Pieces that go unit by unit are kept for the
// end, where threads side by side take them: one among those of a warp would hold up all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/vectors.cuh"
#include "tile/axis_maps.hpp"

namespace crinkle::kernel {

/// Pieces of a block that go unit by unit. In shared memory.
struct LatePieces {
  std::uint32_t n;
  std::uint16_t piece[tile::AxisMaps::threads * tile::AxisMaps::each];  // [n], from the block's first one
};

template <class Maps>
__device__ inline const char* source_of(const Maps& maps, const tile::Sources& sources, std::int32_t slot) {
  if constexpr (Maps::most_sources == 1) return sources.at[0];
  else return sources.at[maps.n_sources > 1 ? slot : 0];
}

/// A piece collected unit by unit: seams, ends of runs, rows shorter than a piece. Stored whole where it is.
template <int unit, class Index, class Maps>
__device__ inline void move_mapped_units(const Maps& maps, std::uint32_t q, const tile::Sources& sources, char* dst) {
  constexpr int n = 16 / unit, word_units = unit < 4 ? 4 / unit : n, n_words = n / word_units;
  const auto piece = maps.template piece<Index>(q);
  const auto rest = static_cast<typename Maps::template Signed<Index>>(maps.run_units) - piece.first;
  const int skipped = piece.first < 0 ? static_cast<int>(-piece.first) : 0, left = rest < n ? static_cast<int>(rest) : n;
  const bool is_whole = skipped == 0 && left == n;
  auto walker = maps.walker(piece.run, static_cast<Index>(piece.first + skipped));
  Units<unit> pattern, v;
  pattern.all = {maps.pattern[0], maps.pattern[1], maps.pattern[2], maps.pattern[3]};
  // Narrow units go word by word, so that the code stays small; the words move down to make room for the next one.
#pragma unroll 1
  for (int w = 0; w < n_words; ++w) {
    if constexpr (n_words > 1) v.all = {v.all.y, v.all.z, v.all.w, 0};
#pragma unroll
    for (int j = 0; j < word_units; ++j) {
      const int k = w * word_units + j;
      if (k < skipped || k >= left) continue;
      const auto from = maps.from(walker);
      const Word<unit> value = from.is_fill ? pattern.unit_of[0] : load<Word<unit>>(source_of(maps, sources, from.slot) + from.src);
      if (is_whole) v.unit_of[n - word_units + j] = value;
      else store(dst + piece.dst + k * unit, value);
      maps.advance(walker, piece.run);
    }
  }
  if (is_whole) store(dst + piece.dst, v.all);
}

/// Those that are vectors; the others are noted.
template <int unit, class Index, class Maps>
__device__ inline void move_mapped_vectors(const Maps& maps, std::uint32_t block, const tile::Sources& sources, char* dst,
                                           LatePieces& late) {
  using How = typename Maps::How;
  constexpr int each = Maps::each;
  const std::uint32_t first = block * (Maps::threads * each);
  How how[each];             // [each]
  std::int32_t shift[each];  // [each], bytes
  char* to[each];            // [each]
  const char* from[each];    // [each]
  Vector low[each];          // [each], 16 bytes each
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const std::uint32_t q = static_cast<std::uint32_t>(e) * Maps::threads + threadIdx.x;
    const auto piece = maps.template piece<Index>(first + q);
    how[e] = piece.how;
    if (how[e] == How::units) late.piece[atomicAdd(&late.n, 1u)] = static_cast<std::uint16_t>(q);
    shift[e] = piece.shift;
    to[e] = dst + piece.dst;
    from[e] = source_of(maps, sources, piece.slot) + piece.vector;
    if (how[e] == How::forwards || how[e] == How::backwards) low[e] = load_vector(from[e]);
  }
  // A second vector of a shifted piece is the first one of a neighbour: it is in the cache when that one is.
#pragma unroll
  for (int e = 0; e < each; ++e) {
    if (how[e] == How::pattern) store(to[e], uint4{maps.pattern[0], maps.pattern[1], maps.pattern[2], maps.pattern[3]});
    if (how[e] != How::forwards && how[e] != How::backwards) continue;
    const Vector v = shift[e] != 0 ? shifted(low[e], load_vector(from[e] + 16), shift[e]) : low[e];
    store(to[e], packed(how[e] == How::backwards ? turned<unit>(v) : v));
  }
}

template <int unit, class Index, class Maps>
__device__ inline void move_late_pieces(const Maps& maps, std::uint32_t block, const tile::Sources& sources, char* dst,
                                        const LatePieces& late) {
#pragma unroll 1
  for (std::uint32_t i = threadIdx.x; i < late.n; i += Maps::threads)
    move_mapped_units<unit, Index>(maps, block * (Maps::threads * Maps::each) + late.piece[i], sources, dst);
}

template <int unit, class Index, class Maps>
__device__ inline void move_mapped(const Maps& maps, std::uint32_t block, const tile::Sources& sources, char* dst, LatePieces& late) {
  if (threadIdx.x == 0) late.n = 0;
  __syncthreads();
  move_mapped_vectors<unit, Index>(maps, block, sources, dst, late);
  __syncthreads();
  move_late_pieces<unit, Index>(maps, block, sources, dst, late);
}

}  // namespace crinkle::kernel
