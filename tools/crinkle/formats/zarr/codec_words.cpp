// What JSON and people say of codecs; see codec.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "crinkle/error.hpp"
#include "formats/zarr/codec.hpp"

namespace crinkle::tool::zarr {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 6> inner_names = {"lz4", "lz4hc", "blosclz", "zstd", "zlib", "snappy"};
constexpr std::array<std::string_view, 3> shuffles = {"noshuffle", "shuffle", "bitshuffle"};

[[noreturn]] void refuse_codec(const std::string& where, const std::string& name) {
  throw Error(ErrorCode::unsupported,
              fmt::format("{}: it is packed by {}, which crinkle does not know; it knows zlib, gzip, zstd, lz4, blosc, shuffle, crc32c, "
                          "bytes, transpose and sharding_indexed",
                          where, name.empty() ? "a codec without a name" : name));
}

template <class T>
T value_of(const Json& said, const char* key, T otherwise, const std::string& where) {
  const auto found = said.find(key);
  if (found == said.end() || found->is_null()) return otherwise;
  try {
    return found->get<T>();
  } catch (const Json::exception&) { throw Error(ErrorCode::bad_file, fmt::format("{}: {} is {}", where, key, found->dump())); }
}

Codec blosc_of(const Json& said, int shuffle, std::int64_t element_bytes, const std::string& where) {
  Codec codec{Codec::Kind::blosc, value_of(said, "clevel", 5, where), value_of<std::string>(said, "cname", "lz4", where)};
  if (std::find(inner_names.begin(), inner_names.end(), codec.inner) == inner_names.end())
    refuse_codec(where, "blosc with '" + codec.inner + "'");
  if (codec.level < 0 || codec.level > 9) throw Error(ErrorCode::bad_file, fmt::format("{}: clevel is {}, not 0 to 9", where, codec.level));
  codec.shuffle = shuffle;
  codec.element_bytes = value_of<std::int64_t>(said, "typesize", element_bytes, where);
  codec.block_bytes = value_of<std::int64_t>(said, "blocksize", 0, where);
  if (codec.element_bytes < 1 || codec.block_bytes < 0) throw Error(ErrorCode::bad_file, where + ": typesize or blocksize is negative");
  return codec;
}

Codec leveled(Codec::Kind kind, int level, int least, int most, const std::string& where) {
  if (level < least || level > most)
    throw Error(ErrorCode::bad_file, fmt::format("{}: level {} is not {} to {}", where, level, least, most));
  return {kind, level, {}};
}

constexpr int least_zstd = -131072, most_zstd = 22;

}  // namespace

std::string described(const std::vector<Codec>& chain) {
  std::string text;
  for (const Codec& codec : chain) {
    if (!text.empty()) text += ", ";
    switch (codec.kind) {
      case Codec::Kind::zlib: text += fmt::format("zlib {}", codec.level); break;
      case Codec::Kind::gzip: text += fmt::format("gzip {}", codec.level); break;
      case Codec::Kind::zstd: text += fmt::format("zstd {}", codec.level); break;
      case Codec::Kind::lz4: text += "lz4"; break;
      case Codec::Kind::shuffle: text += "shuffle"; break;
      case Codec::Kind::crc32c: text += "crc32c"; break;
      case Codec::Kind::blosc:
        text += fmt::format("blosc {} {}", codec.inner, codec.level);
        if (codec.shuffle > 0) text += fmt::format(" {}", shuffles[static_cast<std::size_t>(codec.shuffle)]);
    }
  }
  return text.empty() ? "unpacked" : text;
}

Codec codec_of_v2(const Json& said, std::int64_t element_bytes, const std::string& where) {
  const auto id = value_of<std::string>(said, "id", "", where);
  if (id == "zlib") return leveled(Codec::Kind::zlib, value_of(said, "level", 1, where), 0, 9, where);
  if (id == "gzip") return leveled(Codec::Kind::gzip, value_of(said, "level", 1, where), 0, 9, where);
  if (id == "zstd") return leveled(Codec::Kind::zstd, value_of(said, "level", 0, where), least_zstd, most_zstd, where);
  if (id == "lz4") return {Codec::Kind::lz4, value_of(said, "acceleration", 1, where), {}};
  if (id == "shuffle") {
    Codec codec{Codec::Kind::shuffle, 0, {}};
    codec.element_bytes = value_of<std::int64_t>(said, "elementsize", 4, where);
    if (codec.element_bytes < 1) throw Error(ErrorCode::bad_file, fmt::format("{}: elementsize is {}", where, codec.element_bytes));
    return codec;
  }
  if (id == "crc32c" && value_of<std::string>(said, "location", "end", where) == "end") return {Codec::Kind::crc32c, 0, {}};
  if (id == "blosc") {
    constexpr int automatic = -1;  // bits for bytes, else bytes
    const int shuffle = value_of(said, "shuffle", 1, where);
    if (shuffle < automatic || shuffle > 2) throw Error(ErrorCode::bad_file, fmt::format("{}: shuffle is {}", where, shuffle));
    return blosc_of(said, shuffle == automatic ? (element_bytes == 1 ? 2 : 1) : shuffle, element_bytes, where);
  }
  refuse_codec(where, id);
}

Codec codec_of_v3(const Json& said, std::int64_t element_bytes, const std::string& where) {
  const std::string name = said.is_string() ? said.get<std::string>() : value_of<std::string>(said, "name", "", where);
  const Json of = said.is_object() && said.contains("configuration") ? said["configuration"] : Json::object();
  if (name == "gzip" || name == "numcodecs.gzip") return leveled(Codec::Kind::gzip, value_of(of, "level", 5, where), 0, 9, where);
  if (name == "numcodecs.zlib") return leveled(Codec::Kind::zlib, value_of(of, "level", 1, where), 0, 9, where);
  if (name == "zstd" || name == "numcodecs.zstd") {
    Codec codec = leveled(Codec::Kind::zstd, value_of(of, "level", 0, where), least_zstd, most_zstd, where);
    codec.has_checksum = value_of(of, "checksum", false, where);
    return codec;
  }
  if (name == "crc32c") return {Codec::Kind::crc32c, 0, {}};
  if (name == "blosc") {
    const auto word = value_of<std::string>(of, "shuffle", "noshuffle", where);
    const auto* const found = std::find(shuffles.begin(), shuffles.end(), word);
    if (found == shuffles.end()) throw Error(ErrorCode::bad_file, fmt::format("{}: shuffle is '{}'", where, word));
    return blosc_of(of, static_cast<int>(found - shuffles.begin()), element_bytes, where);
  }
  if (name.starts_with("numcodecs.")) {
    Json v2 = of;
    v2["id"] = name.substr(name.find('.') + 1);
    return codec_of_v2(v2, element_bytes, where);
  }
  refuse_codec(where, name);
}

Json v3_of(const Codec& codec) {
  switch (codec.kind) {
    case Codec::Kind::gzip: return {{"name", "gzip"}, {"configuration", {{"level", codec.level}}}};
    case Codec::Kind::zstd: return {{"name", "zstd"}, {"configuration", {{"level", codec.level}, {"checksum", codec.has_checksum}}}};
    case Codec::Kind::crc32c: return {{"name", "crc32c"}};
    case Codec::Kind::blosc:
      return {{"name", "blosc"},
              {"configuration",
               {{"typesize", codec.element_bytes},
                {"cname", codec.inner},
                {"clevel", codec.level},
                {"shuffle", shuffles[static_cast<std::size_t>(codec.shuffle)]},
                {"blocksize", codec.block_bytes}}}};
    default: throw Error(ErrorCode::unsupported, "version 3 has no codec " + described({codec}));
  }
}

std::vector<Codec> chain_of_words(const std::string& words, std::int64_t element_bytes) {
  std::optional<Codec> packer;
  int shuffle = 0;
  bool is_checked = false, is_none = false;
  const auto refuse = [&](std::string_view word) {
    throw Error(ErrorCode::bad_notation,
                fmt::format("--filter {}: '{}' is none of none, gzip:LEVEL, zstd:LEVEL, lz4, blosc:NAME:LEVEL, shuffle, bitshuffle and "
                            "crc32c, with commas between",
                            words, word));
  };
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    const std::string_view word = std::string_view(words).substr(at, comma - at);
    at = comma + 1;
    const std::size_t colon = std::min(word.rfind(':'), word.size());
    std::string_view name = word.substr(0, colon);
    std::optional<int> level;
    if (colon < word.size()) {
      int n = 0;
      const std::string_view digits = word.substr(colon + 1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
      if (error == std::errc() && end == digits.data() + digits.size()) level = n;
      else if (name == "blosc") name = word;  // blosc:lz4
      else refuse(word);
    }
    const auto pack = [&](Codec::Kind kind, int otherwise, int least, int most, std::string inner = "") {
      if (packer || is_none) refuse(word);
      const int l = level.value_or(otherwise);
      if (l < least || l > most)
        throw Error(ErrorCode::bad_notation, fmt::format("--filter {}: levels of {} are {} to {}", words, name, least, most));
      packer = Codec{kind, l, std::move(inner)};
    };
    if (name == "none" && !level && !packer) is_none = true;
    else if (name == "shuffle" && !level) shuffle = 1;
    else if (name == "bitshuffle" && !level) shuffle = 2;
    else if (name == "crc32c" && !level) is_checked = true;
    else if (name == "gzip") pack(Codec::Kind::gzip, 5, 0, 9);
    else if (name == "zstd") pack(Codec::Kind::zstd, 3, -7, most_zstd);
    else if (name == "lz4") pack(Codec::Kind::blosc, 5, 0, 9, "lz4");
    else if (name == "blosc") pack(Codec::Kind::blosc, 5, 0, 9, "lz4");
    else if (const std::string inner(name.substr(std::min<std::size_t>(6, name.size())));
             name.starts_with("blosc:") && std::find(inner_names.begin(), inner_names.end(), inner) != inner_names.end())
      pack(Codec::Kind::blosc, 5, 0, 9, inner);
    else refuse(word);
  }
  std::vector<Codec> chain;
  if (shuffle > 0) {  // version 3 shuffles inside of blosc
    if (!packer || packer->kind == Codec::Kind::gzip)
      throw Error(ErrorCode::bad_notation, fmt::format("--filter {}: elements are shuffled for zstd, lz4 or blosc; name one", words));
    if (packer->kind == Codec::Kind::zstd) packer = Codec{Codec::Kind::blosc, std::clamp(packer->level, 1, 9), "zstd"};
    packer->shuffle = shuffle;
  }
  if (packer) {
    packer->element_bytes = element_bytes;
    chain.push_back(*packer);
  }
  if (is_checked) chain.push_back({Codec::Kind::crc32c, 0, {}});
  return chain;
}

}  // namespace crinkle::tool::zarr
