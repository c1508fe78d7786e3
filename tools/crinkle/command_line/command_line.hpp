// The words of a command line, given to the options that were declared (options.hpp), and its end: what went wrong and the exit status.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "command_line/options.hpp"

namespace crinkle::tool {

/// Runs the command line. Returns the exit status: 0 done, 1 it failed, 2 the request was wrong.
int run_command(int argc, const char* const* argv);

/// Runs the command line of a program that is one command, named as the program is. Returns the same.
int run_program(const Command& command, int argc, const char* const* argv);

/// Gives the words to the options of a command of no name, which has no help. Throws bad_notation, and what the options throw.
void give_words(const Command& command, const std::vector<std::string>& words);

}  // namespace crinkle::tool
