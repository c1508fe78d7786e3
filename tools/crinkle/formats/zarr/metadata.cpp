// SPDX-License-Identifier: BSD-3-Clause
#include "formats/zarr/metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/file.hpp"
#include "formats/zarr/types.hpp"

namespace crinkle::tool::zarr {
namespace {

using Json = nlohmann::ordered_json;

// A member that is there is a number, a text or an object where it should be another of these.
[[noreturn]] void refuse_kind(const Json::exception& e, const std::string& where) {
  throw_bad_file(where, std::string("says what no array says: ") + e.what());
}

const Json& member(const Json& said, const char* key, const std::string& where) {
  const auto found = said.is_object() ? said.find(key) : said.end();
  if (!said.is_object() || found == said.end()) throw_bad_file(where, fmt::format("has no '{}'", key));
  return *found;
}

Extents extents_of(const Json& said, const char* key, std::int64_t least, const std::string& where) {
  const Json& list = member(said, key, where);
  Extents all;
  for (const Json& n : list.is_array() ? list : Json::array({nullptr})) {
    if (!n.is_number_integer() || (n.is_number_unsigned() && n.get<std::uint64_t>() > INT64_MAX) || n.get<std::int64_t>() < least)
      throw_bad_file(where, fmt::format("{} is {}: its numbers have to be {} or more", key, printable(list.dump(), 200), least));
    all.push_back(n.get<std::int64_t>());
  }
  constexpr std::size_t most_axes = 32;
  if (all.size() > most_axes)
    throw Error(ErrorCode::unsupported, fmt::format("{}: has {} axes, and at most 32 are read", where, all.size()));
  return all;
}

void check_ranks(const Metadata& m, const std::string& where) {
  if (m.chunks.size() != m.extents.size())
    throw_bad_file(where, fmt::format("chunks {} do not fit the shape {}", print_shape(m.chunks), print_shape(m.extents)));
  Layout::dense(m.extents, m.type.bytes).n_bytes();  // throws too_large
  Layout::dense(m.chunks, m.type.bytes).n_bytes();
  Layout::dense(m.files(), m.type.bytes).n_bytes();
}

std::vector<int> straight(std::size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// A chain of version 3: what turns the axes, then what makes bytes of numbers, then what packs them.
struct Coding {
  std::vector<int> order;
  char byte_order = '<';
  bool is_sharded = false;
  Json sharding;
  std::vector<Codec> chain;
};

void turn(std::vector<int>& order, const Json& said, const std::string& where) {
  const std::size_t rank = order.size();
  std::vector<int> by;
  if (said == "C") return;
  if (said == "F") by = {order.rbegin(), order.rend()};
  else
    for (const std::int64_t axis : extents_of({{"order", said}}, "order", 0, where)) by.push_back(static_cast<int>(axis));
  std::vector<int> sorted = by;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != straight(rank)) throw_bad_file(where, fmt::format("transposes by {}, which is no order of {} axes", said.dump(), rank));
  std::vector<int> turned;
  for (const int axis : by) turned.push_back(order[static_cast<std::size_t>(axis)]);
  order = turned;
}

Coding coding_of(const Json& codecs, std::size_t rank, std::int64_t element_bytes, const std::string& where) {
  Coding coding{straight(rank)};
  bool are_bytes = false;
  if (!codecs.is_array()) throw_bad_file(where, "its codecs are no list");
  for (const Json& said : codecs) {
    const std::string name = said.is_string() ? said.get<std::string>() : said.is_object() ? said.value("name", "") : "";
    const Json of = said.is_object() && said.contains("configuration") ? said["configuration"] : Json::object();
    if (name == "transpose" && !are_bytes) {
      turn(coding.order, member(of, "order", where), where);
    } else if (name == "bytes" && !are_bytes) {
      are_bytes = true;
      const Json endian = of.value("endian", Json("little"));
      if (endian != "little" && endian != "big" && !endian.is_null()) throw_bad_file(where, "endian is " + endian.dump());
      coding.byte_order = endian == "big" ? '>' : '<';
    } else if (name == "sharding_indexed" && !are_bytes) {
      are_bytes = coding.is_sharded = true;
      coding.sharding = of;
    } else if (!are_bytes) {
      codec_of_v3(said, element_bytes, where);  // names what is not known
      throw_bad_file(where, fmt::format("its codec {} comes before 'bytes'", name));
    } else {
      coding.chain.push_back(codec_of_v3(said, element_bytes, where));
    }
  }
  if (!are_bytes) throw_bad_file(where, "its codecs lack 'bytes'");
  return coding;
}

std::vector<std::string> names_of(const Json& said, std::size_t rank, const std::string& where) {
  std::vector<std::string> names;
  if (said.is_array() && said.size() == rank)
    for (const Json& name : said) names.push_back(name.is_string() ? name.get<std::string>() : "");
  else if (!said.is_null() && said.is_array()) throw_bad_file(where, fmt::format("names {} axes and has {}", said.size(), rank));
  return names.empty() ? std::vector<std::string>(rank) : names;
}

void read_keys(Metadata& m, const Json& said, const std::string& where) {
  const std::string name = said.is_string() ? said.get<std::string>() : said.is_object() ? said.value("name", "") : "";
  const Json of = said.is_object() && said.contains("configuration") ? said["configuration"] : Json::object();
  const std::string separator = of.is_object() ? of.value("separator", name == "v2" ? "." : "/") : "";
  if ((name != "default" && name != "v2") || (separator != "." && separator != "/"))
    throw Error(ErrorCode::unsupported, where + ": its chunks are named by " + printable(said.dump(), 200));
  m.separator = separator.front();
  m.prefix = name == "v2" ? "" : std::string("c") + m.separator;
}

}  // namespace

std::string Metadata::key(const Extents& cell) const {
  if (cell.empty()) return prefix.empty() ? "0" : "c";
  return prefix + fmt::format("{}", fmt::join(cell, std::string_view(&separator, 1)));
}

Extents Metadata::chunk_strides() const {
  Extents strides(chunks.size());
  std::int64_t bytes = type.bytes;
  for (std::size_t k = order.size(); k-- > 0;) {
    const auto axis = static_cast<std::size_t>(order[k]);
    strides[axis] = bytes;
    bytes *= chunks[axis];
  }
  return strides;
}

std::size_t Metadata::chunk_bytes() const { return static_cast<std::size_t>(Layout::dense(chunks, type.bytes).n_bytes()); }

Metadata metadata_of_v2(const Json& said, const Json& attributes, const std::string& where) try {
  Metadata m;
  m.version = 2;
  const Json& dtype = member(said, "dtype", where);
  if (!dtype.is_string())
    throw Error(ErrorCode::unsupported, where + ": its elements are records, " + printable(dtype.dump(), 200) + ", which are not read");
  const auto& descr = dtype.get_ref<const std::string&>();
  if (descr == "|O") throw Error(ErrorCode::unsupported, where + ": its elements are objects of Python, as texts of any length are");
  m.type = element_type(descr);
  m.extents = extents_of(said, "shape", 0, where);
  m.chunks = extents_of(said, "chunks", 1, where);
  check_ranks(m, where);
  m.order = straight(m.extents.size());
  turn(m.order, said.value("order", Json("C")), where);
  const Json filters = said.value("filters", Json()), packer = said.value("compressor", Json());
  if (filters.is_array())
    for (const Json& filter : filters) m.chain.push_back(codec_of_v2(filter, m.type.bytes, where));
  if (packer.is_object()) m.chain.push_back(codec_of_v2(packer, m.type.bytes, where));
  m.fill = fill_of(said.value("fill_value", Json()), m.type, where);
  m.prefix = "";
  m.separator = said.value("dimension_separator", Json(".")) == "/" ? '/' : '.';
  m.axes = names_of(attributes.value("_ARRAY_DIMENSIONS", Json()), m.extents.size(), where);
  Json rest = attributes;
  // xarray takes version 2's fill value, and of version 3 this attribute, for what stands for no data.
  const bool is_of_xarray = rest.erase("_ARRAY_DIMENSIONS") > 0 && said.contains("fill_value") && !said["fill_value"].is_null();
  if (is_of_xarray && !rest.contains("_FillValue"))
    if (const Json value = attribute_of_fill(m.fill, m.type); !value.is_null()) rest["_FillValue"] = value;
  m.attributes = std::make_shared<const Json>(std::move(rest));
  return m;
} catch (const Json::exception& e) { refuse_kind(e, where); }

Metadata metadata_of_v3(const Json& said, const std::string& where) try {
  Metadata m;
  m.extents = extents_of(said, "shape", 0, where);
  const Json& grid = member(said, "chunk_grid", where);
  if (member(grid, "name", where) != "regular")
    throw Error(ErrorCode::unsupported, where + ": its chunk grid is " + printable(grid.dump(), 200) + "; regular ones are read");
  m.chunks = extents_of(member(grid, "configuration", where), "chunk_shape", 1, where);
  m.type = type_of_v3(member(said, "data_type", where), '<', where);
  const std::size_t rank = m.extents.size();
  Coding coding = coding_of(member(said, "codecs", where), rank, m.type.bytes, where);
  if (coding.is_sharded) {
    if (!coding.chain.empty() || coding.order != straight(rank))
      throw Error(ErrorCode::unsupported, where + ": its shards are packed or transposed as a whole, which is not read");
    m.shards = m.chunks;
    m.chunks = extents_of(coding.sharding, "chunk_shape", 1, where);
    for (std::size_t a = 0; a < std::min(m.chunks.size(), m.shards.size()); ++a)
      if (m.shards[a] % m.chunks[a] != 0)
        throw_bad_file(where, "chunks " + print_shape(m.chunks) + " do not divide shards " + print_shape(m.shards));
    const Coding index = coding_of(member(coding.sharding, "index_codecs", where), rank + 1, 8, where);
    if (index.byte_order == '>' || index.is_sharded || index.order != straight(rank + 1))
      throw Error(ErrorCode::unsupported, where + ": the index of its shards is not stored straight, low bytes first");
    m.index_chain = index.chain;
    fixed_size(m.index_chain, 0, where);
    m.is_index_first = coding.sharding.value("index_location", Json("end")) == "start";
    coding = coding_of(member(coding.sharding, "codecs", where), rank, m.type.bytes, where);
    if (coding.is_sharded) throw Error(ErrorCode::unsupported, where + ": its shards hold shards, which is not read");
  }
  if (coding.byte_order == '>' && m.type.descr.front() == '<') m.type = with_byte_order(m.type, '>');
  check_ranks(m, where);
  m.order = coding.order;
  m.chain = coding.chain;
  m.fill = fill_of(said.value("fill_value", Json()), m.type, where);
  read_keys(m, member(said, "chunk_key_encoding", where), where);
  for (const Json& way : said.value("storage_transformers", Json::array()))
    throw Error(ErrorCode::unsupported, where + ": it is stored by " + printable(way.dump(), 200) + ", which is not known");
  Json attributes = said.value("attributes", Json::object());
  m.axes = names_of(said.value("dimension_names", attributes.value("_ARRAY_DIMENSIONS", Json())), rank, where);
  attributes.erase("_ARRAY_DIMENSIONS");
  m.attributes = std::make_shared<const Json>(std::move(attributes));
  return m;
} catch (const Json::exception& e) { refuse_kind(e, where); }

std::string text_of(const Metadata& m, const std::string& path) {
  const Json bytes = {{"name", "bytes"}, {"configuration", {{"endian", m.type.descr.front() == '>' ? "big" : "little"}}}};
  Json codecs = Json::array({bytes});
  for (const Codec& codec : m.chain) codecs.push_back(v3_of(codec));
  if (!m.shards.empty()) {
    Json index = Json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}});
    for (const Codec& codec : m.index_chain) index.push_back(v3_of(codec));
    codecs = Json::array(
        {{{"name", "sharding_indexed"},
          {"configuration", {{"chunk_shape", m.chunks}, {"codecs", codecs}, {"index_codecs", index}, {"index_location", "end"}}}}});
  }
  Json said = {{"zarr_format", 3},
               {"node_type", "array"},
               {"shape", m.extents},
               {"data_type", v3_type(m.type, path)},
               {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", m.files()}}}}},
               {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
               {"fill_value", json_of_fill(m.fill, m.type)},
               {"codecs", codecs},
               {"attributes", m.attributes ? *m.attributes : Json::object()}};
  if (std::any_of(m.axes.begin(), m.axes.end(), [](const std::string& name) { return !name.empty(); })) {
    Json names = Json::array();
    for (const std::string& name : m.axes) names.push_back(name.empty() ? Json() : Json(name));
    said["dimension_names"] = names;
  }
  return said.dump(2) + "\n";
}

std::string text_of_group() { return Json({{"zarr_format", 3}, {"node_type", "group"}, {"attributes", Json::object()}}).dump(2) + "\n"; }

// JSON has no NaN and Infinity, but Python writes them: here they become texts.
static std::string with_quotes(std::string text) {
  bool is_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && is_text) ++i;
    else if (text[i] == '"') is_text = !is_text;
    if (is_text) continue;
    for (const std::string_view word : {"NaN", "-Infinity", "Infinity"})
      if (text.compare(i, word.size(), word) == 0) {
        text.insert(i + word.size(), 1, '"').insert(i, 1, '"');
        i += word.size() + 1;
        break;
      }
  }
  return text;
}

Json read_json(const std::string& path) {
  constexpr std::streamsize most = 256 << 20;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw_bad_file(path, "cannot be read");
  if (file.tellg() > most) throw_bad_file(path, "has more than 256 MiB, which no description has");
  file.seekg(0);
  std::string text(std::istreambuf_iterator<char>(file), {});
  Json said = Json::parse(with_quotes(std::move(text)), nullptr, false);
  if (said.is_discarded() || !said.is_object()) throw_bad_file(path, "is no JSON object");
  return said;
}

}  // namespace crinkle::tool::zarr
