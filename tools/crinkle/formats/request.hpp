// What an output's bytes follow from, as text: the command without what changes nothing of them, and the state of the input. A run that was
// stopped is gone on with where it is the same.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/facts.hpp"

namespace crinkle::tool {

/// Once, before anything is run. `version`: of the program.
void remember_command(const std::string& version, const std::vector<std::string>& words);

/// The request of this command for an output: its words, and the state of the input and of all other files that they name. Cost: of a
/// directory, asking for every file in it.
std::string request_for(const ArrayFacts& input, const std::string& output);

}  // namespace crinkle::tool
