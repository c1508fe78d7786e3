// Resampling of scales of one axis each, in the way that suits it. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/cpu/strided.hpp"

namespace crinkle::resampling {

/// `in` and `out` are where elements [0, 0, …] lie, of any type. Requires is_separable(). `strided`: strided_plan() of the form.
template <class T>
void run_scales(const Form& form, const std::optional<StridedPlan>& strided, const std::byte* in, NumberType in_type, std::byte* out,
                NumberType out_type, Executor& executor, const simd::StridedKernels& kernels = simd::StridedKernels::best());

}  // namespace crinkle::resampling
