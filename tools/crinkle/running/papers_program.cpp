// SPDX-License-Identifier: BSD-3-Clause
#include "running/papers_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace crinkle::tool {

int run_papers(const std::vector<std::string>& words) {
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  std::vector<std::string> all = {"crinkle-papers"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string beside = (here / all[0]).string();
  execv(beside.c_str(), arguments.data());
  if (errno == ENOENT) execvp(arguments[0], arguments.data());
  if (errno == ENOENT) {
    std::fprintf(
        stderr,
        "crinkle: papers: there is no crinkle-papers in %s or on the PATH; configure crinkle's sources with -DCRINKLE_PAPERS=ON, build the "
        "target crinkle_papers, and install it or run it from the build folder\n",
        here.c_str());
  } else {
    std::fprintf(stderr, "crinkle: papers: crinkle-papers does not start: %s\n", std::strerror(errno));
  }
  return 2;
}

}  // namespace crinkle::tool
