// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/filters.hpp"

#include <blosc.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::hdf5 {
namespace {

using zarr::Codec;

constexpr unsigned number_of_blosc = 32001, number_of_lz4 = 32004, number_of_bitshuffle = 32008, number_of_zstd = 32015;

/// Others that are known by name alone.
constexpr std::array<std::pair<unsigned, std::string_view>, 12> others = {{{H5Z_FILTER_SZIP, "szip"},
                                                                           {H5Z_FILTER_NBIT, "nbit"},
                                                                           {H5Z_FILTER_SCALEOFFSET, "scaleoffset"},
                                                                           {305, "lzo"},
                                                                           {307, "bzip2"},
                                                                           {32000, "lzf"},
                                                                           {32013, "zfp"},
                                                                           {32017, "sz"},
                                                                           {32018, "fcidecomp"},
                                                                           {32019, "jpeg"},
                                                                           {32026, "blosc2"},
                                                                           {32023, "granular bitround"}}};

unsigned value_at(const std::vector<unsigned>& values, std::size_t k, unsigned otherwise) {
  return k < values.size() ? values[k] : otherwise;
}

std::string name_of_blosc(const std::vector<unsigned>& values) {
  constexpr std::array<std::string_view, 6> packers = {"blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"};
  constexpr std::array<std::string_view, 3> shuffles = {"", ", shuffle", ", bitshuffle"};
  const unsigned packer = value_at(values, 6, 0), shuffle = value_at(values, 5, 1);
  return fmt::format("blosc {} {}{}", packer < packers.size() ? packers[packer] : "?", value_at(values, 4, 5),
                     shuffle < shuffles.size() ? shuffles[shuffle] : "");
}

Filter filter_of(unsigned number, std::vector<unsigned> values, std::int64_t element_bytes, const std::string& said) {
  Filter f{.number = number, .kind = Filter::Kind::codec, .values = std::move(values)};
  const int level = static_cast<int>(value_at(f.values, 0, 0));
  switch (number) {
    case H5Z_FILTER_DEFLATE:
      f.codec = Codec{Codec::Kind::zlib, std::clamp(level, 0, 9), {}};
      f.name = fmt::format("gzip {}", level);
      return f;
    case H5Z_FILTER_SHUFFLE:
      f.codec = Codec{Codec::Kind::shuffle, 0, {}};
      f.codec.element_bytes = f.values.empty() || f.values[0] == 0 ? element_bytes : f.values[0];
      f.name = "shuffle";
      return f;
    case number_of_zstd:
      f.codec = Codec{Codec::Kind::zstd, level, {}};
      f.name = fmt::format("zstd {}", level);
      return f;
    case number_of_blosc:
      f.codec = Codec{Codec::Kind::blosc, 5, "lz4"};  // to unpack, its bytes say the rest
      f.name = name_of_blosc(f.values);
      return f;
    case H5Z_FILTER_FLETCHER32: f.kind = Filter::Kind::fletcher32, f.name = "fletcher32"; return f;
    case number_of_lz4: f.kind = Filter::Kind::lz4, f.name = "lz4"; return f;
    case number_of_bitshuffle: f.kind = Filter::Kind::bitshuffle, f.name = "bitshuffle"; return f;
    default: break;
  }
  f.kind = Filter::Kind::other;
  const auto* const known = std::find_if(others.begin(), others.end(), [&](const auto& other) { return other.first == number; });
  f.name = known != others.end() ? std::string(known->second)
                                 : fmt::format("filter {}{}", number, said.empty() ? "" : " (" + printable(said) + ")");
  return f;
}

[[noreturn]] void refuse_as_torn(const std::string& where, const std::string& filter) { throw_bad_file(where, "is torn: " + filter); }

Bytes without_checksum(const Bytes& bytes, const std::string& where) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) refuse_as_torn(where, "fletcher32");
  const auto body = std::span(bytes).first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  const std::uint32_t is = fletcher32(body);
  const std::uint32_t old = (is & 0xFF00FF00U) >> 8U | (is & 0x00FF00FFU) << 8U;  // early versions wrote its bytes in another order
  if (sum != is && sum != old) throw_bad_file(where, "is torn: its checksum (fletcher32) is not that of its bytes");
  return {body.begin(), body.end()};
}

// The library wants to know each filter that a dataset names. It never calls these: chunks come to it packed.
std::size_t never_called(unsigned, std::size_t, const unsigned*, std::size_t, std::size_t*, void**) { return 0; }

void make_known(unsigned number) {
  const Library h5;
  const char* const name = number == number_of_zstd ? "zstd" : number == number_of_blosc ? "blosc" : "lz4";  // kept by the library
  if (h5->H5Zfilter_avail(static_cast<H5Z_filter_t>(number)) > 0) return;
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, static_cast<H5Z_filter_t>(number), 1, 1, name, nullptr, nullptr, never_called};
  h5->H5Zregister(&filter);
}

}  // namespace

std::vector<Filter> filters_of(hid_t properties, std::int64_t element_bytes, const std::string& where) {
  const Library h5;
  std::vector<Filter> filters;
  const int n = h5.checked(h5->H5Pget_nfilters(properties), where, "counting its filters");
  for (int k = 0; k < n; ++k) {
    std::vector<unsigned> values(64);
    std::size_t n_values = values.size();
    std::array<char, 128> name{};
    unsigned flags = 0, config = 0;
    const int number = h5.checked(
        h5->H5Pget_filter2(properties, static_cast<unsigned>(k), &flags, &n_values, values.data(), name.size() - 1, name.data(), &config),
        where, "asking for its filters");
    values.resize(std::min(n_values, values.size()));
    filters.push_back(filter_of(static_cast<unsigned>(number), std::move(values), element_bytes, name.data()));
  }
  return filters;
}

std::string described(const std::vector<Filter>& filters) {
  std::string text;
  for (const Filter& f : filters) text += (text.empty() ? "" : ", ") + f.name;
  return text.empty() ? "none" : text;
}

bool are_ours(const std::vector<Filter>& filters) {
  return std::none_of(filters.begin(), filters.end(), [](const Filter& f) { return f.kind == Filter::Kind::other; });
}

void check_known(const std::vector<Filter>& filters, const std::string& where) {
  const Library h5;
  for (const Filter& f : filters)
    if (f.kind == Filter::Kind::other && h5->H5Zfilter_avail(static_cast<H5Z_filter_t>(f.number)) <= 0)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: its chunks are packed by {} ({}), which is not known here; with that filter's plugin in the directory "
                              "HDF5_PLUGIN_PATH it is, or `h5repack -f NONE` there where it was written unpacks the file",
                              where, f.name, f.number));
}

/// Bytes that filter k was given when a chunk of n_bytes was packed.
static std::size_t bytes_before(const std::vector<Filter>& filters, std::size_t k, std::uint32_t skipped, std::size_t n_bytes,
                                const std::string& where) {
  for (std::size_t i = 0; i < k; ++i) {
    if (i < 32 && (skipped >> i & 1U) != 0) continue;
    if (filters[i].kind == Filter::Kind::fletcher32) n_bytes += sizeof(std::uint32_t);
    else if (filters[i].kind == Filter::Kind::lz4 ||
             (filters[i].kind == Filter::Kind::codec && filters[i].codec.kind != zarr::Codec::Kind::shuffle))
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: its chunks are packed twice, by {} and by {}; `h5repack -f NONE` unpacks the file", where,
                              filters[i].name, filters[k].name));
  }
  return n_bytes;
}

Bytes unpacked(const std::vector<Filter>& filters, std::uint32_t skipped, Bytes bytes, std::size_t n_bytes, const std::string& where) {
  const std::size_t most = n_bytes + n_bytes / 4 + 65536;  // what packing can add
  for (std::size_t k = filters.size(); k-- > 0;) {
    if (k < 32 && (skipped >> k & 1U) != 0) continue;
    const Filter& f = filters[k];
    switch (f.kind) {
      case Filter::Kind::codec: bytes = zarr::unpacked({f.codec}, bytes, bytes_before(filters, k, skipped, n_bytes, where), where); break;
      case Filter::Kind::fletcher32: bytes = without_checksum(bytes, where); break;
      case Filter::Kind::lz4: bytes = lz4_unpacked(bytes, most, where); break;
      case Filter::Kind::bitshuffle: bytes = bits_unshuffled(f.values, bytes, most, where); break;
      case Filter::Kind::other: refuse_as_torn(where, f.name);
    }
  }
  if (bytes.size() != n_bytes) throw_bad_file(where, fmt::format("holds {} bytes, and a chunk has {}", bytes.size(), n_bytes));
  return bytes;
}

Bytes packed(const std::vector<Filter>& filters, Bytes bytes, const std::string& where) {
  for (const Filter& f : filters) {
    if (f.kind == Filter::Kind::codec) bytes = zarr::packed({f.codec}, bytes, where);
    else if (f.kind == Filter::Kind::lz4) bytes = lz4_packed(bytes, where);
    else {  // a checksum
      const std::uint32_t sum = fletcher32(bytes);
      bytes.resize(bytes.size() + sizeof sum);
      std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
    }
  }
  return bytes;
}

std::vector<Filter> filters_of_words(const std::string& words, std::int64_t element_bytes, std::int64_t chunk_bytes) {
  std::optional<Filter> packer;
  bool is_shuffled = false, is_bit_shuffled = false, is_checked = false, is_none = false;
  const auto refuse = [&](std::string_view word, const std::string& why) {
    throw Error(ErrorCode::bad_notation,
                fmt::format("--filter {}: '{}' {}; of HDF5 it is none, gzip:LEVEL, zstd:LEVEL, lz4 or "
                            "blosc:NAME:LEVEL, with shuffle, bitshuffle (of blosc) and fletcher32, with commas between",
                            words, word, why));
  };
  const auto bytes = static_cast<unsigned>(element_bytes);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, comma - at);
    at = comma + 1;
    const std::size_t colon = word.find(':');
    const std::string name = word.substr(0, colon);
    if (word == "none" && !packer && !is_none) is_none = true;
    else if (word == "shuffle" && !is_shuffled) is_shuffled = true;
    else if (word == "bitshuffle" && !is_bit_shuffled) is_bit_shuffled = true;
    else if (word == "fletcher32" && !is_checked) is_checked = true;
    else if (word == "crc32c") refuse(word, "is no checksum of HDF5, whose own is fletcher32");
    else if (name != "gzip" && name != "zstd" && name != "lz4" && name != "blosc") refuse(word, "is not known");
    else if (packer || is_none) refuse(word, "packs once more");
    else {
      // Zarr's words are these, too; its chain says the level, checked.
      const Codec codec = zarr::chain_of_words(word, element_bytes).at(0);
      const auto level = static_cast<unsigned>(codec.level);
      if (name == "gzip") packer = filter_of(H5Z_FILTER_DEFLATE, {level}, element_bytes, "");
      else if (name == "zstd") packer = filter_of(number_of_zstd, {level}, element_bytes, "");
      else if (name == "lz4") packer = colon == std::string::npos ? filter_of(number_of_lz4, {}, element_bytes, "") : Filter{};
      else {
        const auto packer_code = static_cast<unsigned>(std::max(0, blosc_compname_to_compcode(codec.inner.c_str())));
        packer = filter_of(number_of_blosc, {2, BLOSC_VERSION_FORMAT, bytes, static_cast<unsigned>(chunk_bytes), level, 0, packer_code},
                           element_bytes, "");
        packer->codec = codec;
      }
      if (packer->kind == Filter::Kind::other) refuse(word, "has no level");
    }
  }
  if (is_none && (is_shuffled || is_bit_shuffled)) refuse("none", "has nothing to shuffle for");
  const bool is_blosc = packer && packer->number == number_of_blosc;
  if (is_bit_shuffled && (!is_blosc || is_shuffled)) refuse("bitshuffle", "is of blosc, in place of shuffle");
  std::vector<Filter> filters;
  if (is_blosc) {
    packer->codec.shuffle = is_bit_shuffled ? 2 : is_shuffled ? 1 : 0;
    packer->codec.element_bytes = element_bytes;
    packer->values[5] = static_cast<unsigned>(packer->codec.shuffle);
    packer->name = name_of_blosc(packer->values);
  } else if (is_shuffled && element_bytes > 1) {
    filters.push_back(filter_of(H5Z_FILTER_SHUFFLE, {bytes}, element_bytes, ""));
  }
  if (packer) filters.push_back(*packer);
  if (is_checked) filters.push_back(filter_of(H5Z_FILTER_FLETCHER32, {}, element_bytes, ""));
  return filters;
}

std::string plugin_needed(const std::vector<Filter>& filters) {
  for (const Filter& f : filters)
    if (f.number >= 256) return f.name.substr(0, f.name.find(' '));
  return "";
}

void set_filters(hid_t properties, const std::vector<Filter>& filters, const std::string& where) {
  const Library h5;
  for (const Filter& f : filters) {
    herr_t status = 0;
    if (f.number == H5Z_FILTER_DEFLATE) status = h5->H5Pset_deflate(properties, f.values[0]);
    else if (f.number == H5Z_FILTER_SHUFFLE) status = h5->H5Pset_shuffle(properties);
    else if (f.number == H5Z_FILTER_FLETCHER32) status = h5->H5Pset_fletcher32(properties);
    else {
      make_known(f.number);
      status = h5->H5Pset_filter(properties, static_cast<H5Z_filter_t>(f.number), H5Z_FLAG_OPTIONAL, f.values.size(), f.values.data());
    }
    h5.checked(status, where, "setting its filter " + f.name);
  }
}

}  // namespace crinkle::tool::hdf5
