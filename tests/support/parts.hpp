// A test's own work on all cores: references line by line, arrays element by element. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "crinkle/executor.hpp"

namespace crinkle {

/// body(begin, end) for parts of [0, n), which are at least `least` long if there are several: in any order, on any threads.
template <class Body>
void in_parts_of(std::int64_t least, std::int64_t n, const Body& body) {
  const std::int64_t most_parts = 8 * static_cast<std::int64_t>(default_executor().n_workers());
  const std::int64_t n_parts = std::clamp<std::int64_t>(n / std::max<std::int64_t>(1, least), 1, most_parts);
  default_executor().parallel_for(n_parts, [&](std::int64_t part) { body(n * part / n_parts, n * (part + 1) / n_parts); });
}

}  // namespace crinkle
