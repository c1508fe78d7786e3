// A build without libhdf5: its files are known, and refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/begin.hpp"
#include "formats/hdf5/hdf5.hpp"

namespace crinkle::tool::hdf5 {
namespace {

Error missing(const std::string& path) {
  return Error(ErrorCode::unsupported,
               path + ": this build has no HDF5; install libhdf5-dev, libblosc-dev, liblz4-dev and libzstd-dev and build crinkle again");
}

}  // namespace

const DatasetFormat& format() {
  static constexpr DatasetFormat none =
      missing_format<missing>("HDF5, NetCDF-4", true, [](const DatasetName& name) { return begins_like_hdf5(name.file); }, is_hdf5_name);
  return none;
}

}  // namespace crinkle::tool::hdf5
