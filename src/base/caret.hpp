// Errors that point into a text: the message, the text, and a caret line under the place,
//     expected a name, a number, '(' or '...', found '['
//       z [y x] -> z y x
//         ^
// Columns and lengths are bytes of the text; the caret line counts characters, and what cannot be shown on one line
// (control characters, broken UTF-8, very long texts) is replaced or cut so that the caret still lies under its place.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "crinkle/error.hpp"

namespace crinkle {

/// message + "\n  " + text + "\n  " + carets under [column, column + length), at least one.
std::string with_caret(std::string_view message, std::string_view text, std::size_t column, std::size_t length);

/// Error{code} whose text is with_caret(message, text, column, length).
Error caret_error(ErrorCode code, std::string_view text, std::size_t column, std::size_t length, std::string_view message);

/// caret_error of bad_notation.
Error notation_error(std::string_view text, std::size_t column, std::size_t length, std::string_view message);

/// The word of `words` that `word` was probably meant to be: least edit distance (swaps of neighbours count once), at most a third
/// of its length and at least 1; "" where none is near.
std::string nearest_of(std::string_view word, const std::vector<std::string>& words);

/// A foreign text as it is shown between quotes on one line: at most 60 characters, nothing unprintable.
std::string shown(std::string_view text);

}  // namespace crinkle
