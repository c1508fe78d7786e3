// Names of axes and fields are made of letters of any script, '_' and, behind the first, digits. It is what einops takes, which asks
// Python's str.isidentifier, but for a few signs of rare scripts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

namespace crinkle {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a name begins at text[at]; at may be the text's end.
bool starts_name(std::string_view text, std::size_t at);

/// One past the last byte of the name that begins at text[at], or goes on there; `at` where none does.
std::size_t end_of_name(std::string_view text, std::size_t at);

/// Whether the whole text is one name.
bool is_name(std::string_view text);

}  // namespace crinkle
