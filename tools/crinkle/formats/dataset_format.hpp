// What a format of files of arrays gives of itself: a row in dataset_formats.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/dataset.hpp"

namespace crinkle::tool {

struct DatasetFormat {
  const char* name;        // for a person: "Zarr"
  bool keeps_coordinates;  // of an array's axes, beside it
  bool (*is_built)();
  bool (*is_there)(const DatasetName& name);
  bool (*is_named)(const std::string& file);  // by its ending
  std::unique_ptr<Dataset> (*open)(const std::string& path, const DatasetName& name);
  std::vector<DatasetNode> (*nodes)(const DatasetName& name);
  std::unique_ptr<NewDataset> (*begin)(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                       Overwrite overwrite, const FileIdentity& input);
  void (*check)(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                const FileIdentity& input);
  bool is_one_file = false;  // all of a file is one output, so that its name is looked at as that of any other
};

}  // namespace crinkle::tool
