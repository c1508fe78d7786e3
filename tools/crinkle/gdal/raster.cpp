// Rasters, where they lie and what is in their cells, and GeoTIFFs written band after band.
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

// Types by GDAL's name, as some versions lack some of them.
constexpr std::pair<const char*, const char*> elements[] = {{"Byte", "uint8"},      {"Int8", "int8"},      {"UInt16", "uint16"},
                                                            {"Int16", "int16"},     {"UInt32", "uint32"},  {"Int32", "int32"},
                                                            {"Float32", "float32"}, {"Float64", "float64"}};

// Signed bytes were a remark beside Byte before GDAL 3.7.
constexpr const char *pixel_type = "PIXELTYPE", *structure = "IMAGE_STRUCTURE", *signed_byte = "SIGNEDBYTE";
bool is_signed_byte(GDALRasterBandH band) {
  return GDALGetRasterDataType(band) == GDT_Byte && metadata(band, pixel_type, structure) == signed_byte;
}
std::string type_name(GDALRasterBandH band) { return is_signed_byte(band) ? "Int8" : GDALGetDataTypeName(GDALGetRasterDataType(band)); }

std::string element_of(const std::string& name) {
  const auto* const found = std::find_if(std::begin(elements), std::end(elements), [&](const auto& e) { return e.first == name; });
  return found == std::end(elements) ? "" : found->second;
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
    if (!r.bands_as.empty()) take_bands_of(r.bands_as);
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
  // Colours, units, scales and offsets.
  void take_bands_of(const std::string& path) {
    const Dataset other = open(path, GDAL_OF_RASTER);
    for (int b = 1; b <= std::min(GDALGetRasterCount(other.get()), GDALGetRasterCount(dataset_.get())); ++b) {
      GDALRasterBandH from = GDALGetRasterBand(other.get(), b), to = GDALGetRasterBand(dataset_.get(), b);
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

RasterFacts read_raster(const std::string& path) {
  const Dataset dataset = open(path, GDAL_OF_RASTER);
  RasterFacts facts;
  facts.cells = {GDALGetRasterXSize(dataset.get()), GDALGetRasterYSize(dataset.get())};
  if (Geotransform t; GDALGetGeoTransform(dataset.get(), t.data()) == CE_None) facts.transform = t;
  facts.crs = crs_of(GDALGetSpatialRef(dataset.get()));
  facts.format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset.get()));
  facts.compression = metadata(dataset.get(), "COMPRESSION", structure);
  for (int b = 1; b <= GDALGetRasterCount(dataset.get()); ++b) {
    GDALRasterBandH band = GDALGetRasterBand(dataset.get(), b);
    facts.bands.push_back(GDALGetDescription(band));
    if (b > 1) continue;
    facts.type = type_name(band);
    facts.element = element_of(facts.type);
    facts.has_colour_table = GDALGetRasterColorTable(band) != nullptr;
    facts.has_mask = GDALGetMaskFlags(band) == GMF_PER_DATASET;
    int width = 0, height = 0, has_nodata = 0;
    GDALGetBlockSize(band, &width, &height);
    facts.block = {width, height};
    if (const double nodata = GDALGetRasterNoDataValue(band, &has_nodata); has_nodata != 0) facts.nodata = nodata;
  }
  return facts;
}

// 128 to 255 become −128 to −1.
template <class T>
static void sign_numbers(std::span<std::byte> bytes) {
  constexpr T end = 128;
  for (T& number : std::span(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)))
    if (number >= end) number -= 2 * end;
}
static void sign_bytes(std::span<std::byte> numbers, Real as) {
  if (as == Real::float32) sign_numbers<float>(numbers);
  else sign_numbers<double>(numbers);
}

void read_cells(const std::string& path, Real as, std::span<std::byte> into) {
  const Dataset dataset = open(path, GDAL_OF_RASTER);
  const int width = GDALGetRasterXSize(dataset.get()), height = GDALGetRasterYSize(dataset.get()),
            n_bands = GDALGetRasterCount(dataset.get());
  const auto row = static_cast<std::size_t>(bytes_of(as)) * static_cast<std::size_t>(width);
  if (into.size() != row * static_cast<std::size_t>(height) * static_cast<std::size_t>(n_bands))
    refuse(ErrorCode::bad_file, path, "was changed while it was read");
  constexpr int together = 256;  // rows: GDAL keeps what it unpacks for them
  std::byte* to = into.data();
  for (int b = 1; b <= n_bands; ++b) {
    GDALRasterBandH band = GDALGetRasterBand(dataset.get(), b);
    for (int first = 0; first < height; first += together) {
      const int n = std::min(together, height - first);
      if (GDALRasterIO(band, GF_Read, 0, first, width, n, to, width, n, as == Real::float32 ? GDT_Float32 : GDT_Float64, 0, 0) != CE_None)
        refuse(ErrorCode::bad_file, path, "reading its cells");
      if (is_signed_byte(band)) sign_bytes(std::span(to, row * static_cast<std::size_t>(n)), as);
      to += row * static_cast<std::size_t>(n);
    }
    GDALFlushRasterCache(band);
  }
  if (const std::string said = complaint(); !said.empty()) throw Error(ErrorCode::bad_file, path + ": GDAL: " + said);
}

}  // namespace crinkle::tool::geo
