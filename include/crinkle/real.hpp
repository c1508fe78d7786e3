// The types of real numbers that are computed with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle {

enum class Real : std::uint8_t { float32, float64 };
constexpr std::int64_t bytes_of(Real type) noexcept { return type == Real::float32 ? 4 : 8; }

}  // namespace crinkle
