// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle {

/// Bytes of memory that can be had without swapping, as the system estimates; 0 where it does not say.
std::int64_t available_bytes();

}  // namespace crinkle
