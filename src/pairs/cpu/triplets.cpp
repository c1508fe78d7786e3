// The energy of triplets: eight i together meet every j and the k behind it, tile after tile of k, so that what is known of the pairs
// (i, k) stays in the first cache. A block of eight has a sum of its own; these are added in order, whoever made them.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "cpu/even_parts.hpp"
#include "cpu/point_planes.hpp"
#include "cpu/scratch.hpp"
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
double energy_of(const PointPlanes<T>& planes, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits,
                 std::byte* behind) {
  constexpr std::int64_t most = simd::TripletRange<T>::most;
  const std::int64_t n = planes.n(), n_blocks = ceil_divide(n, most), pitch = pitch_of<T>(n + simd::TripletRange<T>::lanes);
  const std::span sums(reinterpret_cast<double*>(behind), static_cast<std::size_t>(n_blocks));
  const auto work = [&](std::int64_t block) {
    const auto behind = static_cast<double>(n - block * most);
    return behind * behind / 2 * static_cast<double>(most);
  };
  in_even_parts(n_blocks, work, static_cast<double>(limits.parted_steps) / 8, executor, [&](std::int64_t first, std::int64_t last) {
    auto* const own = static_cast<std::byte*>(simd::Scratch::of_this_thread().get(static_cast<std::size_t>(3 * most * pitch) * sizeof(T)));
    const PlaneMemory<T> rows(3 * most, pitch, own);
    for (std::int64_t block = first; block < last; ++block)
      sums[static_cast<std::size_t>(block)] = energy_of_block(planes, block * most, kernels.of<T>(), rows.data(), pitch);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Computed in C of points of T, whose largest coordinate is `most`.
template <class C, class T>
double energy_in(const Points& points, double most, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits,
                 std::byte* workspace) {
  const int exponent = triplet_exponent<C>(most);
  const auto planes = PointPlanes<C>::of(points, 0, T{}, std::ldexp(C{1}, exponent), workspace);
  return energy_of_scaled(energy_of(planes, executor, kernels, limits, workspace + PointPlanes<C>::bytes(points.n, 3)), exponent);
}

template <class T>
double energy(const Points& points, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits, std::byte* workspace) {
  const double most = sizes_of<T>(points.data.data, points.n * points.n_features).most;
  const double energy = energy_in<T, T>(points, most, executor, kernels, limits, workspace);
  if (sizeof(T) == 8 || std::isfinite(energy)) return energy;
  return energy_in<double, T>(points, most, executor, kernels, limits,
                              workspace);  // float64 has room for pairs 10^60 times nearer than others
}

}  // namespace

static_assert(simd::TripletRange<float>::most == simd::TripletRange<double>::most);

// Planes of float64, which float32 may need, and a sum a block.
std::int64_t triplet_bytes(std::int64_t n) {
  return add_product(PointPlanes<double>::bytes(n, 3), ceil_divide(n, simd::TripletRange<double>::most), sizeof(double));
}

double run_triplets(const Points& points, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits,
                    std::byte* workspace) {
  std::optional<PlaneMemory<std::byte>> own;
  if (workspace == nullptr) workspace = own.emplace(1, triplet_bytes(points.n)).data();
  return points.type == Real::float32 ? energy<float>(points, executor, kernels, limits, workspace)
                                      : energy<double>(points, executor, kernels, limits, workspace);
}

}  // namespace crinkle
