// Files of TIFF written by hand, and what is read of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "formats/dataset.hpp"
#include "formats/tiff/directory.hpp"

namespace crinkle::tool {

using Elements = std::vector<std::byte>;

inline Elements elements_of(const Dataset& dataset, const Ranges& box) {
  Extents extents;
  for (const Range& range : box) extents.push_back(range.n);
  const Layout dense = Layout::dense(extents, dataset.facts().type.bytes);
  Elements elements(static_cast<std::size_t>(dense.n_bytes()));
  dataset.read(box, elements.data(), dense.strides);
  return elements;
}

inline std::string said_of_file(const std::string& path) {
  try {
    const auto dataset = open_dataset(path);
    elements_of(*dataset, whole_of(dataset->facts().extents));
  } catch (const Error& e) { return e.what(); }
  return "";
}

/// A picture of a file written by hand.
struct Hand {
  std::uint16_t bits = 8, format = 1, compression = 1;
  std::uint32_t width = 2, height = 1;
  Elements data;
  std::string description;
  std::uint32_t kind = 0;
  std::uint16_t other_tag = 0;
};

inline void put_pictures(const std::string& path, const std::vector<Hand>& pictures) {
  Elements file(16);
  std::vector<tiff::Directory> directories;
  for (const Hand& p : pictures) {
    tiff::Directory& d = directories.emplace_back();
    d.set_longs(254, {p.kind});
    d.set_longs(256, {p.width});
    d.set_longs(257, {p.height});
    d.set_shorts(258, {p.bits});
    d.set_shorts(259, {p.compression});
    d.set_shorts(262, {1});
    if (!p.description.empty()) d.set_text(270, p.description);
    d.set_places(273, {p.data.empty() ? 0 : file.size()}, false);
    d.set_shorts(277, {1});
    d.set_longs(278, {p.height});
    d.set_places(279, {p.data.size()}, false);
    d.set_shorts(339, {p.format});
    if (p.other_tag != 0) d.set_text(p.other_tag, "x");
    file.insert(file.end(), p.data.begin(), p.data.end());
  }
  file.resize((file.size() + 7) / 8 * 8);
  const Elements head = tiff::header_of(file.size(), false), tail = tiff::bytes_of(directories, file.size(), false);
  std::memcpy(file.data(), head.data(), head.size());
  file.insert(file.end(), tail.begin(), tail.end());
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
}

inline Elements bytes_of_numbers(std::initializer_list<int> numbers) {
  Elements bytes;
  for (const int n : numbers) bytes.push_back(static_cast<std::byte>(n));
  return bytes;
}

inline std::vector<Hand> six(const std::string& description) {
  std::vector<Hand> pictures;
  for (int k = 0; k < 6; ++k) pictures.push_back({.data = bytes_of_numbers({k, k + 10})});
  pictures[0].description = description;
  return pictures;
}

}  // namespace crinkle::tool
