// Directories of a TIFF that is made: tags and their numbers, in the machine's byte order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace crinkle::tool::tiff {

class Directory {
 public:
  void set_shorts(std::uint16_t tag, const std::vector<std::uint16_t>& numbers) { set(tag, 3, numbers); }
  void set_longs(std::uint16_t tag, const std::vector<std::uint32_t>& numbers) { set(tag, 4, numbers); }
  void set_fraction(std::uint16_t tag, double number);
  void set_text(std::uint16_t tag, const std::string& text);
  /// Places in the file and numbers of bytes, in as few bytes as the file's kind has.
  void set_places(std::uint16_t tag, const std::vector<std::uint64_t>& numbers, bool is_big);

 private:
  friend std::vector<std::byte> bytes_of(const std::vector<Directory>& directories, std::uint64_t place, bool is_big);

  struct Entry {
    std::uint16_t type = 0;
    std::uint64_t count = 0;
    std::vector<std::byte> data;
  };

  template <class T>
  void set(std::uint16_t tag, std::uint16_t type, const std::vector<T>& numbers) {
    Entry& entry = entries_[tag];
    entry = {type, numbers.size(), std::vector<std::byte>(numbers.size() * sizeof(T))};
    std::memcpy(entry.data.data(), numbers.data(), entry.data.size());
  }

  std::map<std::uint16_t, Entry> entries_;
};

/// All of them, one behind the other, from byte `place` of the file on, a multiple of 8.
std::vector<std::byte> bytes_of(const std::vector<Directory>& directories, std::uint64_t place, bool is_big);

/// The first bytes of a file, 16.
std::vector<std::byte> header_of(std::uint64_t first_directory, bool is_big);

}  // namespace crinkle::tool::tiff
