// Latin-1 and UTF-8; see text.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/text.hpp"

#include "base/utf8.hpp"

namespace crinkle::tool {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

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
    char32_t point = 0;
    const std::size_t n = utf8_bytes_at(text, i, point);
    if (n == 0) return false;
    i += n;
  }
  return true;
}

}  // namespace crinkle::tool
