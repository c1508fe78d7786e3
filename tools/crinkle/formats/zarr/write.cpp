// Making an array of version 3.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/checked.hpp"
#include "formats/box_copy.hpp"
#include "formats/file.hpp"
#include "formats/temporary.hpp"
#include "formats/zarr/array.hpp"
#include "formats/zarr/folder.hpp"
#include "formats/zarr/types.hpp"
#include "formats/zarr/zarr.hpp"

namespace crinkle::tool::zarr {
namespace {

namespace fs = std::filesystem;

// xarray reads this attribute of floats as base64.
std::shared_ptr<const nlohmann::ordered_json> with_fill_as_xarray(const Metadata& m, const std::string& path) {
  nlohmann::ordered_json said = *m.attributes;
  nlohmann::ordered_json& fill = said["_FillValue"];
  if (fill.is_number() || fill == "NaN" || fill == "Infinity" || fill == "-Infinity")
    fill = attribute_of_fill(fill_of(fill, m.type, path), m.type);
  return std::make_shared<const nlohmann::ordered_json>(std::move(said));
}

Metadata metadata_for(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish) {
  Metadata m;
  m.extents = facts.extents;
  m.type = facts.type;
  if (wish.is_into)
    throw Error(ErrorCode::bad_notation,
                path + ": --into is of HDF5 and NetCDF-4 files; a store takes one more array by its name, store.zarr:/name");
  if (facts.extents.size() > 32)
    throw Error(ErrorCode::unsupported, fmt::format("{}: {} axes, and Zarr readers take 32", path, facts.extents.size()));
  m.axes = facts.axes.empty() ? std::vector<std::string>(m.extents.size()) : facts.axes;
  DatasetFacts named = facts;
  named.axes = m.axes;
  m.chunks = chunks_of_wish(wish, named);
  if (!wish.shards.empty()) m.shards = grid_of_words("--shards", wish.shards, m.extents, m.axes);
  if (!m.shards.empty() && wish.chunks.empty())
    throw Error(ErrorCode::bad_notation, "--shards say how many elements a file holds in chunks, whose size --chunks says: give both");
  for (std::size_t a = 0; a < m.shards.size(); ++a)
    if (m.shards[a] % m.chunks[a] != 0)
      throw Error(ErrorCode::not_divisible,
                  fmt::format("{}: shards {} are no multiples of chunks {}", path, print_shape(m.shards), print_shape(m.chunks)));
  Layout::dense(m.files(), m.type.bytes).n_bytes();  // throws too_large
  if (const std::int64_t n = Layout::dense(m.chunks, m.type.bytes).n_bytes(); n > INT32_MAX)
    throw Error(ErrorCode::too_large, fmt::format("{}: chunks {} take {} bytes each, and codecs at most {}; give smaller --chunks", path,
                                                  print_shape(m.chunks), n, INT32_MAX));
  for (std::size_t a = 0; a < m.extents.size(); ++a) m.order.push_back(static_cast<int>(a));
  m.fill.assign(static_cast<std::size_t>(m.type.bytes), std::byte{0});
  if (facts.fill.size() == m.fill.size()) m.fill = fill_of(json_of_fill(facts.fill, m.type), m.type, path);  // what can be said
  m.chain = chain_of_words(wish.filter.empty() ? "lz4:5,shuffle" : wish.filter, std::min<std::int64_t>(m.type.bytes, 255));
  if (!m.shards.empty()) m.index_chain = {{Codec::Kind::crc32c, 0, {}}};
  m.attributes = facts.attributes;
  if (m.type.descr.size() > 1 && m.type.descr[1] == 'f' && m.attributes && m.attributes->contains("_FillValue"))
    m.attributes = with_fill_as_xarray(m, path);
  text_of(m, path);  // throws for types that Zarr lacks
  return m;
}

bool is_there_as(const std::string& folder, const char* name) {
  std::error_code error;
  return fs::exists(folder + "/" + name, error);
}

/// Where an array goes: the directory that is made and renamed, and the array's place in it.
struct Where {
  std::string made, inside;
  std::string store;                // the outermost directory
  std::vector<std::string> listed;  // groups around it with consolidated metadata
};

Where where_of(const DatasetName& name) {
  if (name.inside.empty() || name.inside == "/") return {name.file, "", name.file, {}};
  std::string at = name.file, rest = name.inside.substr(name.inside.find_first_not_of('/'));
  for (const fs::path& part : fs::path(rest))
    if (part == ".." || part == "." || part.string().starts_with(".") || part.string().starts_with("__") || part == "zarr.json")
      throw Error(ErrorCode::bad_notation, fmt::format("{}:{}: '{}' is no name of an array", name.file, name.inside, part.string()));
  std::vector<std::string> listed;
  // As far as groups are there, the array goes into them.
  while (is_there_as(at, "zarr.json") || is_there_as(at, ".zgroup") || is_there_as(at, ".zarray")) {
    if (!is_there_as(at, "zarr.json"))
      throw Error(ErrorCode::unsupported, at + ": is of version 2, and arrays are written in version 3: name another store");
    const nlohmann::ordered_json said = read_json(at + "/zarr.json");
    if (said.value("node_type", nlohmann::ordered_json()) == "array") throw_bad_file(at, "is an array, which holds no others");
    if (said.contains("consolidated_metadata") && !said["consolidated_metadata"].is_null()) listed.push_back(at);
    const std::size_t slash = rest.find('/');
    const std::string next = at + "/" + rest.substr(0, slash);
    const bool is_last = slash == std::string::npos;
    if (is_last || !fs::exists(next)) return {next, is_last ? "" : rest.substr(slash + 1), name.file, listed};
    at = next;
    rest = rest.substr(slash + 1);
  }
  return {at, rest, name.file, {}};
}

void check_where(const Where& where, Overwrite overwrite, const FileIdentity& input) {
  if (input.inode != 0 && identity_of(where.made) == input)
    throw Error(ErrorCode::exists, where.made + ": is the input itself; write to another name");
  if (is_there_as(where.made, "zarr.json") && read_json(where.made + "/zarr.json").value("node_type", nlohmann::ordered_json()) == "group")
    throw Error(ErrorCode::exists,
                where.made + ": is a group, whose arrays would go with it; name an array in it, as in " + where.made + ":/name");
  if (is_there_as(where.made, ".zgroup")) throw Error(ErrorCode::exists, where.made + ": is a group, whose arrays would go with it");
  check_folder_name(where.made, overwrite);
  check_foreign(where.made);
}

class NewArray final : public NewDataset {
 public:
  NewArray(Metadata metadata, const Where& where, const std::string& path, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input)
      : metadata_(std::move(metadata)),
        listed_(where.listed),
        inside_(where.inside.substr(0, where.inside.find('/'))),
        folder_((check_where(where, overwrite, input), where.made), where.store, overwrite, wish),
        array_(folder_.path()) {
    facts_ = facts_of(metadata_, path);
    for (const std::string& group : listed_)
      facts_.notes.push_back(group + ": its consolidated metadata, a list of what was in it, goes: readers look at the arrays themselves");
    for (std::size_t at = 0; at < where.inside.size();) {
      const std::size_t slash = std::min(where.inside.find('/', at), where.inside.size());
      write_text(array_ + "/zarr.json", text_of_group());
      array_ += "/" + where.inside.substr(at, slash - at);
      at = slash + 1;
    }
    make_folders(array_);
    write_text(array_ + "/zarr.json", text_of(metadata_, path));
    folder_.manifest().begin(metadata_.extents, metadata_.files());
  }

  bool has(const Ranges& box) const override { return folder_.manifest().has(box); }
  void finish(const Ranges& box) override { folder_.manifest().finish(box); }

  void write(const Ranges& box, const std::byte* from, const Extents& strides) override {
    const Extents& unit = metadata_.files();
    for (const Ranges& part : boxes_of_grid(box, unit)) {
      Extents cell;
      std::int64_t at = 0;
      for (std::size_t a = 0; a < part.size(); ++a) {
        if (part[a].first % unit[a] != 0 || (part[a].n != unit[a] && part[a].first + part[a].n != metadata_.extents[a]))
          throw Error(ErrorCode::bad_shape,
                      fmt::format("{}: {} elements from {} on are no whole chunks of {}", facts_.path, part[a].n, part[a].first, unit[a]));
        cell.push_back(part[a].first / unit[a]);
        at += (part[a].first - box[a].first) * strides[a];
      }
      const std::string file = array_ + "/" + metadata_.key(cell);
      if (!metadata_.shards.empty()) shard(part, from + at, strides, file);
      else if (!is_filled(part, from + at, strides)) whole_file(part, from + at, strides, file);
    }
  }

  void commit() override {
    folder_.rename_to_target(inside_);
    for (const std::string& group : listed_) drop_list(group);
  }
  void withdraw() noexcept override { folder_.withdraw(); }

 private:
  static void write_text(const std::string& file, const std::string& text) { write_file(file, std::as_bytes(std::span(text))); }

  bool is_over_the_end(const Ranges& part) const {
    for (std::size_t a = 0; a < part.size(); ++a)
      if (part[a].n != metadata_.chunks[a]) return true;
    return false;
  }

  // Then there is no chunk: its elements beyond the array are the fill value, too.
  bool is_filled(const Ranges& part, const std::byte* from, const Extents& strides) const {
    const BoxRuns runs(extents_of(part), metadata_.type.bytes, strides, strides);
    const std::size_t n = metadata_.fill.size(), more = static_cast<std::size_t>(runs.run_bytes) - n;
    return runs.each([&](std::int64_t at, std::int64_t) {
      return std::memcmp(from + at, metadata_.fill.data(), n) == 0 && std::memcmp(from + at + n, from + at, more) == 0;
    });
  }

  static Extents extents_of(const Ranges& part) {
    Extents extents;
    for (const Range& range : part) extents.push_back(range.n);
    return extents;
  }

  /// Memory of a thread, for chunks.
  struct Rooms {
    ReusedMemory plain;
    PackingRooms packing;
  };
  static Rooms& rooms() {
    static thread_local Rooms rooms;
    return rooms;
  }

  // Packed: in the memory of the thread, or where it was.
  ConstBytes chunk(const Ranges& part, const std::byte* from, const Extents& strides, const std::string& file) const {
    const std::size_t n = metadata_.chunk_bytes();
    const bool is_cut = is_over_the_end(part);
    const Extents extents = extents_of(part), own = metadata_.chunk_strides();
    const bool is_dense = !is_cut && BoxRuns(extents, metadata_.type.bytes, strides, own).extents.empty();
    if (is_dense) return packed(metadata_.chain, {from, n}, rooms().packing, file);
    std::byte* const plain = rooms().plain.of(static_cast<std::int64_t>(n));
    if (is_cut) copy_box(metadata_.chunks, metadata_.type.bytes, metadata_.fill.data(), Extents(part.size(), 0), plain, own);
    copy_box(extents, metadata_.type.bytes, from, strides, plain, own);
    return packed(metadata_.chain, {plain, n}, rooms().packing, file);
  }

  void whole_file(const Ranges& part, const std::byte* from, const Extents& strides, const std::string& file) const {
    const std::int64_t e = metadata_.type.bytes;
    if (!metadata_.chain.empty() || is_over_the_end(part)) return write_file(file, chunk(part, from, strides, file));
    const Descriptor made = created(file);
    write_file_box({made.get(), 0, file}, extents_of(part), e, metadata_.chunk_strides(), from, strides, rooms().plain);
  }

  // The chunks one behind the other, then where each begins and its bytes. A shard without chunks is not there.
  void shard(const Ranges& part, const std::byte* from, const Extents& strides, const std::string& file) const {
    std::int64_t n = 1;
    for (std::size_t a = 0; a < part.size(); ++a) n *= metadata_.shards[a] / metadata_.chunks[a];
    std::vector<std::uint64_t> index(static_cast<std::size_t>(2 * n), ~std::uint64_t{0});
    std::uint64_t n_bytes = 0;
    Descriptor made;
    for (const Ranges& box : boxes_of_grid(part, metadata_.chunks)) {
      std::int64_t place = 0, at = 0;
      for (std::size_t a = 0; a < box.size(); ++a) {
        place = place * (metadata_.shards[a] / metadata_.chunks[a]) + (box[a].first - part[a].first) / metadata_.chunks[a];
        at += (box[a].first - part[a].first) * strides[a];
      }
      if (is_filled(box, from + at, strides)) continue;
      if (made.get() < 0) made = created(file);
      const ConstBytes bytes = chunk(box, from + at, strides, file);
      write_fully(made.get(), bytes, file);
      index[static_cast<std::size_t>(2 * place)] = n_bytes;
      index[static_cast<std::size_t>(2 * place + 1)] = bytes.size();
      n_bytes += bytes.size();
    }
    if (made.get() >= 0) write_fully(made.get(), packed(metadata_.index_chain, std::as_bytes(std::span(index)), file), file);
  }

  // A list of what is below a group would be read in place of what is there.
  static void drop_list(const std::string& group) {
    nlohmann::ordered_json said = read_json(group + "/zarr.json");
    said.erase("consolidated_metadata");
    const std::string next = group + "/.zarr.json.new";
    write_text(next, said.dump(2) + "\n");
    fs::rename(next, group + "/zarr.json");
  }

  Metadata metadata_;
  std::vector<std::string> listed_;  // groups that have one
  std::string inside_;               // the first directory in the one that is made, "" where that is the array
  TemporaryFolder folder_;
  std::string array_;  // its directory
};

}  // namespace

void check(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input) {
  metadata_for(path, facts, wish);
  check_where(where_of(name), overwrite, input);
}

std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                  Overwrite overwrite, const FileIdentity& input) {
  return std::make_unique<NewArray>(metadata_for(path, facts, wish), where_of(name), path, wish, overwrite, input);
}

}  // namespace crinkle::tool::zarr
