// SPDX-License-Identifier: BSD-3-Clause
#include "formats/side_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace crinkle::tool {
namespace {

namespace fs = std::filesystem;

std::string in_small_letters(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}
std::string in_capitals(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string begin_of(const std::string& path) {
  std::string text(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// Six numbers.
bool is_world(const std::string& path) {
  std::istringstream words(begin_of(path));
  double number = 0;
  for (int i = 0; i < 6; ++i)
    if (!(words >> number)) return false;
  return true;
}
bool has(const std::string& path, std::string_view word) { return in_small_letters(begin_of(path)).find(word) != std::string::npos; }
bool is_always(const std::string&) { return true; }
bool is_of_imagine(const std::string& path) { return begin_of(path).starts_with("EHFA_HEADER_TAG"); }
bool is_raster_tab(const std::string& path) { return has(path, "!table") && has(path, "raster"); }
bool is_rpb(const std::string& path) { return has(path, "lineoffset"); }
bool is_rpc(const std::string& path) { return has(path, "line_off"); }
bool is_imd(const std::string& path) { return has(path, "begin_group"); }
bool is_system(const std::string& path) { return has(path, "geogc") || has(path, "projc") || has(path, "local_cs"); }

struct Side {
  const char* ending;                  // in small letters, and it may be in capitals
  bool (*is_one)(const std::string&);  // by what is in it
  std::string_view others;             // endings of files that may have one under the same name: " png jpg "
};

constexpr std::string_view rasters = " tif tiff png jpg jpeg jp2 gif bmp webp img ntf bil bip bsq asc ecw sid vrt ";

// Behind the file's whole name.
constexpr std::array overviews = {Side{".ovr", is_always, ""}, Side{".msk.ovr", is_always, ""}, Side{".ovr.aux.xml", is_always, ""}};
constexpr std::array of_whole_name = {Side{".aux.xml", is_always, ""}, Side{".msk", is_always, ""},     Side{".msk.aux.xml", is_always, ""},
                                      Side{".aux", is_of_imagine, ""}, Side{".vat.dbf", is_always, ""}, Side{".vat.cpg", is_always, ""}};
// In place of its ending.
constexpr std::array of_tiff = {Side{".tfw", is_world, " tif tiff "}, Side{".tifw", is_world, " tif tiff "},
                                Side{".tiffw", is_world, " tif tiff "}};
constexpr std::array of_png = {Side{".pgw", is_world, " png "}, Side{".pngw", is_world, " png "}};
constexpr std::array of_pictures = {Side{".wld", is_world, rasters},      Side{".tab", is_raster_tab, rasters},
                                    Side{".aux", is_of_imagine, rasters}, Side{".rrd", is_of_imagine, rasters},
                                    Side{".rpb", is_rpb, rasters},        Side{"_rpc.txt", is_rpc, rasters},
                                    Side{".imd", is_imd, rasters}};
constexpr std::array of_csv = {Side{".csvt", is_always, " csv "}, Side{".prj", is_system, " csv shp tif tiff asc bil img "}};

struct Name {
  std::string stem, ending;  // "maps/height", "tif"

  explicit Name(const std::string& path) {
    const std::size_t dot = path.find_last_of("./");
    const bool has_ending = dot != std::string::npos && path[dot] == '.';
    stem = has_ending ? path.substr(0, dot) : path;
    ending = has_ending ? in_small_letters(path.substr(dot + 1)) : "";
  }
};

class Search {
 public:
  explicit Search(std::string path) : path_(std::move(path)), name_(path_) {}

  template <class Sides>
  void add(const std::string& front, const Sides& sides) {
    for (const Side& side : sides)
      for (const std::string& ending : {std::string(side.ending), in_capitals(side.ending)}) {
        const std::string name = front + ending;
        if (name != path_ && is_file(name) && side.is_one(name)) (has_other(side.others) ? shared_ : found_).insert(name);
      }
  }
  const Name& name() const { return name_; }
  std::vector<std::string> found() const { return {found_.begin(), found_.end()}; }
  std::vector<std::string> shared() const { return {shared_.begin(), shared_.end()}; }

 private:
  bool has_other(std::string_view endings) const {
    std::istringstream words{std::string(endings)};
    for (std::string word; words >> word;)
      for (const std::string& ending : {word, in_capitals(word)})
        if (const std::string other = name_.stem + "." + ending; other != path_ && is_file(other)) return true;
    return false;
  }

  std::string path_;
  Name name_;
  std::set<std::string> found_, shared_;
};

}  // namespace

static Search all_beside(const std::string& path, Replaced replaced) {
  Search search(path);
  const std::string& ending = search.name().ending;
  if (ending == "npy" || ending == "nii" || ending == "gz") return search;  // whose readers look for nothing else
  if (ending == "csv") {
    search.add(search.name().stem, of_csv);
    return search;
  }
  search.add(path, overviews);
  if (replaced == Replaced::a_part) return search;
  search.add(path, of_whole_name);
  const bool is_tiff = ending == "tif" || ending == "tiff", is_png = ending == "png";
  if (is_tiff) search.add(search.name().stem, of_tiff);
  if (is_png) search.add(search.name().stem, of_png);
  if (is_tiff || is_png) search.add(search.name().stem, of_pictures);
  return search;
}

std::vector<std::string> side_files_of(const std::string& path, Replaced replaced) { return all_beside(path, replaced).found(); }
std::vector<std::string> shared_side_files_of(const std::string& path) { return all_beside(path, Replaced::all).shared(); }

std::vector<std::string> headers_beside(const std::string& path) {
  const Name name(path);
  std::vector<std::string> headers;
  for (const char* other : {"npy", "nii", "gz", "csv", "tif", "tiff", "png", "json", "svg"})
    if (name.ending == other) return headers;
  for (const std::string& front : {name.stem, path})
    for (const char* ending : {".hdr", ".HDR", ".mhd", ".nhdr", ".ers"})
      if (const std::string header = front + ending; is_file(header) && std::find(headers.begin(), headers.end(), header) == headers.end())
        headers.push_back(header);
  return headers;
}

}  // namespace crinkle::tool
