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
GDALDataType type_of(const std::string& element, const std::string& path) {
  const auto* const found = std::find_if(std::begin(elements), std::end(elements), [&](const auto& e) { return e.second == element; });
  GDALDataType type = found == std::end(elements) ? GDT_Unknown : GDALGetDataTypeByName(found->first);
  if (type == GDT_Unknown && element == "int8") type = GDT_Byte;
  if (type == GDT_Unknown)
    throw Error(ErrorCode::unsupported, fmt::format("{}: a GeoTIFF of {} is not written; --dtype float32, say", path, element));
  return type;
}

class Writer final : public MapWriter {
 public:
  Writer(const std::string& path, const MapRequest& r)
      : path_(path), width_(as_int(r.cells[0], path, "columns")), type_(type_of(r.element, path)) {
    constexpr std::size_t most_bands = 65535;
    if (r.bands.size() > most_bands)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: a GeoTIFF has at most {} bands, not {}; write .npy", path, most_bands, r.bands.size()));
    const int height = as_int(r.cells[1], path, "rows");
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    Options options;
    for (const auto& [name, value] : {std::pair("TILED", "YES"), std::pair("BLOCKXSIZE", "256"), std::pair("BLOCKYSIZE", "256"),
                                      std::pair("INTERLEAVE", "BAND"), std::pair("BIGTIFF", "IF_SAFER")})
      options.set(name, value);
    if (r.element == "int8" && type_ == GDT_Byte) options.set(pixel_type, signed_byte);
    options.set("NUM_THREADS", r.threads == 0 ? "ALL_CPUS" : std::to_string(r.threads));
    if (r.compression != "none") {
      options.set("COMPRESS", compression_of(r.compression, driver, path));
      // Differences of neighbours; of float numbers of their bytes, the high ones together.
      options.set("PREDICTOR", r.element.starts_with("float") ? "3" : "2");
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
    if (!r.bands_as.empty()) take_bands_of(r.bands_as, r.bands_page);
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
  // Tags, colours, units, scales and offsets.
  void take_bands_of(const std::string& path, int page) {
    const Dataset other = open_page(path, page);
    copy_tags(other.get(), dataset_.get());
    for (int b = 1; b <= std::min(GDALGetRasterCount(other.get()), GDALGetRasterCount(dataset_.get())); ++b) {
      GDALRasterBandH from = GDALGetRasterBand(other.get(), b), to = GDALGetRasterBand(dataset_.get(), b);
      copy_tags(from, to);
      const GDALColorInterp colour = GDALGetRasterColorInterpretation(from);
      if (GDALColorTableH table = GDALGetRasterColorTable(from); table != nullptr && GDALGetRasterDataType(from) == type_)
        GDALSetRasterColorTable(to, table);
      else if (colour != GCI_Undefined && colour != GCI_PaletteIndex) GDALSetRasterColorInterpretation(to, colour);
      int is_said = 0;
      if (const double scale = GDALGetRasterScale(from, &is_said); is_said != 0 && scale != 1) GDALSetRasterScale(to, scale);
      if (const double offset = GDALGetRasterOffset(from, &is_said); is_said != 0 && offset != 0) GDALSetRasterOffset(to, offset);
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
