// How a NetCDF-3 file is told from others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace crinkle::tool::netcdf {

inline bool is_netcdf3_name(const std::string& file) { return file.ends_with(".nc3"); }

inline bool begins_like_netcdf3(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::array<char, 4> begin{};
  std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
  return begin[0] == 'C' && begin[1] == 'D' && begin[2] == 'F' && (begin[3] == 1 || begin[3] == 2 || begin[3] == 5);
}

}  // namespace crinkle::tool::netcdf
