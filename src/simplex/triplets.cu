// SPDX-License-Identifier: BSD-3-Clause
#include "simplex/triplets.cuh"

#include "crinkle/simplex.hpp"
#include "cuda/runtime.hpp"
#include "simplex/pairs_cuda.hpp"

namespace crinkle::simplex {
namespace {

using Map = TetrahedronMap<std::uint64_t>;
using Cube = tile::TripletCube<Map>;
constexpr const char* what = "the energy of triplets";

Cube cubes(std::int64_t n) { return {.map = Map(tile::cubes_of<Map>(n)), .n = n}; }

template <class T>
void launch(const Points& points, double* sums, const Stream& stream) {
  Cube cube = cubes(points.n);
  const auto* from = static_cast<const T*>(points.data.data);
  const auto n_blocks = static_cast<std::uint32_t>(n_triplet_sums(points.n));
  void* arguments[] = {&cube, &from, &sums};
  gpu::launch(reinterpret_cast<const void*>(&kernel::sum_triplets<T, Map>), {n_blocks, Cube::threads}, arguments, stream.get(), what);
}

}  // namespace

std::int64_t n_triplet_sums(std::int64_t n) { return n_sums_of_cubes(cubes(n).n_blocks()); }

void launch_triplets(const Points& points, double* sums, const Stream& stream) {
  if (points.type == Real::float32) launch<float>(points, sums, stream);
  else launch<double>(points, sums, stream);
  std::int64_t n = n_triplet_sums(points.n);
  void* arguments[] = {&sums, &n};
  gpu::launch(reinterpret_cast<const void*>(&kernel::add_sums), {1, kernel::adders}, arguments, stream.get(), what);
}

}  // namespace crinkle::simplex
