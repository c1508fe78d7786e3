// Kernels that suites run on a GPU beside moves: random data, a plain copy, a pass that fills the caches, a plain loop over an index array,
// and the definition of a box, unit by unit with 64-bit divisions, which shares nothing with the tiles that it checks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "crinkle/axis.hpp"

struct CUstream_st;

namespace crinkle::bench {

void randomize_on_gpu(void* data, std::int64_t n_bytes, std::uint64_t seed, CUstream_st* stream);

/// 16 bytes a thread. Requires 16-byte alignment and a multiple of 16 bytes.
void copy_on_gpu(const void* src, void* dst, std::int64_t n_bytes, CUstream_st* stream);

/// A plain kernel that stores 16 bytes a thread, and the driver's. Requires 16-byte alignment; leaves a rest below 16 bytes.
void fill_on_gpu(void* dst, std::int64_t n_bytes, CUstream_st* stream);
void memset_on_gpu(void* dst, int byte, std::int64_t n_bytes, CUstream_st* stream);

/// Reads 16 bytes a thread, so that the caches hold these and nothing else. Requires what copy_on_gpu requires, and 4 bytes at `sink`,
/// which are written for some data.
void read_on_gpu(const void* data, std::int64_t n_bytes, void* sink, CUstream_st* stream);

/// dst[o, j, k] = src[o, indices[j], k], or dst[o, indices[j], k] = src[o, j, k] (scatter), of words of 1, 2, 4, 8 or 16 bytes.
struct IndexLoop {
  const std::int64_t* indices = nullptr;  // [n_entries], in the device's memory
  bool is_gather = true;
  std::int64_t n_outer = 1, n_entries = 0, n_inner = 1;  // o, j, k; n_inner in words
  std::int64_t src_extent = 0, dst_extent = 0;           // of the axis of j
  std::int64_t word_bytes = 1;
};
/// Indexes as a person would write it: a thread a word, neighbours beside each other.
void index_on_gpu(const IndexLoop& loop, const void* src, void* dst, CUstream_st* stream);

/// Raises *lowest_wrong, in the device's memory, to no more than the first destination byte of the box that is not as defined.
void check_on_gpu(const Box& box, const void* src, const void* dst, unsigned long long* lowest_wrong, CUstream_st* stream);

/// Records what `work` gives to the stream; the function that is returned gives it again as a graph.
std::function<void()> graph_of(const std::function<void()>& work, CUstream_st* stream);

}  // namespace crinkle::bench
