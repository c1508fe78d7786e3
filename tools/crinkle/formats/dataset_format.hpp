// What a format of files of arrays gives of itself: a row in dataset_formats.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
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

/// The row of a format that a build lacks: its files are known, and refused by the error of their path.
template <Error (*error)(const std::string& path)>
constexpr DatasetFormat missing_format(const char* name, bool keeps_coordinates, bool (*is_there)(const DatasetName& name),
                                       bool (*is_named)(const std::string& file)) {
  return {name,
          keeps_coordinates,
          [] { return false; },
          is_there,
          is_named,
          [](const std::string& path, const DatasetName&) -> std::unique_ptr<Dataset> { throw error(path); },
          [](const DatasetName& of) -> std::vector<DatasetNode> { throw error(of.file); },
          [](const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite,
             const FileIdentity&) -> std::unique_ptr<NewDataset> { throw error(path); },
          [](const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite, const FileIdentity&) {
            throw error(path);
          }};
}

}  // namespace crinkle::tool
