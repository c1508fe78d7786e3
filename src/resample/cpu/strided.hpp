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

/// A column at a border, which has weights of its own.
struct BorderColumn {
  std::int64_t column = 0;
  int n = 0;
  std::int64_t elements[simd::most_strided_rows] = {};
  float weights[simd::most_strided_rows] = {};
};

struct StridedPlan {
  static constexpr std::int64_t most_borders = 4;  // columns

  simd::StridedSum sum;                            // but for the rows
  std::int64_t row = 0, row_step = 1, column = 0;  // the first element of row 0 that counts; from row to row; the first column's element 0
  Range rows, columns;                             // of the result that are made so
  std::int64_t n_borders = 0;                      // the columns beside these; none where they are more, or beyond a constant face
  BorderColumn borders[most_borders];
  bool is_byte = false;

  bool has_all_columns() const { return n_borders > 0; }
};

/// The plan of a form of scales most of whose elements it makes with the definition's bits: float32, or uint8 whose sums are exact, all
/// within the source, columns side by side on both sides.
std::optional<StridedPlan> strided_plan(const Form& form, NumberType in_type, NumberType out_type);

/// Makes the rows of the plan, its columns and those at borders. `in` and `out` are where elements [0, 0, …] lie.
void run_strided(const Form& form, const StridedPlan& plan, const std::byte* in, std::byte* out, Executor& executor,
                 const simd::StridedKernels& kernels = simd::StridedKernels::best());

}  // namespace crinkle::resampling
