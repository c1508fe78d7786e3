// SPDX-License-Identifier: BSD-3-Clause
#include "support/source_dir.hpp"

#include <filesystem>
#include <fstream>

namespace crinkle::testing {

// CMake writes it beside the program. Compiled in, it would make objects differ from clone to clone.
std::string source_dir(const std::string& path) {
  std::string folder;
  std::getline(std::ifstream(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "source_dir.txt"), folder);
  return folder + path;
}

}  // namespace crinkle::testing
