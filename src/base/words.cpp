// SPDX-License-Identifier: BSD-3-Clause
#include "base/words.hpp"

#include <algorithm>
#include <string>

#include "base/caret.hpp"

namespace crinkle {

std::size_t number_of(std::string_view name, std::span<const char* const> names, std::string_view what, std::string_view besides) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all = names[0];
  for (std::size_t k = 1; k < names.size(); ++k) all += std::string(k + 1 < names.size() ? ", " : " and ") + names[k];
  throw Error(ErrorCode::bad_notation, std::string("there is no ") + std::string(what) + " '" + shown(std::string(name)) + "'; there are " +
                                           all + std::string(besides));
}

}  // namespace crinkle
