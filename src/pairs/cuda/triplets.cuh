// Axilrod and Teller's energy of triplets: squared distances of a block's stretches lie in two tables of shared memory, (i, k) and (j, k);
// those of a thread's pairs (i, j) in registers. With a, b, c the three squared distances and p = a·b·c a term is
//     (1 + 3/8 · (a + b − c)(a + c − b)(b + c − a) / p) / p^(3/2).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "pairs/squares.hpp"
#include "tile/triplet_cube.hpp"

namespace crinkle::simplex {

/// How many partial sums the energy of so many parts of cubes has, one a block: up to some 3600 points each is of one.
constexpr std::int64_t n_sums_of_cubes(std::int64_t n_cubes) {
  constexpr std::int64_t most = 1 << 16;
  return n_cubes < most ? n_cubes : most;
}

}  // namespace crinkle::simplex

namespace crinkle::kernel {

__device__ inline float inverse_root(float v) { return rsqrtf(v); }
__device__ inline double inverse_root(double v) { return rsqrt(v); }

template <class T>
__device__ inline T triplet_term(T a, T b, T c) {
  const T d = a - b;
  const T q = inverse_root(a * b * c), q2 = q * q;  // powers of 1/√p: none is larger than the term
  const T cosines = ((a + b - c) * q2) * ((c + d) * (c - d));
  return fma(T(0.375), cosines, T(1)) * (q2 * q);
}

template <class T>
struct alignas(16) Four {
  T item[4];
};

/// A square that is not plain counts as 0, so that the energy is no number, as it is on a CPU, rather than one of few digits.
template <class T>
__device__ inline T squared_distance(const T* x, const T* y) {
  const T d0 = x[0] - y[0], d1 = x[1] - y[1], d2 = x[2] - y[2], square = fma(d2, d2, fma(d1, d1, d0 * d0));
  return square < SquareRange<T>::least ? T(0) : square;
}

/// The cells of a cube, which a block's threads share.
template <class T, class Map>
struct CubeCells {
  using Cube = tile::TripletCube<Map>;
  T point[2 * Cube::side + Cube::depth][3];                                // of i, j, k
  alignas(16) T ik[Cube::depth][Cube::side], jk[Cube::depth][Cube::side];  // [k][i or j]
};

/// A thread's terms of a cube, of points of P multiplied by `scale`, in T.
template <class P, class T, class Map>
__device__ inline double sum_of_cube(const tile::TripletCube<Map>& cube, const P* points, T scale, CubeCells<T, Map>& cells) {
  using Cube = tile::TripletCube<Map>;
  constexpr int side = Cube::side, depth = Cube::depth, a = Cube::a_thread, n_axes = 3;
  const int t = static_cast<int>(threadIdx.x), row = Cube::row_of(t), column = Cube::column_of(t);
  for (int e = t; e < 2 * side + depth; e += Cube::threads) {
    const std::int64_t at = e < side ? cube.first_i + e : e < 2 * side ? cube.first_j + e - side : cube.first_k + e - 2 * side;
    const std::int64_t k = at < cube.n ? at : cube.n - 1;
#pragma unroll
    for (int f = 0; f < n_axes; ++f) cells.point[e][f] = static_cast<T>(points[k * n_axes + f]) * scale;
  }
  __syncthreads();
  const auto *of_i = &cells.point[0], *of_j = &cells.point[side], *of_k = &cells.point[2 * side];
  for (int e = t; e < depth * side; e += Cube::threads) {
    const int k = e / side, x = e % side;
    cells.ik[k][x] = squared_distance(of_i[x], of_k[k]);
    cells.jk[k][x] = squared_distance(of_j[x], of_k[k]);
  }
  T ij[a][a];
#pragma unroll
  for (int r = 0; r < a; ++r)
#pragma unroll
    for (int c = 0; c < a; ++c) ij[r][c] = squared_distance(of_i[row + r], of_j[column + c]);
  __syncthreads();
  double sum = 0;
  const int n_k = cube.n_k(t);
  for (int k = 0; k < n_k; ++k) {
    T part = 0;
    const Four<T> of_row = *reinterpret_cast<const Four<T>*>(&cells.ik[k][row]),
                  of_column = *reinterpret_cast<const Four<T>*>(&cells.jk[k][column]);
    if (cube.has_all) {
#pragma unroll
      for (int r = 0; r < a; ++r)
#pragma unroll
        for (int c = 0; c < a; ++c) part += triplet_term(ij[r][c], of_row.item[r], of_column.item[c]);
    } else {
      const std::int64_t i = cube.first_i + row, j = cube.first_j + column, third = cube.first_k + k;
#pragma unroll
      for (int r = 0; r < a; ++r)
#pragma unroll
        for (int c = 0; c < a; ++c)
          if (cube.has(i + r, j + c, third)) part += triplet_term(ij[r][c], of_row.item[r], of_column.item[c]);
    }
    sum += static_cast<double>(part);
  }
  return sum;
}

/// sums[b] = the terms of block b's cubes, one after the other: no block has more than another but the last ones, and what a sum is depends
/// on n alone.
template <class P, class T, class Map>
__global__ void __launch_bounds__(tile::TripletCube<Map>::threads)
    sum_triplets(const __grid_constant__ tile::TripletCube<Map> launch, const P* __restrict__ points, T scale, double* __restrict__ sums) {
  using Cube = tile::TripletCube<Map>;
  __shared__ CubeCells<T, Map> cells;
  __shared__ double warp_sum[Cube::threads / 32];
  const std::int64_t n_cubes = launch.n_blocks(), each = (n_cubes + gridDim.x - 1) / gridDim.x, first = each * blockIdx.x;
  const int t = static_cast<int>(threadIdx.x);
  double sum = 0;
  for (std::int64_t at = first; at < first + each && at < n_cubes; ++at) {
    Cube cube = launch;
    cube.begin_block(at);
    if (!cube.is_inside) continue;
    sum += sum_of_cube<P, T, Map>(cube, points, scale, cells);
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
  if (t % 32 == 0) warp_sum[t / 32] = sum;
  __syncthreads();
  if (t != 0) return;
  for (int w = 1; w < Cube::threads / 32; ++w) sum += warp_sum[w];
  sums[blockIdx.x] = sum;
}

/// *most = the size of the largest of n finite numbers: positive ones are in the order of their bits.
constexpr int readers = 256;
template <class T>
__global__ void __launch_bounds__(readers) find_most(const T* __restrict__ numbers, std::int64_t n, double* most) {
  double mine = 0;
  for (std::int64_t k = std::int64_t{blockIdx.x} * readers + threadIdx.x; k < n; k += std::int64_t{gridDim.x} * readers) {
    const double size = fabs(static_cast<double>(numbers[k]));
    if (size <= SquareRange<double>::most && size > mine) mine = size;
  }
  for (int step = 16; step > 0; step /= 2) mine = fmax(mine, __shfl_down_sync(0xFFFFFFFFu, mine, step));
  if (threadIdx.x % 32 == 0)
    atomicMax(reinterpret_cast<unsigned long long*>(most), static_cast<unsigned long long>(__double_as_longlong(mine)));
}

/// sums[0] = the sum of all n, in an order that depends on n alone. One block.
constexpr int adders = 1024;
static __global__ void __launch_bounds__(adders) add_sums(double* sums, std::int64_t n) {
  __shared__ double part[adders];
  double sum = 0;
  for (std::int64_t k = threadIdx.x; k < n; k += adders) sum += sums[k];
  part[threadIdx.x] = sum;
  for (int step = adders / 2; step > 0; step /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < step) part[threadIdx.x] += part[threadIdx.x + step];
  }
  if (threadIdx.x == 0) sums[0] = part[0];
}

}  // namespace crinkle::kernel
