// What the suites run on a GPU beside moves: random data, a plain copy, and the definition of a box, unit by unit with 64-bit divisions,
// which shares nothing with the tiles that it checks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/axis.hpp"

struct CUstream_st;

namespace crinkle::bench {

void randomize_on_gpu(void* data, std::int64_t n_bytes, std::uint64_t seed, CUstream_st* stream);

/// 16 bytes a thread. Requires 16-byte alignment and a multiple of 16 bytes.
void copy_on_gpu(const void* src, void* dst, std::int64_t n_bytes, CUstream_st* stream);

/// Raises *lowest_wrong, in the device's memory, to no more than the first destination byte of the box that is not as defined.
void check_on_gpu(const Box& box, const void* src, const void* dst, unsigned long long* lowest_wrong, CUstream_st* stream);

}  // namespace crinkle::bench
