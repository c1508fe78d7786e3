// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace crinkle::fft {

/// A place in a container.
inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace crinkle::fft
