// A planned move as text and as JSON: what was asked for around what the planner says of each step.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "move/planned.hpp"

namespace crinkle {

/// For a person. The layouts are what was asked for, or null where there are boxes alone.
std::string describe(const PlannedMove& move, const Layout* source, const Layout* destination);
/// The same for a program.
std::string describe_json(const PlannedMove& move, const Layout* source, const Layout* destination);

}  // namespace crinkle
