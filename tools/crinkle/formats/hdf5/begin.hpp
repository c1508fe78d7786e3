// How an HDF5 file is told from others, in builds without the library, too.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace crinkle::tool::hdf5 {

/// These are NetCDF, by their names.
inline bool is_netcdf_name(const std::string& file) { return file.ends_with(".nc") || file.ends_with(".nc4"); }

inline bool is_hdf5_name(const std::string& file) {
  return file.ends_with(".h5") || file.ends_with(".hdf5") || file.ends_with(".he5") || is_netcdf_name(file);
}

/// Whether a regular file begins as HDF5's do, which may be behind a block of a user's own.
inline bool begins_like_hdf5(const std::string& file) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::ifstream bytes(file, std::ios::binary);
  for (std::int64_t at = 0; at <= 65536; at = at == 0 ? 512 : 2 * at) {
    std::array<char, signature.size()> here{};
    if (!bytes.seekg(at) || !bytes.read(here.data(), here.size())) return false;
    if (std::string_view(here.data(), here.size()) == signature) return true;
  }
  return false;
}

}  // namespace crinkle::tool::hdf5
