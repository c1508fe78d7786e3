// The innermost loops of work on pairs and triplets of points, one table of functions per instruction set (cpu/targets-inl.hpp).
// Points lie in planes (cpu/point_planes.hpp), so that vectors are of points that follow each other.
// Every result is the same on every instruction set, but for the payloads of NaNs: features are summed in order, every product and every
// sum is rounded by itself. Features are compiled without contraction of products and sums (-ffp-contract=off).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/point_planes.hpp"
#include "cpu/row_kernels.hpp"

namespace crinkle::simd {

/// How far points begin + t of the planes, t < n, are from one point.
/// out[t] = distance(x, point begin + t). `x` has the features of that point, one after the other. Whole lines are streamed where asked:
/// then out is a multiple of sizeof(T); otherwise it has any address.
template <class T, class C>
using DistanceLine = void (*)(const Planes<C>& planes, const C* x, std::int64_t begin, std::int64_t n, T* out, bool is_streaming);

/// Spheres: one plane a dimension, 1 to 3, and one for the radii; so is `x`. Point begin + t collides where
/// Σ (x_f − y_f)² ≤ (r_x + r_y)². Where the right side is not plain (squares.hpp) both are scaled; `are_plain`: it always is.
template <class T>
using CountCollisions = std::int64_t (*)(const Planes<T>& planes, const T* x, std::int64_t begin, std::int64_t n, bool are_plain);
/// The same; point begin + t of the m-th collision goes to found[2m + 1], i to found[2m].
template <class T>
using FindCollisions = std::int64_t (*)(const Planes<T>& planes, const T* x, std::int64_t begin, std::int64_t n, std::int64_t i,
                                        bool are_plain, std::int64_t* found);

/// Terms of triplets (i, j, k) for up to eight i, one j, and k of a range. Three numbers of the pairs (i, k) and (i, j) are known, the
/// squared distance s, 1/s and 1/s^(3/2); those of (j, k) are made here.
template <class T>
struct TripletRange {
  static constexpr std::int64_t most = 8, lanes = 16;
  struct Pair {
    T square, inverse, cube;  // s, 3/8 · 1/s, 1/s^(3/2)
  };

  Planes<T> points;          // three planes
  T j[3];                    // of point j
  std::int64_t n = 0;        // of i
  const Pair* ij = nullptr;  // [n]
  const T* ik = nullptr;     // [n][3][pitch]: s, 1/s, 1/s^(3/2) of (i, k), at k − ik_begin
  std::int64_t ik_begin = 0, pitch = 0;
  std::int64_t begin = 0, end = 0, least = 0;  // of k: begin, ik_begin multiples of `lanes`; only k in [least, end) count
};
/// sums[k mod lanes] += the terms, in the order of k, and of i for one k.
template <class T>
using AddTriplets = void (*)(const TripletRange<T>& range, double* sums);
/// to[0][t], to[1][t], to[2][t] = s, 1/s, 1/s^(3/2) of x and point begin + t, t < n, rows `pitch` apart. Requires n, begin to be multiples
/// of TripletRange::lanes; reads points up to there.
template <class T>
using PairRow = void (*)(const Planes<T>& points, const T* x, std::int64_t begin, std::int64_t n, T* to, std::int64_t pitch);

inline constexpr double least_cosine = 0x1p-50;

template <class T>
struct PairKernelsOf {
  /// Euclidean: of points whose squares_stay(), and of any; the same bits where both may be used.
  DistanceLine<T, T> euclidean, scaled_euclidean, sqeuclidean, manhattan, chebyshev;
  /// Sums in float64; planes hold 1/√Σ x² behind the features, and so does `x`. Less than least_cosine is 0.
  DistanceLine<T, double> cosine;
  CountCollisions<T> count_collisions;
  FindCollisions<T> find_collisions;
  AddTriplets<T> add_triplets;
  PairRow<T> pair_row;
};

struct PairKernels {
  const char* target;
  PairKernelsOf<float> float32;
  PairKernelsOf<double> float64;
  RowKernels::Fence fence;

  template <class T>
  const PairKernelsOf<T>& of() const {
    if constexpr (sizeof(T) == 4) return float32;
    else return float64;
  }

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const PairKernels& best();
  static std::vector<const PairKernels*> all();
};

}  // namespace crinkle::simd
