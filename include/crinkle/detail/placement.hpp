// The two places of a crinkle's phase, for makers on the host and for k-indices in kernels alike.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle {

/// A crinkle puts its phase slowest in the whole array (Hawick and Playne, equation 24), or just before its axis.
enum class Placement : std::uint8_t { global, local };

}  // namespace crinkle
