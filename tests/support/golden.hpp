// Golden files, tests/golden/*: what the library once made and a person found good. CRINKLE_UPDATE_GOLDEN=1 in the environment writes
// them anew; look at them before keeping them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/source_dir.hpp"

namespace crinkle::testing {

inline void expect_golden_file(const std::string& name, const std::string& made) {
  const std::filesystem::path path = std::filesystem::path(source_dir("/tests/golden")) / name;
  if (std::getenv("CRINKLE_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << made;
  std::ifstream file(path, std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(made == golden) << name << " differs from the golden file; look at what is made now, then CRINKLE_UPDATE_GOLDEN=1:\n" << made;
}

}  // namespace crinkle::testing
