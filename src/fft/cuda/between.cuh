// Kernels of fft/cuda/between.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/between.hpp"
#include "fft/cuda/lines.cuh"

namespace crinkle::fft::kernel {

constexpr int pair_threads = 256;

/// Two real numbers, or the parts of a complex one.
template <class T>
struct Pair {
  T a = 0, b = 0;
};

/// A line of an array.
template <class T>
class PairedLine {
 public:
  __device__ PairedLine(const CudaPairs<T>& of, std::int64_t h) : of_(of), h_(h) {}

  __device__ Pair<T> load(const char* line) const {
    if (of_.pairs == Pairs::ordered) {
      Pair<T> x;
      if (of_.unit == 2 * of_.part && 2 * h_ + 1 < of_.n_there) {
        const Number<T> both = whole_number<T>(line + 2 * h_ * of_.stride, of_.part);
        x = {both.re, both.im};
      } else {
        x = {value(line, 2 * h_), value(line, 2 * h_ + 1)};
      }
      return of_.is_sine ? Pair<T>{x.a, -x.b} : x;
    }
    const Pair<T> x{value(line, number_of(h_)), h_ == 0 ? T{0} : value(line, number_of(of_.n - h_))};
    if (h_ == 0) return {of_.of_first * x.a, 0};
    const Number<T> w = entry(of_.turns + h_);  // cos θ − i sin θ
    return {x.a * w.re - x.b * w.im, -x.a * w.im - x.b * w.re};
  }

  __device__ void store(char* line, Pair<T> x) const {
    if (of_.pairs == Pairs::ordered) {
      if (of_.is_sine) x.b = -x.b;
      if (of_.unit == 2 * of_.part && 2 * h_ + 1 < of_.n)
        return put_whole_number(Number<T>{x.a, x.b}, line + 2 * h_ * of_.stride, of_.part);
      put_value(line, 2 * h_, x.a);
      if (2 * h_ + 1 < of_.n) put_value(line, 2 * h_ + 1, x.b);
      return;
    }
    if (h_ == 0) return put_value(line, number_of(0), of_.of_first * x.a);
    const Number<T> w = entry(of_.turns + h_);
    put_value(line, number_of(h_), 2 * (x.a * w.re - x.b * w.im));
    if (2 * h_ < of_.n) put_value(line, number_of(of_.n - h_), 2 * (-x.a * w.im - x.b * w.re));
  }

 private:
  // X[k] of a cosine transform; one of sines has it at the other end.
  __device__ std::int64_t number_of(std::int64_t k) const { return of_.is_sine ? of_.n - 1 - k : k; }
  __device__ T value(const char* line, std::int64_t i) const {
    return i < of_.n_there ? part<T>(line + i * of_.stride, of_.unit, of_.part) : T{0};
  }
  __device__ void put_value(char* line, std::int64_t i, T x) const { put_part(x, line + i * of_.stride, of_.unit, of_.part); }

  const CudaPairs<T>& of_;
  std::int64_t h_;
};

// Pair h of a row.
template <class T>
__device__ inline Pair<T> from_row(const CudaPairs<T>& of, const T* rows, std::int64_t row, std::int64_t h) {
  if (of.pairs == Pairs::turned) {
    const Number<T> x = reinterpret_cast<const Number<T>*>(rows)[row * of.n_pairs + h];
    return {x.re, x.im};
  }
  return {rows[row * of.n + h], rows[row * of.n + of.n - 1 - h]};
}
template <class T>
__device__ inline void to_row(const CudaPairs<T>& of, T* rows, std::int64_t row, std::int64_t h, const Pair<T>& x) {
  if (of.pairs == Pairs::turned) return put(reinterpret_cast<Number<T>*>(rows) + row * of.n_pairs + h, Number<T>{x.a, x.b});
  put(rows + row * of.n + h, x.a);
  if (2 * h + 1 < of.n) put(rows + row * of.n + of.n - 1 - h, x.b);
}

/// A tile is read in the order of its source and written in that of its destination, through shared memory where they differ.
template <class T, bool is_load>
__global__ void __launch_bounds__(pair_threads)
    move_pairs(const __grid_constant__ CudaPairs<T> of, std::int64_t first, const char* in, char* out) {
  __shared__ T cells_a[2 * most_tile_pairs], cells_b[2 * most_tile_pairs];
  std::int64_t rest = first + blockIdx.x;
  const std::int64_t tile = rest % of.n_tiles;
  rest /= of.n_tiles;
  const std::int64_t h0 = tile * of.by_pairs.divisor, lane0 = rest % of.n_groups * of.by_lanes.divisor;
  rest /= of.n_groups;
  std::int64_t place = lane0 * of.lane.in, row0 = lane0 * of.lane.out;
  for (int i = of.loops.n - 1; i >= 0; --i) {
    const CudaLoop& loop = of.loops.loops[i];
    place += rest % loop.extent * loop.in;
    row0 += rest % loop.extent * loop.out;
    rest /= loop.extent;
  }
  const std::uint32_t n = of.by_pairs.divisor * of.by_lanes.divisor, stride = of.by_pairs.divisor | 1;
  // body(i, lane, h) of pairs in the tile, i-th of the thread.
  const auto for_each = [&](bool lanes_first, const auto& body) {
#pragma unroll
    for (int i = 0; i < most_tile_pairs / pair_threads; ++i) {
      const std::uint32_t e = threadIdx.x + i * pair_threads;
      const Divided at = divide(e, lanes_first ? of.by_lanes : of.by_pairs);
      const std::uint32_t lane = lanes_first ? at.remainder : at.quotient, h = lanes_first ? at.quotient : at.remainder;
      if (e < n && h0 + h < of.n_pairs && lane0 + lane < of.lane.extent) body(i, lane, h);
    }
  };
  const auto take = [&](std::uint32_t lane, std::uint32_t h) {
    if constexpr (is_load) return PairedLine<T>(of, h0 + h).load(in + place + static_cast<std::int64_t>(lane) * of.lane.in);
    else return from_row(of, reinterpret_cast<const T*>(in), row0 + lane * of.lane.out, h0 + h);
  };
  const auto give = [&](std::uint32_t lane, std::uint32_t h, const Pair<T>& x) {
    if constexpr (is_load) to_row(of, reinterpret_cast<T*>(out), row0 + lane * of.lane.out, h0 + h, x);
    else PairedLine<T>(of, h0 + h).store(out + place + static_cast<std::int64_t>(lane) * of.lane.in, x);
  };
  Pair<T> held[most_tile_pairs / pair_threads];
  for_each(of.lanes_first && is_load, [&](int i, std::uint32_t lane, std::uint32_t h) { held[i] = take(lane, h); });
  if (of.lanes_first) {
    for_each(is_load, [&](int i, std::uint32_t lane, std::uint32_t h) {
      cells_a[lane * stride + h] = held[i].a;
      cells_b[lane * stride + h] = held[i].b;
    });
    __syncthreads();
    for_each(!is_load,
             [&](int i, std::uint32_t lane, std::uint32_t h) { held[i] = {cells_a[lane * stride + h], cells_b[lane * stride + h]}; });
  }
  for_each(of.lanes_first && !is_load, [&](int i, std::uint32_t lane, std::uint32_t h) { give(lane, h, held[i]); });
}

template <class T>
__global__ void __launch_bounds__(pair_threads)
    multiply_spectra(const __grid_constant__ CudaProduct<T> product, Number<T>* x, const Number<T>* __restrict__ y) {
  const std::int64_t step = std::int64_t{gridDim.x} * pair_threads;
  for (std::int64_t i = blockIdx.x * std::int64_t{pair_threads} + threadIdx.x; i < product.n; i += step) {
    std::int64_t place = 0, rest = i;
    for (int a = product.loops.n - 1; a > 0; --a) {
      const CudaLoop& loop = product.loops.loops[a];
      const std::int64_t above = rest / loop.extent;
      place += (rest - above * loop.extent) * loop.in;
      rest = above;
    }
    place += rest * product.loops.loops[0].in;
    put(x + i, x[i] * entry(y + place));
  }
}

}  // namespace crinkle::fft::kernel
