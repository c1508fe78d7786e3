// Names of a move's axes, by which distributed layouts divide them; "" for an axis that is made of several.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle::distributed {

inline std::vector<std::string> source_names(const Rearrangement& move) {
  std::vector<std::string> names;
  for (const Group& g : move.groups()) names.push_back(g.digits.size() == 1 ? g.digits[0].name : "");
  return names;
}
inline std::vector<std::string> destination_names(const Rearrangement& move) {
  std::vector<std::string> names;
  for (const Output& o : move.outputs()) {
    const bool is_axis = o.terms.size() == 1 && o.terms[0].group >= 0;
    const auto group = static_cast<std::size_t>(is_axis ? o.terms[0].group : 0);
    names.push_back(is_axis ? move.groups()[group].digits[static_cast<std::size_t>(o.terms[0].digit)].name : "");
  }
  return names;
}

}  // namespace crinkle::distributed
