// One-dimensional maps as segments, and their composition. Each maker returns the map of one verb over n current indices; compose()
// puts it behind the map that the axis already has. Source: Hawick and Playne, section 8, for flip and shift; numpy.pad for the pad modes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

inline Segment data(std::int64_t count, std::int64_t start, std::int64_t step) { return {count, start, count == 1 ? 0 : step, 1, 0, -1}; }
inline Segment filling(std::int64_t count, std::int32_t fill) { return {count, 0, 0, 0, 0, fill}; }
void append(Map& map, Segment s);  // fused with the last segment where the two are one run

std::int64_t extent_of(const Map& map);  // Σ count; throws too_large

Map identity_map(std::int64_t n);
Map flip_map(std::int64_t n);                         // i -> n−1−i
Map roll_map(std::int64_t n, std::int64_t distance);  // i -> (i−distance) mod n
Map slice_map(std::int64_t n, std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::optional<std::int64_t> step);
Map pad_map(std::int64_t n, std::int64_t before, std::int64_t after, PadMode mode, std::int32_t fill);
Map dilate_map(std::int64_t n, std::int64_t step, std::int32_t fill);
Map at_map(std::int64_t n, std::int64_t index);
Map take_map(std::int64_t n, std::span<const std::int64_t> indices);

bool is_identity(const Map& map, std::int64_t n);
bool is_permutation(const Map& map, std::int64_t n);  // every index below n exactly once, no fill

/// compose(outer, inner)(i) = inner(outer(i)); what `outer` fills stays fill. Where both fill inside one run, `join` gives the fill
/// that stands for (outer's, inner's), or −1 when they differ and the run has to be written out index by index.
using JoinFills = std::function<std::int32_t(std::int32_t outer, std::int32_t inner)>;
Map compose(const Map& outer, const Map& inner, const JoinFills& join);

/// The current indices first + t·pitch + u, 0 ≤ t < count, 0 ≤ u < inner: data, which read source index start + t·step and have inner 1,
/// or a fill. runs_of() makes one run of a plain or filled segment and up to four of a dilated one (the gap before its first datum, the
/// data, the gaps between them, the gap after the last), ascending in `first`; together they hold every current index once.
struct MapRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t pitch = 1;
  std::int64_t start = 0, step = 0;  // data only
  std::int64_t inner = 1;            // above 1 only for the gaps between data
  std::int32_t fill = -1;            // -1: data
};
std::vector<MapRun> runs_of(const Map& map);

/// The map written out: source index per current index, or −1−fill.
std::vector<std::int64_t> table_of(const Map& map);

/// The map of what `map` made: data stay where they are, and what is fill is filled again.
Map in_place(const Map& map);

}  // namespace crinkle
