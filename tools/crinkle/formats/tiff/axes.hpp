// Axes of a stack, from what programs say in the description of its first picture: ImageJ, OME-XML, tifffile; else a page an index.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/tiff/handle.hpp"
#include "formats/tiff/picture.hpp"

namespace crinkle::tool::tiff {

/// The axes that count pictures, and what is known of all.
struct Axes {
  std::string program;              // "ImageJ", "OME", "tifffile", or ""
  Extents extents;                  // of axes that count pictures
  std::vector<std::string> names;   // of all axes
  std::vector<AxisStep> steps;      // of all axes
  std::vector<std::int64_t> pages;  // which picture of the file each is; empty: in order
  std::size_t n_left_out = 0;       // of rows and columns: those of one index of arrays of fewer axes
  bool has_one_directory = false;   // ImageJ's: all pictures lie behind the first one
  nlohmann::ordered_json attributes = nlohmann::ordered_json::object();
  std::vector<std::string> notes;
};

/// `pictures`: all of the file that count, the handle standing on the first one. `image`: of OME, from 1 on, 0 where none is named. Throws
/// bad_notation where an image has to be named; what programs say and is not so is noted, and the pages are an axis then.
Axes axes_of(Handle& handle, const std::vector<Picture>& pictures, std::int64_t image, const std::string& path);

/// Of one picture.
Axes axes_of_page(Handle& handle, const Picture& picture);

/// OME-XML's. Throws bad_notation as above, bad_file for what contradicts the pictures or itself.
Axes axes_of_ome(const std::string& text, const std::vector<Picture>& pictures, std::int64_t image, const std::string& path);

/// "um" of "micron", "µm", "\\u00B5m".
std::string unit_of(const std::string& word);

}  // namespace crinkle::tool::tiff
