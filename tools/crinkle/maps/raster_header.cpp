// SPDX-License-Identifier: BSD-3-Clause
#include "maps/raster_header.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "command_line/options.hpp"
#include "crinkle/error.hpp"
#include "files/file_names.hpp"
#include "formats/dataset.hpp"
#include "formats/geotiff/ground.hpp"

namespace crinkle::tool {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_header(const std::string& header, const std::string& what) {
  refuse(fmt::format("--header {}: {}; it has the words of `crinkle info --json` of a GeoTIFF", header, what));
}

double number_of(const Json& said, const std::string& header, const char* what) {
  if (said.is_number()) return said.get<double>();
  // JSON has no words for these.
  if (said == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (said == "inf") return std::numeric_limits<double>::infinity();
  if (said == "-inf") return -std::numeric_limits<double>::infinity();
  refuse_header(header, fmt::format("{} is {}, no number", what, said.dump()));
}

RasterFacts raster_of(const Json& said, const std::string& header, std::int64_t n_bands) {
  RasterFacts raster;
  const auto is_said = [&](const char* key) { return said.contains(key) && !said[key].is_null(); };
  const auto listed = [&](const char* key, std::size_t n) {
    if (!said[key].is_array() || said[key].size() != n)
      throw Error(ErrorCode::bad_shape, fmt::format("--header {}: {} is not a list of {}", header, key, n));
    return said[key];
  };
  if (is_said("geotransform")) {
    Geotransform t{};
    const Json numbers = listed("geotransform", t.size());
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = number_of(numbers[i], header, "geotransform");
    raster.transform = t;
  }
  if (is_said("crs_wkt")) {
    if (!said["crs_wkt"].is_string()) refuse_header(header, "crs_wkt is no text");
    raster.crs = gdal("--header", "leave out crs_wkt").crs(said["crs_wkt"].get<std::string>(), "--header");
  }
  if (is_said("nodata")) raster.nodata = number_of(said["nodata"], header, "nodata");
  raster.bands.resize(static_cast<std::size_t>(n_bands));
  raster.scales.resize(static_cast<std::size_t>(n_bands), {1, 0});
  if (is_said("bands")) {
    const Json names = listed("bands", raster.bands.size());
    for (std::size_t b = 0; b < raster.bands.size(); ++b) {
      if (!names[b].is_string()) refuse_header(header, "a band's name is no text");
      raster.bands[b] = names[b].get<std::string>();
    }
  }
  if (is_said("scales")) {
    const Json scales = listed("scales", raster.scales.size());
    for (std::size_t b = 0; b < raster.scales.size(); ++b) {
      if (!scales[b].is_array() || scales[b].size() != 2) refuse_header(header, "a band's scale is not [scale, offset]");
      raster.scales[b] = {number_of(scales[b][0], header, "scales"), number_of(scales[b][1], header, "scales")};
    }
  }
  return raster;
}

}  // namespace

void take_raster_header(const std::string& header, const std::string& output, ArrayFacts& facts) {
  if (!is_named_tiff(output)) refuse("--header " + header + " is of GeoTIFF, whose name ends in .tif; " + output + " is none");
  if (facts.format != "npy" && facts.format != "raw")
    refuse("--header " + header + " is of .npy and raw data; " + facts.path + " says itself where it lies, or is a picture");
  const Extents& extents = facts.layout.extents;
  if (extents.size() < 2 || extents.size() > 3)
    throw Error(ErrorCode::bad_shape, fmt::format("--header {}: a GeoTIFF is made of [y][x] or [band][y][x], and {} has {} axes", header,
                                                  facts.path, extents.size()));
  std::ifstream file(header);
  if (!file) throw Error(ErrorCode::bad_file, fmt::format("{}: cannot be opened", header));
  const Json said = Json::parse(std::string(std::istreambuf_iterator<char>(file), {}), nullptr, false);
  if (!said.is_object()) refuse_header(header, "is no JSON object");
  auto ground = std::make_shared<geotiff::Ground>();
  const std::int64_t n_bands = extents.size() == 3 ? extents[0] : 1;
  ground->raster = raster_of(said, header, n_bands);
  ground->raster.cells = {extents[extents.size() - 1], extents[extents.size() - 2]};
  for (std::int64_t b = 0; b < n_bands; ++b) ground->bands.push_back(b);
  DatasetFacts stored;
  stored.extents = extents;
  stored.type = facts.type;
  stored.axes = {"y", "x"};
  if (extents.size() == 3) stored.axes.insert(stored.axes.begin(), "band");
  stored.path = facts.path;
  stored.attributes = std::make_shared<const nlohmann::ordered_json>(nlohmann::ordered_json::object());
  stored.ground = std::move(ground);
  facts.extras = std::make_shared<DatasetExtras>(std::move(stored));
}

}  // namespace crinkle::tool
