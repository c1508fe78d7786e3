// Checks that a buffer was given as values of the kind that something runs on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "crinkle/device.hpp"

namespace crinkle {

/// Throws bad_shape, naming both sizes, where the buffer was made of numbers of another size than the form's, or of a class whose values
/// are no whole records. `what`: "source", `whose`: "the plan".
void check_values(const ConstBuffer& buffer, const ValueForm& form, const std::string& what, const char* whose);

}  // namespace crinkle
