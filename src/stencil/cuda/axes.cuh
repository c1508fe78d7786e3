// Stars of one axis, of four and more, and of others that are not neighbours; short rows of weights along the line. A thread makes one
// vector of 16 bytes; every point but those along the line is a vector of another row, which differs in one index. With axes as short as
// those of such arrays most tiles touch a face: here faces cost only the threads beside them. The order of products and sums is the list's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/march.cuh"

namespace crinkle::kernel {

/// is_row: of the line alone, in its order.
template <class T, int radius, bool is_row>
__global__ void __launch_bounds__(cuda_sweep_threads)
    star_of_axes(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>;
  const CudaSweepAxis<T>& line = s.axes[s.n_axes - 1];
  std::uint64_t rest = (static_cast<std::uint64_t>(first_block) + blockIdx.x) * cuda_sweep_threads + threadIdx.x;
  const auto vectors = static_cast<std::uint64_t>(line.extent / n);
  std::int64_t index[most_star_axes], x = 0;
  std::int64_t from = 0, to = 0;
  {
    const std::uint64_t above = rest / vectors;
    x = static_cast<std::int64_t>(rest - above * vectors) * n;
    rest = above;
  }
#pragma unroll
  for (int k = 1; k < most_star_axes; ++k) {  // from the line on
    const int a = s.n_axes - 1 - k;
    if (a < 0) break;
    const auto extent = static_cast<std::uint64_t>(s.axes[a].extent);
    // Most counts fit 32 bits, whose division takes a quarter of the time.
    const std::uint64_t above =
        (rest | extent) >> 32 == 0 ? static_cast<std::uint32_t>(rest) / static_cast<std::uint32_t>(extent) : rest / extent;
    index[k] = static_cast<std::int64_t>(rest - above * extent);
    from += index[k] * s.axes[a].in;
    to += index[k] * s.axes[a].out;
    rest = above;
  }
  if (rest > 0) return;  // behind the last
  in += from;
  out += to + x * static_cast<std::int64_t>(sizeof(T));
  const Row<T> here{in};
  T own[n], total[n];
  Sides<T, radius> sides;
  load_own(own, here, x);
  sides.load(here, x, line.extent);
  if constexpr (is_row) {
    if (Sides<T, radius>::is_at_end(x, line.extent)) sides.mend(here, line, x);
#pragma unroll
    for (int v = 0; v < n; ++v) {
      total[v] = product(s.points[0].coefficient, around(own, sides, v - radius));
#pragma unroll
      for (int k = 1; k <= 2 * radius; ++k) total[v] = sum(total[v], product(s.points[k].coefficient, around(own, sides, v + k - radius)));
    }
    return store_vector(total, out);
  }
  int p = 0;
#pragma unroll
  for (int v = 0; v < n; ++v) total[v] = product(s.points[0].coefficient, own[v]);
#pragma unroll
  for (int k = most_star_axes - 1; k > 0; --k) {  // the slowest axis first
    const int a = s.n_axes - 1 - k;
    if (a < 0 || s.axes[a].below == 0) continue;
    const CudaSweepAxis<T>& axis = s.axes[a];
    T values[2 * radius][n];
#pragma unroll
    for (int o = 0; o < 2 * radius; ++o) {
      const std::int64_t inside = index_of(axis, index[k] + (o % 2 == 0 ? -1 : 1) * (o / 2 + 1));
      Row<T> row{in + (inside - index[k]) * axis.in};
      if (inside < 0) {
        row.constant_axis = axis.array_axis;
        row.value = inside == detail::at_low_face ? axis.low_value : axis.high_value;
      }
      load_own(values[o], row, x);
    }
#pragma unroll
    for (int o = 0; o < 2 * radius; ++o) add_term<T, n>(total, s.points[++p].coefficient, values[o]);
  }
  if (Sides<T, radius>::is_at_end(x, line.extent)) sides.mend(here, line, x);
#pragma unroll
  for (int k = 1; k <= radius; ++k) {
#pragma unroll
    for (int sign = -1; sign <= 1; sign += 2) {
      const T coefficient = s.points[++p].coefficient;
#pragma unroll
      for (int v = 0; v < n; ++v) total[v] = sum(total[v], product(coefficient, around(own, sides, v + sign * k)));
    }
  }
  store_vector(total, out);
}

}  // namespace crinkle::kernel
