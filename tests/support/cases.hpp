// Reads the tables of permutation cases: tests/cases.txt and bench/cases/permutations.txt, one case a line,
//     NAME ELEMENT_BYTES RANK PERMUTATION... EXTENTS...      fastest axis first, dst axis i = src axis PERMUTATION[i]
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "crinkle/layout.hpp"

namespace crinkle::testing {

struct PermutationCase {
  std::string name;
  Layout source;                    // dense, slowest axis first
  std::vector<std::int64_t> order;  // as numpy.transpose has it: destination axis a is source axis order[a]
};

/// Throws std::runtime_error, naming the line, for a line that is no case.
inline std::vector<PermutationCase> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read");
  std::vector<PermutationCase> cases;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    PermutationCase one;
    std::int64_t element_bytes = 0, rank = 0;
    words >> one.name >> element_bytes >> rank;
    one.order.resize(words ? static_cast<std::size_t>(rank) : 0);
    Extents extents(one.order.size());
    for (std::int64_t& axis : one.order) words >> axis;
    for (std::int64_t& extent : extents) words >> extent;
    std::string left;
    if (!words || words >> left) throw std::runtime_error(path + ": not a case: " + line);
    std::reverse(one.order.begin(), one.order.end());
    for (std::int64_t& axis : one.order) axis = rank - 1 - axis;
    std::reverse(extents.begin(), extents.end());
    one.source = Layout::dense(extents, element_bytes);
    cases.push_back(one);
  }
  return cases;
}

}  // namespace crinkle::testing
