// SPDX-License-Identifier: BSD-3-Clause
#include "formats/nifti_pair.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace crinkle::tool {
namespace {

// "hdr" and "img" of a name that ends in .hdr, .img, .hdr.gz or .img.gz; where the word stands in it.
struct Ending {
  std::string word;
  std::size_t at = 0;
};

std::optional<Ending> ending_of(const std::string& path) {
  std::string small = path;
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  if (small.ends_with(".gz")) small.resize(small.size() - 3);
  for (const char* word : {"hdr", "img"})
    if (small.ends_with(std::string(".") + word)) return Ending{word, small.size() - 3};
  return {};
}

}  // namespace

bool names_pair(const std::string& path) { return ending_of(path).has_value(); }

std::optional<NiftiPair> pair_of(const std::string& path) {
  const std::optional<Ending> ending = ending_of(path);
  if (!ending) return {};
  const bool is_header = ending->word == "hdr", is_large = path[ending->at] == (is_header ? 'H' : 'I');
  const std::string stem = path.substr(0, ending->at);
  const std::string other = stem + (is_header ? is_large ? "IMG" : "img" : is_large ? "HDR" : "hdr");
  std::error_code code;
  for (const std::string& name : {other, other + ".gz", other + ".GZ"})
    if (std::filesystem::exists(name, code)) return is_header ? NiftiPair{path, name} : NiftiPair{name, path};
  return {};
}

}  // namespace crinkle::tool
