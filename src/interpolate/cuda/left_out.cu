// Samples predicted from the others, a thread each. From those near it, in the order of the tree: as a target among all others, those on
// its place counting as the mean of the others there. From all of them, in float64: tiles of samples go through shared memory twice, for
// the nearest distance, which weights are relative to, and for the sums, of a tile's samples and then of tiles.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/left_out.hpp"
#include "interpolate/cuda/near_sums.cuh"

namespace crinkle::interpolation::kernel {

struct AllButTarget {
  using Given = CudaSubstitutes;

  __device__ AllButTarget(const Given& given, const CudaTree& tree, std::int64_t t)
      : substitutes(given), at(t), t(tree.indices[t]), place(given.place_of == nullptr ? -1 : given.place_of[tree.indices[t]]) {}
  __device__ bool count(std::uint32_t p) const { return p != at; }
  __device__ void add(NearSums& sums, const CudaTree& tree, const CudaValues& values, std::int64_t p, double square, double least) const {
    CudaTree from = tree;
    if (place >= 0 && substitutes.place_of[tree.indices[p]] == place) {
      from.values = substitutes.values;
      from.weights = substitutes.weights;
      p = t;
    }
    sums.add(from, values, p, square, least);
  }

  CudaSubstitutes substitutes;
  std::int64_t at, t, place;  // in the tree, of the sample; alone: −1
};

inline constexpr int other_threads = 128;  // and samples of a tile

template <int n_dimensions>
__global__ void __launch_bounds__(other_threads)
    sum_others(CudaSamples samples, const CudaColumn* columns, CudaValues values, std::int64_t first_block) {
  __shared__ double places[n_dimensions][other_threads], numbers[cuda_columns][other_threads], weights[other_threads];
  const std::int64_t t = (first_block + blockIdx.x) * other_threads + threadIdx.x, own = min(t, samples.n - 1);
  double q[n_dimensions];
#pragma unroll
  for (int a = 0; a < n_dimensions; ++a) q[a] = samples.places[a][own];
  // use(j, square, is_there) for all samples j of a tile but the thread's own; is_there: on its place, without smoothing.
  const auto each_tile = [&](const auto& load, const auto& use, const auto& finish) {
    for (std::int64_t begin = 0; begin < samples.n; begin += other_threads) {
      const int n = static_cast<int>(min(static_cast<std::int64_t>(other_threads), samples.n - begin));
      __syncthreads();
      if (static_cast<int>(threadIdx.x) < n) {
#pragma unroll
        for (int a = 0; a < n_dimensions; ++a) places[a][threadIdx.x] = samples.places[a][begin + threadIdx.x];
        load(begin + threadIdx.x);
      }
      __syncthreads();
      for (int j = 0; j < n; ++j) {
        if (begin + j == own) continue;
        double square = samples.smoothing;
        bool is_there = square == 0;
#pragma unroll
        for (int a = 0; a < n_dimensions; ++a) {
          const double away = places[a][j] - q[a];
          is_there = is_there && away == 0;
          square += away * away;
        }
        use(j, square, is_there);
      }
      finish();
    }
  };
  double least = infinity();
  bool is_hit = false;
  each_tile([](std::int64_t) {},
            [&](int, double square, bool is_there) {
              least = fmin(least, square);
              is_hit = is_hit || is_there;
            },
            [] {});
  double all_weights = 0, sums[cuda_columns] = {}, tile_weights = 0, tile_sums[cuda_columns] = {};
  each_tile(
      [&](std::int64_t i) {
        weights[threadIdx.x] = samples.weights == nullptr ? 1 : samples.weights[i];
        for (int c = 0; c < values.n_columns; ++c) {
          const std::int64_t number = values.first_column + c;
          numbers[c][threadIdx.x] = samples.values[number * samples.n + i] - columns[number].least;
        }
      },
      [&](int j, double square, bool is_there) {
        double w = is_hit ? (is_there ? 1 : 0) : least > 0 ? half_power(least / square, samples.power) : square == 0 ? 1 : 0;
        w *= weights[j];
        tile_weights += w;
#pragma unroll
        for (int c = 0; c < cuda_columns; ++c)
          if (c < values.n_columns) tile_sums[c] += w * numbers[c][j];
      },
      [&] {
        all_weights += tile_weights;
        tile_weights = 0;
#pragma unroll
        for (int c = 0; c < cuda_columns; ++c) {
          sums[c] += tile_sums[c];
          tile_sums[c] = 0;
        }
      });
  if (t >= samples.n) return;
#pragma unroll
  for (int c = 0; c < cuda_columns; ++c) {
    if (c >= values.n_columns) continue;
    const CudaColumn& column = columns[values.first_column + c];
    put(values, samples.n, c, t, clamped(column.least + sums[c] / all_weights, column));
  }
}

}  // namespace crinkle::interpolation::kernel

namespace crinkle::interpolation {

void launch_near_others(int n_dimensions, const CudaTree& tree, const CudaSubstitutes& substitutes, const CudaValues& values,
                        CUstream_st* stream) {
  const CudaTargets samples{.n = tree.n, .places = tree.places};
  kernel::launch_near_sums<kernel::AllButTarget>(n_dimensions, tree, samples, {}, values, stream, substitutes);
}

void launch_all_others(int n_dimensions, const CudaSamples& samples, const CudaColumn* columns, const CudaValues& values,
                       CUstream_st* stream) {
  const void* const function =
      n_dimensions == 2 ? reinterpret_cast<const void*>(&kernel::sum_others<2>) : reinterpret_cast<const void*>(&kernel::sum_others<3>);
  gpu::for_each_grid((samples.n + kernel::other_threads - 1) / kernel::other_threads, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaSamples*>(&samples), &columns, const_cast<CudaValues*>(&values), &first};
    gpu::launch(function, {n_blocks, kernel::other_threads}, arguments, stream, "a cross-validation");
  });
}

}  // namespace crinkle::interpolation
