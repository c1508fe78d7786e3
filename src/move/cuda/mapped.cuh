// Mapped axes on a GPU: one aligned piece of the destination a thread and step, nothing staged in shared memory. Compiled for one plan,
// `maps` is a constant: divisions are products, axes and segments that are not there vanish.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/vectors.cuh"
#include "tile/axis_maps.hpp"

namespace crinkle::kernel {

__device__ inline const char* source_of(const tile::AxisMaps& maps, const tile::Sources& sources, std::int32_t slot) {
  return sources.at[maps.n_sources > 1 ? slot : 0];
}

/// A piece collected unit by unit: seams, ends of runs, rows shorter than a piece. Stored whole where it is.
template <int unit, class Index>
__device__ inline void move_mapped_units(const tile::AxisMaps& maps, std::uint32_t q, const tile::Sources& sources, char* dst) {
  constexpr int n = 16 / unit, word_units = unit < 4 ? 4 / unit : n, n_words = n / word_units;
  const auto piece = maps.template piece<Index>(q);
  const auto rest = static_cast<tile::AxisMaps::Signed<Index>>(maps.run_units) - piece.first;
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

template <int unit, class Index>
__device__ inline void move_mapped(const tile::AxisMaps& maps, std::uint32_t block, const tile::Sources& sources, char* dst) {
  using How = tile::AxisMaps::How;
  constexpr int each = tile::AxisMaps::each;
  constexpr std::uint32_t threads = tile::AxisMaps::threads;
  const std::uint32_t first = block * (threads * each) + threadIdx.x;
  std::uint32_t by_units = 0;  // a bit of each
  How how[each];               // [each]
  std::int32_t shift[each];    // [each], bytes
  char* to[each];              // [each]
  const char* from[each];      // [each]
  Vector low[each];            // [each], 16 bytes each
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const auto piece = maps.template piece<Index>(first + static_cast<std::uint32_t>(e) * threads);
    how[e] = piece.how;
    by_units |= (piece.how == How::units ? 1u : 0u) << e;
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
#pragma unroll 1
  for (int e = 0; by_units != 0; ++e, by_units >>= 1)
    if ((by_units & 1) != 0) move_mapped_units<unit, Index>(maps, first + static_cast<std::uint32_t>(e) * threads, sources, dst);
}

}  // namespace crinkle::kernel
