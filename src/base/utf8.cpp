// SPDX-License-Identifier: BSD-3-Clause
#include "base/utf8.hpp"

#include <array>

namespace crinkle {

std::size_t utf8_bytes_at(std::string_view text, std::size_t at, char32_t& point) {
  static constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};  // what a character of so many bytes stands for
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return point = lead, 1;
  const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || n > text.size() - at) return 0;
  point = lead & (0x7fU >> n);
  for (std::size_t k = 1; k < n; ++k) {
    if ((byte(at + k) & 0xc0) != 0x80) return 0;
    point = (point << 6) | (byte(at + k) & 0x3fU);
  }
  const bool is_surrogate = point >= 0xd800 && point < 0xe000;
  return point < least[n] || is_surrogate || point > 0x10ffff ? 0 : n;
}

}  // namespace crinkle
