// Latin-1 and UTF-8; see text.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/text.hpp"

#include <array>
#include <cstdint>

namespace crinkle::tool {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// How many bytes the character that begins at `i` takes, 0 if it is no valid character (overlong, surrogate, beyond U+10FFFF, cut).
std::size_t utf8_bytes_at(std::string_view text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  if (first < 0x80) return 1;
  const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || n > text.size() - i) return 0;
  std::uint32_t point = first & (0x7fU >> n);
  for (std::size_t k = 1; k < n; ++k) {
    if ((byte_at(text, i + k) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte_at(text, i + k) & 0x3f);
  }
  static constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
  return point < least[n] || point > 0x10ffff || is_surrogate ? 0 : n;
}

}  // namespace

std::string utf8_of_latin1(std::string_view latin1) {
  std::string utf8;
  for (std::size_t i = 0; i < latin1.size(); ++i) {
    const unsigned byte = byte_at(latin1, i);
    if (byte >= 0x80) utf8 += static_cast<char>(0xc0 | byte >> 6);
    utf8 += static_cast<char>(byte >= 0x80 ? 0x80 | (byte & 0x3f) : byte);
  }
  return utf8;
}

std::optional<std::string> latin1_of_utf8(std::string_view utf8) {
  std::string latin1;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const unsigned byte = byte_at(utf8, i);
    if (byte > 0xc3) return std::nullopt;
    latin1 += byte < 0x80 ? utf8[i] : static_cast<char>((byte & 0x03) << 6 | (byte_at(utf8, i + 1) & 0x3f));
    i += byte < 0x80 ? 0U : 1U;
  }
  return latin1;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = utf8_bytes_at(text, i);
    if (n == 0) return false;
    i += n;
  }
  return true;
}

}  // namespace crinkle::tool
