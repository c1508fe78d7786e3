// Kernels that grow with the scale, where every coordinate depends on one index alone. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/executor.hpp"
#include "crinkle/number.hpp"
#include "resample/cpu/line_kernels.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// `in` and `out` are where elements [0, 0, …] lie, of any type. Requires check_growing().
template <class T>
void run_growing(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor,
                 const simd::LineKernels& kernels = simd::LineKernels::best());

/// The same of the commonest value.
template <class T>
void run_mode(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor);

}  // namespace crinkle::resampling
