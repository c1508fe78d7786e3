// crinkle papers: what papers' figures and tables show, measured again. All its words are another program's (running/papers_program).
// SPDX-License-Identifier: BSD-3-Clause
#include "running/papers_program.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "command_line/options.hpp"

namespace crinkle::tool::papers_command {
namespace {

Command declare() {
  auto words = std::make_shared<std::vector<std::string>>();
  Command c("papers", "Measure again what papers' figures show: runs crinkle-papers");
  c.argument("WORDS", *words, "as crinkle-papers has them: papers 0 to 4, or a suite, and options").list();
  c.notes = "crinkle-papers --help has its suites and options, crinkle-papers 0 --help those of a page.\n";
  c.examples = {"crinkle papers --quick -o report.html"};
  c.action = [words] { std::exit(run_papers(*words)); };
  return c;
}

const Registered registered(120, declare);

}  // namespace
}  // namespace crinkle::tool::papers_command
