// The ends of lines that go through shared memory: elements of any layout to cells, and back. `Lines` are those of a kernel that learns
// them (CudaLines) or of one that knows them (KnownCells, known.cuh): are_numbers_in, are_numbers_out: whole complex numbers, which are
// known to be.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "fft/cuda/twiddles.cuh"

namespace crinkle::fft::kernel {

template <class T>
__device__ inline std::uint32_t cell(const CudaLines<T>&, std::uint32_t j) {
  return cell<T>(j);
}

// Rader's order, and the first number, which takes no part in the convolution: behind the others.
template <class T>
__device__ inline bool is_ordered(const CudaLines<T>& lines) {
  return lines.order != nullptr;
}
template <class T>
__device__ inline Number<T>& first_number(const CudaLines<T>& lines, Number<T>* cells, std::uint32_t lane) {
  return cells[lane * lines.cell_stride + cell<T>(static_cast<std::uint32_t>(lines.n))];
}
/// Number j of a line, before its stages.
template <class Lines, class T>
__device__ __forceinline__ Number<T>& number_before(const Lines& lines, Number<T>* cells, std::uint32_t lane, std::uint32_t j) {
  Number<T>* const line = cells + lane * lines.cell_stride;
  if (!is_ordered(lines)) return line[cell(lines, j)];
  Number<T>* const place = line + cell(lines, __ldg(lines.order + j) & 0xFFFF);
  return *(j == 0 ? &first_number(lines, cells, lane) : place);  // no branch
}
/// X[k], behind them.
template <class Lines, class T>
__device__ __forceinline__ Number<T> number_behind(const Lines& lines, Number<T>* cells, std::uint32_t lane, std::uint32_t k) {
  Number<T>* const line = cells + lane * lines.cell_stride;
  if (!is_ordered(lines)) return line[cell(lines, k)];
  Number<T>* const place = line + cell(lines, __ldg(lines.order + k) >> 16);
  const Number<T> x = *(k == 0 ? &first_number(lines, cells, lane) : place);
  return {x.re, k == 0 ? x.im : -x.im};
}
/// Number j of a convolution's transform times its kernel, for the inverse one. To Rader's, whose number 0 is their sum, the first number
/// is added: to all by number 0.
template <class T>
__device__ __forceinline__ Number<T> convolved(const Number<T>& x, const Number<T>& by) {
  return conj(x * by);
}
template <class T>
__device__ __forceinline__ Number<T> convolved_with_first(const Number<T>& x, const Number<T>& by, Number<T>& first) {
  const Number<T> result = convolved(x, by) + conj(first);
  first = first + x;
  return result;
}

/// The place of number j of a line in the line that it is a part of, where it is one.
__device__ __forceinline__ std::int64_t whole_place(const Block& block, std::uint32_t lane, std::uint32_t j, std::int64_t part) {
  return part == 0 ? j : twist_of(block, lane) + j * part;
}
/// Places that are written of a line that is not folded.
template <class T>
__device__ __forceinline__ std::int64_t n_placed(const CudaEnds<T>& ends) {
  return ends.out_kind == CudaOut::pairs ? ends.n : ends.n_out;
}

/// body(lane, place) of all lines' places, of which there are `by.divisor`.
template <class Lines, class F>
__device__ __forceinline__ void for_each_place(const Lines& lines, const Division& by, bool lanes_first, const F& body) {
  const std::uint32_t n = static_cast<std::uint32_t>(lines.n_lanes) * by.divisor;
  const auto one = [&](std::uint32_t e) {
    const Divided at = divide(e, lanes_first ? lines.by_lanes : by);
    if (lanes_first) body(at.remainder, at.quotient);
    else body(at.quotient, at.remainder);
  };
  if constexpr (Lines::are_known) {  // a thread has so many, and perhaps one more
    constexpr std::uint32_t n_threads = Lines::n_threads;
#pragma unroll 8
    for (std::uint32_t i = 0; i < n / n_threads; ++i) one(threadIdx.x + i * n_threads);
    if (n % n_threads != 0 && threadIdx.x < n % n_threads) one(threadIdx.x + n / n_threads * n_threads);
  } else {
#pragma unroll 4
    for (std::uint32_t e = threadIdx.x; e < n; e += blockDim.x) one(e);
  }
}

/// Of lines whose kernel knows them, all there: put(get(…)) of n_at_once places of a thread, so that none waits for what is done with
/// another. get and put are told lane, place, and bytes from the first line's first element.
template <std::uint32_t n_at_once, class Lines, class Get, class Put>
__device__ __forceinline__ void move_several(const Lines& lines, const Division& by, bool lanes_first, std::int64_t lane_step,
                                             std::int64_t step, std::uint32_t done, const Get& get, const Put& put) {
  // Of lines one behind the other elements are, too: no address is computed from a lane and a place.
  const bool are_dense = !lanes_first && lane_step == by.divisor * step;
  const std::int64_t own = threadIdx.x * step;
  decltype(get(0u, 0u, own)) x[n_at_once];
  const auto at = [&](std::uint32_t i, const auto& use) {
    const std::uint32_t before = (done + i) * Lines::n_threads;
    const Divided place = divide(threadIdx.x + before, lanes_first ? lines.by_lanes : by);
    const std::uint32_t lane = lanes_first ? place.remainder : place.quotient, j = lanes_first ? place.quotient : place.remainder;
    use(lane, j, are_dense ? own + before * step : lane * lane_step + j * step);
  };
#pragma unroll
  for (std::uint32_t i = 0; i < n_at_once; ++i)
    at(i, [&](std::uint32_t lane, std::uint32_t j, std::int64_t bytes) { x[i] = get(lane, j, bytes); });
#pragma unroll
  for (std::uint32_t i = 0; i < n_at_once; ++i)
    at(i, [&](std::uint32_t lane, std::uint32_t j, std::int64_t bytes) { put(x[i], lane, j, bytes); });
}
/// The same of all places of a block, of which lines may lack.
template <std::uint32_t n_of_line, class Lines, class Get, class Put>
__device__ __forceinline__ void move_all(const Lines& lines, const Block& block, const Division& by, bool lanes_first,
                                         std::int64_t lane_step, std::int64_t step, const Get& get, const Put& put) {
  constexpr std::uint32_t n_threads = Lines::n_threads, most = 4;
  constexpr std::uint32_t n = Lines::n_lanes * n_of_line, n_each = n / n_threads;
  if (block.n_lines != Lines::n_lanes) {
#pragma unroll 1
    for (std::uint32_t e = threadIdx.x; e < n; e += n_threads) {
      const Divided at = divide(e, lanes_first ? lines.by_lanes : by);
      const std::uint32_t lane = lanes_first ? at.remainder : at.quotient, j = lanes_first ? at.quotient : at.remainder;
      const std::int64_t bytes = lane * lane_step + j * step;
      if (lane < block.n_lines) put(get(lane, j, bytes), lane, j, bytes);
    }
    return;
  }
#pragma unroll
  for (std::uint32_t i = 0; i < n_each / most; ++i) move_several<most>(lines, by, lanes_first, lane_step, step, i * most, get, put);
  if constexpr (n_each % most > 0) move_several<n_each % most>(lines, by, lanes_first, lane_step, step, n_each / most * most, get, put);
  if (n % n_threads != 0 && threadIdx.x < n % n_threads) move_several<1>(lines, by, lanes_first, lane_step, step, n_each, get, put);
}

// Lines that are folded, of whole numbers: two places of a line together, and the table's number.
template <class T>
struct Folded {
  Number<T> a, c, u;
};
template <class T>
__device__ __forceinline__ bool are_whole_in(const CudaEnds<T>& e) {
  return e.in_unit == static_cast<int>(2 * sizeof(T)) && e.in_part == static_cast<int>(sizeof(T)) && e.n_in == e.n + 1 && e.in_shift == 0;
}
template <class T>
__device__ __forceinline__ bool are_whole_out(const CudaEnds<T>& e) {
  return e.out_unit == static_cast<int>(2 * sizeof(T)) && e.out_part == static_cast<int>(sizeof(T)) && e.n_out == e.n + 1 &&
         e.out_shift == 0;
}
template <class Lines, class T>
__device__ __forceinline__ void load_folded(const Lines& lines, const Block& block, Number<T>* cells, const char* in) {
  const auto n = static_cast<std::uint32_t>(lines.ends.n);
  move_all<Lines::n_half>(
      lines, block, lines.by_in, lines.lanes_first_in, lines.lane.in, lines.ends.in,
      [&](std::uint32_t lane, std::uint32_t h, std::int64_t bytes) {
        const char* const other = in + lane * lines.lane.in + (n - h) * lines.ends.in;
        Folded<T> x{*reinterpret_cast<const Number<T>*>(in + bytes), *reinterpret_cast<const Number<T>*>(other),
                    entry(lines.ends.fold + h)};
        x.a.im = h == 0 ? 0 : x.a.im * lines.ends.im_in;
        x.c.im = h == 0 ? 0 : x.c.im * lines.ends.im_in;
        return x;
      },
      [&](const Folded<T>& x, std::uint32_t lane, std::uint32_t h, std::int64_t) {
        Number<T> at_h, at_other;
        fold(x.a, x.c, x.u, &at_h, &at_other);
        number_before(lines, cells, lane, h) = at_h;
        if (h != 0 && 2 * h != n) number_before(lines, cells, lane, n - h) = at_other;
      });
  __syncthreads();
}
template <class Lines, class T>
__device__ __forceinline__ void store_folded(const Lines& lines, const Block& block, Number<T>* cells, char* out) {
  const auto n = static_cast<std::uint32_t>(lines.ends.n);
  move_all<Lines::n_half>(
      lines, block, lines.by_put, lines.lanes_first_out, lines.lane.out, lines.ends.out,
      [&](std::uint32_t lane, std::uint32_t h, std::int64_t) {
        return Folded<T>{number_behind(lines, cells, lane, h), number_behind(lines, cells, lane, h == 0 ? 0 : n - h),
                         entry(lines.ends.fold + h)};
      },
      [&](const Folded<T>& x, std::uint32_t lane, std::uint32_t h, std::int64_t bytes) {
        Number<T> at_h, at_other;
        fold(x.a, x.c, x.u, &at_h, &at_other);
        const auto put_at = [&](std::int64_t to, const Number<T>& y) {
          put(reinterpret_cast<Number<T>*>(out + to), {y.re * lines.ends.re, y.im * lines.ends.im});
        };
        put_at(bytes, at_h);
        if (2 * h != n) put_at(lane * lines.lane.out + (n - h) * lines.ends.out, at_other);
      });
}

template <class Lines, class T>
__device__ __forceinline__ void load_cells(const Lines& lines, const Block& block, Number<T>* cells, const char* in) {
  if (!Lines::are_numbers_in && are_folded_in(lines.ends)) {
    if constexpr (Lines::are_known) {
      if (are_whole_in(lines.ends)) {
        load_folded(lines, block, cells, in);
        return;
      }
    }
    const auto n = static_cast<std::uint32_t>(lines.ends.n);
    for_each_place(lines, lines.by_in, lines.lanes_first_in, [&](std::uint32_t lane, std::uint32_t h) {
      Number<T> x{0, 0}, other{0, 0};
      if (lane < block.n_lines) folded_in(lines.ends, in + static_cast<std::int64_t>(lane) * lines.lane.in, h, &x, &other);
      number_before(lines, cells, lane, h) = x;
      if (h != 0) number_before(lines, cells, lane, n - h) = 2 * h == n ? x : other;
    });
    __syncthreads();
    return;
  }
  if constexpr (Lines::are_numbers_in) {
    const bool are_all = lines.by_in.divisor == static_cast<std::uint32_t>(lines.ends.n);
    move_all<Lines::n_in>(
        lines, block, lines.by_in, lines.lanes_first_in, lines.lane.in, lines.ends.in,
        [&](std::uint32_t, std::uint32_t j, std::int64_t bytes) {
          Number<T> x{0, 0};
          if (are_all || j < lines.ends.n) {
            x = *reinterpret_cast<const Number<T>*>(in + bytes);
            x.im *= lines.ends.im_in;
            if (lines.ends.chirp_in != nullptr) x = x * entry(lines.ends.chirp_in + j);
          }
          return x;
        },
        [&](const Number<T>& x, std::uint32_t lane, std::uint32_t j, std::int64_t) { number_before(lines, cells, lane, j) = x; });
    __syncthreads();
    return;
  }
  for_each_place(lines, lines.by_in, lines.lanes_first_in, [&](std::uint32_t lane, std::uint32_t j) {
    const std::int64_t whole = whole_place(block, lane, j, lines.part_in);
    const bool is_there = lane < block.n_lines && whole < lines.ends.n;
    number_before(lines, cells, lane, j) =
        is_there ? number_in(lines.ends, in + static_cast<std::int64_t>(lane) * lines.lane.in, whole) : Number<T>{0, 0};
  });
  __syncthreads();
}
template <class Lines, class T>
__device__ __forceinline__ void store_cells(const Lines& lines, const Block& block, Number<T>* cells, char* out) {
  if constexpr (!Lines::are_known) {  // others are twisted before (finish_lines, known.cuh)
    if (lines.is_twisted()) {
      for_each_place(lines, lines.by_n, false, [&](std::uint32_t lane, std::uint32_t i) {
        Number<T>& x = cells[lane * lines.cell_stride + cell(lines, i)];
        if (lane < block.n_lines) x = twisted(lines, twist_of(block, lane), i, x);
      });
      __syncthreads();
    }
  }
  if (!Lines::are_numbers_out && are_folded_out(lines.ends)) {
    if constexpr (Lines::are_known) {
      if (are_whole_out(lines.ends)) {
        store_folded(lines, block, cells, out);
        return;
      }
    }
    const auto n = static_cast<std::uint32_t>(lines.ends.n);
    for_each_place(lines, lines.by_put, lines.lanes_first_out, [&](std::uint32_t lane, std::uint32_t h) {
      if (lane >= block.n_lines) return;
      char* const to = out + static_cast<std::int64_t>(lane) * lines.lane.out;
      Number<T> x, other;
      fold(number_behind(lines, cells, lane, h), number_behind(lines, cells, lane, h == 0 ? 0 : n - h), entry(lines.ends.fold + h), &x,
           &other);
      put_element(lines.ends, to, h, x);
      if (2 * h != n) put_element(lines.ends, to, n - h, other);
    });
    return;
  }
  if constexpr (Lines::are_numbers_out) {
    move_all<Lines::n_out>(
        lines, block, lines.by_put, lines.lanes_first_out, lines.lane.out, lines.ends.out,
        [&](std::uint32_t lane, std::uint32_t k, std::int64_t) {
          const Number<T> x = number_behind(lines, cells, lane, k);
          return lines.ends.chirp_out == nullptr ? x : conj(x) * entry(lines.ends.chirp_out + k);
        },
        [&](const Number<T>& x, std::uint32_t, std::uint32_t, std::int64_t bytes) {
          put(reinterpret_cast<Number<T>*>(out + bytes), {x.re * lines.ends.re, x.im * lines.ends.im});
        });
    return;
  }
  for_each_place(lines, lines.by_put, lines.lanes_first_out, [&](std::uint32_t lane, std::uint32_t k) {
    const std::int64_t whole = whole_place(block, lane, k, lines.part_out);
    if (lane >= block.n_lines || (lines.part_out > 0 && whole >= n_placed(lines.ends))) return;
    put_number(lines.ends, out + static_cast<std::int64_t>(lane) * lines.lane.out, whole,
               [&](std::int64_t i) { return number_behind(lines, cells, lane, lines.part_out > 0 ? k : static_cast<std::uint32_t>(i)); });
  });
}

}  // namespace crinkle::fft::kernel
