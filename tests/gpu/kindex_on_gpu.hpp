// Calls of every function of a k-index, numbered, for one thread of a kernel or one turn of a loop: kindex_kernels.cu has the kernel.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/kindex.hpp"

namespace crinkle::testing {

/// An index with maps prepared for it.
template <class Index>
struct KIndexCalls {
  using K = typename Index::Integer;
  static constexpr int rank = Index::rank, n_boundaries = 5, n_slots = 2 * rank;

  Index index;
  typename Index::Flip flip;
  typename Index::Shift shift;
  typename Index::Crinkle global, local;

  CRINKLE_HD explicit KIndexCalls(const Index& of) : index(of) {
    Axes<rank> axes{};
    typename Index::Distances by{};
    for (int axis = 0; axis < rank; ++axis) {
      axes[axis] = axis % 2 == 0;
      by[axis] = 5 - 4 * axis;
    }
    flip = index.make_flip(axes);
    shift = index.make_shift(by);
    global = index.make_crinkle(rank - 1, 2, Placement::global);
    local = index.make_crinkle(0, 3, Placement::local);
  }

  static constexpr int n_maps = 9, n_calls = n_maps + rank * (2 + 4 * n_boundaries) + n_boundaries;

  /// What call number `call` makes of k.
  CRINKLE_HD K operator()(int call, K k) const {
    switch (call) {
      case 0: return index.compose(index.decompose(k));
      case 1: return index.flip(k, flip);
      case 2: return index.shift(k, shift);
      case 3: return index.crinkle(k, global);
      case 4: return index.uncrinkle(k, global);
      case 5: return index.crinkle(k, local);
      case 6: return index.uncrinkle(k, local);
      case 7: return index.run(k, shift).count;
      case 8: return index.run(k, global).stride;
      default: break;
    }
    call -= n_maps;
    if (call < rank) return index.index(k, call);
    call -= rank;
    if (call < rank) return index.flip(k, call);
    call -= rank;
    const Boundary boundary = static_cast<Boundary>(call % n_boundaries);
    call /= n_boundaries;
    if (call < 4 * rank) {
      const std::int64_t each[] = {-1, 1, 3, -11};
      return index.neighbour(k, call / 4, each[call % 4], boundary);
    }
    typename Index::Distances diagonal{};
    for (int axis = 0; axis < rank; ++axis) diagonal[axis] = 2 - axis;
    return index.neighbour(k, diagonal, boundary);
  }
};

/// Arrays of a device: values[call][k], and the tables of the nearest neighbours in both orders.
template <class K>
struct KIndexArrays {
  K* values;
  K* by_cell;
  K* by_slot;
};

/// A grid of 3 by as many blocks as are needed, of 32 threads each, which find their k by eq. 20. Ends when they have ended; the status
/// is CUDA's.
template <class Index>
int call_on_gpu(const KIndexCalls<Index>& calls, const KIndexArrays<typename Index::Integer>& arrays);

}  // namespace crinkle::testing
