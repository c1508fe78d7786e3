// SPDX-License-Identifier: BSD-3-Clause
#include "running/tile_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "base/checked.hpp"
#include "formats/box_copy.hpp"
#include "formats/output_name.hpp"

namespace crinkle::tool {

TileStore::TileStore(const std::string& folder, Extents extents, Extents tiles, std::int64_t element_bytes)
    : extents_(std::move(extents)), tiles_(std::move(tiles)), element_bytes_(element_bytes), name_(folder + " (temporary store)") {
  const Layout tile = Layout::dense(tiles_, element_bytes);
  tile_strides_ = tile.strides;
  tile_bytes_ = tile.n_bytes();
  file_ = nameless_file(folder);
  if (file_.get() < 0) throw_system(name_, "creating", errno);
  std::int64_t bytes = tile_bytes_;
  for (std::size_t a = 0; a < extents_.size(); ++a) bytes = multiply(bytes, ceil_divide(extents_[a], tiles_[a]));
  // A full disk is told now; some file systems cannot say.
  if (bytes > 0 && ::fallocate(file_.get(), 0, 0, bytes) != 0 && errno != EOPNOTSUPP)
    throw_system(name_, fmt::format("reserving {} bytes (--temporary names another directory)", bytes), errno);
}

template <class Tile>
void TileStore::each_tile(const Ranges& box, const Extents& strides, Tile&& tile) const {
  for (const Ranges& part : boxes_of_grid(box, tiles_)) {
    Extents some;
    std::int64_t number = 0, inside = 0, at = 0;
    for (std::size_t a = 0; a < part.size(); ++a) {
      some.push_back(part[a].n);
      number = number * ceil_divide(extents_[a], tiles_[a]) + part[a].first / tiles_[a];
      inside += part[a].first % tiles_[a] * tile_strides_[a];
      at += (part[a].first - box[a].first) * strides[a];
    }
    tile(FilePlace{file_.get(), number * tile_bytes_ + inside, name_}, some, at);
  }
}

void TileStore::write(const Ranges& box, const std::byte* from, const Extents& strides) {
  static thread_local ReusedMemory room;
  each_tile(box, strides, [&](const FilePlace& place, const Extents& some, std::int64_t at) {
    write_file_box(place, some, element_bytes_, tile_strides_, from + at, strides, room);
  });
}

void TileStore::read(const Ranges& box, std::byte* into, const Extents& strides) const {
  static thread_local ReusedMemory room;
  each_tile(box, strides, [&](const FilePlace& place, const Extents& some, std::int64_t at) {
    read_file_box(place, some, element_bytes_, tile_strides_, into + at, strides, room);
  });
}

}  // namespace crinkle::tool
