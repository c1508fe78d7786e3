// Resampling on a CPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/executor.hpp"
#include "crinkle/number.hpp"
#include "resample/cpu/segment.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// `in` and `out` are where elements [0, 0, …] lie, those of `in` read directly. `table`: of the form.
template <class T>
void run_on_cpu(const Form& form, const PolarTable& table, const std::byte* in, Number in_type, std::byte* out, NumberType out_type,
                Executor& executor);

}  // namespace crinkle::resampling
