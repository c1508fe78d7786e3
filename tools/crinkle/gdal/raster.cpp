// Where a raster lies, and GeoTIFFs written band after band. What lies on the ground at (column, row) of a raster is GDAL's geotransform,
// (t0 + t1 column + t2 row, t3 + t4 column + t5 row); maps have t2 = t4 = 0.
// SPDX-License-Identifier: BSD-3-Clause
#include "gdal/raster.hpp"

#include <cpl_string.h>
#include <fmt/format.h>

#include <limits>

#include "gdal/crs.hpp"
#include "gdal/handles.hpp"

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

std::string metadata(GDALMajorObjectH object, const char* name, const char* domain) {
  const char* const text = GDALGetMetadataItem(object, name, domain);
  return text == nullptr ? std::string() : std::string(text);
}

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

class Writer final : public MapWriter {
 public:
  Writer(const std::string& path, const MapRequest& r)
      : path_(path), width_(as_int(r.grid.cells[0], path, "columns")), type_(r.is_float64 ? GDT_Float64 : GDT_Float32) {
    constexpr std::size_t most_bands = 65535;
    if (r.bands.size() > most_bands)
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: a GeoTIFF has at most {} bands, not {}; write .npy", path, most_bands, r.bands.size()));
    const int height = as_int(r.grid.cells[1], path, "rows");
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    Options options;
    for (const auto& [name, value] : {std::pair("TILED", "YES"), std::pair("BLOCKXSIZE", "256"), std::pair("BLOCKYSIZE", "256"),
                                      std::pair("INTERLEAVE", "BAND"), std::pair("BIGTIFF", "IF_SAFER")})
      options.set(name, value);
    options.set("NUM_THREADS", r.threads == 0 ? "ALL_CPUS" : std::to_string(r.threads));
    if (r.compression != "none") {
      options.set("COMPRESS", compression_of(r.compression, driver, path));
      options.set("PREDICTOR", "3");  // differences of the bytes of float numbers, the high ones together
    }
    complaint();
    dataset_.reset(GDALCreate(driver, as_file(path).c_str(), width_, height, static_cast<int>(r.bands.size()), type_, options.get()));
    if (!dataset_) refuse(ErrorCode::bad_file, path, "GDAL could not begin it");
    // All that the head of the file says comes before the first cell: afterwards the head would be written again, behind the cells.
    double transform[6] = {r.grid.corner[0], r.grid.step[0], 0, r.grid.corner[1], 0, r.grid.step[1]};
    GDALSetGeoTransform(dataset_.get(), transform);
    if (r.crs.is_known()) GDALSetSpatialRef(dataset_.get(), handle_of(r.crs).get());
    for (std::size_t b = 0; b < r.bands.size(); ++b) {
      GDALRasterBandH band = GDALGetRasterBand(dataset_.get(), static_cast<int>(b) + 1);
      GDALSetRasterNoDataValue(band, r.nodata);
      if (!r.bands[b].empty()) GDALSetDescription(band, r.bands[b].c_str());
    }
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

RasterFacts read_raster(const std::string& path) {
  const Dataset dataset = open(path, GDAL_OF_RASTER);
  double t[6] = {};
  if (GDALGetGeoTransform(dataset.get(), t) != CE_None)
    refuse(ErrorCode::unsupported, path, "does not say where its cells lie (it has no geotransform)");
  if (t[2] != 0 || t[4] != 0)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: its rows are turned against x (geotransform {} {} {} {}); warp it to one that goes along x and y first",
                            path, t[1], t[2], t[4], t[5]));
  RasterFacts facts;
  facts.grid = {
      .cells = {GDALGetRasterXSize(dataset.get()), GDALGetRasterYSize(dataset.get())}, .corner = {t[0], t[3]}, .step = {t[1], t[5]}};
  facts.crs = crs_of(GDALGetSpatialRef(dataset.get()));
  facts.format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset.get()));
  facts.compression = metadata(dataset.get(), "COMPRESSION", "IMAGE_STRUCTURE");
  for (int b = 1; b <= GDALGetRasterCount(dataset.get()); ++b) {
    GDALRasterBandH band = GDALGetRasterBand(dataset.get(), b);
    facts.bands.push_back(GDALGetDescription(band));
    if (b > 1) continue;
    facts.type = GDALGetDataTypeName(GDALGetRasterDataType(band));
    int width = 0, height = 0, has_nodata = 0;
    GDALGetBlockSize(band, &width, &height);
    facts.block = {width, height};
    if (const double nodata = GDALGetRasterNoDataValue(band, &has_nodata); has_nodata != 0) facts.nodata = nodata;
  }
  return facts;
}

}  // namespace crinkle::tool::geo
