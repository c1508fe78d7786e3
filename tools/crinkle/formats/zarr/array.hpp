// The chunks of an array that is there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "formats/zarr/metadata.hpp"

namespace crinkle::tool::zarr {

/// What the facts of an array are.
DatasetFacts facts_of(const Metadata& metadata, const std::string& path);

class Array final : public Dataset {
 public:
  /// `folder`: the array's directory, in that of the store. `around`: names of attributes of groups between them.
  Array(Metadata metadata, std::string folder, const std::string& path, const std::string& store, std::vector<std::string> around);
  void read(const Ranges& box, std::byte* into, const Extents& strides) const override;

 private:
  /// Where the chunks of a shard lie: first byte and number of bytes, or ~0 both where one is not there.
  struct Piece {
    std::uint64_t first = 0, n = 0;
  };
  using Index = std::vector<Piece>;

  /// A chunk as it is stored: a file from a byte of it on. −1: it is not there.
  struct Stored {
    Descriptor file;
    std::string path, where;
    std::uint64_t first = 0;
    std::size_t n = 0;
  };
  Stored stored(const Extents& cell) const;
  Stored stored_in_shard(const Extents& cell) const;
  std::shared_ptr<const Index> index_of(const Extents& shard, int descriptor, const std::string& file) const;

  Metadata metadata_;
  std::string folder_;
  std::size_t most_stored_;  // bytes of a packed chunk
  mutable std::mutex mutex_;
  mutable std::map<Extents, std::shared_ptr<const Index>> indices_;
};

}  // namespace crinkle::tool::zarr
