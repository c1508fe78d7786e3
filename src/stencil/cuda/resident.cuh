// The kernel of sweeps that stay in shared memory. Around its cells a block keeps a rim of all that their points reach, so that a step
// knows no faces: products and sums are rounded one by one in the order of the list, the bits of the CPU. After a step the rim is filled
// anew, from the block's own cells, from what its neighbours have written, and with constants. A block is never more than a step ahead of
// its neighbours, so two arrays in turn are enough for what they write.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/resident.hpp"
#include "stencil/cuda/tiles.cuh"

namespace crinkle::kernel {

#ifdef __CUDACC__  // a host that walks through the kernel has functions of its own (tests/kernels/neighbours.hpp)
/// Tells other blocks that this one has made so many steps, and that what it wrote before is there.
__device__ inline void announce(std::uint32_t* count, std::uint32_t n) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(count), "r"(n) : "memory");
}
/// Waits until another block has made so many steps.
__device__ inline void await(const std::uint32_t* count, std::uint32_t n) {
  std::uint32_t now;
  do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(count) : "memory");
  while (now < n);
}
__device__ inline char* shared_of_block(char* all) { return all; }
#endif

/// A block's rows, and where they lie in shared memory.
template <class T>
struct ResidentRows {
  const ResidentSweep<T>& s;
  std::int32_t first, n, size[3];  // of the array; kept cells
  std::int32_t* places[3];         // of every kept index of an axis, inside the array, or below 0 a constant

  __device__ ResidentRows(const ResidentSweep<T>& sweep, std::int32_t* tables) : s(sweep) {
    first = static_cast<std::int32_t>(s.axes[0].extent * blockIdx.x / static_cast<std::uint32_t>(s.n_blocks));
    n = static_cast<std::int32_t>(s.axes[0].extent * (blockIdx.x + 1) / static_cast<std::uint32_t>(s.n_blocks)) - first;
    for (int a = 0; a < 3; ++a) {
      size[a] = s.kept(a);
      places[a] = tables;
      tables += size[a];
    }
  }
  __device__ void find_places() const {
    for (int a = 0; a < 3; ++a) {
      const CudaSweepAxis<T>& axis = s.axes[a];
      for (int k = static_cast<int>(threadIdx.x); k < size[a]; k += static_cast<int>(blockDim.x)) {
        const std::int64_t i = (a == 0 ? first : 0) + k - axis.below;
        places[a][k] = i < axis.extent + axis.above ? static_cast<std::int32_t>(detail::bounded(axis.low, axis.high, i, axis.extent)) : 0;
      }
    }
  }
  __device__ std::int32_t kept_row(std::int32_t z, std::int32_t y) const { return (z * size[1] + y) * size[2]; }
  __device__ bool is_own(std::int32_t z) const { return z >= first && z < first + n; }

  /// Writes what lies at kept places: all of them, or the rim alone. value(z, y, x) is a cell's of the array. A warp has a row.
  template <bool is_rim, class Value>
  __device__ void fill(T* cells, const Value& value) const {
    const auto thread = static_cast<std::int32_t>(threadIdx.x), lane = thread & 31;
    const std::int32_t n_rows = (n + s.axes[0].below + s.axes[0].above) * size[1];
    for (std::int32_t row = thread >> 5; row < n_rows; row += static_cast<std::int32_t>(blockDim.x >> 5)) {
      const std::int32_t z = row / size[1], y = row - z * size[1], pz = places[0][z], py = places[1][y];
      std::int32_t axis = -1;
      T constant = 0;
      if (pz < 0) {
        axis = s.axes[0].array_axis;
        constant = pz == detail::at_low_face ? s.axes[0].low_value : s.axes[0].high_value;
      }
      if (py < 0 && s.axes[1].array_axis > axis) {
        axis = s.axes[1].array_axis;
        constant = py == detail::at_low_face ? s.axes[1].low_value : s.axes[1].high_value;
      }
      const CudaSweepAxis<T>& line = s.axes[2];
      const bool is_inside = z >= s.axes[0].below && z < s.axes[0].below + n && y >= s.axes[1].below &&
                             y < s.axes[1].below + static_cast<std::int32_t>(s.axes[1].extent);
      const bool is_short = is_rim && is_inside;  // only what is beyond the ends of the line
      const std::int32_t n_filled = is_short ? line.below + line.above : size[2];
      T* const to = cells + kept_row(z, y);
      for (std::int32_t k = lane; k < n_filled; k += 32) {
        const std::int32_t x = is_short && k >= line.below ? k + static_cast<std::int32_t>(line.extent) : k, px = places[2][x];
        if (px < 0 && line.array_axis > axis) to[x] = px == detail::at_low_face ? line.low_value : line.high_value;
        else to[x] = axis >= 0 ? constant : value(pz, py, px);
      }
    }
  }
  /// emit(z, y, x, total) gets every own cell's sum; z, y and x count its rows, within them, and along the line.
  template <class Emit>
  __device__ void step(const T* cells, const Emit& emit) const {
    const auto thread = static_cast<std::int32_t>(threadIdx.x), lane = thread & 31;
    const auto within = static_cast<std::int32_t>(s.axes[1].extent), length = static_cast<std::int32_t>(s.axes[2].extent);
    for (std::int32_t row = thread >> 5; row < n * within; row += static_cast<std::int32_t>(blockDim.x >> 5)) {
      const std::int32_t z = row / within, y = row - z * within;
      const T* const from = cells + kept_row(z + s.axes[0].below, y + s.axes[1].below) + s.axes[2].below;
      for (std::int32_t x = lane; x < length; x += 32) {
        T total = product(s.coefficients[0], from[x + s.deltas[0]]);
#pragma unroll 4
        for (int k = 1; k < s.n_points; ++k) total = sum(total, product(s.coefficients[k], from[x + s.deltas[k]]));
        emit(z, y, x, total);
      }
    }
  }
};

template <class T>
__global__ void __launch_bounds__(resident_threads) resident(const __grid_constant__ ResidentSweep<T> s, const std::byte* in,
                                                             std::byte* out, T* exchange_0, T* exchange_1, std::uint32_t* counts) {
  extern __shared__ __align__(16) char shared[];
  T* const all = reinterpret_cast<T*>(shared_of_block(shared));
  const std::int64_t n_kept = s.n_kept();
  const ResidentRows<T> rows(s, reinterpret_cast<std::int32_t*>(all + 2 * n_kept));
  const CudaSweepAxis<T>&along = s.axes[0], &across = s.axes[1], &line = s.axes[2];
  rows.find_places();
  __syncthreads();
  rows.template fill<false>(all, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return __ldcg(reinterpret_cast<const T*>(in + z * along.in + y * across.in + x * line.in));  // which may be `out`
  });
  const auto block = static_cast<std::int32_t>(blockIdx.x);
  for (std::int64_t step = 0;; ++step) {
    __syncthreads();
    const T* const now = all + step % 2 * n_kept;
    if (step + 1 == s.steps) {
      rows.step(now, [&](std::int64_t z, std::int64_t y, std::int64_t x, T total) {
        *reinterpret_cast<T*>(out + (rows.first + z) * along.out + y * across.out + x * line.out) = total;
      });
      return;
    }
    T* const next = all + (step + 1) % 2 * n_kept;
    T* const exchange = step % 2 == 0 ? exchange_0 : exchange_1;
    const auto place = [&](std::int64_t z, std::int64_t y, std::int64_t x) { return (z * across.extent + y) * line.extent + x; };
    const auto own_place = [&](std::int32_t z, std::int32_t y, std::int32_t x) {
      return rows.kept_row(z + along.below, y + across.below) + line.below + x;
    };
    rows.step(now, [&](std::int32_t z, std::int32_t y, std::int32_t x, T total) {
      next[own_place(z, y, x)] = total;
      if (s.n_blocks > 1 && (z < along.above || z >= rows.n - along.below)) exchange[place(rows.first + z, y, x)] = total;
    });
    if (s.n_blocks > 1) {
      __threadfence();
      __syncthreads();
      const auto made = static_cast<std::uint32_t>(step + 1);
      if (threadIdx.x == 0) {
        announce(counts + block, made);
        await(counts + (block == 0 ? s.n_blocks : block) - 1, made);
        await(counts + (block + 1 == s.n_blocks ? 0 : block + 1), made);
      }
    }
    __syncthreads();
    rows.template fill<true>(next, [&](std::int32_t z, std::int32_t y, std::int32_t x) {
      return rows.is_own(z) ? next[own_place(z - rows.first, y, x)] : __ldcg(exchange + place(z, y, x));
    });
  }
}

}  // namespace crinkle::kernel
