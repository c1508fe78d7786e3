// Records of a few fields of one size without gaps, for processors with AVX-512 VBMI: F vectors of records from F vectors of fields, one of
// each, and back. Every vector that leaves takes its units from all F that came, by permutations of whole vectors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/record_kernels.hpp"

namespace crinkle::simd {

/// Null where the processor or the compiler has no VBMI.
const FewFields* few_fields_vbmi();

}  // namespace crinkle::simd
