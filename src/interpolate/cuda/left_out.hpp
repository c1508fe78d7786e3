// Every sample predicted from all others on a GPU, for cross-validation.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"
#include "interpolate/cuda/memory.hpp"
#include "interpolate/cuda/near.hpp"
#include "interpolate/planes.hpp"
#include "interpolate/shared_places.hpp"

namespace crinkle::interpolation {

/// A substitute stands for the others on the place of a sample that is left out (shared_places.hpp). Null where all samples are alone.
struct CudaSubstitutes {
  const std::int64_t* place_of = nullptr;  // [n]
  const double* values = nullptr;          // [n][n_columns]
  const double* weights = nullptr;         // [n], or null
};

/// One launch, for up to cuda_columns columns.
void launch_near_others(int n_dimensions, const CudaTree& tree, const CudaSubstitutes& substitutes, const CudaValues& values,
                        CUstream_st* stream);
void launch_all_others(int n_dimensions, const CudaSamples& samples, const CudaColumn* columns, const CudaValues& values,
                       CUstream_st* stream);

/// From those near each sample.
class CudaNearOthers {
 public:
  /// Throws what CudaNear throws. `how` tells all but the power and the number of neighbours.
  CudaNearOthers(const SamplePlanes& samples, const Interpolation& how, Device device, Executor& executor);

  /// predictions[c · n + i] in memory of the host; NaN where too few samples are near.
  void predict(double power, std::int64_t neighbours, std::span<double> predictions) const;

 private:
  CudaNearOthers(const SamplePlanes& samples, const SharedPlaces& shared, const Interpolation& how, Device device, Executor& executor);

  Device device_;
  int n_dimensions_;
  CudaMemory memory_;
  CudaSubstitutes substitutes_;
  CudaNear near_;
  DeviceMemory predictions_;
};

/// From all of them.
class CudaAllOthers {
 public:
  CudaAllOthers(const SamplePlanes& samples, const Interpolation& how, Device device);
  void predict(double power, std::span<double> predictions) const;

 private:
  Device device_;
  int n_dimensions_;
  std::int64_t n_columns_;
  CudaMemory memory_;
  CudaSamples samples_;
  const CudaColumn* columns_ = nullptr;
  DeviceMemory predictions_;
};

}  // namespace crinkle::interpolation
