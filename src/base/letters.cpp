// SPDX-License-Identifier: BSD-3-Clause
#include "base/letters.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"

namespace crinkle {
namespace {

struct Range {
  char32_t first, last;
};

// Unicode's blocks of controls, punctuation, arrows, mathematical and other symbols, and what is no character of a text.
constexpr std::array<Range, 12> no_letters = {{{0x80, 0xa9},
                                               {0xab, 0xb4},
                                               {0xb6, 0xb9},
                                               {0xbb, 0xbf},
                                               {0xd7, 0xd7},
                                               {0xf7, 0xf7},
                                               {0x2000, 0x206f},
                                               {0x20a0, 0x20cf},
                                               {0x2190, 0x2bff},
                                               {0x2e00, 0x303f},
                                               {0xe000, 0xf8ff},
                                               {0xfe00, 0xffff}}};

/// Bytes of the letter or '_' at text[at], 0 where there is none.
std::size_t letter_bytes(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const char c = text[at];
  if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_') return 1;
  char32_t point = 0;
  const std::size_t n = utf8_bytes_at(text, at, point);
  const bool is_letter = n > 1 && point < 0x1f000 &&
                         std::none_of(no_letters.begin(), no_letters.end(), [&](Range r) { return point >= r.first && point <= r.last; });
  return is_letter ? n : 0;
}

}  // namespace

bool starts_name(std::string_view text, std::size_t at) { return letter_bytes(text, at) > 0; }

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::size_t n = is_digit(text[at]) ? 1 : letter_bytes(text, at);
    if (n == 0) return at;
    at += n;
  }
  return at;
}

bool is_name(std::string_view text) { return starts_name(text, 0) && end_of_name(text, 0) == text.size(); }

}  // namespace crinkle
