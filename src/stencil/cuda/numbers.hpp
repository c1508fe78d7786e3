// Elements of any type and layout on a GPU, from and to dense arrays of the numbers that are summed: what number_lines.hpp does on a CPU,
// with the same bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "crinkle/detail/hd.hpp"
#include "stencil/plan.hpp"

struct CUstream_st;

namespace crinkle {

inline constexpr int cuda_number_threads = 256;

/// The places of an array's elements; their C order is that of the dense one.
struct CudaNumbers {
  NumberType type;
  std::int32_t n_axes = 0;
  std::int64_t n_elements = 1;
  Divisor<std::uint64_t> extents[most_axes + 1];
  std::int64_t strides[most_axes + 1] = {};  // bytes
};

CudaNumbers cuda_numbers(const SweepShape& shape, const SweepPlaces& places);

// Given to the stream. `from` and `to` of elements are where the first one lies.
template <class T>
void launch_load_numbers(const CudaNumbers& numbers, const std::byte* from, T* to, CUstream_st* stream);
template <class T>
void launch_store_numbers(const CudaNumbers& numbers, const T* from, std::byte* to, CUstream_st* stream);
/// x[i] = what it is once stored and loaded again.
template <class T>
void launch_settle_numbers(T* x, std::int64_t n, Number number, CUstream_st* stream);

}  // namespace crinkle
