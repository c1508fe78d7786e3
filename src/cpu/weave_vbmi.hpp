// Woven vectors of 64 bytes (cpu/weave.hpp), for processors with AVX-512 VBMI: a permutation of bytes under a mask per piece.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/weave.hpp"

namespace crinkle::simd {

bool has_vbmi();

/// As Kernels::weave, weave_part, weave_stream and weave_lines with vectors of 64 bytes. Requires has_vbmi().
void weave_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::int64_t out_step);
void weave_part_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t first, std::int64_t last, std::byte* out);
void weave_stream_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::int64_t out_step);
void weave_lines_vbmi(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::byte* waiting,
                      std::int64_t phase);

}  // namespace crinkle::simd
