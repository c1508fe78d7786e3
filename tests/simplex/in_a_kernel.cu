// Every map and every root of simplex.hpp from inside a kernel, in both integers, and every loop of simplex_loops.cuh: plain nvcc, without
// flags, must compile this file.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/simplex_loops.cuh"

namespace {

using namespace crinkle;

template <class Map>
__global__ void call_triangle(Map map, typename Map::Integer* seen) {
  using K = typename Map::Integer;
  const K w = static_cast<K>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (w >= map.size()) return;
  const TriangleCell<K> cell = map.at(w);
  if (cell.is_inside) seen[w] = cell.i + cell.j + map.grid()[0] + map.n_cells();
}

template <class Map>
__global__ void call_tetrahedron(Map map, typename Map::Integer* seen) {
  using K = typename Map::Integer;
  const K w = static_cast<K>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (w >= map.size()) return;
  const TetrahedronCell<K> cell = map.at(w);
  if (cell.is_inside) seen[w] = cell.i + cell.j + cell.k + map.grid()[2] + map.n_cells();
}

template <class Root, class K>
__global__ void call_inverses(K w, Diagonal diagonal, K* seen) {
  const PairOf<K> p = pair_of<Root>(w, diagonal);
  const TripletOf<K> t = triplet_of<Root>(w, diagonal);
  const Array<K, 5> five = simplex_digits<5, Root>(w, diagonal);
  const Array<K, 8> eight = simplex_digits<8, Root>(w, diagonal);
  *seen = index_of(p, diagonal) + index_of(t, diagonal) + index_of(five, diagonal) + index_of(eight, diagonal) + simplex_count<4>(w);
}

template <class K>
void launch(K m, Diagonal diagonal, K* seen) {
  call_triangle<<<1, 64>>>(Lambda<SquareRoot, K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(Lambda<NewtonRoot, K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(Lambda<ReciprocalRoot, K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(Lambda<IntegerRoot, K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(BalancedLambda<SquareRoot, K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(BoundingBox<K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(RectangularBox<K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(Recursive<K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(UpperTriangular<K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(TriangleMap<K>(m, diagonal), seen);
  call_triangle<<<1, 64>>>(Banded<K>(m, diagonal, 4), seen);
  call_tetrahedron<<<1, 64>>>(TetrahedronMap<K>(m, diagonal), seen);
  call_tetrahedron<<<1, 64>>>(BalancedTetrahedron<K>(m, diagonal), seen);
  call_tetrahedron<<<1, 64>>>(TetrahedronBox<K>(m, diagonal), seen);
  call_inverses<SquareRoot><<<1, 1>>>(m, diagonal, seen);
  call_inverses<NewtonRoot><<<1, 1>>>(m, diagonal, seen);
  call_inverses<ReciprocalRoot><<<1, 1>>>(m, diagonal, seen);
  call_inverses<IntegerRoot><<<1, 1>>>(m, diagonal, seen);
}

struct Meet {
  int* times;
  std::int64_t n;
  __device__ void operator()(std::int64_t i, std::int64_t j) const { atomicAdd(times + i * n + j, 1); }
  __device__ void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const { atomicAdd(times + (i * n + j) * n + k, 1); }
};

// Sums in registers, over a block at the end.
struct Sum {
  const float* of;
  double* total;
  double own = 0;
  __device__ float load(std::int64_t i) const { return of[i]; }
  __device__ void operator()(std::int64_t, std::int64_t, float a, float b) { own += a * b; }
  __device__ void operator()(std::int64_t, std::int64_t, std::int64_t, const float& a, float b, float c) { own += a * b * c; }
  __device__ void finish() {
    __shared__ double of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    atomicAdd(&of_block, own);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, of_block);
  }
};

}  // namespace

void launch_every_loop(int* times, const float* of, double* total, cudaStream_t stream) {
  for_each_pair(1000, Meet{times, 1000}, stream);
  for_each_pair<BoundingBox<std::uint32_t>, 32>(1000, Meet{times, 1000}, stream, Diagonal::with);
  for_each_triplet(100, Meet{times, 100}, stream);
  for_each_triplet<TetrahedronBox<std::uint32_t>, 16>(100, Meet{times, 100}, nullptr, Diagonal::with);
  for_each_loaded_pair(1000, Sum{of, total}, stream);
  for_each_loaded_pair<Lambda<ReciprocalRoot>>(1000, Sum{of, total}, nullptr, Diagonal::with);
  for_each_loaded_triplet(100, Sum{of, total}, stream);
  for_each_loaded_triplet<BalancedTetrahedron<>>(100, Sum{of, total}, stream, Diagonal::with);
}

void launch_every_map(std::uint32_t* seen32, std::uint64_t* seen64) {
  launch(std::uint32_t{11}, Diagonal::with, seen32);
  launch(std::uint64_t{11}, Diagonal::without, seen64);
}
