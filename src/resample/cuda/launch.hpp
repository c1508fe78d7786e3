// A resampling given to a stream. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "crinkle/resample.hpp"
#include "resample/cuda/compiled.hpp"
#include "resample/cuda/form.hpp"
#include "resample/cuda/ways.hpp"

namespace crinkle::resampling {

/// What a GPU does for a resampling: the arguments of the kernel of any map, and the way of a kernel that knows more.
struct CudaPlan {
  CudaForm form;
  CudaShape shape;
  std::optional<gpu::Kernel> compiled;  // of this shape
  CudaTypes types;
  bool are_multiples = false;  // strides, of elements' sizes
};

/// Throws unsupported for what is not resampled on a GPU. Requires a checked resampling.
void check_for_cuda(const Resampling& resampling);

/// The plan for a resampling and its form, both of the coefficients where it is a spline. A kernel is compiled for a whole one alone, since
/// each part has other constants. launch() asks whether elements lie at multiples of their size.
enum class Compiled : bool { never, where_it_pays };
CudaPlan cuda_plan_of(const Resampling& resampling, const Form& form, Device device, Compiled compiled);

/// `in` and `out` are where elements [0, 0, …] of the form lie.
void launch(const CudaPlan& plan, const std::byte* in, std::byte* out, CUstream_st* stream);

/// A line of describe().
std::string described(const CudaPlan& plan);

}  // namespace crinkle::resampling
