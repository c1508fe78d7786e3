// crinkle-papers: what the papers' figures show, measured again on this machine.
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/command_line.hpp"
#include "papers/suites.hpp"
#include "running/bench_run.hpp"

int main(int argc, char** argv) {
  using namespace crinkle;
  tool::Command c =
      tool::bench_command("crinkle-papers", "Measures again what the papers' figures show, beside plain copies of as many bytes.",
                          {"crinkle-papers", bench::suites_of_papers()});
  c.examples = {"crinkle-papers hypercubic", "crinkle-papers hypercubic --case blur --memory 64MiB --json hypercubic.json",
                "crinkle-papers simplex --case edm_ --hot", "crinkle-papers idw --device cuda --case figure7_tiled",
                "crinkle-papers hypercubic --case blur --memory 64MiB --against hypercubic.json"};
  return tool::run_program(c, argc, argv);
}
