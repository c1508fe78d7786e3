// A build without Zarr's codecs: stores are known by their names, and refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <system_error>

#include "crinkle/error.hpp"
#include "formats/zarr/zarr.hpp"

namespace crinkle::tool::zarr {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error(ErrorCode::unsupported,
              path + ": this build has no Zarr; install libblosc-dev, liblz4-dev and libzstd-dev and build crinkle again");
}

}  // namespace

bool is_built() { return false; }
bool is_there(const DatasetName& name) {
  std::error_code error;
  return is_named(name.file) && std::filesystem::is_directory(name.file, error);
}
bool is_named(const std::string& file) { return file.ends_with(".zarr") || file.ends_with(".zarr/"); }
std::unique_ptr<Dataset> open(const std::string& path, const DatasetName&) { refuse(path); }
std::vector<DatasetNode> nodes(const DatasetName& name) { refuse(name.file); }
std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite,
                                  const FileIdentity&) {
  refuse(path);
}
void check(const std::string& path, const DatasetName&, const DatasetFacts&, const DatasetWish&, Overwrite, const FileIdentity&) {
  refuse(path);
}

}  // namespace crinkle::tool::zarr
