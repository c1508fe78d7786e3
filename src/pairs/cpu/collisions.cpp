// Collisions, sphere by sphere: the later ones of each, 64 spheres together through a piece of the planes that stays in the first cache.
// A list is made in two passes: the first counts for every sphere, which says where the second puts its pairs.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <optional>

#include "cpu/even_parts.hpp"
#include "cpu/point_planes.hpp"
#include "pairs/check.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/squares.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t together = 64, piece_bytes = 16 << 10;

static_assert(sizeof(Collision) == 2 * sizeof(std::int64_t));

/// Planes of the centres and the radii.
template <class T>
struct SpherePlanes : PointPlanes<T> {
  bool are_plain;  // the squares of sums of radii

  SpherePlanes(const Spheres& spheres, std::byte* there) : PointPlanes<T>(PointPlanes<T>::of(spheres.centres, 1, T{}, T{1}, there)) {
    T* const radii = this->plane(spheres.centres.n_features);
    if (this->n() > 0) std::memcpy(radii, spheres.radii.data, static_cast<std::size_t>(this->n()) * sizeof(T));
    are_plain = radii_are_plain(radii, this->n());
  }
};

/// Calls test(sphere, the numbers of it, begin, n) for ranges of later spheres that together are all of them, those of a sphere in order.
template <class T, class Test>
void for_each_range(const PointPlanes<T>& planes, Executor& executor, const PairLimits& limits, const Test& test) {
  const std::int64_t n = planes.n(), n_planes = planes.n_planes();
  const std::int64_t piece = piece_bytes / static_cast<std::int64_t>(sizeof(T)) / n_planes / together * together;
  const auto work = [&](std::int64_t block) { return static_cast<double>(n - block * together) * static_cast<double>(together); };
  const double least = static_cast<double>(limits.parted_steps) / static_cast<double>(n_planes);
  in_even_parts(ceil_divide(n, together), work, least, executor, [&](std::int64_t first, std::int64_t last) {
    T spheres[together * 4];  // [spheres][planes]
    for (std::int64_t block = first; block < last; ++block) {
      const std::int64_t begin = block * together, end = std::min(n, begin + together);
      for (std::int64_t i = begin; i < end; ++i) planes.copy_point(i, spheres + (i - begin) * n_planes);
      for (std::int64_t at = begin; at < n; at += piece) {
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t j = std::max(at, i + 1), stop = std::min(n, at + piece);
          if (j < stop) test(i, spheres + (i - begin) * n_planes, j, stop - j);
        }
      }
    }
  });
}

/// counts[i] = the collisions of sphere i with later ones.
template <class T>
void count_each(const SpherePlanes<T>& planes, std::span<std::int64_t> counts, Executor& executor, const simd::PairKernels& kernels,
                const PairLimits& limits) {
  std::fill(counts.begin(), counts.end(), 0);
  const auto count = kernels.of<T>().count_collisions;
  for_each_range(planes, executor, limits, [&](std::int64_t i, const T* sphere, std::int64_t begin, std::int64_t n) {
    counts[static_cast<std::size_t>(i)] += count(planes.planes(), sphere, begin, n, planes.are_plain);
  });
}

/// The counts, behind the planes in the workspace.
template <class T>
std::span<std::int64_t> counts_in(std::byte* workspace, const Points& centres) {
  auto* const at = workspace + PointPlanes<T>::bytes(centres.n, centres.n_features + 1);
  return {reinterpret_cast<std::int64_t*>(at), static_cast<std::size_t>(centres.n)};
}

template <class T>
std::int64_t find(const Spheres& spheres, std::span<Collision> pairs, Executor& executor, const simd::PairKernels& kernels,
                  const PairLimits& limits, std::byte* workspace) {
  const SpherePlanes<T> planes(spheres, workspace);
  const std::span<std::int64_t> next = counts_in<T>(workspace, spheres.centres);
  count_each(planes, next, executor, kernels, limits);
  const std::int64_t n_found = std::accumulate(next.begin(), next.end(), std::int64_t{0});
  check_room(std::ssize(pairs), n_found);
  if (n_found == 0) return 0;
  std::exclusive_scan(next.begin(), next.end(), next.begin(), std::int64_t{0});
  auto* to = reinterpret_cast<std::int64_t*>(pairs.data());
  const auto find = kernels.of<T>().find_collisions;
  for_each_range(planes, executor, limits, [&](std::int64_t i, const T* sphere, std::int64_t begin, std::int64_t n) {
    std::int64_t& at = next[static_cast<std::size_t>(i)];
    at += find(planes.planes(), sphere, begin, n, i, planes.are_plain, to + 2 * at);
  });
  return n_found;
}

template <class T>
std::int64_t count(const Spheres& spheres, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits,
                   std::byte* workspace) {
  const std::span<std::int64_t> counts = counts_in<T>(workspace, spheres.centres);
  count_each(SpherePlanes<T>(spheres, workspace), counts, executor, kernels, limits);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

std::int64_t collision_bytes(std::int64_t n, int n_dimensions, Real type) {
  const std::int64_t planes =
      type == Real::float32 ? PointPlanes<float>::bytes(n, n_dimensions + 1) : PointPlanes<double>::bytes(n, n_dimensions + 1);
  return add_product(planes, n, sizeof(std::int64_t));
}

std::int64_t run_count(const Spheres& spheres, Executor& executor, const simd::PairKernels& kernels, const PairLimits& limits) {
  const Points& of = spheres.centres;
  const PlaneMemory<std::byte> own(1, collision_bytes(of.n, static_cast<int>(of.n_features), of.type));
  return of.type == Real::float32 ? count<float>(spheres, executor, kernels, limits, own.data())
                                  : count<double>(spheres, executor, kernels, limits, own.data());
}

std::int64_t run_find(const Spheres& spheres, std::span<Collision> pairs, Executor& executor, const simd::PairKernels& kernels,
                      const PairLimits& limits, std::byte* workspace) {
  const Points& of = spheres.centres;
  std::optional<PlaneMemory<std::byte>> own;
  if (workspace == nullptr) workspace = own.emplace(1, collision_bytes(of.n, static_cast<int>(of.n_features), of.type)).data();
  return of.type == Real::float32 ? find<float>(spheres, pairs, executor, kernels, limits, workspace)
                                  : find<double>(spheres, pairs, executor, kernels, limits, workspace);
}

}  // namespace crinkle
