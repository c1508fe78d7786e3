// Which letters names and numbers are made of.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace crinkle {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool starts_name(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
constexpr bool continues_name(char c) { return starts_name(c) || is_digit(c); }

}  // namespace crinkle
