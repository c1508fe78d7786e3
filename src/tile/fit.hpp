// A large tile as a small one, where it fits: what a kernel takes as a parameter.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>

#include "tile/gathered_tile.hpp"
#include "tile/row_tile.hpp"
#include "tile/segmented_tile.hpp"
#include "tile/transposed_tile.hpp"

namespace crinkle::tile {

static_assert(sizeof(RowTileOf<Small>) <= 1024 && sizeof(TransposedTileOf<Small>) <= 1024 && sizeof(GatheredTileOf<Small>) <= 1024 &&
              sizeof(SegmentedTileOf<Small>) <= 1024);

namespace detail {

template <class T, int N, int M>
bool fit(std::int32_t count, const Array<T, N>& large, Array<T, M>& small) {
  if (count > M) return false;
  std::copy(large.begin(), large.begin() + count, small.begin());
  return true;
}
inline bool fit(const Digits& large, DigitsOf<Small>& small) {
  small.count = large.count;
  return fit(large.count, large.digit, small.digit);
}
inline bool fit(const Walk& large, WalkOf<Small>& small) {
  static_cast<WalkFacts&>(small) = large;
  return fit(large.rows, small.rows);
}
inline bool fit(const Frame& large, FrameOf<Small>& small) {
  static_cast<FrameFacts&>(small) = large;
  return fit(large.n_grid, large.grid, small.grid);
}

}  // namespace detail

inline std::optional<RowTileOf<Small>> small_of(const RowTile& large) {
  RowTileOf<Small> small;
  static_cast<RowFacts&>(small) = large;
  const std::int32_t n = large.n_segments;
  const bool fits = detail::fit(large.frame, small.frame) && detail::fit(large.walk, small.walk) &&
                    detail::fit(n, large.segments, small.segments) && detail::fit(n, large.src_begin, small.src_begin) &&
                    detail::fit(n, large.src_end, small.src_end);
  return fits ? std::optional(small) : std::nullopt;
}

inline std::optional<TransposedTileOf<Small>> small_of(const TransposedTile& large) {
  TransposedTileOf<Small> small;
  static_cast<TransposedFacts&>(small) = large;
  const bool fits = detail::fit(large.frame, small.frame) && detail::fit(large.read, small.read) && detail::fit(large.rows, small.rows) &&
                    detail::fit(large.write, small.write);
  return fits ? std::optional(small) : std::nullopt;
}

inline std::optional<GatheredTileOf<Small>> small_of(const GatheredTile& large) {
  GatheredTileOf<Small> small;
  static_cast<GatheredFacts&>(small) = large;
  const bool fits = detail::fit(large.frame, small.frame) && detail::fit(large.read, small.read) &&
                    detail::fit(large.read_run, small.read_run) && detail::fit(large.write, small.write) &&
                    detail::fit(large.write_run, small.write_run);
  return fits ? std::optional(small) : std::nullopt;
}

inline std::optional<SegmentedTileOf<Small>> small_of(const SegmentedTile& large) {
  SegmentedTileOf<Small> small;
  static_cast<SegmentedFacts&>(small) = large;
  const bool fits = detail::fit(large.frame, small.frame) && detail::fit(large.n_segments, large.cells, small.cells);
  return fits ? std::optional(small) : std::nullopt;
}

}  // namespace crinkle::tile
