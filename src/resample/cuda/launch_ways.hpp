// Launches of the kernels of affine maps, given to the stream. `in` and `out` are where the first elements lie, of type E both, at a
// multiple of its size. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "resample/cuda/ways.hpp"

struct CUstream_st;

namespace crinkle::resampling {

inline constexpr int most_scales_threads = 128;

/// Whether threads may store several neighbours at once.
inline bool is_at_unit(const CudaShape& shape, const std::byte* out) {
  return shape.unit > 0 && reinterpret_cast<std::uintptr_t>(out) % static_cast<std::uintptr_t>(shape.unit) == 0;
}

/// Whether the library has the kernel: each takes a compiler seconds, so others are compiled for their plan, or a thread makes an element.
inline bool is_ahead(const CudaShape& shape, CudaTypes types) {
  const bool has_type = types.in == types.out && (types.in == Number::uint8 || types.in == Number::float32);
  return shape.way != CudaWay::elements && shape.n_near == 1 && has_type;
}

/// E: uint8 or float32.
template <class E>
void launch_scales(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream);
template <class E>
void launch_gathers(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle::resampling
