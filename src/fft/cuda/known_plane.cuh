// Two axes in one pass over memory: a block, or a cluster of them, holds a whole plane of numbers in shared memory. The first axis'
// butterflies read memory and leave their results there, the second axis' ones read them there and write memory.
//     one block      number (y, x) at y·pitch + x: lines of one axis are rows of the plane, those of the other one columns
//     several        each has some lines of the first axis, all at once, and then some of the second axis: results go to the block that has
//                    their line, when no block needs its cells any more (cluster.cuh)
//     First, Second  plans of lines (known_plan.cuh) of one number of threads. Of P::n_lines lines a block has P::n_own, P::lanes at once.
//                    places(i) are a line's own places in the plane, so that groups of lines need not wait for each other.
//     is_folded      real lines, whose numbers are folded in the plane; they have n + 1 places there
// A long line of n·m numbers is a plane, too: its first axis are numbers m apart, and X[k] of its line c is multiplied by W^{kc}
// (First::may_be_twisted) on the way to the second one, whose X[k] are n apart.
// All sums and products are those of two passes, in their order, and so are the bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/known.cuh"

namespace crinkle::fft::kernel {

/// From one line to the next in the plane.
template <class P>
inline constexpr std::uint32_t plane_stride = Places<P, last_stage<P> + 1>::stride;
template <class P>
inline constexpr std::uint32_t n_line_groups = (P::n_own + P::lanes - 1) / P::lanes;
/// The first line of this block.
template <class P>
__device__ __forceinline__ std::uint32_t first_own() {
  if constexpr (P::together == 1) return 0;
  else return cluster_rank() * P::n_own;
}

/// The first cell of group g of lines, of those that the thread's own group has.
template <class P, class T = typename P::T>
__device__ __forceinline__ Number<T>* cells_of_lines(Number<T>* plane, std::uint32_t g) {
  return plane + (g * P::lanes + threadIdx.x / P::group * lanes_of_group<P>)*plane_stride<P>;
}
template <class P>
__device__ __forceinline__ Block lines_of_plane(const CudaLines<typename P::T>& lines, const Block& plane, std::uint32_t g) {
  const std::uint32_t before = g * P::lanes, first = first_own<P>() + before;
  const std::uint32_t left = first < P::n_lines ? P::n_lines - first : 0, own = P::n_own - before;
  Block block;
  block.in = plane.in + first * P::lane(lines).in;
  block.out = plane.out + first * P::lane(lines).out;
  block.n_lines = left < own ? left : own;
  if (block.n_lines > P::lanes) block.n_lines = P::lanes;
  block.twist = first;
  block.twist_step = 1;
  return block;
}

template <class P, class T = typename P::T>
__device__ __forceinline__ void transform_first(const CudaLines<T>& lines, const Block& block, Number<T>* plane, const char* in) {
  const CudaEnds<T>& ends = P::ends(lines);
#pragma unroll 1
  for (std::uint32_t g = 0; g < n_line_groups<P>; ++g) {
    Number<T>* const cells = cells_of_lines<P>(plane, g);
    Number<T> a[held<P>];
    const Block own = lines_of_plane<P>(lines, block, g);
    read_numbers<P>(lines, own, in, a);
    known_stages<P, 0>(lines, reinterpret_cast<char*>(cells), a, false);
    if constexpr (P::may_be_twisted) twist_numbers<P>(lines, own, a);
    if constexpr (last_stage<P> > 0) wait<P>();
    write_cells<P, last_stage<P>>(lines, cells,
                                  [&](std::uint32_t j) { return P::is_folded ? a[j] : Number<T>{a[j].re * ends.re, a[j].im * ends.im}; });
  }
}

template <class P, class T = typename P::T>
__device__ __forceinline__ void transform_second(const CudaLines<T>& lines, const Block& block, Number<T>* plane, char* out) {
  const CudaEnds<T>& ends = P::ends(lines);
#pragma unroll 1
  for (std::uint32_t g = 0; g < n_line_groups<P>; ++g) {
    Number<T>* const cells = cells_of_lines<P>(plane, g);
    Number<T> a[held<P>];
    read_cells<P, 0, 0>(lines, cells,
                        [&](std::uint32_t j, const Number<T>& x) { a[j] = P::is_folded ? x : Number<T>{x.re, x.im * ends.im_in}; });
    known_stages<P, 0>(lines, reinterpret_cast<char*>(cells), a, true);
    put_numbers<P>(lines, lines_of_plane<P>(lines, block, g), a, out);
  }
}

/// Places h and n − h of a line's transform of pairs as those of the real line's, times its factor.
template <class P, class T = typename P::T>
__device__ __forceinline__ void fold_at(const CudaLines<T>& lines, const Number<T>* line, std::uint32_t h, Number<T>* at_h,
                                        Number<T>* at_other) {
  constexpr int i = last_stage<P> + 1;
  const CudaEnds<T>& ends = P::ends(lines);
  Number<T> x, other;
  fold(line[place_of<P, i>(h)], line[place_of<P, i>(h == 0 ? 0 : P::n - h)], entry(ends.fold + h), &x, &other);
  *at_h = {x.re * ends.re, x.im * ends.im};
  *at_other = {other.re * ends.re, other.im * ends.im};
}
/// Pairs of places h and n − h of all lines that the block has; body(line, its cells, h) of one of them.
template <class P>
inline constexpr std::uint32_t n_folded = P::n_own * (P::n / 2 + 1);
template <class P, class Body, class T = typename P::T>
__device__ __forceinline__ void for_folded(Number<T>* plane, std::uint32_t e, const Body& body) {
  const std::uint32_t line = e / (P::n / 2 + 1);
  body(line, plane + line * plane_stride<P>, e % (P::n / 2 + 1));
}
template <class P, class T = typename P::T>
__device__ __forceinline__ void fold_first(const CudaLines<T>& lines, Number<T>* plane) {
  for (std::uint32_t e = threadIdx.x; e < n_folded<P>; e += P::threads) {
    for_folded<P>(plane, e, [&](std::uint32_t, Number<T>* line, std::uint32_t h) {
      Number<T> x, other;
      fold_at<P>(lines, line, h, &x, &other);
      line[h] = x;
      if (2 * h != P::n) line[P::n - h] = other;
    });
  }
}
/// And back, before their stages.
template <class P, class T = typename P::T>
__device__ __forceinline__ void fold_second(const CudaLines<T>& lines, Number<T>* plane) {
  const CudaEnds<T>& ends = P::ends(lines);
  for (std::uint32_t e = threadIdx.x; e < n_folded<P>; e += P::threads) {
    for_folded<P>(plane, e, [&](std::uint32_t, Number<T>* line, std::uint32_t h) {
      Number<T> a = line[h], c = line[P::n - h], x, other;
      a.im = h == 0 ? 0 : a.im * ends.im_in;
      c.im = h == 0 ? 0 : c.im * ends.im_in;
      fold(a, c, entry(ends.fold + h), &x, &other);
      line[h] = x;
      if (h != 0 && 2 * h != P::n) line[P::n - h] = other;
    });
  }
}

/// The first axis where several blocks have the plane: its results to the cells of the blocks that have them as lines of the second axis.
template <class First, class Second, class T = typename First::T>
__device__ __forceinline__ void transform_first_in_cluster(const CudaLines<T>& lines, const Block& block, Number<T>* plane,
                                                           const char* in) {
  static_assert(n_line_groups<First> == 1 && First::together * First::n_own >= First::n_lines &&
                First::n_lines == Second::n + (Second::is_folded ? 1 : 0));
  const CudaEnds<T>& ends = First::ends(lines);
  const Block own = lines_of_plane<First>(lines, block, 0);
  Number<T>* const cells = cells_of_lines<First>(plane, 0);
  Number<T> a[held<First>];
  read_numbers<First>(lines, own, in, a);
  known_stages<First, 0>(lines, reinterpret_cast<char*>(cells), a, false);
  const auto send = [&](std::uint32_t line, std::uint32_t j, const Number<T>& x) {
    if (line >= own.n_lines) return;
    Number<T>* const cell = plane + j % Second::n_own * plane_stride<Second> + place_of<Second, 0>(first_own<First>() + line);
    *cells_in_cluster(cell, j / Second::n_own) = x;
  };
  if constexpr (First::is_folded) {
    constexpr std::uint32_t each = (n_folded<First> + First::threads - 1) / First::threads;
    Number<T> x[each], other[each];
    if constexpr (last_stage<First> > 0) wait<First>();
    write_cells<First, last_stage<First>>(lines, cells, [&](std::uint32_t j) { return a[j]; });
    __syncthreads();
#pragma unroll
    for (std::uint32_t i = 0; i < each; ++i) {
      const std::uint32_t e = threadIdx.x + i * First::threads;
      if (e >= n_folded<First>) continue;
      for_folded<First>(plane, e,
                        [&](std::uint32_t, const Number<T>* line, std::uint32_t h) { fold_at<First>(lines, line, h, &x[i], &other[i]); });
    }
    arrive_in_cluster();
    wait_in_cluster();
#pragma unroll
    for (std::uint32_t i = 0; i < each; ++i) {
      const std::uint32_t e = threadIdx.x + i * First::threads;
      if (e >= n_folded<First>) continue;
      for_folded<First>(plane, e, [&](std::uint32_t line, const Number<T>*, std::uint32_t h) {
        send(line, h, x[i]);
        if (2 * h != First::n) send(line, First::n - h, other[i]);
      });
    }
  } else {
    using Last = KnownStage<First, last_stage<First>>;
    if constexpr (First::may_be_twisted) twist_numbers<First>(lines, own, a);
    arrive_in_cluster();
    wait_in_cluster();
    for_each_item<First, last_stage<First>>(First::are_columns, [&](std::uint32_t e, const Item& at) {
#pragma unroll
      for (std::uint32_t k = 0; k < Last::radix; ++k) {
        const Number<T>& x = a[e * Last::radix + k];
        send(at.lane, at.b + k * Last::s, {x.re * ends.re, x.im * ends.im});
      }
    });
  }
  arrive_in_cluster();
  wait_in_cluster();
}

template <class First, class Second, class T = typename First::T>
__device__ __forceinline__ void transform_plane(const CudaLines<T>& lines, std::int64_t first, const char* in, char* out) {
  static_assert(First::reads && !First::writes && !Second::reads && Second::writes && First::threads == Second::threads);
  extern __shared__ __align__(16) char all_shared[];
  auto* const plane = reinterpret_cast<Number<T>*>(shared_of_block(all_shared));
  const Block block = block_of<First::n_loops>(lines, first + blockIdx.x / First::together);
  if constexpr (First::together > 1) {
    transform_first_in_cluster<First, Second>(lines, block, plane, in);
  } else {
    transform_first<First>(lines, block, plane, in);
    __syncthreads();
    if constexpr (First::is_folded) {
      fold_first<First>(lines, plane);
      __syncthreads();
    }
  }
  if constexpr (Second::is_folded) {
    fold_second<Second>(lines, plane);
    __syncthreads();
  }
  transform_second<Second>(lines, block, plane, out);
}

}  // namespace crinkle::fft::kernel
