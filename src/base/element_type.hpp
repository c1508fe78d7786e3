// Names of element types: NumPy's names ("float32") and descr codes ("<f4") come to one short code ("f4").
// A move needs only the bytes; the code says how a value's text is read.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crinkle {

/// "f4" for "f4", "<f4", "float32" and "single"; "V4" for "32 bits"; "" for a name that is not a fixed-size type's.
std::string code_of_type(std::string_view name);

/// Whether a text can stand between the brackets of a time's type: "ns", "25s", "s/4"; not "3" or "ns][3".
bool is_time_unit(std::string_view text);

/// "25s" for "<M8[25s]" and "datetime64[25s]", "" where no unit is written.
std::string_view time_unit_of_type(std::string_view name);

/// The long names that code_of_type knows, for suggestions.
std::vector<std::string> type_names();

}  // namespace crinkle
