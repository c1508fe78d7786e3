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

template <class E, class Out>
void launch_scales(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream);
/// Requires n_near to be 1.
template <class E, class Out>
void launch_gathers(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle::resampling
