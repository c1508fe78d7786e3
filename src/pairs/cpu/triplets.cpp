// The energy of triplets: eight i together meet every j and the k behind it, tile after tile of k, so that what is known of the pairs
// (i, k) stays in the first cache. A block of eight has a sum of its own; these are added in order, whoever made them.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cpu/even_parts.hpp"
#include "cpu/point_planes.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/squares.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t tile = 256;  // of k

/// The sum over the triplets whose i lie in [begin, begin + most). `rows` has room for [most][3][pitch].
template <class T>
double energy_of_block(const PointPlanes<T>& planes, std::int64_t begin, const simd::PairKernelsOf<T>& kernels, T* rows,
                       std::int64_t pitch) {
  using Range = simd::TripletRange<T>;
  const std::int64_t n = planes.n(), n_i = std::min(Range::most, n - begin);
  Range range;
  range.points = planes.planes();
  range.ik = rows;
  range.ik_begin = begin / Range::lanes * Range::lanes;
  range.pitch = pitch;
  for (std::int64_t i = 0; i < n_i; ++i) {
    T of_i[3];
    planes.copy_point(begin + i, of_i);
    const std::int64_t n_row = ceil_divide(n - range.ik_begin, Range::lanes) * Range::lanes;
    kernels.pair_row(range.points, of_i, range.ik_begin, n_row, rows + i * 3 * pitch, pitch);
  }
  double sums[Range::lanes] = {};
  typename Range::Pair ij[Range::most];
  range.ij = ij;
  for (std::int64_t k = range.ik_begin; k < n; k += tile) {
    range.end = std::min(n, k + tile);
    for (std::int64_t j = begin + 1; j + 1 < range.end; ++j) {
      range.n = std::min(n_i, j - begin);
      for (std::int64_t i = 0; i < range.n; ++i) {
        const T* row = rows + i * 3 * pitch + (j - range.ik_begin);
        ij[i] = {row[0], T{0.375} * row[pitch], row[2 * pitch]};
      }
      planes.copy_point(j, range.j);
      range.least = j + 1;
      range.begin = std::max(k, range.least / Range::lanes * Range::lanes);
      kernels.add_triplets(range, sums);
    }
  }
  return std::accumulate(sums, sums + Range::lanes, 0.0);
}

template <class T>
double energy_of(const PointPlanes<T>& planes, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits) {
  constexpr std::int64_t most = simd::TripletRange<T>::most;
  const std::int64_t n = planes.n(), n_blocks = ceil_divide(n, most), pitch = pitch_of<T>(n + simd::TripletRange<T>::lanes);
  std::vector<double> sums(static_cast<std::size_t>(n_blocks));
  const auto work = [&](std::int64_t block) {
    const auto behind = static_cast<double>(n - block * most);
    return behind * behind / 2 * static_cast<double>(most);
  };
  in_even_parts(n_blocks, work, static_cast<double>(limits.parted_steps) / 8, executor, [&](std::int64_t first, std::int64_t last) {
    const PlaneMemory<T> rows(3 * most, pitch);
    for (std::int64_t block = first; block < last; ++block)
      sums[static_cast<std::size_t>(block)] = energy_of_block(planes, block * most, kernels.of<T>(), rows.data(), pitch);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Computed in C of points of T, whose largest coordinate is `most`.
template <class C, class T>
double energy_in(const Points& points, double most, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits) {
  const int exponent = triplet_exponent<C>(most);
  return energy_of_scaled(energy_of(PointPlanes<C>::of(points, 0, T{}, std::ldexp(C{1}, exponent)), executor, kernels, limits), exponent);
}

template <class T>
double energy(const Points& points, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits) {
  const double most = sizes_of<T>(points.data.data, points.n * points.n_features).most;
  const double energy = energy_in<T, T>(points, most, executor, kernels, limits);
  if (sizeof(T) == 8 || std::isfinite(energy)) return energy;
  return energy_in<double, T>(points, most, executor, kernels, limits);  // float64 has room for pairs 10^60 times nearer than others
}

}  // namespace

double run_triplets(const Points& points, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits) {
  return points.type == Real::float32 ? energy<float>(points, executor, kernels, limits)
                                      : energy<double>(points, executor, kernels, limits);
}

}  // namespace crinkle
