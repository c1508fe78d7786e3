// GeoTIFFs written band after band.
// SPDX-License-Identifier: BSD-3-Clause
#include "gdal/raster.hpp"

#include <cpl_string.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "gdal/crs.hpp"
#include "gdal/handles.hpp"
#include "gdal/raster_words.hpp"

namespace crinkle::tool::geo {
namespace {

class Options {
 public:
  Options() = default;
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options() { CSLDestroy(list_); }
  void set(const char* name, const std::string& value) { list_ = CSLSetNameValue(list_, name, value.c_str()); }
  char** get() const { return list_; }

 private:
  char** list_ = nullptr;
};

// GeoTIFF's word for the compression. Throws for one that this GDAL was built without.
std::string compression_of(const std::string& word, GDALDriverH driver, const std::string& path) {
  std::string name = word;
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (metadata(driver, GDAL_DMD_CREATIONOPTIONLIST, nullptr).find("<Value>" + name + "</Value>") == std::string::npos)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: this GDAL writes no GeoTIFF with --compress {}; deflate is always there", path, word));
  return name;
}

int as_int(std::int64_t n, const std::string& path, const std::string& of) {
  if (n > std::numeric_limits<int>::max())
    throw Error(ErrorCode::unsupported, fmt::format("{}: {} {} are more than a GeoTIFF has; write .npy", path, n, of));
  return static_cast<int>(n);
}

// Byte where this GDAL has no Int8.
GDALDataType type_of(const std::string& element, bool is_moved, const std::string& path) {
  GDALDataType type = GDT_Unknown;
  for (const auto& [name, its] : elements)
    if (its == element) type = GDALGetDataTypeByName(name);
  for (const auto& [name, its] : moved_elements)
    if (is_moved && its == element) type = GDALGetDataTypeByName(name);
  if (type == GDT_Unknown && element == "int8") type = GDT_Byte;
  if (type == GDT_Unknown)
    throw Error(ErrorCode::unsupported, fmt::format("{}: a GeoTIFF of {} is not written; --dtype float32, say", path, element));
  return type;
}

class Writer final : public MapWriter {
 public:
  Writer(const std::string& path, const MapRequest& r)
      : path_(path), width_(as_int(r.cells[0], path, "columns")), type_(type_of(r.element, !r.bands_from.empty(), path)) {
    constexpr std::size_t most_bands = 65535;
    if (r.bands.size() > most_bands)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: a GeoTIFF has at most {} bands, not {}; write .npy", path, most_bands, r.bands.size()));
    const int height = as_int(r.cells[1], path, "rows");
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    Options options;
    const bool is_tiled = r.tile[0] < r.cells[0] || r.tile[0] == r.tile[1];
    options.set("TILED", is_tiled ? "YES" : "NO");
    if (is_tiled) options.set("BLOCKXSIZE", std::to_string(r.tile[0]));
    options.set("BLOCKYSIZE", std::to_string(r.tile[1]));
    options.set("INTERLEAVE", "BAND");
    options.set("BIGTIFF", "IF_SAFER");
    if (r.element == "int8" && type_ == GDT_Byte) options.set(pixel_type, signed_byte);
    options.set("NUM_THREADS", r.threads == 0 ? "ALL_CPUS" : std::to_string(r.threads));
    if (r.compression != "none") {
      options.set("COMPRESS", compression_of(r.compression, driver, path));
      // Differences of neighbours; of float numbers of their bytes, the high ones together.
      if (!r.element.starts_with("complex")) options.set("PREDICTOR", r.element.starts_with("float") ? "3" : "2");
      if (r.level >= 0) options.set(r.compression == "zstd" ? "ZSTD_LEVEL" : "ZLEVEL", std::to_string(r.level));
    }
    complaint();
    dataset_.reset(GDALCreate(driver, as_file(path).c_str(), width_, height, static_cast<int>(r.bands.size()), type_, options.get()));
    if (!dataset_) refuse(ErrorCode::bad_file, path, "GDAL could not begin it");
    // All that the head of the file says comes before the first cell: afterwards the head would be written again, behind the cells.
    if (Geotransform t = r.transform.value_or(Geotransform()); r.transform) GDALSetGeoTransform(dataset_.get(), t.data());
    if (r.crs.is_known()) GDALSetSpatialRef(dataset_.get(), handle_of(r.crs).get());
    for (std::size_t b = 0; b < r.bands.size(); ++b) {
      GDALRasterBandH band = GDALGetRasterBand(dataset_.get(), static_cast<int>(b) + 1);
      if (r.nodata) GDALSetRasterNoDataValue(band, *r.nodata);
      if (!r.bands[b].empty()) GDALSetDescription(band, r.bands[b].c_str());
    }
    for (std::size_t b = 0; b < r.scales.size(); ++b) set_scale(GDALGetRasterBand(dataset_.get(), static_cast<int>(b) + 1), r.scales[b]);
    if (!r.bands_as.empty()) take_bands_of(r);
    check();
  }

  void write(std::int64_t band, std::int64_t first_row, std::int64_t n_rows, const void* numbers) override {
    GDALRasterBandH to = GDALGetRasterBand(dataset_.get(), static_cast<int>(band) + 1);
    const int n = static_cast<int>(n_rows);
    const CPLErr status =
        GDALRasterIO(to, GF_Write, 0, static_cast<int>(first_row), width_, n, const_cast<void*>(numbers), width_, n, type_, 0, 0);
    GDALFlushRasterCache(to);  // else it would keep a twentieth of the machine's memory
    check();
    if (status != CE_None) refuse(ErrorCode::bad_file, path_, "writing its cells");
  }

  void finish() override {
    GDALFlushCache(dataset_.get());
    dataset_.reset();
    check();
  }

 private:
  static void set_scale(GDALRasterBandH band, const std::array<double, 2>& scale) {
    if (scale[0] != 1) GDALSetRasterScale(band, scale[0]);
    if (scale[1] != 0) GDALSetRasterOffset(band, scale[1]);
  }

  // Tags, colours, units, scales and offsets.
  void take_bands_of(const MapRequest& r) {
    const Dataset other = open_page(r.bands_as, r.bands_page);
    copy_tags(other.get(), dataset_.get());
    for (int b = 1; b <= GDALGetRasterCount(dataset_.get()); ++b) {
      const int its = r.bands_from.empty() ? b : static_cast<int>(r.bands_from[static_cast<std::size_t>(b) - 1]) + 1;
      if (its > GDALGetRasterCount(other.get())) continue;
      GDALRasterBandH from = GDALGetRasterBand(other.get(), its), to = GDALGetRasterBand(dataset_.get(), b);
      copy_tags(from, to);
      const GDALColorInterp colour = GDALGetRasterColorInterpretation(from);
      if (GDALColorTableH table = GDALGetRasterColorTable(from); table != nullptr && GDALGetRasterDataType(from) == type_)
        GDALSetRasterColorTable(to, table);
      else if (colour != GCI_Undefined && colour != GCI_PaletteIndex) GDALSetRasterColorInterpretation(to, colour);
      set_scale(to, {GDALGetRasterScale(from, nullptr), GDALGetRasterOffset(from, nullptr)});
      if (const std::string unit = GDALGetRasterUnitType(from); !unit.empty()) GDALSetRasterUnitType(to, unit.c_str());
    }
  }

  void check() const {
    if (const std::string said = complaint(); !said.empty()) throw Error(ErrorCode::bad_file, path_ + ": GDAL: " + said);
  }

  std::string path_;
  int width_;
  GDALDataType type_;
  Dataset dataset_;
};

}  // namespace

std::unique_ptr<MapWriter> begin_map(const std::string& path, const MapRequest& request) { return std::make_unique<Writer>(path, request); }

}  // namespace crinkle::tool::geo
