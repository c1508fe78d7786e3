// Resampling axis by axis, where every coordinate depends on one index alone: zooms, cells, shifts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/executor.hpp"
#include "crinkle/number.hpp"
#include "resample/cpu/line_kernels.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// `in` and `out` are where elements [0, 0, …] lie, of any type. Requires is_separable() (form.hpp), and no kernel that grows.
template <class T>
void run_separable(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor,
                   const simd::LineKernels& kernels = simd::LineKernels::best());

}  // namespace crinkle::resampling
