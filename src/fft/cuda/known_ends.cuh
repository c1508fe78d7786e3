// The ends of lines whose first butterflies read memory, and whose last ones write it (known_plan.cuh).
//     folds_in     lines are the first step of a long line's chain (chain.cpp): line c has the numbers c + D·j, j < n, of M = D·n that
//                  are made of a real line's transform as they are read
//     folds_out    the last step, whose results become a real line's transform as they are written
// What is folded are places h and M − h: number j of line c and n − 1 − j of line D − c. So half of a block's lines are c, c + 1, … and the
// others are mirrored to them, and the butterflies that read or write memory are turned there, b for m − 1 − b, so that what a thread has
// as result k the thread of the mirrored line in its warp has as R − 1 − k. Lines 0 and D/2, each mirrored to itself, lie in the first
// block.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/cells.cuh"
#include "fft/cuda/known_exchange.cuh"

namespace crinkle::fft::kernel {

/// A line of a block, counted from the block's first.
struct Lane {
  std::int64_t at;
  bool is_there;
};
template <class P>
__device__ __forceinline__ Lane lane_of(const CudaLines<typename P::T>& lines, const Block& block, std::uint32_t lane) {
  if constexpr (!are_mirrored<P>) {
    return {lane, P::lanes == 1 || lane < block.n_lines};
  } else {
    const auto all = static_cast<std::uint32_t>(P::lane(lines).extent);
    const std::uint32_t place = static_cast<std::uint32_t>(block.first) / 2 + lane % (P::lanes / 2);
    const bool is_mirror = lane >= P::lanes / 2;
    const std::uint32_t c = !is_mirror ? place : place == 0 ? all / 2 : all - place;
    return {static_cast<std::int64_t>(c) - block.first, place == 0 ? !is_mirror || all % 2 == 0 : 2 * place < all};
  }
}

// A number of memory. Of narrow pieces of rows the L2 cache fetches what lies beside them too, which the next blocks read.
template <class P, class T = typename P::T>
__device__ __forceinline__ Number<T> number_at(const char* from) {
  if constexpr (P::fetched == 0 || P::in_part != sizeof(T)) return whole_number<T>(from, P::in_part);
#ifdef __CUDA_ARCH__
  Number<T> x;
  if constexpr (sizeof(T) == 4 && P::fetched == 128)
    asm volatile("ld.global.L2::128B.v2.f32 {%0, %1}, [%2];" : "=f"(x.re), "=f"(x.im) : "l"(from));
  if constexpr (sizeof(T) == 4 && P::fetched == 256)
    asm volatile("ld.global.L2::256B.v2.f32 {%0, %1}, [%2];" : "=f"(x.re), "=f"(x.im) : "l"(from));
  if constexpr (sizeof(T) == 8 && P::fetched == 128)
    asm volatile("ld.global.L2::128B.v2.f64 {%0, %1}, [%2];" : "=d"(x.re), "=d"(x.im) : "l"(from));
  if constexpr (sizeof(T) == 8 && P::fetched == 256)
    asm volatile("ld.global.L2::256B.v2.f64 {%0, %1}, [%2];" : "=d"(x.re), "=d"(x.im) : "l"(from));
  return x;
#else  // walked through on a host
  return whole_number<T>(from, P::in_part);
#endif
}

template <class P, class T = typename P::T>
__device__ __forceinline__ void read_numbers(const CudaLines<T>& lines, const Block& block, const char* in, Number<T>* a) {
  using Stage = KnownStage<P, 0>;
  const CudaEnds<T>& ends = P::ends(lines);
  const std::int64_t step = Stage::m * ends.in;
#pragma unroll
  for (std::uint32_t e = 0; e < Stage::each; ++e) {
    const Item at = item_of<P, 0>(e, P::lanes_first_in(lines));
    const Lane lane = lane_of<P>(lines, block, at.lane);
    const char* const line = in + block.in + lane.at * P::lane(lines).in + whole_b<P, 0>(at.b) * ends.in;
    const bool is_there = at.is_there && lane.is_there;
#pragma unroll
    for (std::uint32_t i = 0; i < Stage::radix; ++i) a[e * Stage::radix + i] = is_there ? number_at<P>(line + i * step) : Number<T>{0, 0};
  }
#pragma unroll
  for (std::uint32_t j = 0; j < Stage::each * Stage::radix; ++j) a[j].im *= ends.im_in;
}

// a[k] *= W^{c(b + k s)}, the products of `twist` (twiddles.cuh) with indices of 32 bits.
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

template <class P, class T = typename P::T>
__device__ __forceinline__ void put_numbers(const CudaLines<T>& lines, const Block& block, Number<T>* a, char* out) {
  using Stage = KnownStage<P, last_stage<P>>;
  const CudaEnds<T>& ends = P::ends(lines);
  for_each_item<P, last_stage<P>>(P::lanes_first_out(lines), [&](std::uint32_t e, const Item& at) {
    Number<T>* const x = a + e * Stage::radix;
    const Lane lane = lane_of<P>(lines, block, at.lane);
    if (!lane.is_there) return;
    const std::uint32_t b = whole_b<P, last_stage<P>>(at.b);
    if (P::may_be_twisted && lines.is_twisted())
      known_twist<Stage::radix>(lines, static_cast<std::uint32_t>(twist_of(block, lane.at)), b, Stage::s, x);
    char* const line = out + block.out + lane.at * P::lane(lines).out + b * ends.out;
    const std::int64_t step = Stage::s * ends.out;
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::radix; ++k)
      put_whole_number<T>({x[k].re * ends.re, x[k].im * ends.im}, line + k * step, P::out_part);
  });
}

/// A line that is folded, as a thread has it: its number j is place c + D·j of the long one, mirrored to number last − j of line `mirror`.
template <class P, class T = typename P::T>
struct FoldedLine {
  std::uint32_t c, all, mirror, last;
  bool is_there, is_own;  // its own mirror

  __device__ __forceinline__ FoldedLine(const CudaLines<T>& lines, const Block& block, const Item& at) {
    const Lane lane = lane_of<P>(lines, block, at.lane);
    c = static_cast<std::uint32_t>(block.first + lane.at);
    all = static_cast<std::uint32_t>(P::lane(lines).extent);
    mirror = c == 0 ? 0 : all - c;
    last = c == 0 ? P::n : P::n - 1;
    is_there = at.is_there && lane.is_there;
    is_own = c == mirror;
  }
  __device__ __forceinline__ std::uint32_t place(std::uint32_t j) const { return c + all * j; }
  __device__ __forceinline__ std::uint32_t mirrored(std::uint32_t j) const { return mirror + all * (last - j); }
};
/// What the thread of the mirrored line has.
template <class P, class T = typename P::T>
__device__ __forceinline__ Number<T> of_mirror(const Number<T>& x) {
  static_assert(P::lanes <= 32 && 32 % P::lanes == 0 && P::group == P::threads);
  return {__shfl_xor_sync(0xFFFFFFFFu, x.re, P::lanes / 2), __shfl_xor_sync(0xFFFFFFFFu, x.im, P::lanes / 2)};
}

/// The last butterflies' results, folded. Those of lines that are their own mirrors go through shared memory, which nobody needs then.
template <class P, class T = typename P::T>
__device__ __forceinline__ void put_folded(const CudaLines<T>& lines, const Block& block, Number<T>* cells, Number<T>* a, char* out) {
  constexpr int last = last_stage<P>;
  using Stage = KnownStage<P, last>;
  constexpr std::uint32_t R = Stage::radix, s = Stage::s;
  const CudaEnds<T>& ends = P::ends(lines);
  const CudaLoop& by = P::lane(lines);
  char* const whole = out + block.out - block.first * by.out;  // the long line
  if (block.first == 0) {
    wait<P>();
    for_each_item<P, last>(true, [&](std::uint32_t e, const Item& at) {
      if (at.lane % (P::lanes / 2) != 0) return;
#pragma unroll
      for (std::uint32_t k = 0; k < R; ++k) cells[at.lane / (P::lanes / 2) * P::n + at.b + k * s] = a[e * R + k];
    });
    wait<P>();
  }
#pragma unroll
  for (std::uint32_t e = 0; e < Stage::each; ++e) {
    const Item at = item_of<P, last>(e, true);
    const FoldedLine<P> line(lines, block, at);
    Number<T>* const x = a + e * R;
    // Of number k < R/2 its mirrored one takes the place of R − 1 − k; of an odd R the one in the middle may be behind the line's middle.
    Number<T> middle = x[R / 2];
    if constexpr (R % 2 == 1) middle = of_mirror<P>(middle);
#pragma unroll
    for (std::uint32_t k = 0; k < R / 2; ++k) x[R - 1 - k] = of_mirror<P>(x[R - 1 - k]);
    if (!line.is_there) continue;
    const Number<T>* const own = cells + at.lane / (P::lanes / 2) * P::n;
    if (line.is_own) {
#pragma unroll
      for (std::uint32_t k = 0; k < R / 2; ++k) x[R - 1 - k] = own[(line.last - at.b - k * s) % P::n];
      if constexpr (R % 2 == 1) middle = own[line.last - at.b - R / 2 * s];
    }
    char* const to = whole + line.c * by.out + at.b * ends.out;
    char* const to_mirror = whole + line.mirror * by.out + static_cast<std::int64_t>(line.last - at.b) * ends.out;
    const auto put_both = [&](std::uint32_t k, const Number<T>& here, const Number<T>& there) {
      const std::uint32_t h = line.place(at.b + k * s), mirrored = line.mirrored(at.b + k * s);
      if (2 * k + 1 >= R && h > mirrored) return;
      Number<T> at_h, other;
      fold(here, there, entry(ends.fold + h), &at_h, &other);
      const std::int64_t step = k * s * ends.out;
      put(reinterpret_cast<Number<T>*>(to + step), {at_h.re * ends.re, at_h.im * ends.im});
      if (2 * k + 1 >= R && h == mirrored) return;
      put(reinterpret_cast<Number<T>*>(to_mirror - step), {other.re * ends.re, other.im * ends.im});
    };
#pragma unroll
    for (std::uint32_t k = 0; k < R / 2; ++k) put_both(k, x[k], x[R - 1 - k]);
    if constexpr (R % 2 == 1) put_both(R / 2, x[R / 2], middle);
    else if (line.c == 0 && at.b == 0) put_both(R / 2, own[P::n / 2], own[P::n / 2]);  // the line's middle
  }
}

/// What the first butterflies take, of a folded line. Of lines that are their own mirrors each thread reads all that it needs.
template <class P, class T = typename P::T>
__device__ __forceinline__ void read_folded(const CudaLines<T>& lines, const Block& block, const char* in, Number<T>* a) {
  using Stage = KnownStage<P, 0>;
  constexpr std::uint32_t R = Stage::radix, m = Stage::m;
  const CudaEnds<T>& ends = P::ends(lines);
  const CudaLoop& by = P::lane(lines);
  const char* const whole = in + block.in - block.first * by.in;  // the long line
  Number<T> middles[Stage::each];
#pragma unroll
  for (std::uint32_t e = 0; e < Stage::each; ++e) {
    const Item at = item_of<P, 0>(e, true);
    const FoldedLine<P> line(lines, block, at);
    const char* const from = whole + line.c * by.in + at.b * ends.in;
    const char* const from_mirror = whole + line.mirror * by.in + static_cast<std::int64_t>(line.last - at.b) * ends.in;
    const auto read = [&](const char* place) { return line.is_there ? number_at<P>(place) : Number<T>{0, 0}; };
#pragma unroll
    for (std::uint32_t k = 0; k < R / 2; ++k) {
      a[e * R + k] = read(from + k * m * ends.in);
      a[e * R + R - 1 - k] = read(from_mirror - k * m * ends.in);
    }
    if constexpr (R % 2 == 1) {
      a[e * R + R / 2] = read(from + R / 2 * m * ends.in);
      middles[e] = read(from_mirror - R / 2 * m * ends.in);
    }
  }
#pragma unroll
  for (std::uint32_t e = 0; e < Stage::each; ++e) {
    const Item at = item_of<P, 0>(e, true);
    const FoldedLine<P> line(lines, block, at);
    Number<T>* const x = a + e * R;
    const auto folded_at = [&](std::uint32_t h, Number<T> here, Number<T> there, Number<T>* at_h, Number<T>* other) {
      here.im = h == 0 ? 0 : here.im * ends.im_in;
      there.im = h == 0 ? 0 : there.im * ends.im_in;
      fold(here, there, entry(ends.fold + h), at_h, other);
    };
#pragma unroll
    for (std::uint32_t k = 0; k < R / 2; ++k) {
      Number<T> other{0, 0};
      if (line.is_there) folded_at(line.place(at.b + k * m), x[k], x[R - 1 - k], &x[k], &other);
      x[R - 1 - k] = of_mirror<P>(other);
    }
    if (!line.is_there) continue;
    const auto choose = [&](std::uint32_t j, const Number<T>& here, const Number<T>& there) {
      const std::uint32_t h = line.place(j), mirrored = line.mirrored(j);
      const bool is_front = h <= mirrored;
      Number<T> at_h, other;
      folded_at(is_front ? h : mirrored, is_front ? here : there, is_front ? there : here, &at_h, &other);
      return is_front ? at_h : other;
    };
    if constexpr (R % 2 == 1) x[R / 2] = choose(at.b + R / 2 * m, x[R / 2], middles[e]);
    if (line.is_own) {
#pragma unroll
      for (std::uint32_t k = 0; k < R / 2; ++k) {
        const std::uint32_t j = at.b + (R - 1 - k) * m;
        const char* const from = whole + line.c * by.in;
        x[R - 1 - k] = choose(j, number_at<P>(from + j * ends.in), number_at<P>(from + static_cast<std::int64_t>(line.last - j) * ends.in));
      }
    }
  }
}

}  // namespace crinkle::fft::kernel
