// SPDX-License-Identifier: BSD-3-Clause
#include "files/file_names.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "crinkle/error.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"

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
  return path.ends_with(".npy") || path.ends_with(".png") || path.ends_with(".nii") || path.ends_with(".nii.gz") || names_dataset(path);
}

bool is_named_raw(const std::string& path) {
  static constexpr std::array<std::string_view, 3> endings = {".raw", ".bin", ".dat"};
  return path == "-" || std::find(endings.begin(), endings.end(), ending_of(path)) != endings.end();
}

bool is_named_tiff(const std::string& path) { return ending_of(path) == ".tif" || ending_of(path) == ".tiff"; }

void check_output_ending(const std::string& output) {
  if (is_named_as_a_format(output) || is_named_raw(output)) return;
  std::error_code code;  // folders and devices are refused as what they are, by whoever opens the output
  if (output.empty() || (std::filesystem::exists(output, code) && !std::filesystem::is_regular_file(output, code))) return;
  const std::string ending = ending_of(output);
  throw Error(ErrorCode::unsupported, output +
                                          ": crinkle writes .npy, .png, .nii, .nii.gz, .tif, .zarr, .h5 and .nc, and raw "
                                          "data as .raw, .bin, .dat or - (standard output)" +
                                          (ending.empty() ? "; this name has no ending" : ", not " + ending));
}

void check_field_in_path(const std::string& field) {
  if (field.find('/') == std::string::npos && field != "." && field != "..") return;
  throw Error(ErrorCode::unsupported, "field '" + printable(field) + "' cannot be part of a file's name: " +
                                          (field.starts_with('/')                 ? "it is an absolute path"
                                           : field.find('/') != std::string::npos ? "it holds /"
                                                                                  : "it is a folder") +
                                          "; write all fields into one file, without {}, or name the fields otherwise");
}

void check_names(const std::string& input, InputIs is, const std::string& output) {
  if (input.empty()) throw Error(ErrorCode::bad_file, "input: '' is not the name of a file");
  check_output_ending(output);
  if (is == InputIs::raw && is_named_as_a_format(input)) {
    throw Error(ErrorCode::bad_notation,
                input + ": says itself what it holds, leave out --shape and --dtype; raw data behind a header need --offset");
  }
}

}  // namespace crinkle::tool
