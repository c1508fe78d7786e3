// The program's companions, made from the declarations of its options: the manual page and the completions of shells.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "command_line/options.hpp"

namespace crinkle::tool {

/// `crinkle --companion` and these words, to standard output:
///     bash, zsh       completions
///     manual FILE     the page, whose prose is in the file (share/crinkle.1.in)
///     options         for tests, a line an option: command, name, "argument", "flag", "number" or "text", "required" or nothing
/// Throws bad_notation for other words, bad_file for a file that cannot be read.
void write_companion(const std::vector<Command>& commands, const std::vector<std::string>& words);

std::string bash_completions(const std::vector<Command>& commands);
std::string zsh_completions(const std::vector<Command>& commands);
/// The prose with @SYNOPSIS@, @VERBS@ and @OPTIONS@, on lines of their own, replaced.
std::string manual_page(const std::vector<Command>& commands, const std::string& prose);

}  // namespace crinkle::tool
