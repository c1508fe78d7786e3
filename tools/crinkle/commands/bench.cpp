// crinkle bench: how fast this machine moves, beside how fast it copies. The suites are in bench/suites/, their options in
// running/bench_run.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "running/bench_run.hpp"
#include "suites/suites.hpp"

namespace crinkle::tool::bench_suites_command {
namespace {

// Suites of papers' figures have a program of their own.
std::string where_is(const std::string& suite) {
  constexpr std::array papers = {"hypercubic", "simplex", "fft_paper", "advice", "vectors", "versions"};
  if (std::find(papers.begin(), papers.end(), suite) == papers.end()) return {};
  return "the suite " + suite +
         " is now in crinkle-papers: configure with -DCRINKLE_PAPERS=ON, build the target crinkle_papers, and run crinkle-papers " + suite;
}

Command declare() {
  Command c = bench_command("bench", "Measure moves beside plain copies of as many bytes",
                            {"crinkle bench", bench::suites(), ", which leaves out bit planes and numbers of threads", where_is});
  c.examples = {"crinkle bench rearrange",
                "crinkle bench copy --bytes 64MiB --threads 1",
                "crinkle bench small --case flip --json small.json",
                "crinkle bench permute --cases cases.txt --json permute.json",
                "crinkle bench permute --cases cases.txt --case transpose --threads 1 --behind 16",
                "crinkle bench permute --cases cases.txt --against permute.json"};
  return c;
}

const Registered registered(110, declare);

}  // namespace
}  // namespace crinkle::tool::bench_suites_command
