// SPDX-License-Identifier: BSD-3-Clause
#include "pairs/cuda/triplets.cuh"

#include <algorithm>

#include "crinkle/simplex.hpp"
#include "cuda/runtime.hpp"
#include "pairs/cuda/pairs.hpp"

namespace crinkle::simplex {
namespace {

using Map = TetrahedronMap<std::uint64_t>;
using Cube = tile::TripletCube<Map>;
constexpr const char* what = "the energy of triplets";

Cube cubes(std::int64_t n) { return {.map = Map(tile::cubes_of<Map>(n)), .n = n}; }

template <class P, class T>
void launch(const Points& points, double scale, double* sums, const Stream& stream) {
  Cube cube = cubes(points.n);
  const auto* from = static_cast<const P*>(points.data.data);
  auto scale_in_type = static_cast<T>(scale);
  const auto n_blocks = static_cast<std::uint32_t>(n_triplet_sums(points.n));
  void* arguments[] = {&cube, &from, &scale_in_type, &sums};
  gpu::launch(reinterpret_cast<const void*>(&kernel::sum_triplets<P, T, Map>), {n_blocks, Cube::threads}, arguments, stream.get(), what);
}

}  // namespace

void launch_most(const void* numbers, std::int64_t n, Real type, double* most, const Stream& stream) {
  const auto n_blocks = static_cast<std::uint32_t>(std::min<std::int64_t>((n + kernel::readers - 1) / kernel::readers, 256));
  void* arguments[] = {&numbers, &n, &most};
  const auto* find = type == Real::float32 ? reinterpret_cast<const void*>(&kernel::find_most<float>)
                                           : reinterpret_cast<const void*>(&kernel::find_most<double>);
  gpu::launch(find, {n_blocks, kernel::readers}, arguments, stream.get(), what);
}

std::int64_t n_triplet_sums(std::int64_t n) { return n_sums_of_cubes(cubes(n).n_blocks()); }

void launch_triplets(const Points& points, Real type, double scale, double* sums, const Stream& stream) {
  if (points.type == Real::float64) launch<double, double>(points, scale, sums, stream);
  else if (type == Real::float64) launch<float, double>(points, scale, sums, stream);
  else launch<float, float>(points, scale, sums, stream);
  std::int64_t n = n_triplet_sums(points.n);
  void* arguments[] = {&sums, &n};
  gpu::launch(reinterpret_cast<const void*>(&kernel::add_sums), {1, kernel::adders}, arguments, stream.get(), what);
}

}  // namespace crinkle::simplex
