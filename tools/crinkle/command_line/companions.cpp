// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/companions.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::bad_file, path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// For tests, which go through all of them.
std::string option_table(const std::vector<Command>& commands) {
  std::string table;
  for (const Command& command : commands) {
    for (const Option& option : command.options) {
      const std::string kind = option.is_argument() ? "argument" : option.is_flag ? "flag" : option.is_number ? "number" : "text";
      table += command.name + "\t" + option.long_name() + "\t" + kind + (option.is_required ? "\trequired" : "\t") + "\n";
    }
  }
  return table;
}

}  // namespace

void write_companion(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  std::string text;
  if (words.size() == 1 && words[0] == "bash") text = bash_completions(commands);
  else if (words.size() == 1 && words[0] == "zsh") text = zsh_completions(commands);
  else if (words.size() == 1 && words[0] == "options") text = option_table(commands);
  else if (words.size() == 2 && words[0] == "manual") text = manual_page(commands, read(words[1]));
  else throw Error(ErrorCode::bad_notation, "--companion is followed by bash, zsh, options, or manual and the file of its prose");
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(ErrorCode::bad_file, "standard output: writing failed");
}

}  // namespace crinkle::tool
