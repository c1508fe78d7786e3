// The bytes of a value written as text, for an element type named as NumPy names it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace crinkle {

/// `text` as one element of `type`, in native byte order whatever order the type names:
///   "b1"                 true, false, 1, 0
///   "i1" … "u8"          integers, also hexadecimal (0x1f)
///   "f2" … "f16"         numbers, nan, inf
///   "c8" … "c32"         `1.5`, `2j`, `1.5-2j`
///   "M8[D]"              dates and times (moment.hpp); without a unit an integer; NaT
///   "m8[25s]"            an integer of the units, NaT
///   "S7", "U5"           text: at most so many bytes, or characters of UTF-8; zeros behind it
///   "V4"                 0x and two digits for every byte, in the order in which they lie
/// or the long names: "float32". Throws bad_notation, with the type's range where the value is out of it; unsupported for a type that has
/// no values as text.
std::vector<std::byte> parse_value(std::string_view text, std::string_view type);

}  // namespace crinkle
