// What parts of an operation take beside their own arrays.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/operation.hpp"

namespace crinkle {

/// What run_in_parts() with so much memory for a part takes of the host's beside it: whole arrays between two stages, where these do not
/// lie in the output.
std::int64_t bytes_between_stages(const Operation& operation, std::int64_t part_bytes);

}  // namespace crinkle
