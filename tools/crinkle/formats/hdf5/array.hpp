// An array that is there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "formats/hdf5/filters.hpp"
#include "formats/hdf5/library.hpp"

namespace crinkle::tool::hdf5 {

class Array final : public Dataset {
 public:
  Array(const std::string& path, const DatasetName& name);
  /// Throws unless what it says of itself can be read: goes through the index of its chunks.
  void look() const;
  void read(const Ranges& box, std::byte* into, const Extents& strides) const override;

 private:
  enum class Way { chunks, bytes, nothing, library };

  void find_way(hid_t properties);
  std::string where() const { return facts_.path; }
  std::vector<hsize_t> first_of(const Extents& cell) const;
  Bytes chunk(const Extents& cell) const;  // unpacked; empty: not there
  /// Of the first byte of a chunk that nothing packs; -1: the chunk is not there.
  std::int64_t address(const Extents& cell) const;
  void read_chunks(const Ranges& box, std::byte* into, const Extents& strides) const;
  void read_bytes(const Ranges& box, std::size_t axis, std::int64_t at, std::byte* into, const Extents& strides) const;
  void read_by_library(const Ranges& box, std::byte* into, const Extents& strides) const;

  Handle file_, dataset_, type_;
  Descriptor opened_;
  std::int64_t file_bytes_ = 0, first_byte_ = 0;
  std::size_t most_stored_ = 0;  // bytes of a packed chunk
  Way way_ = Way::library;
  std::vector<Filter> filters_;
  Extents dense_;  // byte strides of what lies in one piece: the array, or a chunk
};

}  // namespace crinkle::tool::hdf5
