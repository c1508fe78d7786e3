// A build without libtiff: stacks are known, and refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/error.hpp"
#include "formats/tiff/tiff.hpp"

namespace crinkle::tool::tiff {

[[noreturn]] static void refuse(const std::string& path) {
  throw Error(ErrorCode::unsupported, path + ": this build has no TIFF; install libtiff-dev and build crinkle again");
}

bool is_built() { return false; }
std::unique_ptr<Dataset> open_stack(const std::string& path, const DatasetName&) { refuse(path); }
std::unique_ptr<NewDataset> begin_stack(const std::string& path, const DatasetFacts&, const DatasetWish&, Overwrite, const FileIdentity&) {
  refuse(path);
}
void check_stack(const std::string& path, const DatasetFacts&, const DatasetWish&) { refuse(path); }

}  // namespace crinkle::tool::tiff
