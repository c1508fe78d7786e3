// The arguments of the kernels of sums on a GPU: samples, targets and where the values go.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "cuda/entry.hpp"

struct CUstream_st;  // *cudaStream_t

namespace crinkle::interpolation {

/// w(s) = s^(−p/2). `any` may take s over the least s of the target instead of s: a pass more.
enum class CudaRule : std::uint8_t { one, two, three, four, any };

/// Columns that one launch sums up: one, without weights, or four, with them.
inline constexpr int cuda_columns = 4;

/// Samples as given, in float64: for targets that the sums cannot get right.
struct CudaSamples {
  const double* places[3] = {};     // [n] each; no third one in two dimensions
  const double* values = nullptr;   // [n_columns][n]
  const double* weights = nullptr;  // [n], or null
  std::int64_t n = 0;
  double smoothing = 0;  // a square
  double power = 2;
};

struct CudaColumn {
  double zero, factor, least, most;  // a value is zero + scaled / factor
};

/// Samples as the sums read them (scaled.hpp).
template <class T>
struct CudaScaled {
  const T* place[3] = {};
  // With float32, places are relative to the origin of their run (weight_kernels.hpp).
  const T* low[3] = {};
  const T *run_origin[3] = {}, *run_origin_low[3] = {}, *square_radius = nullptr;
  const T* values = nullptr;   // [n_columns][n], times the weight
  const T* weights = nullptr;  // [n]: 1 where there are none
  const CudaColumn* columns = nullptr;
  bool is_relative = false;  // to the least s of each target
  double origin[3] = {}, factor = 1;
  T smoothing = 0, half_power = 1;
  double most_weight = 0;  // a sum of weights from here on is of a sample too near
};

struct CudaTargets {
  std::int64_t n = 0;
  bool is_raster = false, is_float = false;
  const void* places = nullptr;  // [n][n_dimensions]
  double first[3] = {}, step[3] = {};
  std::int64_t begin[3] = {}, extents[3] = {1, 1, 1};      // of the cells that are wanted, counted from first on
  double ratio = 1, cosine = 1, sine = 0, origin[2] = {};  // of the frame
};

struct CudaValues {
  void* data = nullptr;  // [n_columns][n_targets]
  bool is_float = false;
  std::int64_t first_column = 0;
  int n_columns = 1;  // of this launch
};

/// `is_full`: weights or several columns.
template <class T>
void launch_sum(int n_dimensions, CudaRule rule, bool is_full, const CudaSamples& samples, const CudaScaled<T>& scaled,
                const CudaTargets& targets, const CudaValues& values, CUstream_st* stream);

}  // namespace crinkle::interpolation
