// A build without libnetcdf: NetCDF-3 files are known by their first bytes, and refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/netcdf/begin.hpp"
#include "formats/netcdf/netcdf.hpp"

namespace crinkle::tool::netcdf {
namespace {

Error missing(const std::string& path) {
  return Error(ErrorCode::unsupported, path + ": this build has no NetCDF-3; install libnetcdf-dev and build crinkle again");
}

}  // namespace

const DatasetFormat& format() {
  static constexpr DatasetFormat none =
      missing_format<missing>("NetCDF-3", true, [](const DatasetName& name) { return begins_like_netcdf3(name.file); }, is_netcdf3_name);
  return none;
}

}  // namespace crinkle::tool::netcdf
