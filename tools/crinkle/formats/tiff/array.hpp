// Pictures of one shape as an array: axes that count the pictures, then planes, rows, columns and samples of each.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/tiff/axes.hpp"
#include "formats/tiff/handle.hpp"
#include "formats/tiff/picture.hpp"

namespace crinkle::tool::tiff {

class Stack final : public Dataset {
 public:
  /// `pages`: the place of each picture's directory in the order of the array.
  Stack(std::shared_ptr<const File> file, const Picture& first, std::vector<std::uint64_t> pages, const Axes& axes,
        const std::string& path);
  void read(const Ranges& box, std::byte* into, const Extents& strides) const override;

  /// What the file is called, and its pages.
  void say(const std::string& format, std::int64_t page, std::int64_t n_pages) {
    facts_.format = format;
    facts_.page = page;
    facts_.n_pages = n_pages;
  }

 private:
  void read_picture(Handle& handle, const Ranges& part, std::int64_t page, std::byte* into, const Extents& strides) const;

  std::shared_ptr<const File> file_;
  Handles handles_;
  Picture first_;
  std::vector<std::uint64_t> pages_;
  std::size_t n_counting_;           // axes that count pictures
  std::size_t n_left_out_;           // of rows and columns
  std::uint64_t picture_bytes_ = 0;  // ImageJ's: all pictures behind the first one, so many bytes apart, without directories; 0: no
};

}  // namespace crinkle::tool::tiff
