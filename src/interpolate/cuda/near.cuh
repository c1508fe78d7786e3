// The nearest samples of a target, by one thread: a list in registers, in order, and a stack of nodes. Distances are rounded as on a CPU
// (metric.hpp), so that the same samples are found. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpolate/cuda/near_form.hpp"
#include "interpolate/cuda/scan.cuh"

namespace crinkle::interpolation::kernel {

inline constexpr std::uint32_t no_sample = 0xFFFFFFFFu;
inline constexpr int most_depth = 32;  // of the tree: there are at most 2^32 samples

template <int n_dimensions>
__device__ double square_of(const double (&away)[n_dimensions]) {
  double sum = __dadd_rn(__dmul_rn(away[0], away[0]), __dmul_rn(away[1], away[1]));
  if constexpr (n_dimensions == 3) sum = __dadd_rn(sum, __dmul_rn(away[2], away[2]));
  return sum;
}

/// A search wants samples of one sector, or of all (−1), that come after (square, index).
struct Wanted {
  int sector = -1;
  double after_square = -1;
  std::int64_t after_index = -1;

  __device__ bool comes_after(double square, std::int64_t index) const {
    return square > after_square || (square == after_square && index > after_index);
  }
};

/// The nearest `most` of the samples added, nearest first, at the end of n slots; those before are never used.
template <int n>
struct Nearest {
  double squares[n];
  std::uint32_t at[n];

  __device__ explicit Nearest(int most) {
#pragma unroll
    for (int i = 0; i < n; ++i) {
      squares[i] = i < n - most ? -infinity() : infinity();
      at[i] = no_sample;
    }
  }
  __device__ double bound(double limit) const { return fmin(limit, squares[n - 1]); }
  __device__ void add(double square, std::uint32_t position, const std::int64_t* indices) {
    bool is_in = false;
#pragma unroll
    for (int i = 0; i < n; ++i) {
      if (!is_in) {
        is_in = square < squares[i];
        if (square == squares[i] && at[i] != no_sample) is_in = indices[position] < indices[at[i]];
      }
      if (is_in) {
        const double s = squares[i];
        const std::uint32_t a = at[i];
        squares[i] = square;
        at[i] = position;
        square = s;
        position = a;
      }
    }
  }
};

/// How far the box of a node is, squared, or NaN where the sector does not meet it.
template <int n_dimensions>
__device__ double square_of_box(const CudaTree& tree, std::uint32_t node, const double (&q)[3], int sector) {
  const double* const box = tree.boxes + static_cast<std::int64_t>(node) * (2 * n_dimensions);
  double low[n_dimensions], high[n_dimensions], away[n_dimensions];
#pragma unroll
  for (int a = 0; a < n_dimensions; ++a) {
    low[a] = box[a] - q[a];
    high[a] = box[n_dimensions + a] - q[a];
    away[a] = fmax(fmax(low[a], -high[a]), 0.0);
  }
  if (sector >= 0) {
    const double slack = tree.reach.slack(fmax(largest_of<n_dimensions>(box, q), largest_of<n_dimensions>(box + n_dimensions, q)));
    if (!meets_sector<n_dimensions>(low, high, sector, tree.sectors, slack)) return __longlong_as_double(0x7FF8000000000000LL);
  }
  return square_of<n_dimensions>(away);
}

/// Goes through the leaves whose boxes are within bound(), near ones first: use(position, square) for every sample of the
/// sector within the radius.
template <int n_dimensions, class Bound, class Use>
__device__ void each_near(const CudaTree& tree, const double (&q)[3], int sector, const Bound& bound, const Use& use) {
  std::uint32_t nodes[most_depth];
  double squares[most_depth];
  int n_waiting = 0;
  std::uint32_t node = 0;
  double square = square_of_box<n_dimensions>(tree, 0, q, sector);
  for (;;) {
    while (square <= bound() && node < tree.first_leaf) {
      std::uint32_t near = 2 * node + 1, far = near + 1;
      double far_square = square_of_box<n_dimensions>(tree, far, q, sector);
      square = square_of_box<n_dimensions>(tree, near, q, sector);
      if (far_square < square) {
        const double s = square;
        square = far_square;
        far_square = s;
        near = far;
        far = near - 1;
      }
      if (far_square <= bound()) {
        nodes[n_waiting] = far;
        squares[n_waiting] = far_square;
        ++n_waiting;
      }
      node = near;
    }
    if (square <= bound()) {
      const std::int64_t begin = tree.bounds[node - tree.first_leaf], end = tree.bounds[node - tree.first_leaf + 1];
      for (std::int64_t p = begin; p < end; ++p) {
        double away[n_dimensions];
#pragma unroll
        for (int a = 0; a < n_dimensions; ++a) away[a] = tree.places[p * n_dimensions + a] - q[a];
        const double* const x = tree.places + p * n_dimensions;
        const double square = square_of<n_dimensions>(away);
        if (sector >= 0 && sector_of<n_dimensions>(away, tree.sectors, tree.reach.slack(largest_of<n_dimensions>(x, q))) != sector)
          continue;
        if (tree.reach.has<n_dimensions>(square, x, q)) use(static_cast<std::uint32_t>(p), square);
      }
    }
    do {
      if (n_waiting == 0) return;
      --n_waiting;
      node = nodes[n_waiting];
      square = squares[n_waiting];
    } while (!(square <= bound()));
  }
}

/// Finds the nearest of the samples for which those.count(position) is true.
template <int n_dimensions, int n, class Those>
__device__ void find(const CudaTree& tree, const double (&q)[3], const Wanted& wanted, Nearest<n>& list, const Those& those) {
  const auto bound = [&] { return list.bound(tree.reach.outer); };
  each_near<n_dimensions>(tree, q, wanted.sector, bound, [&](std::uint32_t p, double square) {
    if (!those.count(p) || !(square <= bound()) || square < wanted.after_square) return;
    if (square == wanted.after_square && !wanted.comes_after(square, tree.indices[p])) return;
    list.add(square, p, tree.indices);
  });
}

}  // namespace crinkle::interpolation::kernel
