// The bytes of a value written as text, for an element type named as NumPy names it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace crinkle {

/// `text` as one element of `type` ("b1", "i1" … "u8", "f2", "f4", "f8", "c8", "c16", or the long names: "float32"), in native byte
/// order whatever order the type names. Integers may be hexadecimal (0x1f); reals may be nan and inf; complex numbers are `1.5`, `2j`,
/// `1.5-2j`. Throws bad_notation, with the type's range where the value is out of it; unsupported for a type that has no values as text.
std::vector<std::byte> parse_value(std::string_view text, std::string_view type);

}  // namespace crinkle
