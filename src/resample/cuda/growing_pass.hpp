// Kernels that grow, as a GPU is told them: plain values, and tables in its memory. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/number.hpp"
#include "resample/form.hpp"

struct CUstream_st;

namespace crinkle::resampling {

inline constexpr int cuda_growing_threads = 256;

/// What counts along an axis for each of its n elements of the result, and how much.
struct CountedAxis {
  std::int32_t loop = 0;                // of the pass: that along this axis
  std::int64_t n = 0;                   // elements of the result
  std::int64_t extent = 1, stride = 0;  // of what is read; bytes
  const std::int64_t* first = nullptr;  // [n] elements that count are first, first + 1, …, of a periodic axis modulo the extent
  const std::int32_t* count = nullptr;  // [n] 0: the result is nodata
  const void* weights = nullptr;        // [count][n] numbers; of the commonest value shares in float64
};

/// Loops over what is made, slowest first; along an axis that is summed `in` is 0. Sums go along axes[0]; those of the commonest value
/// along all axes.
struct GrowingPass {
  std::int64_t n_elements = 0;
  std::int32_t n_loops = 0, n_axes = 0;
  Loop loops[most_form_axes];
  Divisor<std::uint64_t> extents[most_form_axes];
  CountedAxis axes[slots];
  Number out = Number::float32;
  bool is_last = true;  // makes the result: nodata where any axis has nothing that counts
  double nodata = 0;
  bool is_aligned_in = false, is_aligned_out = false;  // elements, at multiples of their size
};

/// Given to the stream. `in` and `out` are where elements 0 lie, which are read as E.
template <class E>
void launch_sums(const GrowingPass& pass, const std::byte* in, std::byte* out, CUstream_st* stream);
/// The commonest value.
template <class E>
void launch_mode(const GrowingPass& pass, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle::resampling
