// The lattice of triplets.cpp on a GPU: pairs one by one, triplets in tiles whose points lie in shared memory; every thread counts for
// itself.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstdio>
#include <vector>

#include "crinkle/simplex_loops.cuh"

using namespace crinkle;

__host__ __device__ inline int product(int2 a, int2 b, int2 c) { return (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y); }
__host__ __device__ inline bool is_right(int2 a, int2 b, int2 c) {
  return product(a, b, c) == 0 || product(b, c, a) == 0 || product(c, a, b) == 0;
}

struct CountNeighbours {
  const int2* points;
  unsigned long long* n;
  __device__ void operator()(std::int64_t i, std::int64_t j) const {
    if (product(points[i], points[j], points[j]) == 1) atomicAdd(n, 1ull);
  }
};

struct CountRightTriangles {
  const int2* points;
  unsigned long long* n;
  unsigned long long own = 0;
  __device__ int2 load(std::int64_t i) const { return points[i]; }
  __device__ void operator()(std::int64_t, std::int64_t, std::int64_t, int2 a, int2 b, int2 c) { own += is_right(a, b, c); }
  __device__ void finish() {
    if (own > 0) atomicAdd(n, own);
  }
};

int main() {
  int n_devices = 0;
  if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) return std::puts("no GPU here"), 77;

  constexpr int side = 20;
  std::vector<int2> points;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) points.push_back(int2{x, y});
  const auto n_points = static_cast<std::int64_t>(points.size());

  int2* on_device = nullptr;
  unsigned long long *counts = nullptr, found[3] = {};
  bool is_done = cudaMalloc(&on_device, sizeof(int2) * points.size()) == cudaSuccess && cudaMalloc(&counts, sizeof found) == cudaSuccess;
  is_done = is_done && cudaMemcpy(on_device, points.data(), sizeof(int2) * points.size(), cudaMemcpyHostToDevice) == cudaSuccess;
  is_done = is_done && cudaMemset(counts, 0, sizeof found) == cudaSuccess;
  if (!is_done) return 1;
  for_each_pair(n_points, CountNeighbours{on_device, counts}, nullptr);
  for_each_loaded_triplet(n_points, CountRightTriangles{on_device, counts + 1}, nullptr);
  for_each_loaded_triplet<TetrahedronBox<std::uint32_t>>(n_points, CountRightTriangles{on_device, counts + 2}, nullptr);
  if (cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;

  unsigned long long expected = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      for (std::size_t k = j + 1; k < points.size(); ++k) expected += is_right(points[i], points[j], points[k]);
  std::printf("%d x %d points make %llu right triangles, through the box %llu, on the CPU %llu, and %llu pairs of neighbours\n", side, side,
              found[1], found[2], expected, found[0]);
  const bool is_freed = cudaFree(on_device) == cudaSuccess && cudaFree(counts) == cudaSuccess;
  return is_freed && found[0] == 2ull * side * (side - 1) && found[1] == expected && found[2] == expected ? 0 : 1;
}
