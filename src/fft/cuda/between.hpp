// What kernels beside those of transforms are told: between the lines of a cosine or sine transform and what a real transform takes and
// gives (fft/cpu/cosine.cpp has the equations), and the product of two spectra. Plain values, the same for host and device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "fft/cuda/form.hpp"

namespace crinkle::fft {

/// Which pairs of an array's numbers go together, and what they are in a row of the workspace:
///     ordered    x[2h] and x[2h + 1], v[h] and v[N − 1 − h], real, h ≤ (N − 1)/2
///     turned     X[h] and X[N − h], and the complex number h ≤ N/2 of the transform of v
enum class Pairs : std::uint8_t { ordered, turned };

inline constexpr std::int64_t most_tile_pairs = 1024;

/// Lines of an array and rows of the workspace, in tiles of pairs of one line and others beside it.
template <class T>
struct CudaPairs {
  Pairs pairs = Pairs::ordered;
  bool is_load = true;  // from the array to the rows, or back
  bool is_sine = false;
  std::int64_t n = 1, n_there = 1;   // N, and numbers that the array has; behind them are zeros
  std::int64_t n_pairs = 1;          // of a line
  std::int64_t stride = 0;           // of the array's line, bytes
  std::int32_t unit = 1;             // bytes that are moved at once: two parts that follow each other, a part, or 1
  std::int32_t part = sizeof(T);     // bytes of a number in the array: 2 of float16
  T of_first = 1;                    // factor of X[0]
  const Number<T>* turns = nullptr;  // exp(−πi h/2N)

  CudaLoop lane;                                         // the nearest lines; `in` is the array's stride, `out` counts rows
  bool lanes_first = false;                              // they lie closer in the array than a line's numbers
  Division by_pairs, by_lanes;                           // of a tile
  std::int64_t n_tiles = 1, n_groups = 1, n_blocks = 0;  // tiles along a line, and beside it
  CudaLoops<most_cuda_loops> loops;                      // as the lane
};

/// x *= y, both spectra of one shape, but y may be repeated.
template <class T>
struct CudaProduct {
  std::int64_t n = 0;                // numbers of x
  CudaLoops<most_cuda_loops> loops;  // of x; `in` counts numbers of y
};

// Launches, given to the stream.
template <class T>
void launch_pairs(const CudaPairs<T>& pairs, const std::byte* in, std::byte* out, CUstream_st* stream);
template <class T>
void launch_product(const CudaProduct<T>& product, std::byte* x, const std::byte* y, CUstream_st* stream);

}  // namespace crinkle::fft
