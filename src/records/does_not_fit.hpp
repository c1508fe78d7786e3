// A layout whose sizes do not fit 64 bits, and where: so that what was read from text gets its caret.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "crinkle/error.hpp"

namespace crinkle::records {

class DoesNotFit : public Error {
 public:
  DoesNotFit(std::size_t at_group, std::optional<std::size_t> at_field, const std::string& text)
      : Error(ErrorCode::too_large, text), group(at_group), field(at_field) {}

  std::size_t group;
  std::optional<std::size_t> field;  // of the group's fields; none: the group as a whole
};

}  // namespace crinkle::records
