// Packed elements on a GPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace crinkle {

/// n elements of 1, 2 or 4 bits to a byte each, which lie at a multiple of 8; and back, of bytes that hold no more. Given to the stream.
/// Throws device where a launch fails.
void unpack_on_gpu(const std::byte* packed, std::byte* bytes, std::int64_t n, int bits, CUstream_st* stream);
void pack_on_gpu(const std::byte* bytes, std::byte* packed, std::int64_t n, int bits, CUstream_st* stream);

}  // namespace crinkle
