// Collisions of spheres: every thread has the spheres of a few rows in registers, those of the columns go by in shared memory. Each
// operation is rounded by itself, so that every pair is decided as on a CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "pairs/squares.hpp"
#include "tile/pair_square.hpp"

namespace crinkle::kernel {

__device__ inline float minus(float a, float b) { return __fsub_rn(a, b); }
__device__ inline float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ inline float times(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double minus(double a, double b) { return __dsub_rn(a, b); }
__device__ inline double plus(double a, double b) { return __dadd_rn(a, b); }
__device__ inline double times(double a, double b) { return __dmul_rn(a, b); }

template <class T, int dimensions>
struct alignas(dimensions == 2 ? alignof(T) : (dimensions + 1) * sizeof(T)) Sphere {
  T centre[dimensions];
  T radius;
};

/// If `are_plain`, the squares of sums of radii are; otherwise both sides are scaled where one is not.
template <bool are_plain, class T, int dimensions>
__device__ inline bool collide(const Sphere<T, dimensions>& a, const Sphere<T, dimensions>& b) {
  using Range = SquareRange<T>;
  T reach = plus(a.radius, b.radius), scale = 1;
  if constexpr (!are_plain) {
    const T square = times(reach, reach);
    scale = square < Range::least ? Range::up : square > Range::most ? Range::down : T(1);
    reach = times(reach, scale);
  }
  T sum = 0;
#pragma unroll
  for (int f = 0; f < dimensions; ++f) {
    T d = minus(a.centre[f], b.centre[f]);
    if constexpr (!are_plain) d = times(d, scale);
    const T square = times(d, d);
    sum = f == 0 ? square : plus(sum, square);
  }
  return sum <= times(reach, reach);
}

template <class T, int dimensions>
__device__ inline Sphere<T, dimensions> load_sphere(const T* __restrict__ centres, const T* __restrict__ radii, std::int64_t k) {
  Sphere<T, dimensions> s;
#pragma unroll
  for (int f = 0; f < dimensions; ++f) s.centre[f] = centres[k * dimensions + f];
  s.radius = radii[k];
  return s;
}

/// How many there are: one addition a block.
struct CountHits {
  unsigned long long* total;

  std::uint32_t mine = 0;
  __device__ void hit(bool is_hit, std::int64_t, std::int64_t) { mine += is_hit ? 1 : 0; }
  __device__ void end() {
    const std::uint32_t warp = __reduce_add_sync(0xFFFFFFFFu, mine);
    if ((threadIdx.x & 31) == 0 && warp != 0) atomicAdd(total, static_cast<unsigned long long>(warp));
  }
};

/// Which: keys smaller · n + larger, in no order; the first `capacity` that come.
struct ListHits {
  unsigned long long* total;
  std::uint64_t* keys;
  std::uint64_t capacity;
  std::int64_t n;

  __device__ void hit(bool is_hit, std::int64_t i, std::int64_t j) {
    if (!is_hit) return;
    const std::uint64_t at = atomicAdd(total, 1ull);
    if (at < capacity) keys[at] = static_cast<std::uint64_t>(j * n + i);
  }
  __device__ void end() {}
};

template <class T, int dimensions, bool are_plain, class Map, class Hits>
__global__ void __launch_bounds__(tile::PairSquare<Map>::threads)
    visit_spheres(const __grid_constant__ tile::PairSquare<Map> launch, const T* __restrict__ centres, const T* __restrict__ radii,
                  Hits hits, std::int64_t first_block) {
  using Square = tile::PairSquare<Map>;
  __shared__ Sphere<T, dimensions> column[Square::columns];
  Square square = launch;
  square.begin_block(first_block + blockIdx.x);
  if (!square.is_inside) return;
  const int t = static_cast<int>(threadIdx.x), n_columns = square.n_columns();
  if (t < n_columns) column[t] = load_sphere<T, dimensions>(centres, radii, square.column + t);
  Sphere<T, dimensions> mine[Square::rows_thread];
#pragma unroll
  for (int r = 0; r < Square::rows_thread; ++r) {
    const std::int64_t i = square.row_of(t, r);
    mine[r] = load_sphere<T, dimensions>(centres, radii, i < square.n ? i : square.n - 1);
  }
  __syncthreads();
  if (square.has_all && n_columns == Square::columns) {
#pragma unroll 4
    for (int c = 0; c < Square::columns; ++c) {
      const Sphere<T, dimensions> other = column[c];
#pragma unroll
      for (int r = 0; r < Square::rows_thread; ++r) hits.hit(collide<are_plain>(mine[r], other), square.row_of(t, r), square.column + c);
    }
  } else {
    for (int c = 0; c < n_columns; ++c) {
      const Sphere<T, dimensions> other = column[c];
#pragma unroll
      for (int r = 0; r < Square::rows_thread; ++r) {
        const std::int64_t i = square.row_of(t, r), j = square.column + c;
        hits.hit(square.has(i, j) && collide<are_plain>(mine[r], other), i, j);
      }
    }
  }
  hits.end();
}

}  // namespace crinkle::kernel
