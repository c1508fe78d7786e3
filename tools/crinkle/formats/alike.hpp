// What several arrays that become one say alike.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/facts.hpp"

namespace crinkle::tool {

/// The facts of the first array, without attributes, coordinates and steps that another one does not say, too; what is left out, and axes
/// that are called otherwise there, is noted. Throws unsupported where numbers of unlike scales would become one array. Requires arrays of
/// one shape and type, and at least one.
ArrayFacts said_alike(std::span<const ArrayFacts* const> arrays, std::vector<std::string>& notes);

}  // namespace crinkle::tool
