// Bytes packed and unpacked by the codecs of Zarr.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/reused_memory.hpp"

namespace crinkle::tool::zarr {

using Bytes = std::vector<std::byte>;
using ConstBytes = std::span<const std::byte>;

struct Codec {
  enum class Kind : std::uint8_t { zlib, gzip, zstd, lz4, blosc, shuffle, crc32c };

  Kind kind = Kind::zstd;
  int level = 0;
  std::string inner;               // of blosc: lz4, lz4hc, blosclz, zstd, zlib, snappy
  int shuffle = 0;                 // of blosc: 0 none, 1 bytes, 2 bits
  std::int64_t element_bytes = 1;  // of blosc and shuffle
  std::int64_t block_bytes = 0;    // of blosc: 0 lets it choose
  bool has_checksum = false;       // of zstd
};

/// For a person: "blosc lz4 5, shuffle".
std::string described(const std::vector<Codec>& chain);

/// Memory that packing and unpacking use again and again.
struct PackingRooms {
  ReusedMemory first, second;
};

/// What the chain makes of bytes: in one of the rooms, or, of an empty chain, the bytes themselves.
ConstBytes packed(const std::vector<Codec>& chain, ConstBytes bytes, PackingRooms& rooms, const std::string& where);
/// Back; just as many bytes as `into` has. Throws bad_file, naming `where`, for what is torn, shorter or longer.
void unpack(const std::vector<Codec>& chain, ConstBytes bytes, std::span<std::byte> into, PackingRooms& rooms, const std::string& where);

/// The same in memory of their own.
Bytes packed(const std::vector<Codec>& chain, ConstBytes bytes, const std::string& where);
Bytes unpacked(const std::vector<Codec>& chain, ConstBytes bytes, std::size_t n_bytes, const std::string& where);

/// Bytes that a chain of fixed size, as that of a shard's index, makes of n; throws unsupported where one packs.
std::size_t fixed_size(const std::vector<Codec>& chain, std::size_t n, const std::string& where);

/// One codec of version 3, {"name": …, "configuration": {…}}, and of version 2, {"id": …, …}. Throw unsupported, naming it.
Codec codec_of_v3(const nlohmann::ordered_json& said, std::int64_t element_bytes, const std::string& where);
Codec codec_of_v2(const nlohmann::ordered_json& said, std::int64_t element_bytes, const std::string& where);
nlohmann::ordered_json v3_of(const Codec& codec);

/// "zstd:3", "zstd:3,shuffle", "gzip:5", "blosc:lz4:5,bitshuffle", "lz4", "none", each with ",crc32c". Throws bad_notation.
std::vector<Codec> chain_of_words(const std::string& words, std::int64_t element_bytes);

}  // namespace crinkle::tool::zarr
