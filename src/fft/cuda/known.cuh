// Lines of 2^log_n complex numbers, which the compiler knows: radices, strides in shared memory and threads are constants, so that a thread
// has few registers and several blocks run at once. As `direct_lines` (lines.cuh) does, the first butterflies read memory and the last
// ones write it.
//     items of a stage      butterflies; of a block's lines·n/R a thread has held/R
//     lanes first           item = lane + lanes·b: lines lie side by side in memory
//     line first            item = b + n/R·lane; a line's threads are a warp's, or whole warps
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/known.hpp"
#include "fft/cuda/lines.cuh"

namespace crinkle::fft::kernel {

// Of numbers, not of a KnownShape: nvcc 13.0 cannot name kernels of one.
template <class T_, int log_n, int log_lanes, int log_held, int n_blocks, bool are_columns_, int fetched_>
struct Known {
  using T = T_;
  static constexpr KnownShape shape{log_n, log_lanes, log_held, n_blocks, are_columns_, fetched_};
  static constexpr int fetched = fetched_;
  static constexpr std::uint32_t n = 1u << log_n, lanes = 1u << log_lanes, held = 1u << log_held, threads = n / held * lanes;
  static constexpr std::uint32_t group = n / held > 32 ? n / held : 32;  // threads that a line shares with no other ones
  static constexpr bool are_columns = shape.are_columns, is_a_warps = !are_columns && group == 32;
  static constexpr std::uint32_t stride = static_cast<std::uint32_t>(known_stride<T>(shape));
  static constexpr PowerRadices radices = power_radices(log_n);
  static constexpr int last = radices.n - 1;
  static_assert(threads % 32 == 0 && threads <= 1024 && radices.log[0] <= log_held && last > 0);

  __device__ static void wait() {
    if constexpr (is_a_warps) __syncwarp();
    else __syncthreads();
  }
};

/// Stage I of one: radix, m and s (CudaStage), and where its twiddles begin behind those of the first.
template <class K, int I>
struct KnownStage {
  static constexpr std::uint32_t log_radix = static_cast<std::uint32_t>(K::radices.log[I]), radix = 1u << log_radix;
  static constexpr std::uint32_t s = KnownStage<K, I - 1>::s * KnownStage<K, I - 1>::radix, m = K::n / s / radix;
  static constexpr std::uint32_t twiddles = KnownStage<K, I - 1>::twiddles + KnownStage<K, I - 1>::m * KnownStage<K, I - 1>::log_radix;
};
template <class K>
struct KnownStage<K, -1> {
  static constexpr std::uint32_t log_radix = 0, radix = 1, s = 1, m = 1, twiddles = 0;
};

struct Item {
  std::uint32_t lane, b;
};
template <class K, std::uint32_t R>
__device__ __forceinline__ Item item_of(std::uint32_t e, bool lanes_first) {
  constexpr std::uint32_t each = K::held / R, n_b = K::n / R;
  if (K::are_columns && lanes_first) {
    const std::uint32_t item = threadIdx.x + e * K::threads;
    return {item % K::lanes, item / K::lanes};
  }
  const std::uint32_t item = threadIdx.x / K::group * (K::group * each) + e * K::group + threadIdx.x % K::group;
  return {item / n_b, item % n_b};
}
template <class K, int I>
__device__ __forceinline__ bool are_lanes_first(const CudaLines<typename K::T>& lines) {
  return I == 0 ? lines.lanes_first_in : I == K::last ? lines.lanes_first_out : K::are_columns;
}

// A number of memory. Of narrow pieces of rows the L2 cache fetches what lies beside them too, which the next blocks read.
template <class K, class T = typename K::T>
__device__ __forceinline__ Number<T> number_at(const char* from) {
  if constexpr (K::fetched == 0) return *reinterpret_cast<const Number<T>*>(from);
  Number<T> x;
  if constexpr (sizeof(T) == 4 && K::fetched == 128)
    asm volatile("ld.global.L2::128B.v2.f32 {%0, %1}, [%2];" : "=f"(x.re), "=f"(x.im) : "l"(from));
  if constexpr (sizeof(T) == 4 && K::fetched == 256)
    asm volatile("ld.global.L2::256B.v2.f32 {%0, %1}, [%2];" : "=f"(x.re), "=f"(x.im) : "l"(from));
  if constexpr (sizeof(T) == 8 && K::fetched == 128)
    asm volatile("ld.global.L2::128B.v2.f64 {%0, %1}, [%2];" : "=d"(x.re), "=d"(x.im) : "l"(from));
  if constexpr (sizeof(T) == 8 && K::fetched == 256)
    asm volatile("ld.global.L2::256B.v2.f64 {%0, %1}, [%2];" : "=d"(x.re), "=d"(x.im) : "l"(from));
  return x;
}

template <class K, class T = typename K::T>
__device__ __forceinline__ void read_numbers(const CudaLines<T>& lines, const Block& block, const char* in, Number<T>* a) {
  using Stage = KnownStage<K, 0>;
  const std::int64_t step = Stage::m * lines.ends.in;
#pragma unroll
  for (std::uint32_t e = 0; e < K::held / Stage::radix; ++e) {
    const Item at = item_of<K, Stage::radix>(e, lines.lanes_first_in);
    const char* const line = in + block.in + at.lane * lines.lane.in + at.b * lines.ends.in;
    const bool is_there = at.lane < block.n_lines;
#pragma unroll
    for (std::uint32_t i = 0; i < Stage::radix; ++i) a[e * Stage::radix + i] = is_there ? number_at<K>(line + i * step) : Number<T>{0, 0};
  }
#pragma unroll
  for (std::uint32_t j = 0; j < K::held; ++j) a[j].im *= lines.ends.im_in;
}

// a[k] *= W^{c(b + k s)}, the products of `twist` (lines.cuh) with indices of 32 bits.
template <int R, class T>
__device__ __forceinline__ void known_twist(const CudaLines<T>& lines, std::uint32_t c, std::uint32_t b, std::uint32_t s, Number<T>* a) {
  const std::uint32_t mask = (1u << lines.twist_bits) - 1;
  const auto power = [&](std::uint32_t e) {
    return entry(lines.twist_low + (e & mask)) * entry(lines.twist_high + (e >> lines.twist_bits));
  };
  const Number<T> first = power(c * b);
#pragma unroll
  for (int k = 0; k < R; ++k) a[k] = a[k] * first;
  times_powers<R>(a, [&](int p) { return power((c * s) << p); });
}

/// Stage I's results, and what it reads.
template <class K, int I, class T = typename K::T>
__device__ __forceinline__ void write_cells(const CudaLines<T>& lines, Number<T>* cells, const Number<T>* a) {
  using Stage = KnownStage<K, I>;
#pragma unroll
  for (std::uint32_t e = 0; e < K::held / Stage::radix; ++e) {
    const Item at = item_of<K, Stage::radix>(e, are_lanes_first<K, I>(lines));
    Number<T>* const to = cells + at.lane * K::stride + cell<T>(at.b % Stage::s + Stage::s * Stage::radix * (at.b / Stage::s));
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::radix; ++k) to[cell<T>(k * Stage::s)] = a[e * Stage::radix + k];  // as far apart as their numbers'
  }
}
template <class K, int I, class T = typename K::T>
__device__ __forceinline__ void read_cells(const CudaLines<T>& lines, const Number<T>* cells, Number<T>* a) {
  using Stage = KnownStage<K, I>;
#pragma unroll
  for (std::uint32_t e = 0; e < K::held / Stage::radix; ++e) {
    const Item at = item_of<K, Stage::radix>(e, are_lanes_first<K, I>(lines));
    const Number<T>* const from = cells + at.lane * K::stride + cell<T>(at.b);
#pragma unroll
    for (std::uint32_t i = 0; i < Stage::radix; ++i) a[e * Stage::radix + i] = from[cell<T>(i * (K::n / Stage::radix))];
  }
}

/// Stage I and those behind it, of a thread's numbers; their results remain with it.
template <class K, int I, class T = typename K::T>
__device__ __forceinline__ void known_stages(const CudaLines<T>& lines, Number<T>* cells, Number<T>* a) {
  using Stage = KnownStage<K, I>;
#pragma unroll
  for (std::uint32_t e = 0; e < K::held / Stage::radix; ++e) {
    butterfly<Stage::radix>(a + e * Stage::radix);
    if constexpr (I < K::last) {
      const Item at = item_of<K, Stage::radix>(e, are_lanes_first<K, I>(lines));
      twiddle<Stage::radix>(a + e * Stage::radix, lines.tables + Stage::twiddles + at.b / Stage::s, Stage::m);
    }
  }
  if constexpr (I < K::last) {
    if constexpr (I > 0) K::wait();
    write_cells<K, I>(lines, cells, a);
    K::wait();
    read_cells<K, I + 1>(lines, cells, a);
    known_stages<K, I + 1>(lines, cells, a);
  }
}

template <class K, class T = typename K::T>
__device__ __forceinline__ void put_numbers(const CudaLines<T>& lines, const Block& block, Number<T>* a, char* out) {
  using Stage = KnownStage<K, K::last>;
#pragma unroll
  for (std::uint32_t e = 0; e < K::held / Stage::radix; ++e) {
    Number<T>* const x = a + e * Stage::radix;
    const Item at = item_of<K, Stage::radix>(e, lines.lanes_first_out);
    if (at.lane >= block.n_lines) continue;
    if (lines.twist_loop >= 0) known_twist<Stage::radix>(lines, static_cast<std::uint32_t>(twist_of(block, at.lane)), at.b, Stage::s, x);
    char* const line = out + block.out + at.lane * lines.lane.out + at.b * lines.ends.out;
    const std::int64_t step = Stage::s * lines.ends.out;
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::radix; ++k)
      put(reinterpret_cast<Number<T>*>(line + k * step), {x[k].re * lines.ends.re, x[k].im * lines.ends.im});
  }
}

template <class K>
__global__ void __launch_bounds__(K::threads, K::shape.n_blocks)
    known_lines(const __grid_constant__ CudaLines<typename K::T> lines, std::int64_t first, const char* in, char* out) {
  extern __shared__ __align__(16) char shared[];
  using T = typename K::T;
  const Block block = block_of(lines, first + blockIdx.x);
  Number<T> a[K::held];
  read_numbers<K>(lines, block, in, a);
  known_stages<K, 0>(lines, reinterpret_cast<Number<T>*>(shared), a);
  put_numbers<K>(lines, block, a, out);
}

}  // namespace crinkle::fft::kernel
