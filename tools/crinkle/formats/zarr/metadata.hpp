// What a store's JSON says of an array: .zarray and .zattrs of version 2, zarr.json of version 3.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/zarr/codec.hpp"

namespace crinkle::tool::zarr {

struct Metadata {
  int version = 3;
  Extents extents, chunks;
  Extents shards;  // of chunks, each in one file; empty: a file is a chunk
  ElementType type;
  Bytes fill;                // an element
  std::vector<int> order;    // axes of a chunk as they are stored, the last one fastest
  std::vector<Codec> chain;  // of a chunk's bytes
  std::vector<Codec> index_chain;
  bool is_index_first = false;
  std::string prefix = "c/";
  char separator = '/';
  std::vector<std::string> axes;
  std::shared_ptr<const nlohmann::ordered_json> attributes;

  const Extents& files() const noexcept { return shards.empty() ? chunks : shards; }
  /// The file, inside of the array's directory, whose elements begin at cell · files().
  std::string key(const Extents& cell) const;
  /// Byte strides of a chunk, in the array's axes.
  Extents chunk_strides() const;
  std::size_t chunk_bytes() const;
};

/// Throw bad_file for what is missing or contradicts itself, unsupported for what is not known, naming it.
Metadata metadata_of_v2(const nlohmann::ordered_json& said, const nlohmann::ordered_json& attributes, const std::string& where);
Metadata metadata_of_v3(const nlohmann::ordered_json& said, const std::string& where);

/// zarr.json of a new array, and of a group.
std::string text_of(const Metadata& metadata, const std::string& path);
std::string text_of_group();

/// The parsed file; throws bad_file for what is no JSON object.
nlohmann::ordered_json read_json(const std::string& path);

}  // namespace crinkle::tool::zarr
