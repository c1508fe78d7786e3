// Planes whose rows and columns lie whole numbers of elements apart in the source, columns 2 or 4: elements have the same weights, but
// at the borders. So
// are halves, quarters, and means of 2 × 2 and 4 × 4. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "crinkle/executor.hpp"
#include "crinkle/number.hpp"
#include "crinkle/operation.hpp"
#include "resample/cpu/strided_kernels.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

struct StridedPlan {
  simd::StridedSum sum;                            // but for the rows
  std::int64_t row = 0, row_step = 1, column = 0;  // the first element of row 0 that counts; from row to row; the first column's element 0
  Range rows, columns;                             // of the result that are made so
  bool is_byte = false;
};

/// The plan of a form of scales most of whose elements it makes with the definition's bits: float32, or uint8 whose sums are exact, all
/// within the source, columns side by side on both sides.
std::optional<StridedPlan> strided_plan(const Form& form, NumberType in_type, NumberType out_type);

/// Makes the rows and columns of the plan. `in` and `out` are where elements [0, 0, …] lie.
void run_strided(const Form& form, const StridedPlan& plan, const std::byte* in, std::byte* out, Executor& executor,
                 const simd::StridedKernels& kernels = simd::StridedKernels::best());

}  // namespace crinkle::resampling
