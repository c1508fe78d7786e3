// Points in any number of dimensions.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/device.hpp"
#include "crinkle/real.hpp"

namespace crinkle {

/// n points of n_features numbers each, one point after the other.
struct Points {
  ConstBuffer data{};
  Real type = Real::float32;
  std::int64_t n = 0;           // 0 and 1 are legal: no pairs
  std::int64_t n_features = 0;  // 1 or more
};

}  // namespace crinkle
