// The coefficients of splines along one axis (prepare.cpp has the recursions and says why they begin outside). A warp has 32 lines, one a
// thread, and takes them in segments of 32 elements through shared memory: there it turns rows, so that it reads and writes memory in the
// order in which that lies. Up the line the first number of every segment is kept; down the line a segment is computed again from it, so
// that no line of float64 goes through memory. Elements that are not finite are counted on the way up. The same operations in the same
// order as on a CPU: the same bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/cuda/element.cuh"
#include "resample/cuda/prefilter_pass.hpp"

namespace crinkle::resampling::kernel {

template <class E>
struct Prefilter {
  using T = typename NumberOf<E>::Type;
  static constexpr int n = prefilter_segment;  // lines of a block, elements of a segment

  // Shared memory: [n elements][n lines] and one beside each row against bank conflicts; where lines begin, bytes.
  double (*tile)[n + 1];
  std::int64_t* in_begin;
  std::int64_t* out_begin;
  const PrefilterPass& pass;
  const char* in;
  char* out;
  int lane;
  std::int64_t first_line;

  __device__ double element(int line, std::int64_t k) const {
    const std::int64_t i = element_of(pass.axis, k);
    if (i < 0) return i == detail::at_low_face ? pass.axis.low_value : pass.axis.high_value;
    const char* const at = in + in_begin[line] + i * pass.in;
    return static_cast<double>(static_cast<T>(element_at<E>(reinterpret_cast<const std::byte*>(at), pass.is_aligned)));
  }
  __device__ bool is_there(int line) const { return first_line + line < pass.n_lines; }

  // Calls with every (element of the segment, line) that this lane brings, neighbours in memory together.
  template <class Body>
  __device__ void for_each_of_lane(bool are_rows, const Body& body) const {
    _Pragma("unroll 8") for (int i = 0; i < n; ++i) {
      if (are_rows) body(lane, i);
      else body(i, lane);
    }
  }
  __device__ void load(std::int64_t k0) const {
    __syncthreads();
    for_each_of_lane(pass.are_rows_in, [&](int e, int line) {
      if (is_there(line) && k0 + e < pass.axis.extent + spline_run_up) tile[e][line] = element(line, k0 + e);
    });
    __syncthreads();
  }
  __device__ void store(std::int64_t k0) const {
    __syncthreads();
    for_each_of_lane(pass.are_rows_out, [&](int e, int line) {
      const std::int64_t k = k0 + e;
      if (!is_there(line) || k < -pass.before || k >= pass.axis.extent + pass.behind) return;
      const T number = static_cast<T>(tile[e][line]);
      char* const at = out + out_begin[line] + (k + pass.before) * pass.out;
      if (pass.is_made_aligned) *reinterpret_cast<T*>(at) = number;
      else memcpy(at, &number, sizeof number);
    });
  }

  // Elements of this lane's line, from k0 on, that are not finite. Elements beyond the line's ends count where they lie.
  __device__ int not_finite(std::int64_t k0) const {
    int n_found = 0;
    for (int e = 0; e < n; ++e) {
      const std::int64_t k = k0 + e;
      if (k < 0 || k >= pass.axis.extent || !is_there(lane)) continue;
      const double x = tile[e][lane];
      n_found += x - x == 0 ? 0 : 1;
    }
    return n_found;
  }

  __device__ void run() const {
    constexpr double z = spline_pole;
    const std::int64_t begin = -spline_run_up, end = pass.axis.extent + spline_run_up, n_segments = (end - begin - 1) / n + 1;
    double* const kept = pass.kept + first_line + lane;  // of segment s at s · n_lines
    double c = 0;
    unsigned long long n_not_finite = 0;
    for (std::int64_t s = 0; s < n_segments; ++s) {
      const std::int64_t k0 = begin + s * n;
      load(k0);
      if (pass.n_not_finite != nullptr) n_not_finite += static_cast<unsigned long long>(not_finite(k0));
      if (s == 0) c = product(6.0, tile[0][lane]) / (1 - z);
      if (is_there(lane)) kept[s * pass.n_lines] = c;
      const int here = k0 + n < end ? n : static_cast<int>(end - k0);
      for (int e = 0; e < here; ++e) c = sum(product(6.0, tile[e][lane]), product(z, c));
    }
    if (n_not_finite > 0) atomicAdd(pass.n_not_finite, n_not_finite);
    c = product(-z, c) / (1 - z);
    for (std::int64_t s = n_segments - 1; s >= 0; --s) {
      const std::int64_t k0 = begin + s * n;
      load(k0);
      const int here = k0 + n < end ? n : static_cast<int>(end - k0);
      double up = is_there(lane) ? kept[s * pass.n_lines] : 0;
      for (int e = 0; e < here; ++e) {
        up = sum(product(6.0, tile[e][lane]), product(z, up));
        tile[e][lane] = up;
      }
      for (int e = here - 1; e >= 0; --e) {
        c = product(z, sum(c, -tile[e][lane]));
        tile[e][lane] = c;
      }
      store(k0);
    }
  }
};

/// Block first_block + blockIdx.x: prefilter_segment lines, as many threads.
template <class E>
__device__ inline void prefilter_lines(const PrefilterPass& pass, std::int64_t first_block, const char* in, char* out) {
  constexpr int n = prefilter_segment;
  auto* const tile = reinterpret_cast<double(*)[n + 1]>(shared);
  auto* const begins = reinterpret_cast<std::int64_t*>(shared + sizeof(double) * n * (n + 1));
  const int lane = static_cast<int>(threadIdx.x);
  const std::int64_t first = (first_block + blockIdx.x) * n;
  std::int64_t in_at = 0, out_at = 0, rest = first + lane;
  for (int b = pass.n_loops - 1; b >= 0; --b) {
    const std::int64_t i = rest % pass.loops[b].extent;
    in_at += i * pass.loops[b].in;
    out_at += i * pass.loops[b].out;
    rest /= pass.loops[b].extent;
  }
  begins[lane] = in_at;
  begins[n + lane] = out_at;
  Prefilter<E>{tile, begins, begins + n, pass, in, out, lane, first}.run();
}

}  // namespace crinkle::resampling::kernel
