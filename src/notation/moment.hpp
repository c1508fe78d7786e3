// Dates and times of day as numbers: what a datetime64 of NumPy counts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace crinkle {

inline constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();

/// How many `unit`s ("D", "25s", as between the brackets of <M8[25s]) lie between 1970-01-01T00:00:00 and the moment `text` in the
/// Gregorian calendar: YYYY, YYYY-MM, YYYY-MM-DD, or that and Thh, Thh:mm, Thh:mm:ss, Thh:mm:ss.fraction. "NaT" is not_a_time. Throws
/// bad_notation with a caret, also where the moment is no whole number of units or not within 64 bits; unsupported for a unit that NumPy
/// does not have.
std::int64_t parse_moment(std::string_view text, std::string_view unit);

/// Whether the text says that it is no time: NaT in any case of letters.
bool is_not_a_time(std::string_view text);

}  // namespace crinkle
