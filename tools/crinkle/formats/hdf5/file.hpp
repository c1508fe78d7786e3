// Opening a file and finding arrays in it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/hdf5/library.hpp"

namespace crinkle::tool::hdf5 {

Handle open_to_read(const std::string& file);
bool is_netcdf(hid_t opened, const std::string& file);

struct Node {
  std::string name;  // from the root: "/a/b"
  bool is_group = false;
  bool is_scale = false;  // the coordinates of an axis
};

/// What lies below a group, by names; at most `most`.
std::vector<Node> nodes_below(hid_t file, const std::string& group, std::size_t most);

/// The array that a name means: the only one that is no scale, where a group is named. Throws bad_notation, naming those that are there.
std::string found(hid_t file, const std::string& path, const DatasetName& name);

}  // namespace crinkle::tool::hdf5
