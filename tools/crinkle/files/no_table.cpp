// SPDX-License-Identifier: BSD-3-Clause
#include "files/no_table.hpp"

#include <filesystem>
#include <string_view>
#include <utility>

#include "crinkle/error.hpp"
#include "formats/gzip.hpp"
#include "formats/known_files.hpp"
#include "formats/nifti.hpp"
#include "formats/png.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {
namespace {

// With or without the mark at its begin: of two letters in a row each has one byte that is 0.
bool is_utf16(std::string_view begin) {
  if (begin.starts_with("\xFF\xFE") || begin.starts_with("\xFE\xFF")) return true;
  return begin.size() >= 4 && ((begin[0] == 0 && begin[2] == 0 && begin[1] != 0 && begin[3] != 0) ||
                               (begin[1] == 0 && begin[3] == 0 && begin[0] != 0 && begin[2] != 0));
}

}  // namespace

void refuse_no_table(std::span<const std::byte> file, const std::string& path) {
  const std::string_view begin(reinterpret_cast<const char*>(file.data()), file.size());
  const std::string ending = std::filesystem::path(path).extension().string();
  std::string what;
  if (begins_like_tiff(file))
    what = "is a raster (TIFF), and samples are points; cells of a raster are resampled: crinkle resample " + path + " OUT.tif --cell SIZE";
  else if (begins_like_png(file) || begins_like_nifti(file))
    what = "is a picture or a volume, and samples are points: give CSV, .npy or a layer of points";
  else if (begins_like_gzip(file)) what = "is packed by gzip; unpack it first: gunzip -k " + path;
  else if (ending == ".dbf" || ending == ".DBF" || ending == ".shx" || ending == ".SHX")
    what = "is a part of a Shapefile without its points; give the .shp beside it";
  else if (is_utf16(begin.substr(0, 4))) what = "is text in UTF-16; save it as UTF-8: iconv -f UTF-16 -t UTF-8 " + path + " > utf8.csv";
  else what = told_as_known(file, path).value_or("");
  if (!what.empty()) throw Error(ErrorCode::unsupported, path + ": " + what);
}

}  // namespace crinkle::tool
