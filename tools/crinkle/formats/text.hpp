// Encodings of header text: .npy versions 1 and 2 are Latin-1, version 3 is UTF-8. Inside crinkle text is UTF-8.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace crinkle::tool {

std::string utf8_of_latin1(std::string_view latin1);

/// None when a character lies beyond U+00FF. Requires valid UTF-8.
std::optional<std::string> latin1_of_utf8(std::string_view utf8);

bool is_utf8(std::string_view text);

}  // namespace crinkle::tool
