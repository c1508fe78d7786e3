// The innermost loops of the CPU executor: all kernels of moves in one table. Each group is compiled in a file of its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "cpu/record_kernels.hpp"
#include "cpu/row_kernels.hpp"
#include "cpu/staged_kernels.hpp"
#include "cpu/table_kernels.hpp"
#include "cpu/transpose_kernels.hpp"

namespace crinkle::simd {

struct Kernels : RowKernels, TransposeKernels, TableKernels, StagedKernels, RecordKernels {};

/// The table of the best instruction set that this machine has.
const Kernels& kernels();

/// All tables whose instruction set this machine has, best first; the last one is plain C++.
std::vector<const Kernels*> all_kernels();

}  // namespace crinkle::simd
