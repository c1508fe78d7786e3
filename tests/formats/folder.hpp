// What the format tests share: a folder that removes itself, whole files as bytes, elements in C order, and errors that say what they
// should.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "crinkle-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

using Names = std::vector<std::string>;

inline std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// Bytes that differ from place to place and repeat with no short period.
inline std::string pattern(std::size_t bytes) {
  std::string text(bytes, '\0');
  std::uint32_t state = 12345;
  for (char& c : text) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24);
  }
  return text;
}

/// The elements in C order, by the layout's own definition.
inline std::string elements(const Source& source) {
  const Layout& layout = source.facts().layout;
  std::string all;
  const std::int64_t n = layout.n_elements();
  Extents index(layout.extents.size(), 0);
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t at = layout.offset;
    for (std::size_t a = 0; a < index.size(); ++a) at += index[a] * layout.strides[a];
    all.append(reinterpret_cast<const char*>(source.bytes().data()) + at, static_cast<std::size_t>(layout.element_bytes));
    for (std::size_t a = index.size(); a-- > 0 && ++index[a] == layout.extents[a];) index[a] = 0;
  }
  return all;
}

inline void fill(Sink& sink, const std::string& data) {
  ASSERT_EQ(sink.bytes().size(), static_cast<std::size_t>(sink.data_offset()) + data.size());
  if (!data.empty()) std::memcpy(sink.bytes().data() + sink.data_offset(), data.data(), data.size());
}

/// Makes a whole file of the pattern and returns the pattern.
inline std::string make(const std::string& path, const Extents& extents, const std::string& type, Overwrite overwrite = Overwrite::refuse) {
  OutputFacts facts;
  facts.extents = extents;
  facts.type = element_type(type);
  const auto sink = Sink::create(path, facts, overwrite);
  std::string data = pattern(static_cast<std::size_t>(Layout::dense(extents, facts.type.bytes).n_bytes()));
  fill(*sink, data);
  sink->commit();
  return data;
}

/// Runs the body, expects its Error, and answers with the text.
template <class Body>
std::string error_of(ErrorCode code, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "one line: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace crinkle::tool
