// Axes of a tile in the text of a kernel that is compiled for them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>

#include "tile/outer_axes.hpp"

namespace crinkle {

inline std::string text_of(const tile::OuterAxes& axes) {
  std::string all;
  for (int a = 0; a < axes.n; ++a)
    all += fmt::format("{}{{{}, {}, {}}}", a > 0 ? ", " : "", axes.axis[a].extent, axes.axis[a].src, axes.axis[a].dst);
  return fmt::format("{{{}, {{{{{}}}}}}}", axes.n, all);
}

}  // namespace crinkle
