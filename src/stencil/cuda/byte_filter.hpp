// A filter of bytes in one pass, bytes in and out. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "stencil/cuda/sweep.hpp"

namespace crinkle {

/// Nothing where sums in float32 may not be, of parts, or without a compiled kernel: then bytes become float64 first, with the same bits.
std::unique_ptr<CudaSweep> make_byte_filter(const Sweep& sweep, const Ranges& made, Device device);

}  // namespace crinkle
