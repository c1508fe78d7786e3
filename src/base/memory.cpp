// SPDX-License-Identifier: BSD-3-Clause
#include "base/memory.hpp"

#include <fstream>
#include <string>

namespace crinkle {

std::int64_t available_bytes() {
  std::ifstream in("/proc/meminfo");
  for (std::string word; in >> word;) {
    std::int64_t kib = 0;
    if (word == "MemAvailable:" && in >> kib) return kib * 1024;
  }
  return 0;
}

}  // namespace crinkle
