// The row of this format; files are looked at in a child process first.
// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "crinkle/error.hpp"
#include "formats/hdf5/array.hpp"
#include "formats/hdf5/attributes.hpp"
#include "formats/hdf5/begin.hpp"
#include "formats/hdf5/file.hpp"
#include "formats/hdf5/hdf5.hpp"
#include "formats/hdf5/write.hpp"

namespace crinkle::tool::hdf5 {
namespace {

bool is_there(const DatasetName& name) {
  std::error_code error;
  return begins_like_hdf5(name.file) ||
         (is_hdf5_name(name.file) && !is_netcdf_name(name.file) && std::filesystem::is_regular_file(name.file, error));
}

std::unique_ptr<Dataset> open(const std::string& path, const DatasetName& name) {
  if (!begins_like_hdf5(name.file)) throw Error(ErrorCode::bad_file, name.file + ": does not begin as HDF5 files do");
  try_in_child(path, [&] { Array(path, name).look(); });
  return std::make_unique<Array>(path, name);
}

std::vector<DatasetNode> nodes_here(const DatasetName& name) {
  constexpr std::size_t most = 10000;
  const Library h5;
  const Handle file = open_to_read(name.file);
  const bool is_of_netcdf = is_netcdf(file.get(), name.file);
  const std::string inside = name.inside == "/" ? "" : name.inside;
  const Handle object(h5->H5Oopen(file.get(), inside.empty() ? "/" : inside.c_str(), H5P_DEFAULT));
  std::vector<DatasetNode> all;
  const bool is_group = object && h5->H5Iget_type(object.get()) == H5I_GROUP;
  std::vector<Node> nodes;
  if (is_group) {
    nodes = nodes_below(file.get(), inside, most);
    nodes.insert(nodes.begin(), {inside.empty() ? "/" : inside, true, false});
  } else {
    nodes.push_back({found(file.get(), name.file, name), false, false});
  }
  for (const Node& node : nodes) {
    DatasetNode said{node.name, node.is_group, {}, {}};
    try {
      if (node.is_group) {
        const Handle group = h5.opened(h5->H5Gopen2(file.get(), node.name.c_str(), H5P_DEFAULT), node.name, "opening the group");
        read_attributes(group.get(), is_of_netcdf, said.facts);
      } else {
        said.facts = Array(name.file + ":" + node.name, {name.file, node.name}).facts();
      }
    } catch (const Error& e) { said.why_not = e.what(); }
    all.push_back(std::move(said));
  }
  return all;
}

std::vector<DatasetNode> nodes(const DatasetName& name) {
  try_in_child(name.file, [&] { nodes_here(name); });
  return nodes_here(name);
}

}  // namespace

const DatasetFormat& format() {
  static constexpr DatasetFormat row = {"HDF5, NetCDF-4",
                                        true,
                                        [] { return true; },
                                        is_there,
                                        [](const std::string& file) { return is_hdf5_name(file); },
                                        open,
                                        nodes,
                                        begin,
                                        check};
  return row;
}

}  // namespace crinkle::tool::hdf5
