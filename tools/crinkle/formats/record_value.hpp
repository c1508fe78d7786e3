// The bytes of a value written as text, for any element type that a file may have: what notation/value.hpp reads, and records of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "formats/element_type.hpp"

namespace crinkle::tool {

/// `text` as one element of `type` as it lies in a file, in the type's byte orders. A record is a tuple with one entry for each field, in
/// order: (1.5, 7, abc), nested where a field is a record; text that has a comma or parenthesis in it stands between quotes. A field that
/// is repeated takes one entry for all of its items; gaps are zero. Throws what parse_value throws, and bad_notation for a tuple that does
/// not fit the fields.
std::vector<std::byte> value_of_type(std::string_view text, const ElementType& type);

}  // namespace crinkle::tool
