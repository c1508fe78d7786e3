// SPDX-License-Identifier: BSD-3-Clause
#include <string_view>

#include "command_line/command_line.hpp"
#include "running/papers_program.hpp"

int main(int argc, char** argv) {
  // Its options are the other program's, which nothing here knows but for its help.
  const bool is_papers = argc > 1 && std::string_view(argv[1]) == "papers",
             asks_for_help = argc == 3 && std::string_view(argv[2]) == "--help";
  if (is_papers && !asks_for_help) return crinkle::tool::run_papers({argv + 2, argv + argc});
  return crinkle::tool::run_command(argc, argv);
}
