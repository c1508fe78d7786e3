// A build without libnetcdf: NetCDF-3 files are known by their first bytes, and refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/error.hpp"
#include "formats/netcdf/begin.hpp"
#include "formats/netcdf/netcdf.hpp"

namespace crinkle::tool::netcdf {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error(ErrorCode::unsupported, path + ": this build has no NetCDF-3; install libnetcdf-dev and build crinkle again");
}

}  // namespace

const DatasetFormat& format() {
  static constexpr DatasetFormat none = {"NetCDF-3",
                                         true,
                                         [] { return false; },
                                         [](const DatasetName& name) { return begins_like_netcdf3(name.file); },
                                         [](const std::string& file) { return is_netcdf3_name(file); },
                                         [](const std::string& path, const DatasetName&) -> std::unique_ptr<Dataset> { refuse(path); },
                                         [](const DatasetName& name) -> std::vector<DatasetNode> { refuse(name.file); },
                                         [](const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite,
                                            const FileIdentity&) -> std::unique_ptr<NewDataset> { refuse(path); },
                                         [](const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite,
                                            const FileIdentity&) { refuse(path); }};
  return none;
}

}  // namespace crinkle::tool::netcdf
