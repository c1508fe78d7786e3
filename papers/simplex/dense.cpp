// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/simplex.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include "cpu/even_parts.hpp"
#include "cpu/point_planes.hpp"
#include "pairs/cpu/pairs.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t columns_together = 1024;  // these columns' planes fit the first cache

double even(std::int64_t) { return 1; }

struct Sum {
  std::atomic<std::int64_t> count = 0;
  std::atomic<double> energy = 0;
};

}  // namespace

Ceiling dense_count_on_cpu(const Spheres& spheres, std::int64_t n, Executor& executor) {
  auto planes = std::make_shared<PointPlanes<float>>(PointPlanes<float>::of(spheres.centres, 1, 0.0F));
  std::memcpy(planes->plane(spheres.centres.n_features), spheres.radii.data, static_cast<std::size_t>(4 * planes->n()));
  const std::int64_t useful = useful_cells(Work::collisions_1d, n), n_blocks = ceil_divide(useful, n * dense_rows);
  const auto run = [=, &executor, sum = std::make_shared<Sum>()] {
    const auto count = simd::PairKernels::best().float32.count_collisions;
    in_even_parts(n_blocks, even, 0, executor, [&](std::int64_t first, std::int64_t last) {
      std::int64_t mine = 0;
      float sphere[4];
      for (std::int64_t block = first; block < last; ++block)
        for (std::int64_t at = 0; at < n; at += columns_together)
          for (std::int64_t i = n + block * dense_rows; i < n + (block + 1) * dense_rows; ++i) {
            planes->copy_point(i, sphere);
            mine += count(planes->planes(), sphere, at, std::min(n - at, columns_together), true);
          }
      sum->count += mine;
    });
  };
  return {"dense", run, static_cast<double>(useful) / static_cast<double>(n_blocks * dense_rows * n)};
}

Ceiling dense_energy_on_cpu(const std::vector<float>& points, std::int64_t n, Executor& executor) {
  using Range = simd::TripletRange<float>;
  static_assert(Range::lanes == dense_layers);
  constexpr std::int64_t k_together = 256;
  const std::int64_t n_all = std::ssize(points) / 3,
                     side = n / Range::lanes * Range::lanes;  // j below it, k from it to twice as many, then i
  auto planes = std::make_shared<PointPlanes<float>>(
      PointPlanes<float>::of({.data = {points.data(), n_all * 12}, .type = Real::float32, .n = n_all, .n_features = 3}, 0, 0.0F));
  const std::int64_t useful = useful_cells(Work::triplets, n), n_blocks = ceil_divide(useful, side * side * Range::most);
  const auto run = [=, &executor, sum = std::make_shared<Sum>()] {
    const simd::PairKernelsOf<float>& kernels = simd::PairKernels::best().float32;
    in_even_parts(n_blocks, even, 0, executor, [&](std::int64_t first, std::int64_t last) {
      const std::int64_t pitch = pitch_of<float>(2 * side);
      const PlaneMemory<float> rows(3 * Range::most, pitch);
      double sums[Range::lanes] = {};
      Range::Pair ij[Range::most];
      Range range{.points = planes->planes(), .j = {}, .n = Range::most, .ij = ij, .ik = rows.data(), .pitch = pitch};
      for (std::int64_t block = first; block < last; ++block) {
        for (std::int64_t i = 0; i < Range::most; ++i) {
          float of_i[3];
          planes->copy_point(2 * side + block * Range::most + i, of_i);
          kernels.pair_row(range.points, of_i, 0, 2 * side, rows.data() + i * 3 * pitch, pitch);
        }
        for (range.begin = range.least = side; range.begin < 2 * side; range.begin = range.least = range.end) {
          range.end = std::min(2 * side, range.begin + k_together);
          for (std::int64_t j = 0; j < side; ++j) {
            for (std::int64_t i = 0; i < Range::most; ++i) {
              const float* row = rows.data() + i * 3 * pitch + j;
              ij[i] = {row[0], 0.375F * row[pitch], row[2 * pitch]};
            }
            planes->copy_point(j, range.j);
            kernels.add_triplets(range, sums);
          }
        }
      }
      sum->energy += std::accumulate(sums, sums + Range::lanes, 0.0);
    });
  };
  return {"dense", run, static_cast<double>(useful) / static_cast<double>(n_blocks * Range::most * side * side)};
}

}  // namespace crinkle::bench
