// The elements of an XML text, one after another, with their attributes; what stands between them is not kept. No entity is followed but
// those for single characters, and a text with a document type is refused.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crinkle::tool::tiff {

struct XmlElement {
  std::string name;  // without its namespace
  bool is_end = false, is_empty = false;
  std::vector<std::pair<std::string, std::string>> attributes;

  /// "" where it has none of the name.
  std::string operator[](std::string_view attribute) const {
    for (const auto& [key, value] : attributes)
      if (key == attribute) return value;
    return {};
  }
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}
  /// The next begin or end of an element; false at the end. Throws bad_file for what is no XML.
  bool next(XmlElement& element);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace crinkle::tool::tiff
