// Loops one in another, the last one the fastest (C order) unless said: stepping through their indices, finding the n-th, and where it lies
// in arrays. Includes nothing but integer types, so that kernels may be told of loops, too.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace crinkle {

/// One loop over two arrays: how far each of its `extent` times goes in them, in bytes.
struct Loop {
  std::int64_t extent = 1, in = 0, out = 0;
};

/// Which of the axes is the fastest; the others are slower and slower from there on.
enum class Fastest : bool { last, first };

/// Makes the index [low, high) the next one, low(a) ≤ index[a] < high(a). Calls moved(a, by) for every axis whose index changes.
/// Ensures: after the last it is the first again, and the result false. Cost: one axis on average.
template <Fastest fastest = Fastest::last, class Index, class Low, class High, class Moved>
constexpr bool step_index(Index& index, std::size_t n_axes, const Low& low, const High& high, const Moved& moved) {
  for (std::size_t k = 0; k < n_axes; ++k) {
    const std::size_t a = fastest == Fastest::first ? k : n_axes - 1 - k;
    auto& i = index[a];
    if (i + 1 < high(a)) {
      ++i;
      moved(a, 1);
      return true;
    }
    const auto last = i;
    i = low(a);
    moved(a, static_cast<std::int64_t>(i - last));
  }
  return false;
}
/// The same from 0 on.
template <Fastest fastest = Fastest::last, class Index, class Extent, class Moved>
constexpr bool step_index(Index& index, std::size_t n_axes, const Extent& extent, const Moved& moved) {
  return step_index<fastest>(index, n_axes, [](std::size_t) { return 0u; }, extent, moved);
}

/// Calls body(index) for every index 0 ≤ index[a] < extents[a]; once where there is no axis.
template <class Extents, class Body>
void for_each_index(const Extents& extents, const Body& body) {
  for (const std::int64_t extent : extents)
    if (extent <= 0) return;
  Extents index = extents;
  for (std::int64_t& i : index) i = 0;
  do body(index);
  while (step_index(index, extents.size(), [&](std::size_t a) { return extents[a]; }, [](std::size_t, std::int64_t) {}));
}

/// Calls set(a, i) with every axis' index i of the n-th index, the fastest axis first. Indices beyond the last begin anew.
template <Fastest fastest = Fastest::last, class Extent, class Set>
constexpr void split_index(std::int64_t n, std::size_t n_axes, const Extent& extent, const Set& set) {
  for (std::size_t k = 0; k < n_axes; ++k) {
    const std::size_t a = fastest == Fastest::first ? k : n_axes - 1 - k;
    const std::int64_t of = extent(a);
    set(a, n % of);
    n /= of;
  }
}

/// The place of the n-th index of loops in both arrays.
struct LoopPlace {
  std::int64_t in = 0, out = 0;
};
constexpr LoopPlace place_in(const Loop* loops, std::size_t n_loops, std::int64_t n) {
  LoopPlace place;
  split_index(
      n, n_loops, [&](std::size_t a) { return loops[a].extent; },
      [&](std::size_t a, std::int64_t i) {
        place.in += i * loops[a].in;
        place.out += i * loops[a].out;
      });
  return place;
}

}  // namespace crinkle
