// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>

#include "pairs/cuda/triplets.cuh"
#include "papers/simplex/kernels.cuh"
#include "papers/simplex/kernels.hpp"

namespace crinkle::bench {
namespace {

struct DummyCube {
  std::uint32_t* place;
  __device__ void triplet(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
    if (i >= j && j >= k) *place = i + j + k;
  }
};

struct TallyCube {
  unsigned long long* totals;
  __device__ void triplet(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
    const bool is_there = i >= j && j >= k;
    add_cells(totals, is_there, is_there ? number_of_cell(i, j, k) : 0);
  }
};

/// One term a thread, one addition a warp, to one of many sums, as the blocks would wait for each other at one.
struct EnergyCube {
  const float* centres;
  double* energies;
  __device__ void triplet(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
    float term = 0;
    if (i > j && j > k) {
      const float *a = centres + 3 * i, *b = centres + 3 * j, *c = centres + 3 * k;
      const float x[3] = {a[0], a[1], a[2]}, y[3] = {b[0], b[1], b[2]}, z[3] = {c[0], c[1], c[2]};
      term = kernel::triplet_term(kernel::squared_distance(x, y), kernel::squared_distance(x, z), kernel::squared_distance(y, z));
    }
    double sum = static_cast<double>(term);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
    const unsigned t = (threadIdx.z * cube_side + threadIdx.y) * cube_side + threadIdx.x;
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    if (t % 32 == 0 && sum != 0) atomicAdd(&energies[(block * (cube_threads / 32) + t / 32) % n_energies], sum);
  }
};

template <class Take>
auto with_cube(Work work, const WorkData& d, const Take& take) {
  switch (work) {
    case Work::dummy_3d: return take(DummyCube{reinterpret_cast<std::uint32_t*>(d.totals)});
    case Work::tally_3d: return take(TallyCube{atomics(d.totals)});
    case Work::triplets: return take(EnergyCube{d.centres, d.energies});
    default: throw std::logic_error("not a test of triplets");
  }
}

template <class K>
DenseCubes<K> dense_cubes(std::int64_t n, std::int64_t side, std::int64_t useful) {
  const std::int64_t of_one = side * side * side;
  return {static_cast<K>((n + side - 1) / side), static_cast<K>((useful + of_one - 1) / of_one)};
}

}  // namespace

std::vector<MapWay> triplet_ways_on_gpu(Work work, const WorkData& data, CUstream_st* stream) {
  std::vector<MapWay> ways;
  with_cube(work, data, [&](const auto& body) {
    for_each_tetrahedron(data.n, [&](const auto& map) { ways.push_back(cube_way_of(map, body, stream)); });
  });
  return ways;
}

Ceiling dense_triplets_on_gpu(Work work, const WorkData& data, CUstream_st* stream) {
  const std::int64_t useful = useful_cells(work, data.n);
  const auto map = dense_cubes<BlockIndex>(data.n, cube_side, useful);
  const MapWay way = with_cube(work, data, [&](const auto& body) { return cube_way_of(map, body, stream); });
  return {way.name, way.run, static_cast<double>(useful) / (static_cast<double>(way.n_blocks) * cube_threads)};
}

namespace {

using DenseEnergyCube = tile::TripletCube<DenseCubes<std::uint64_t>>;
static_assert(DenseEnergyCube::side == energy_side);

DenseEnergyCube dense_energy_cube(std::int64_t n) {
  const auto map = dense_cubes<std::uint64_t>(n, energy_side, useful_cells(Work::triplets, n));
  return {.map = map, .n = static_cast<std::int64_t>(map.end_layer()) * energy_side};
}

}  // namespace

std::int64_t n_dense_sums(std::int64_t n) { return simplex::n_sums_of_cubes(dense_energy_cube(n).n_blocks()); }

Ceiling dense_energy_on_gpu(const float* points, std::int64_t n, double* sums, CUstream_st* stream) {
  const DenseEnergyCube cube = dense_energy_cube(n);
  const auto run = [=, n_sums = n_dense_sums(n)] {
    kernel::sum_triplets<<<static_cast<unsigned>(n_sums), DenseEnergyCube::threads, 0, stream>>>(cube, points, 1.0F, sums);
    check_launch();
    kernel::add_sums<<<1, kernel::adders, 0, stream>>>(sums, n_sums);
    check_launch();
  };
  const double cells = static_cast<double>(cube.map.size()) * energy_side * energy_side * energy_side;
  return {DenseCubes<std::uint64_t>::name, run, static_cast<double>(useful_cells(Work::triplets, n)) / cells};
}

}  // namespace crinkle::bench
