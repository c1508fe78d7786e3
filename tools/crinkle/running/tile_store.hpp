// What lies between two passes: an array in tiles, one behind the other in a file without a name, which the system removes with the
// process.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "formats/dataset.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {

class TileStore {
 public:
  /// In `folder`. Throws bad_file for one that must not be written, and for a full disk.
  TileStore(const std::string& folder, Extents extents, Extents tiles, std::int64_t element_bytes);

  /// Both are safe from several threads; writing for different boxes.
  void write(const Ranges& box, const std::byte* from, const Extents& strides);
  void read(const Ranges& box, std::byte* into, const Extents& strides) const;

 private:
  template <class Tile>
  void each_tile(const Ranges& box, const Extents& strides, Tile&& tile) const;

  Extents extents_, tiles_, tile_strides_;
  std::int64_t element_bytes_, tile_bytes_;
  std::string name_;
  Descriptor file_;
};

}  // namespace crinkle::tool
