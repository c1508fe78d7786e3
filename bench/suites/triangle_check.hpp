// Checks a conversion of triangles on a GPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "crinkle/cuda.hpp"
#include "crinkle/triangle.hpp"

namespace crinkle::bench {

/// The first destination byte that is not as the layouts define, pair by pair on the device, or −1. Arrays of the device.
std::int64_t first_wrong_of_triangle(const TriangleLayout& from, const TriangleLayout& to, const std::byte* src, const std::byte* dst,
                                     const Stream& stream);

}  // namespace crinkle::bench
