// The arguments of the kernel of resampling. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "resample/form.hpp"

struct CUstream_st;

namespace crinkle::resampling {

inline constexpr int cuda_resample_threads = 256;

/// Elements of the result in the order of threads: axes beside the resampled ones, axes of p, then those that are near. Divisors are of
/// their extents.
struct CudaForm {
  Form form;
  std::int64_t n_elements = 0;
  Divisor<std::uint64_t> outer[most_form_axes], out[most_form_axes], near[most_form_axes];
};

/// Given to the stream. `in` and `out` are where the first elements lie, which are read as E and made as Out: of a spline E is the type of
/// its coefficients, else both are the same.
template <class E, class Out>
void launch_resample(const CudaForm& form, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle::resampling
