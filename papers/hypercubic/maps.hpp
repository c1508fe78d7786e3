// Versions B and C of the suite `hypercubic`: dst[map(index, k)] = src[k], and the blur, by k-indices on either device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <stdexcept>

#include "crinkle/kindex.hpp"
#include "papers/hypercubic/transform.hpp"

namespace crinkle::bench {

using Cell = std::uint32_t;
using BitsIndex = PowerOfTwoIndex<2, Cell>;
using DividedIndex = AnyIndex<2, Cell>;

template <class Index>
struct FlipMap {
  typename Index::Flip by;
  CRINKLE_HD Cell operator()(const Index& index, Cell k) const { return index.flip(k, by); }
};
template <class Index>
struct ShiftMap {
  typename Index::Shift by;
  CRINKLE_HD Cell operator()(const Index& index, Cell k) const { return index.shift(k, by); }
};
template <class Index>
struct CrinkleMap {
  typename Index::Crinkle by;
  CRINKLE_HD Cell operator()(const Index& index, Cell k) const { return index.crinkle(k, by); }
};

/// take(map) with the map of a transform that moves elements. Requires t.kind ≠ blur.
template <class Index, class Take>
auto with_map(const Transform& t, const Index& index, const Take& take) {
  switch (t.kind) {
    case Transform::Kind::flip: return take(FlipMap<Index>{index.make_flip({t.is_flipped[0], t.is_flipped[1]})});
    case Transform::Kind::shift: return take(ShiftMap<Index>{index.make_shift({t.distances[0], t.distances[1]})});
    case Transform::Kind::crinkle:
      return take(CrinkleMap<Index>{index.make_crinkle(t.axis, static_cast<std::uint64_t>(t.step), Placement::global)});
    default: throw std::logic_error("a blur is no map");
  }
}

/// The blur of one cell (transform.hpp), its neighbours found by index.
template <class Index>
CRINKLE_HD inline float blurred_at(const Index& index, const float* src, Cell k) {
  const float sum = src[k] + src[index.periodic_neighbour(k, 0, -1)] + src[index.periodic_neighbour(k, 0, 1)] +
                    src[index.periodic_neighbour(k, 1, -1)] + src[index.periodic_neighbour(k, 1, 1)];
  return sum * 0.2F;
}

}  // namespace crinkle::bench
