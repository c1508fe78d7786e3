// Making an array.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "formats/dataset.hpp"

namespace crinkle::tool::hdf5 {

/// As begin_dataset() and check_dataset().
std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                  Overwrite overwrite, const FileIdentity& input);
void check(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input);

}  // namespace crinkle::tool::hdf5
