// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/caret.hpp"
#include "crinkle/error.hpp"
#include "formats/file.hpp"
#include "formats/hdf5/attributes.hpp"
#include "formats/hdf5/begin.hpp"

namespace crinkle::tool::hdf5 {
namespace {

struct Visit {
  std::vector<Node> nodes;
  std::string group;
  std::size_t most;
};

herr_t keep_node(hid_t from, const char* name, const H5O_info_t* info, void* data) {
  auto& visit = *static_cast<Visit*>(data);
  if (std::strcmp(name, ".") == 0 || (info->type != H5O_TYPE_GROUP && info->type != H5O_TYPE_DATASET)) return 0;
  if (visit.nodes.size() >= visit.most) return 1;
  Node node{visit.group + "/" + name, info->type == H5O_TYPE_GROUP, false};
  if (!node.is_group) {
    const Library h5;
    const Handle dataset(h5->H5Dopen2(from, name, H5P_DEFAULT));
    node.is_scale = dataset && h5->H5DSis_scale(dataset.get()) > 0;
  }
  visit.nodes.push_back(std::move(node));
  return 0;
}

}  // namespace

Handle open_to_read(const std::string& file) {
  const Library h5;
  const Descriptor there(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (there.get() < 0) throw_system(file, "opening", errno);
  const Handle access = h5.properties(*h5->H5P_CLS_FILE_ACCESS_ID_g);
  h5->H5Pset_file_locking(access.get(), 1, 1);  // on file systems without locks it is read all the same
  const hid_t opened = h5->H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get());
  if (opened < 0 && h5.says().find("unable to lock") != std::string::npos)
    throw Error(ErrorCode::exists, file + ": another program has it open to write; wait until that is done");
  return h5.opened(opened, file, "opening it");
}

bool is_netcdf(hid_t opened, const std::string& file) {
  const Library h5;
  const Handle root(h5->H5Gopen2(opened, "/", H5P_DEFAULT));
  return is_netcdf_name(file) || (root && has_attribute(root.get(), "_NCProperties"));
}

std::vector<Node> nodes_below(hid_t file, const std::string& group, std::size_t most) {
  const Library h5;
  const Handle from = h5.opened(h5->H5Gopen2(file, group.empty() ? "/" : group.c_str(), H5P_DEFAULT), group, "opening the group");
  Visit visit{{}, group == "/" ? "" : group, most};
  if (h5->H5Ovisit2(from.get(), H5_INDEX_NAME, H5_ITER_INC, keep_node, &visit, H5O_INFO_BASIC) < 0)
    h5.fail(group, "looking at what is in it");
  return visit.nodes;
}

std::string found(hid_t file, const std::string& path, const DatasetName& name) {
  constexpr std::size_t most_seen = 10000, most_told = 30;
  const Library h5;
  const std::string inside = name.inside == "/" ? "" : name.inside;
  const Handle object(h5->H5Oopen(file, inside.empty() ? "/" : inside.c_str(), H5P_DEFAULT));
  const H5I_type_t type = object ? h5->H5Iget_type(object.get()) : H5I_BADID;
  if (type == H5I_DATASET) return inside;
  const bool is_group = type == H5I_GROUP;
  std::vector<std::string> arrays, all;
  for (const Node& node : nodes_below(file, is_group ? inside : "", most_seen)) {
    if (node.is_group) continue;
    all.push_back(node.name);
    if (!node.is_scale) arrays.push_back(node.name);
  }
  if (arrays.empty() && is_group) arrays = all;
  if (is_group && arrays.size() == 1) return arrays[0];
  if (is_group && arrays.empty()) throw_bad_file(path, "holds no arrays");
  std::vector<std::string> told = is_group ? arrays : all;
  if (!object && std::find(all.begin(), all.end(), inside) != all.end()) {  // of a later version of HDF5
    const Handle again(h5->H5Oopen(file, inside.c_str(), H5P_DEFAULT));
    h5.fail(path, "opening the array");
  }
  const std::string near = is_group ? "" : nearest_of(inside, told);
  const bool is_cut = told.size() > most_told;
  if (is_cut) told.resize(most_told);
  const std::string listed = printable(fmt::format("it has {}{}", fmt::join(told, " "), is_cut ? " and more" : ""), 2000);
  if (is_group)
    throw Error(ErrorCode::bad_notation,
                fmt::format("{}: which of its arrays? {}: say so, as in {}:{}", path, listed, name.file, printable(told[0], 200)));
  throw Error(ErrorCode::bad_notation, fmt::format("{}: there is no array {}; {}", name.file, inside,
                                                   near.empty() ? (all.empty() ? "it has none" : listed) : "did you mean " + near + "?"));
}

}  // namespace crinkle::tool::hdf5
