// Finding arrays in a store.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "crinkle/error.hpp"
#include "formats/file.hpp"
#include "formats/zarr/array.hpp"
#include "formats/zarr/zarr.hpp"

namespace crinkle::tool::zarr {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool has(const std::string& folder, const char* name) {
  std::error_code error;
  return fs::is_regular_file(folder + "/" + name, error);
}

enum class Node { none, group, array };

Node node_of(const std::string& folder) {
  if (has(folder, "zarr.json")) {
    const Json type = read_json(folder + "/zarr.json").value("node_type", Json());
    if (type != "array" && type != "group") throw_bad_file(folder + "/zarr.json", "its node_type is " + printable(type.dump()));
    return type == "array" ? Node::array : Node::group;
  }
  if (has(folder, ".zarray")) return Node::array;
  return has(folder, ".zgroup") ? Node::group : Node::none;
}

/// The arrays below a group, by their names from it on; at most `most` of them.
void list(const std::string& folder, const std::string& name, std::vector<std::string>& names, std::size_t most, int depth) {
  constexpr int deepest = 16;
  std::vector<std::string> inside;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.is_directory(error) && !entry.path().filename().string().starts_with(".")) inside.push_back(entry.path().filename().string());
  std::sort(inside.begin(), inside.end());
  for (const std::string& next : inside) {
    if (names.size() >= most || depth > deepest) return;
    const std::string path = folder + "/" + next, full = name + "/" + next;
    const Node node = node_of(path);
    if (node == Node::array) names.push_back(full);
    else if (node == Node::group) list(path, full, names, most, depth + 1);
  }
}

/// The array's directory.
std::string found(const std::string& path, const DatasetName& name) {
  constexpr std::size_t most = 30;
  std::string folder = name.file + (name.inside == "/" ? "" : name.inside);
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  std::error_code error;
  const Node node = fs::is_directory(folder, error) ? node_of(folder) : Node::none;
  if (node == Node::array) return folder;
  std::vector<std::string> names;
  const bool is_group = node == Node::group;
  list(is_group ? folder : name.file, "", names, most + 1, 0);
  if (is_group && names.size() == 1) return folder + names[0];
  const bool is_cut = names.size() > most;
  if (is_cut) names.resize(most);
  if (!is_group && node_of(name.file) == Node::array)
    throw Error(ErrorCode::bad_notation,
                fmt::format("{}: there is no array {}; it is one array itself: name the store alone", name.file, name.inside));
  const std::string listed = names.empty() ? "it has none" : fmt::format("it has {}{}", fmt::join(names, " "), is_cut ? " and more" : "");
  if (is_group) {
    if (names.empty()) throw_bad_file(path, "holds no arrays");
    throw Error(ErrorCode::bad_notation, fmt::format("{}: which of its arrays? {}: say so, as in {}:{}{}", path, listed, name.file,
                                                     name.inside == "/" ? "" : name.inside, names[0]));
  }
  throw Error(ErrorCode::bad_notation, fmt::format("{}: there is no array {}; {}", name.file, name.inside, listed));
}

/// Names of attributes of the groups from the store down to the array.
std::vector<std::string> around(const std::string& store, const std::string& folder) {
  std::vector<std::string> names;
  for (std::size_t end = store.size(); end < folder.size(); end = std::min(folder.find('/', end + 1), folder.size())) {
    const std::string group = folder.substr(0, end);
    const bool is_third = has(group, "zarr.json");
    if (!is_third && !has(group, ".zattrs")) continue;
    try {
      const Json said = read_json(group + (is_third ? "/zarr.json" : "/.zattrs"));
      add_around(names, group.substr(store.size()), is_third ? said.value("attributes", Json()) : said);
    } catch (const Error&) {}  // the array is read all the same
  }
  return names;
}

}  // namespace

bool is_built() { return true; }

bool is_there(const DatasetName& name) {
  std::error_code error;
  return fs::is_directory(name.file, error) && (has(name.file, "zarr.json") || has(name.file, ".zarray") || has(name.file, ".zgroup"));
}

bool is_named(const std::string& file) {
  const std::size_t end = file.find_last_not_of('/');
  return end != std::string::npos && file.substr(0, end + 1).ends_with(".zarr");
}

std::unique_ptr<Dataset> open(const std::string& path, const DatasetName& name) {
  const std::string folder = found(path, name);
  if (has(folder, "zarr.json")) {
    const std::string file = folder + "/zarr.json";
    const Json said = read_json(file);
    if (said.value("zarr_format", Json()) != 3)
      throw Error(ErrorCode::unsupported, file + ": zarr_format is " + said.value("zarr_format", Json()).dump() + ", not 3");
    return std::make_unique<Array>(metadata_of_v3(said, file), folder, path, name.file, around(name.file, folder));
  }
  const std::string file = folder + "/.zarray";
  const Json said = read_json(file);
  if (said.value("zarr_format", Json()) != 2)
    throw Error(ErrorCode::unsupported, file + ": zarr_format is " + said.value("zarr_format", Json()).dump() + ", not 2");
  const Json attributes = has(folder, ".zattrs") ? read_json(folder + "/.zattrs") : Json::object();
  return std::make_unique<Array>(metadata_of_v2(said, attributes, file), folder, path, name.file, around(name.file, folder));
}

std::vector<DatasetNode> nodes(const DatasetName& name) {
  constexpr std::size_t most = 10000;
  const std::string inside = name.inside == "/" ? "" : name.inside, folder = name.file + inside;
  std::error_code error;
  std::vector<std::string> names;
  if (!fs::is_directory(folder, error) || node_of(folder) != Node::group) names.push_back("");
  else list(folder, "", names, most, 0);
  std::vector<DatasetNode> all;
  for (const std::string& below : names) {
    DatasetNode node{inside + below, false, {}, {}};
    try {
      node.facts = open(name.file + ":" + node.name, {name.file, node.name})->facts();
    } catch (const Error& e) { node.why_not = e.what(); }
    all.push_back(std::move(node));
  }
  return all;
}

}  // namespace crinkle::tool::zarr
