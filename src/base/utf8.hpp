// One character of UTF-8 at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

namespace crinkle {

/// How many bytes the character that begins at text[at] takes, and in `point` which it is; 0 where there is no valid character (overlong,
/// surrogate, beyond U+10FFFF, cut). Requires at < text.size().
std::size_t utf8_bytes_at(std::string_view text, std::size_t at, char32_t& point);

}  // namespace crinkle
