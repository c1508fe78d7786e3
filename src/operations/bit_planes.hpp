// Bit planes as they are defined (crinkle/operations.hpp), bit by bit, and what their arguments must be.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crinkle/operations.hpp"

namespace crinkle {

/// Throws bad_shape or too_large as bit_planes and from_bit_planes do.
void check_bit_planes(std::size_t n_elements_bytes, std::size_t n_planes_bytes, std::int64_t n, std::int64_t element_bytes,
                      ElementRange some);

/// As bit_planes and from_bit_planes. Require what check_bit_planes asks for.
void bit_planes_reference(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                          ElementRange some);
void from_bit_planes_reference(std::span<const std::byte> src, std::span<std::byte> dst, std::int64_t n, std::int64_t element_bytes,
                               ElementRange some);

}  // namespace crinkle
