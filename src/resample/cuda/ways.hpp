// Which kernel makes an affine map on a GPU, and how its blocks go about it. All have the same bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/number.hpp"
#include "resample/cuda/plans.hpp"

namespace crinkle::resampling {

/// Elements as they are read and made.
struct CudaTypes {
  Number in{}, out{};
};

enum class CudaWay : std::uint8_t {
  elements,  // a thread an element, of any map (resample.cu)
  scales,    // axes that scale one by one (scales.cuh)
  gathers    // other affine maps (gathers.cuh)
};

struct CudaShape {
  CudaWay way = CudaWay::elements;
  ScalesShape scales{};           // of that way
  std::int32_t n_near = 1;        // of gathers: elements of one place
  std::int32_t threads = 0;       // of a block
  std::int64_t n_blocks = 0;      // of the launch
  std::int64_t shared_bytes = 0;  // of a block
  std::int64_t unit = 0;          // bytes: where the result begins at a multiple of it threads store so many at once; 0: never
};

/// Of elements of the result of `size` bytes; they and those of the source lie at multiples of their size.
CudaShape cuda_shape_of(const Form& form, std::int64_t size);

}  // namespace crinkle::resampling
