// crinkle-papers: what the papers' figures show, measured again on this machine; as tables of one suite, or as a page of whole papers.
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "command_line/command_line.hpp"
#include "papers/suites.hpp"
#include "running/bench_run.hpp"

namespace {

/// Papers by their numbers, or an option that only a page has.
bool asks_for_a_page(const std::vector<std::string>& words) {
  const auto is_of_a_page = [](const std::string& word) {
    return word == "-o" || word.starts_with("--output") || word == "--quick" || word.starts_with("--results");
  };
  const bool begins_with_a_number = !words.empty() && words[0].find_first_not_of("0123456789") == std::string::npos;
  return begins_with_a_number || std::any_of(words.begin(), words.end(), is_of_a_page);
}

/// papers/report, installed or of the sources, runs suites of this program and draws the page; this program ends as it does.
int draw_page(std::vector<std::string> words) {
  const std::filesystem::path self = std::filesystem::canonical("/proc/self/exe"), of_sources = CRINKLE_PAPERS_REPORT;
  const std::filesystem::path installed = self.parent_path().parent_path() / "share/crinkle/papers/report";
  const std::filesystem::path script = std::filesystem::exists(installed) ? installed : of_sources;
  if (!std::filesystem::exists(script)) {
    std::fprintf(
        stderr,
        "crinkle-papers: the page is drawn by papers/report, which is neither at %s nor at %s; run papers/report PROGRAM of the sources\n",
        installed.c_str(), of_sources.c_str());
    return 2;
  }
  words.insert(words.begin(), {"python3", script.string(), self.string()});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "crinkle-papers: the page is drawn by python3, which does not start: %s\n", std::strerror(errno));
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace crinkle;
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (asks_for_a_page(words)) return draw_page(words);
  tool::Command c =
      tool::bench_command("crinkle-papers", "Measures again what the papers' figures show, beside plain copies of as many bytes.",
                          {"crinkle-papers", bench::suites_of_papers()});
  c.examples = {"crinkle-papers hypercubic", "crinkle-papers hypercubic --case blur --memory 64MiB --json hypercubic.json",
                "crinkle-papers simplex --case edm_ --hot", "crinkle-papers idw --device cuda --case figure7_tiled",
                "crinkle-papers hypercubic --case blur --memory 64MiB --against hypercubic.json"};
  c.notes +=
      "A page of whole papers, 0 to 4, or all, beside the papers' own numbers: crinkle-papers [0-4]... [--quick] -o report.html;\n"
      "crinkle-papers 0 --help has its options.\n";
  return tool::run_program(c, argc, argv);
}
