// Kernels of affine maps compiled for one plan: those of scales.cuh and gathers.cuh with the form as constants.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>

#include "crinkle/device.hpp"
#include "cuda/compile/kernel.hpp"
#include "resample/cuda/ways.hpp"

struct CUstream_st;

namespace crinkle::resampling {

/// The source for a shape of the form. Requires one of scales or gathers.
gpu::KernelSource source_of(const CudaShape& shape, const Form& form, CudaTypes types);

/// The kernel, where that pays (kernel_options). `bytes` are those of source and result.
std::optional<gpu::Kernel> compiled_for(const CudaShape& shape, const Form& form, CudaTypes types, std::int64_t bytes, Device device);

/// Its launch, given to the stream; `in` and `out` are where the first elements lie.
void launch_compiled(const gpu::Kernel& kernel, const CudaShape& shape, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle::resampling
