// Conversions of triangles, after their buffers were checked: the definition, the CPU and a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/habits.hpp"
#include "cpu/kernels.hpp"
#include "crinkle/triangle.hpp"
#include "triangle/works.hpp"

namespace crinkle {

/// dst.place(i, j) = src.place(i, j), pair by pair: the definition. Requires layouts of the same n and element, and check().
void convert_reference(const TriangleLayout& from, const TriangleLayout& to, const std::byte* src, std::byte* dst);

/// The processor's habits, and the sizes from which a conversion is cut into parts or written past the caches. Tests lower these to reach
/// that code with small arrays.
struct TriangleLimits {
  simd::Habits habits = simd::habits();
  std::int64_t parted_bytes = simd::habits().parted_bytes;
  std::int64_t lone_streamed_bytes = std::max<std::int64_t>(1 << 20, simd::habits().lone_streamed_bytes);
  std::int64_t parted_streamed_bytes = std::max<std::int64_t>(1 << 20, simd::habits().parted_streamed_bytes);
};

/// The same on a CPU. Requires buffers that do not overlap. Cost: one pass; allocates only what a thread keeps (cpu/scratch.hpp).
void convert_cpu(const Conversion& conversion, const std::byte* src, std::byte* dst, Executor& executor,
                 const simd::Kernels& kernels = simd::kernels(), const TriangleLimits& limits = {});
void convert_cpu(const TriangleLayout& from, const TriangleLayout& to, const std::byte* src, std::byte* dst, Executor& executor,
                 const simd::Kernels& kernels = simd::kernels(), const TriangleLimits& limits = {});

/// The same on a GPU, given to its stream. Requires memory that the device reaches, and the device to be the thread's own.
void convert_cuda(const Conversion& conversion, const std::byte* src, std::byte* dst, CUstream_st* stream);

}  // namespace crinkle
