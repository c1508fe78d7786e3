// What is printed to a file that has no name. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>

namespace crinkle::testing {

struct Lines {
  std::FILE* file = std::tmpfile();
  ~Lines() { std::fclose(file); }
  std::string text() const {
    std::string all;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) all += static_cast<char>(c);
    return all;
  }
};

}  // namespace crinkle::testing
