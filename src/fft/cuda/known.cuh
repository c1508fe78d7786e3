// Kernels of lines that know their plan (known_plan.cuh): the first butterflies read memory and the last ones write it, or both go through
// shared memory, as they do between two stages.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/known_ends.cuh"

namespace crinkle::fft::kernel {

/// Stage I and those behind it, of a thread's numbers; their results remain with it.
template <class P, int I, class T = typename P::T>
__device__ __forceinline__ void known_stages(const CudaLines<T>& lines, char* shared, Number<T>* a, bool is_in_use) {
  using Stage = KnownStage<P, I>;
  constexpr bool is_of_cluster = P::cluster > 1 && I + 1 == last_stage<P>;
  if constexpr (is_of_cluster) arrive_in_cluster();
#pragma unroll
  for (std::uint32_t e = 0; e < Stage::each; ++e) {
    butterfly<Stage::radix>(a + e * Stage::radix);
    if constexpr (I < last_stage<P>) {
      const Item at = item_of<P, I>(e, are_lanes_first<P, I>(lines));
      const Number<T>* const powers = tables_of<P>(lines) + Stage::twiddles + whole_b<P, I>(at.b) / Stage::s;
      if (at.is_there) twiddle<Stage::radix>(a + e * Stage::radix, powers, Stage::m);
    }
  }
  if constexpr (I < last_stage<P>) {
    if constexpr (is_of_cluster) exchange_in_cluster<P, I>(lines, shared, a);
    else exchange<P, I, I + 1>(lines, shared, a, is_in_use);
    known_stages<P, I + 1>(lines, shared, a, true);
  }
}

/// A plan's lines where they go through shared memory, behind i stages.
__device__ constexpr Division known_division(std::uint32_t divisor) {
  return {divisor, divisor == 1 ? 0 : static_cast<std::uint32_t>((std::uint64_t{1} << 32) / divisor + 1)};
}
template <class P, int i>
struct KnownCells {
  using T = typename P::T;
  const CudaLines<T>& lines;
  CudaEnds<T> ends = P::ends(lines);
  CudaLoop lane = P::lane(lines);
  bool lanes_first_in = P::lanes_first_in(lines), lanes_first_out = P::lanes_first_out(lines);
  std::int64_t part_in = are_parts<P> ? lines.part_in : 0, part_out = are_parts<P> ? lines.part_out : 0;
  static constexpr bool are_known = true, are_numbers_in = P::are_numbers_in, are_numbers_out = P::are_numbers_out;
  static constexpr std::uint32_t n_in = P::are_ordered ? P::n + 1 : P::n, n_out = P::n_out;  // of a line, where they are whole numbers
  static constexpr std::uint32_t n_half = P::n / 2 + 1;                                      // places of a line that is folded
  static constexpr std::uint32_t n_threads = P::threads, n_lanes = P::lanes, cell_stride = Places<P, i>::stride;
  Division by_lanes = known_division(P::lanes);
  Division by_n = known_division(P::n);
  Division by_in = known_division(static_cast<std::uint32_t>(are_folded_in(ends) ? ends.n / 2 + 1 : P::are_ordered ? ends.n : P::n));
  const std::uint32_t* order = lines.order;
  Division by_put =
      known_division(part_out > 0 ? P::n : static_cast<std::uint32_t>(are_folded_out(ends) ? ends.n / 2 + 1 : n_placed(ends)));
};
template <class P, int i>
__device__ __forceinline__ std::uint32_t cell(const KnownCells<P, i>&, std::uint32_t j) {
  return place_of<P, i>(j);
}
template <class P, int i>
__device__ __forceinline__ bool is_ordered(const KnownCells<P, i>&) {
  return P::are_ordered;
}
template <class P, int i, class T>
__device__ __forceinline__ Number<T>& first_number(const KnownCells<P, i>&, Number<T>* cells, std::uint32_t lane) {
  return reinterpret_cast<Number<T>*>(reinterpret_cast<char*>(cells) + P::firsts)[lane];
}

/// The product of a convolution, of the numbers behind the last stage; of lines that are twisted each has numbers of its own.
template <class P, class T = typename P::T>
__device__ __forceinline__ void convolve(const CudaLines<T>& lines, const Block& block, Number<T>* cells, Number<T>* a) {
  using Stage = KnownStage<P, last_stage<P>>;
  for_each_item<P, last_stage<P>>(are_lanes_first<P, last_stage<P>>(lines), [&](std::uint32_t e, const Item& at) {
    if (P::may_be_twisted && at.lane >= block.n_lines) return;
    const Number<T>* const kernel = P::may_be_twisted ? lines.kernel + twist_of(block, at.lane) : lines.kernel;
    const std::int64_t step = P::may_be_twisted ? lines.kernel_step : 1;
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::radix; ++k) {
      Number<T>& x = a[e * Stage::radix + k];
      const Number<T> by = entry(kernel + (at.b + k * Stage::s) * step);
      if constexpr (P::are_ordered) {
        if (k == 0 && at.b == 0) {
          x = convolved_with_first(x, by, first_number(KnownCells<P, 0>{lines}, cells, at.lane));
          continue;
        }
      }
      x = convolved(x, by);
    }
  });
}

/// X[k] of line c times W^{kc}, before they go through shared memory.
template <class P, class T = typename P::T>
__device__ __forceinline__ void twist_numbers(const CudaLines<T>& lines, const Block& block, Number<T>* a) {
  using Stage = KnownStage<P, last_stage<P>>;
  for_each_item<P, last_stage<P>>(are_lanes_first<P, last_stage<P>>(lines), [&](std::uint32_t e, const Item& at) {
    if (at.lane < block.n_lines)
      known_twist<Stage::radix>(lines, static_cast<std::uint32_t>(twist_of(block, at.lane)), at.b, Stage::s, a + e * Stage::radix);
  });
}

template <class P, class T = typename P::T>
__device__ __forceinline__ void finish_lines(const CudaLines<T>& lines, const Block& block, Number<T>* cells, Number<T>* a, char* out) {
  if constexpr (folds_out<P>) {
    put_folded<P>(lines, block, cells, a, out);
  } else if constexpr (P::writes) {
    put_numbers<P>(lines, block, a, out);
  } else {
    // A thread whose butterfly is a whole line writes the cells that it has read, one result after the other.
    constexpr KnownPlaces before = P::places(0), behind = P::places(last_stage<P> + 1);
    constexpr bool is_own =
        !P::are_convolved && last_stage<P> == 0 && before.pad == behind.pad && before.by == behind.by && before.stride == behind.stride;
    if constexpr (P::may_be_twisted) twist_numbers<P>(lines, block, a);
    if constexpr (!is_own) wait<P>();
    write_cells<P, last_stage<P>>(lines, cells, [&](std::uint32_t j) { return a[j]; });
    __syncthreads();
    store_cells(KnownCells<P, last_stage<P> + 1>{lines}, block, cells, out + block.out);
  }
}

template <class P, class T = typename P::T>
__device__ __forceinline__ void transform_lines(const CudaLines<T>& lines, std::int64_t first, const char* in, char* out) {
  extern __shared__ __align__(16) char all_shared[];
  char* shared = shared_of_block(all_shared);
  static_assert((!P::are_ordered || P::are_convolved) && (!P::are_convolved || (!P::reads && !P::writes)));
  if constexpr (P::group < P::threads) {
    static_assert(P::reads && P::writes);
    shared += threadIdx.x / P::group * group_bytes<P>;
  }
  static_assert(P::cluster == 1 || (P::group == P::threads && P::reads && P::writes && !P::are_apart && P::radices.n > 1));
  auto* const cells = reinterpret_cast<Number<T>*>(shared);
  const Block block = block_of<P::n_loops>(lines, first + blockIdx.x / P::cluster);
  Number<T> a[held<P>];
  if constexpr (folds_in<P>) {
    read_folded<P>(lines, block, in, a);
  } else if constexpr (P::reads) {
    read_numbers<P>(lines, block, in, a);
  } else {
    load_cells(KnownCells<P, 0>{lines}, block, cells, in + block.in);
    read_cells<P, 0, 0>(lines, cells, [&](std::uint32_t j, const Number<T>& x) { a[j] = x; });
  }
  known_stages<P, 0>(lines, shared, a, !P::reads);
  if constexpr (!P::are_convolved) {
    finish_lines<P>(lines, block, cells, a, out);
  } else {
    convolve<P>(lines, block, cells, a);
    if constexpr (P::goes_back) {
      known_stages<Backward<P>, 0>(lines, shared, a, true);
      finish_lines<Backward<P>>(lines, block, cells, a, out);
    } else {
      exchange<P, last_stage<P>, 0>(lines, shared, a, true);
      known_stages<P, 0>(lines, shared, a, true);
      finish_lines<P>(lines, block, cells, a, out);
    }
  }
}

template <class P>
__global__ void __launch_bounds__(P::threads, P::n_blocks)
    known_lines(const __grid_constant__ CudaLines<typename P::T> lines, std::int64_t first, const char* in, char* out) {
  transform_lines<P>(lines, first, in, out);
}

}  // namespace crinkle::fft::kernel
