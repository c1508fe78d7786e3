// SPDX-License-Identifier: BSD-3-Clause
#include "file_names.hpp"

#include <algorithm>
#include <vector>

#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

std::string ending_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  std::string ending = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

}  // namespace

bool is_named_as_a_format(const std::string& path) {
  return path.ends_with(".npy") || path.ends_with(".png") || path.ends_with(".nii") || path.ends_with(".nii.gz");
}

void check_names(const std::string& input, InputIs is, const std::string& output) {
  static const std::vector<std::string> foreign = {".npy",  ".png",  ".nii", ".npz", ".gz",   ".bz2", ".xz",   ".zst", ".zip",
                                                   ".jpg",  ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".svg", ".h5",
                                                   ".hdf5", ".zarr", ".nc",  ".mat", ".nrrd", ".mgz", ".csv",  ".txt", ".json"};
  if (input.empty()) throw Error(ErrorCode::bad_file, "input: '' is not the name of a file");
  if (!is_named_as_a_format(output) && std::find(foreign.begin(), foreign.end(), ending_of(output)) != foreign.end()) {
    throw Error(ErrorCode::unsupported,
                output + ": crinkle writes .npy, .png, .nii and .nii.gz, and raw data under other names, such as .raw");
  }
  if (is == InputIs::raw && is_named_as_a_format(input)) {
    throw Error(ErrorCode::bad_notation,
                input + ": says itself what it holds, leave out --shape and --dtype; raw data behind a header need --offset");
  }
}

}  // namespace crinkle::tool
