// k-indices for your own loops and kernels: one integer k names a cell of an N-dimensional array,
//     k = i_0 + L_0·i_1 + L_0·L_1·i_2 + …
// AXIS 0 IS THE FASTEST HERE, as in the paper; everywhere else crinkle lists the slowest axis first, as NumPy does.
// Two forms, one interface (the concept KIndex): PowerOfTwoIndex works on bit fields, AnyIndex takes any extents and divides by
// multiplying; with_index gives the one that suits the extents. Both are plain values without allocation: pass them to a kernel by
// value. k has 32 bits (up to 2^32 − 1 cells: the last number is `outside`) or 64 (up to 2^63); ask fits(extents) first, or
// is_valid() afterwards: nothing here throws. A map prepared once (make_flip, make_shift, make_crinkle) is applied to any k,
// out[map(k)] = in[k]; a loop over many k that follow each other is for_each_move, which divides once a run of cells.
// Source: Hawick and Playne, "Hypercubic storage layout and transforms in arbitrary dimensions using GPUs and CUDA", sections
// 3–6 and 8; its misprints are not followed (products for eq. 16's sum, U_0 = 1, shifts of either sign on every axis).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/any_index.hpp"
#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/kindex_base.hpp"
#include "crinkle/detail/power_of_two_index.hpp"

namespace crinkle {

#if defined(__cpp_concepts) && __cpp_concepts >= 201907L

namespace detail {
template <class A, class B>
concept SameAs = Same<A, B>::value;
}

/// The one interface of PowerOfTwoIndex and AnyIndex. Every k that goes in is below total(); every axis is in 0 … rank − 1.
/// Requires of make_crinkle: step ≥ 1 (0 is taken as 1). Steps that do not divide the extent are exact: the first
/// extent mod step phases hold one index more. A later crinkle is that of a new index over the extents that the first one made.
template <class I>
concept KIndex = requires(const I index, typename I::Integer k, typename I::Indices indices, typename I::Distances distances, int axis,
                          std::int64_t distance, std::uint64_t step, Boundary boundary, Axes<I::rank> axes) {
  { I::fits(typename I::Extents{}) } -> detail::SameAs<bool>;  // whether I(extents) would be valid
  I(typename I::Extents{});                                    // fastest axis first
  { index.is_valid() } -> detail::SameAs<bool>;
  { index.total() } -> detail::SameAs<typename I::Integer>;
  { index.extent(axis) } -> detail::SameAs<typename I::Integer>;
  { index.extents() } -> detail::SameAs<typename I::Extents>;
  { index.unit(axis) } -> detail::SameAs<typename I::Integer>;        // U_axis: k grows by it from one index to the next
  { index.compose(indices) } -> detail::SameAs<typename I::Integer>;  // k = Σ i_d · U_d
  { index.decompose(k) } -> detail::SameAs<typename I::Indices>;      // all i_d of k
  { index.index(k, axis) } -> detail::SameAs<typename I::Integer>;    // one of them
  { index.neighbour(k, axis, distance, boundary) } -> detail::SameAs<typename I::Integer>;
  { index.neighbour(k, distances, boundary) } -> detail::SameAs<typename I::Integer>;
  { index.periodic_neighbour(k, axis, distance) } -> detail::SameAs<typename I::Integer>;
  { index.flip(k, axis) } -> detail::SameAs<typename I::Integer>;  // i ↦ L − 1 − i
  { index.flip(k, index.make_flip(axes)) } -> detail::SameAs<typename I::Integer>;
  { index.shift(k, index.make_shift(distances)) } -> detail::SameAs<typename I::Integer>;  // i ↦ (i + distance) mod L
  { index.crinkle(k, index.make_crinkle(axis, step, Placement::global)) } -> detail::SameAs<typename I::Integer>;
  { index.uncrinkle(k, index.make_crinkle(axis, step, Placement::local)) } -> detail::SameAs<typename I::Integer>;
  { index.run(k, index.make_flip(axes)) } -> detail::SameAs<KIndexRun<typename I::Integer>>;  // cells from k on that move along a line
  { index.run(k, index.make_shift(distances)) } -> detail::SameAs<KIndexRun<typename I::Integer>>;
  { index.run(k, index.make_crinkle(axis, step)) } -> detail::SameAs<KIndexRun<typename I::Integer>>;
};

#endif

/// Calls body(k, to) for every k from first to last − 1, `to` the cell to which a flip, a shift or a crinkle of the index moves k.
/// Requires: first ≤ last ≤ index.total().
template <class Index, class Map, class Body>
CRINKLE_HD constexpr void for_each_move(const Index& index, const Map& map, typename Index::Integer first, typename Index::Integer last,
                                        const Body& body) {
  using K = typename Index::Integer;
  while (first < last) {
    const KIndexRun<K> run = index.run(first, map);
    const K end = run.count < last - first ? static_cast<K>(first + run.count) : last;
    for (K to = run.to; first < end; ++first, to += run.stride) body(first, to);
  }
}

/// take(index) with the k-index for these extents: bit fields where all are powers of two, and divisions by multiplication where one
/// has another factor. What take returns is of one type for both; it may launch a kernel that is a template of the index.
/// Requires: AnyIndex<N, K>::fits(extents), or take gets an index without cells.
template <class K, int N, class Take>
auto with_index(const Array<std::uint64_t, N>& extents, const Take& take) {
  if (PowerOfTwoIndex<N, K>::fits(extents)) return take(PowerOfTwoIndex<N, K>(extents));
  return take(AnyIndex<N, K>(extents));
}

/// Which subscript of a neighbour table is the slower: by_cell is table[k][slot], by_slot is table[slot][k] (coalesced on a GPU).
enum class TableOrder : std::uint8_t { by_cell, by_slot };

/// The 2N nearest cells: slot 2·axis is one step down, slot 2·axis + 1 one step up.
template <int N>
CRINKLE_HD constexpr Array<Array<std::int64_t, N>, 2 * N> nearest_distances() {
  Array<Array<std::int64_t, N>, 2 * N> result{};
  for (int slot = 0; slot < 2 * N; ++slot) result[slot][slot / 2] = slot % 2 == 0 ? -1 : 1;
  return result;
}

/// One cell's part of a table: slot s gets the cell away from k by distances[s], or Index::outside; a kernel calls it for its own k.
/// Requires: table holds Slots · total() values.
template <class Index, int Slots>
CRINKLE_HD constexpr void fill_neighbours_of(typename Index::Integer k, const Index& index,
                                             const Array<typename Index::Distances, Slots>& distances,
                                             const typename Index::EachBoundary& boundaries, TableOrder order,
                                             typename Index::Integer* table) {
  const std::size_t cell = static_cast<std::size_t>(k), n_cells = static_cast<std::size_t>(index.total());
  const std::size_t n_slots = static_cast<std::size_t>(Slots);
  for (int s = 0; s < Slots; ++s) {
    const std::size_t slot = static_cast<std::size_t>(s);
    table[order == TableOrder::by_cell ? cell * n_slots + slot : slot * n_cells + cell] = index.neighbour(k, distances[s], boundaries);
  }
}

/// The whole table (section 6): table[k][s], or table[s][k], is the cell away from k by distances[s].
template <class Index, int Slots>
CRINKLE_HD constexpr void fill_neighbours(const Index& index, const Array<typename Index::Distances, Slots>& distances,
                                          const typename Index::EachBoundary& boundaries, TableOrder order,
                                          typename Index::Integer* table) {
  for (typename Index::Integer k = 0; k < index.total(); ++k) fill_neighbours_of(k, index, distances, boundaries, order, table);
}

/// A physical grid (eqs. 1 and 2): the cell of index i lies at origin + i · spacing on every axis. Requires: no spacing is 0.
template <int N, class Real = double>
struct Grid {
  Array<Real, N> origin;
  Array<Real, N> spacing;

  template <class K>
  CRINKLE_HD constexpr Array<Real, N> position(const Array<K, N>& indices) const {
    Array<Real, N> result{};
    for (int axis = 0; axis < N; ++axis) result[axis] = origin[axis] + static_cast<Real>(indices[axis]) * spacing[axis];
    return result;
  }
  template <class Index>
  CRINKLE_HD constexpr Array<Real, N> position(const Index& index, typename Index::Integer k) const {
    return position(index.decompose(k));
  }

  /// The cell nearest to a position, half-way up to the higher index; beyond the ends the boundaries decide, and `outside` is
  /// what an open one, a coordinate that is no number or an index without cells gives. As exact as Real can hold
  /// (where − origin) / spacing.
  template <class Index>
  CRINKLE_HD constexpr typename Index::Integer nearest(const Index& index, const Array<Real, N>& where,
                                                       const Boundaries<N>& boundaries = Boundary::open) const {
    typename Index::Indices cell{};
    const Real limit = static_cast<Real>(std::int64_t{1} << 62);
    for (int axis = 0; axis < N; ++axis) {
      Real steps = (where[axis] - origin[axis]) / spacing[axis] + Real(0.5);
      if (steps != steps || index.extent(axis) == 0) return Index::outside;
      steps = steps > limit ? limit : steps < -limit ? -limit : steps;
      std::int64_t distance = static_cast<std::int64_t>(steps);
      if (static_cast<Real>(distance) > steps) --distance;
      cell[axis] = detail::walk<typename Index::Integer>(0, index.extent(axis), distance, boundaries.of_axis[axis]);
      if (cell[axis] == Index::outside) return Index::outside;
    }
    return index.compose(cell);
  }
};

}  // namespace crinkle
