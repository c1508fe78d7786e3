// Sums over neighbours on a GPU: a thread a target. Longer lists than registers hold are found a part after the other, in order, and
// sectors one after the other. All samples within a radius are added as the tree has them, weights relative to the nearest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "interpolate/cuda/near.cuh"

namespace crinkle::interpolation::kernel {

// ratio^(p/2), rounded as on a CPU for p = 1 to 4.
__device__ inline double half_power(double ratio, double power) {
  if (power == 2) return ratio;
  if (power == 1) return sqrt(ratio);
  if (power == 3) return __dmul_rn(ratio, sqrt(ratio));
  if (power == 4) return __dmul_rn(ratio, ratio);
  return pow(ratio, power / 2);
}

/// Σ w and Σ w (z − zero) of the columns of a launch, in the order in which samples are added.
struct NearSums {
  double weights = 0, sums[cuda_columns] = {}, zero[cuda_columns] = {};
  std::int64_t n = 0;

  /// `least` is the least square of all samples that count, with the smoothing.
  __device__ void add(const CudaTree& tree, const CudaValues& values, std::int64_t p, double square, double least) {
    const double s = __dadd_rn(square, tree.smoothing);
    double w = least > 0 ? half_power(least / s, tree.power) : s == 0 ? 1 : 0;
    if (tree.weights != nullptr) w = __dmul_rn(w, tree.weights[p]);
    weights = __dadd_rn(weights, w);
#pragma unroll
    for (int c = 0; c < cuda_columns; ++c) {
      if (c >= values.n_columns) continue;
      const double z = tree.values[p * tree.n_columns + values.first_column + c];
      if (n == 0) zero[c] = z;
      sums[c] = __dadd_rn(sums[c], __dmul_rn(w, z - zero[c]));
    }
    ++n;
  }
  __device__ void finish(const CudaTree& tree, const CudaTargets& targets, const CudaValues& values, std::int64_t t) const {
    const bool has_data = n > 0 && n >= tree.least_neighbours;
#pragma unroll
    for (int c = 0; c < cuda_columns; ++c) {
      if (c >= values.n_columns) continue;
      const CudaColumn& column = tree.columns[values.first_column + c];
      put(values, targets.n, c, t, has_data ? clamped(zero[c] + sums[c] / weights, column) : tree.nodata);
    }
  }
};

/// Which samples may be neighbours of target t, what they add, and where the value goes: all samples, as they are. Another kind leaves the
/// target out (cuda_left_out.cu).
struct AllSamples {
  struct Given {};

  __device__ AllSamples(const Given&, const CudaTree&, std::int64_t t) : t(t) {}
  __device__ bool count(std::uint32_t) const { return true; }
  __device__ void add(NearSums& sums, const CudaTree& tree, const CudaValues& values, std::int64_t p, double square, double least) const {
    sums.add(tree, values, p, square, least);
  }
  std::int64_t t;
};

template <int n_dimensions, class Those>
__device__ double nearest_square(const CudaTree& tree, const double (&q)[3], const Those& those) {
  Nearest<1> one(1);
  find<n_dimensions>(tree, q, Wanted(), one, those);
  return one.squares[0];
}

// The target of this thread, or −1.
__device__ inline std::int64_t target_of_thread(const CudaTargets& targets, const CudaTiles& tiles, std::int64_t block) {
  if (!targets.is_raster) {
    const std::int64_t t = block * near_threads + threadIdx.x;
    return t >= targets.n ? -1 : tiles.order == nullptr ? t : static_cast<std::int64_t>(tiles.order[t]);
  }
  std::int64_t cell[3] = {block % tiles.n[0] * tiles.size[0], block / tiles.n[0] % tiles.n[1] * tiles.size[1],
                          block / tiles.n[0] / tiles.n[1] * tiles.size[2]};
  int length[3] = {1, 1, 1};
#pragma unroll
  for (int b = 0; b < near_bits; ++b) {
    const int is_set = static_cast<int>(threadIdx.x) >> b & 1;
    if (is_set != 0 && tiles.axis[b] == 3) return -1;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      if (tiles.axis[b] != a) continue;
      cell[a] += is_set * length[a];
      length[a] *= 2;
    }
  }
  for (int a = 0; a < 3; ++a)
    if (cell[a] >= targets.extents[a]) return -1;
  return (cell[2] * targets.extents[1] + cell[1]) * targets.extents[0] + cell[0];
}

// The place of target t; false, and the values NaN, where it is not finite.
template <int n_dimensions>
__device__ bool begin(const CudaTargets& targets, const CudaValues& values, std::int64_t t, double (&q)[3]) {
  target_at<n_dimensions>(targets, t, q);
  bool is_finite = true;
  for (int a = 0; a < n_dimensions; ++a) is_finite = is_finite && isfinite(q[a]);
  if (!is_finite)
    for (int c = 0; c < values.n_columns; ++c) put(values, targets.n, c, t, __longlong_as_double(0x7FF8000000000000LL));
  return is_finite;
}

template <int n_dimensions, int n, class Those>
__global__ void __launch_bounds__(near_threads) sum_nearest(CudaTree tree, CudaTargets targets, CudaTiles tiles, CudaValues values,
                                                            std::int64_t first_block, typename Those::Given given) {
  const std::int64_t t = target_of_thread(targets, tiles, first_block + blockIdx.x);
  double q[3];
  if (t < 0 || !begin<n_dimensions>(targets, values, t, q)) return;
  const Those those(given, tree, t);
  NearSums sums;
  double least = tree.sectors > 1 ? nearest_square<n_dimensions>(tree, q, those) : 0;
  for (int sector = 0; sector < tree.sectors; ++sector) {
    Wanted wanted{.sector = tree.sectors > 1 ? sector : -1};
    for (std::int64_t left = tree.neighbours; left > 0;) {
      const int most = static_cast<int>(min(left, static_cast<std::int64_t>(n)));
      Nearest<n> list(most);
      find<n_dimensions>(tree, q, wanted, list, those);
      double squares[n];
      std::uint32_t at[n];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        squares[i] = list.squares[i];
        at[i] = list.at[i];
      }
      int i = n - most;
      if (tree.sectors == 1 && sums.n == 0) least = squares[i];
#pragma unroll 1
      for (; i < n && at[i] != no_sample; ++i) those.add(sums, tree, values, at[i], squares[i], __dadd_rn(least, tree.smoothing));
      if (i < n) break;
      left -= most;
      wanted.after_square = squares[n - 1];
      wanted.after_index = tree.indices[at[n - 1]];
    }
  }
  sums.finish(tree, targets, values, those.t);
}

template <int n_dimensions, class Those>
__global__ void __launch_bounds__(near_threads) sum_within(CudaTree tree, CudaTargets targets, CudaTiles tiles, CudaValues values,
                                                           std::int64_t first_block, typename Those::Given given) {
  const std::int64_t t = target_of_thread(targets, tiles, first_block + blockIdx.x);
  double q[3];
  if (t < 0 || !begin<n_dimensions>(targets, values, t, q)) return;
  const Those those(given, tree, t);
  NearSums sums;
  const double least =
      __dadd_rn(tree.n < tree.least_neighbours ? infinity() : nearest_square<n_dimensions>(tree, q, those), tree.smoothing);
  if (least < infinity()) {
    each_near<n_dimensions>(
        tree, q, -1, [&] { return tree.reach.outer; },
        [&](std::uint32_t p, double square) {
          if (those.count(p)) those.add(sums, tree, values, p, square, least);
        });
  }
  sums.finish(tree, targets, values, those.t);
}

template <class Those>
void launch_near_sums(int n_dimensions, const CudaTree& tree, const CudaTargets& targets, const CudaTiles& tiles, const CudaValues& values,
                      CUstream_st* stream, typename Those::Given given) {
  const auto of_dimensions = [&]<int d>() {
    if (tree.neighbours == 0) return reinterpret_cast<const void*>(&sum_within<d, Those>);
    if (tree.neighbours <= 8) return reinterpret_cast<const void*>(&sum_nearest<d, 8, Those>);
    if (tree.neighbours <= 16) return reinterpret_cast<const void*>(&sum_nearest<d, 16, Those>);
    return reinterpret_cast<const void*>(&sum_nearest<d, 32, Those>);
  };
  const void* const kernel = n_dimensions == 2 ? of_dimensions.template operator()<2>() : of_dimensions.template operator()<3>();
  gpu::for_each_grid(tiles.n_blocks(targets), [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaTree*>(&tree),
                         const_cast<CudaTargets*>(&targets),
                         const_cast<CudaTiles*>(&tiles),
                         const_cast<CudaValues*>(&values),
                         &first,
                         &given};
    gpu::launch(kernel, {n_blocks, near_threads}, arguments, stream, "an interpolation");
  });
}

}  // namespace crinkle::interpolation::kernel
