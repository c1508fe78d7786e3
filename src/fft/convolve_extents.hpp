// Which axes of two arrays are convolved. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace crinkle::fft {

/// Throws bad_shape.
[[noreturn]] void refuse_shape(const std::string& text);

/// Which axes are convolved, each once, in their order; all for none.
std::vector<bool> convolved_axes(std::size_t rank, const std::vector<std::int64_t>& axes);

}  // namespace crinkle::fft
