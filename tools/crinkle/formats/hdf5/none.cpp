// A build without libhdf5: its files are known, and refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/error.hpp"
#include "formats/hdf5/begin.hpp"
#include "formats/hdf5/hdf5.hpp"

namespace crinkle::tool::hdf5 {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error(ErrorCode::unsupported,
              path + ": this build has no HDF5; install libhdf5-dev, libblosc-dev, liblz4-dev and libzstd-dev and build crinkle again");
}

}  // namespace

const DatasetFormat& format() {
  static constexpr DatasetFormat none = {"HDF5, NetCDF-4",
                                         true,
                                         [] { return false; },
                                         [](const DatasetName& name) { return begins_like_hdf5(name.file); },
                                         [](const std::string& file) { return is_hdf5_name(file); },
                                         [](const std::string& path, const DatasetName&) -> std::unique_ptr<Dataset> { refuse(path); },
                                         [](const DatasetName& name) -> std::vector<DatasetNode> { refuse(name.file); },
                                         [](const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite,
                                            const FileIdentity&) -> std::unique_ptr<NewDataset> { refuse(path); },
                                         [](const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite,
                                            const FileIdentity&) { refuse(path); }};
  return none;
}

}  // namespace crinkle::tool::hdf5
