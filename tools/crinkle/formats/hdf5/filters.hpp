// The filters that a chunk goes through, with the numbers that The HDF Group registered them by. They run in our threads; the library,
// which has one lock, only brings the packed bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/hdf5/library.hpp"
#include "formats/zarr/codec.hpp"

namespace crinkle::tool::hdf5 {

using zarr::Bytes;

struct Filter {
  enum class Kind : std::uint8_t { codec, fletcher32, lz4, bitshuffle, other };

  unsigned number = 0;
  Kind kind = Kind::other;  // other: the library's alone, or nobody's
  zarr::Codec codec;        // of Kind::codec
  std::vector<unsigned> values;
  std::string name;  // for a person: "gzip 4"
};

/// Those of a dataset's creation properties, in the order in which chunks were packed.
std::vector<Filter> filters_of(hid_t properties, std::int64_t element_bytes, const std::string& where);
std::string described(const std::vector<Filter>& filters);

/// Whether all of them run here.
bool are_ours(const std::vector<Filter>& filters);
/// Throws unsupported, naming it, for one that neither runs here nor in the library.
void check_known(const std::vector<Filter>& filters, const std::string& where);

/// Bit k of `skipped`: filter k was left out. Exactly n_bytes come out. Throws bad_file, naming `where`.
Bytes unpacked(const std::vector<Filter>& filters, std::uint32_t skipped, Bytes bytes, std::size_t n_bytes, const std::string& where);
Bytes packed(const std::vector<Filter>& filters, Bytes bytes, const std::string& where);

/// "gzip:5,shuffle", "zstd:3", "lz4", "blosc:lz4:5,bitshuffle", "none", each with ",fletcher32". Throws bad_notation.
std::vector<Filter> filters_of_words(const std::string& words, std::int64_t element_bytes, std::int64_t chunk_bytes);
/// Which of them readers elsewhere lack without a plugin: "zstd"; or "".
std::string plugin_needed(const std::vector<Filter>& filters);
void set_filters(hid_t properties, const std::vector<Filter>& filters, const std::string& where);

// frames.cpp: what these filters make of a chunk.
std::uint32_t fletcher32(std::span<const std::byte> bytes);
Bytes lz4_packed(std::span<const std::byte> bytes, const std::string& where);
Bytes lz4_unpacked(std::span<const std::byte> bytes, std::size_t most, const std::string& where);
Bytes bits_unshuffled(const std::vector<unsigned>& values, std::span<const std::byte> bytes, std::size_t most, const std::string& where);

}  // namespace crinkle::tool::hdf5
