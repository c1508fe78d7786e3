// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/directory.hpp"

#include <bit>
#include <cmath>

namespace crinkle::tool::tiff {
namespace {

template <class T>
void put(std::vector<std::byte>& out, T number) {
  const std::size_t at = out.size();
  out.resize(at + sizeof number);
  std::memcpy(out.data() + at, &number, sizeof number);
}

void put_place(std::vector<std::byte>& out, std::uint64_t place, bool is_big) {
  if (is_big) put(out, place);
  else put(out, static_cast<std::uint32_t>(place));
}

}  // namespace

// Over a power of ten: the fraction of a step with few decimals is exact.
void Directory::set_fraction(std::uint16_t tag, double number) {
  double tens = 1e9, below = 0;
  for (; tens > 1; tens /= 10) {
    below = std::round(tens / number);
    if (below >= 1 && below <= UINT32_MAX) break;
  }
  std::uint32_t over = static_cast<std::uint32_t>(tens), under = static_cast<std::uint32_t>(std::fmax(1, std::fmin(below, UINT32_MAX)));
  Entry& entry = entries_[tag];
  entry = {5, 1, std::vector<std::byte>(8)};
  std::memcpy(entry.data.data(), &over, 4);
  std::memcpy(entry.data.data() + 4, &under, 4);
}

void Directory::set_text(std::uint16_t tag, const std::string& text) {
  Entry& entry = entries_[tag];
  entry = {2, text.size() + 1, std::vector<std::byte>(text.size() + 1)};
  std::memcpy(entry.data.data(), text.c_str(), text.size() + 1);
}

void Directory::set_places(std::uint16_t tag, const std::vector<std::uint64_t>& numbers, bool is_big) {
  if (is_big) return set(tag, 16, numbers);
  set_longs(tag, {numbers.begin(), numbers.end()});
}

std::vector<std::byte> bytes_of(const std::vector<Directory>& directories, std::uint64_t place, bool is_big) {
  const std::size_t in_entry = is_big ? 8 : 4;
  std::vector<std::byte> out;
  for (std::size_t d = 0; d < directories.size(); ++d) {
    const auto& entries = directories[d].entries_;
    const std::size_t n_bytes = is_big ? 16 + 20 * entries.size() : 6 + 12 * entries.size();
    std::uint64_t at = place + out.size() + n_bytes;  // of what does not fit into an entry
    std::vector<std::byte> behind;
    if (is_big) put(out, static_cast<std::uint64_t>(entries.size()));
    else put(out, static_cast<std::uint16_t>(entries.size()));
    for (const auto& [tag, entry] : entries) {
      put(out, tag);
      put(out, entry.type);
      put_place(out, entry.count, is_big);
      if (entry.data.size() <= in_entry) {
        const std::size_t begin = out.size();
        out.resize(begin + in_entry);
        std::memcpy(out.data() + begin, entry.data.data(), entry.data.size());
      } else {
        put_place(out, at + behind.size(), is_big);
        behind.insert(behind.end(), entry.data.begin(), entry.data.end());
        behind.resize((behind.size() + 7) / 8 * 8);
      }
    }
    const std::uint64_t end = (at + behind.size() + 7) / 8 * 8;
    put_place(out, d + 1 < directories.size() ? end : 0, is_big);
    out.insert(out.end(), behind.begin(), behind.end());
    out.resize(static_cast<std::size_t>(end - place));
  }
  return out;
}

std::vector<std::byte> header_of(std::uint64_t first_directory, bool is_big) {
  std::vector<std::byte> out;
  const auto letter = static_cast<std::uint8_t>(std::endian::native == std::endian::little ? 'I' : 'M');
  put(out, letter);
  put(out, letter);
  put(out, static_cast<std::uint16_t>(is_big ? 43 : 42));
  if (is_big) {
    put(out, std::uint16_t{8});
    put(out, std::uint16_t{0});
  }
  put_place(out, first_directory, is_big);
  out.resize(16);
  return out;
}

}  // namespace crinkle::tool::tiff
