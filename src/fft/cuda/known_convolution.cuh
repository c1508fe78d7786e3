// A convolution in one pass over memory, of lines of n·m numbers that blocks of a cluster hold together as a plane (known_plane.cuh; the
// steps of convolution.hpp without the memory between them):
//     columns    from the array, transformed, twisted · to the blocks that have the rows
//     rows       transformed, times the kernel, transformed, twisted · to the blocks that have the columns
//     columns    transformed, to the array
// A block has all of its columns, and of its rows, at once. Columns, Rows: plans of lines (known_plan.cuh); numbers c + j·lines.part_in of
// the array are those of column c, and so are those of the result.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/known_plane.cuh"

namespace crinkle::fft::kernel {

template <class P, class T = typename P::T>
__device__ __forceinline__ void read_parts(const CudaLines<T>& lines, const Block& own, const char* in, Number<T>* a) {
  using Stage = KnownStage<P, 0>;
  const CudaEnds<T>& ends = P::ends(lines);
#pragma unroll
  for (std::uint32_t e = 0; e < Stage::each; ++e) {
    const Item at = item_of<P, 0>(e, P::lanes_first_in(lines));
#pragma unroll
    for (std::uint32_t i = 0; i < Stage::radix; ++i) {
      const std::int64_t whole = whole_place(own, at.lane, at.b + i * Stage::n_b, lines.part_in);
      const bool is_there = at.is_there && at.lane < own.n_lines && whole < ends.n;
      a[e * Stage::radix + i] = is_there ? number_in(ends, in + own.in, whole) : Number<T>{0, 0};
    }
  }
}
template <class P, class T = typename P::T>
__device__ __forceinline__ void put_parts(const CudaLines<T>& lines, const Block& own, const Number<T>* a, char* out) {
  using Stage = KnownStage<P, last_stage<P>>;
  const CudaEnds<T>& ends = P::ends(lines);
  for_each_item<P, last_stage<P>>(P::lanes_first_out(lines), [&](std::uint32_t e, const Item& at) {
    if (at.lane >= own.n_lines) return;
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::radix; ++k) {
      const std::int64_t whole = whole_place(own, at.lane, at.b + k * Stage::s, lines.part_out);
      if (whole < n_placed(ends)) put_number(ends, out + own.out, whole, [&](std::int64_t) { return a[e * Stage::radix + k]; });
    }
  });
}

/// The results of all lines of `From` to the cells of the blocks that have them as lines of `To`, when no block needs its cells any more.
template <class From, class To, class T = typename From::T>
__device__ __forceinline__ void send_lines(const CudaLines<T>& lines, const Block& own, const Number<T>* a, Number<T>* plane) {
  static_assert(n_line_groups<From> == 1 && From::together * From::n_own >= From::n_lines && From::n_lines == To::n &&
                From::n == To::n_lines);
  using Last = KnownStage<From, last_stage<From>>;
  arrive_in_cluster();
  wait_in_cluster();
  for_each_item<From, last_stage<From>>(are_lanes_first<From, last_stage<From>>(lines), [&](std::uint32_t e, const Item& at) {
    if (at.lane >= own.n_lines) return;
    Number<T>* const cells = plane + place_of<To, 0>(first_own<From>() + at.lane);
#pragma unroll
    for (std::uint32_t k = 0; k < Last::radix; ++k) {
      const std::uint32_t j = at.b + k * Last::s;
      *cells_in_cluster(cells + j % To::n_own * plane_stride<To>, j / To::n_own) = a[e * Last::radix + k];
    }
  });
  arrive_in_cluster();
  wait_in_cluster();
}

template <class Columns, class Rows, class T = typename Columns::T>
__device__ __forceinline__ void transform_convolution(const CudaLines<T>& lines, std::int64_t first, const char* in, char* out) {
  static_assert(Columns::together > 1 && Columns::together == Rows::together && Columns::threads == Rows::threads);
  extern __shared__ __align__(16) char all_shared[];
  char* const shared = shared_of_block(all_shared);
  auto* const plane = reinterpret_cast<Number<T>*>(shared);
  const Block block = block_of<Columns::n_loops>(lines, first + blockIdx.x / Columns::together);
  const Block columns = lines_of_plane<Columns>(lines, block, 0), rows = lines_of_plane<Rows>(lines, block, 0);
  Number<T>* const of_columns = cells_of_lines<Columns>(plane, 0);
  {
    Number<T> a[held<Columns>];
    read_parts<Columns>(lines, columns, in, a);
    known_stages<Columns, 0>(lines, reinterpret_cast<char*>(of_columns), a, false);
    twist_numbers<Columns>(lines, columns, a);
    send_lines<Columns, Rows>(lines, columns, a, plane);
  }
  {
    Number<T>* const cells = cells_of_lines<Rows>(plane, 0);
    auto* const bytes = reinterpret_cast<char*>(cells);
    Number<T> a[held<Rows>];
    read_cells<Rows, 0, 0>(lines, cells, [&](std::uint32_t j, const Number<T>& x) { a[j] = x; });
    known_stages<Rows, 0>(lines, bytes, a, true);
    convolve<Rows>(lines, rows, cells, a);
    exchange<Rows, last_stage<Rows>, 0>(lines, bytes, a, true);
    known_stages<Rows, 0>(lines, bytes, a, true);
    twist_numbers<Rows>(lines, rows, a);
    send_lines<Rows, Columns>(lines, rows, a, plane);
  }
  Number<T> a[held<Columns>];
  read_cells<Columns, 0, 0>(lines, of_columns, [&](std::uint32_t j, const Number<T>& x) { a[j] = x; });
  known_stages<Columns, 0>(lines, reinterpret_cast<char*>(of_columns), a, true);
  put_parts<Columns>(lines, columns, a, out);
}

}  // namespace crinkle::fft::kernel
