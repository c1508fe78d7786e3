// Arrays in files, for a person and element by element.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "formats/facts.hpp"

namespace crinkle::tool {

/// "a.npy [4][5] float32".
std::string described(const std::string& path, const Extents& extents, const ElementType& type);

/// Calls body(i, at) for every element i = 0, 1, … of an array in C order, which lies at byte `at`.
void for_each_element(const Layout& layout, const std::function<void(std::int64_t i, std::int64_t at)>& body);

}  // namespace crinkle::tool
