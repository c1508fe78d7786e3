// Rasters: where they lie and what is in their cells.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gdal/crs.hpp"
#include "gdal/handles.hpp"
#include "gdal/raster.hpp"
#include "gdal/raster_words.hpp"

namespace crinkle::tool::geo {

std::vector<std::string> pages_of(GDALDatasetH dataset) {
  std::vector<std::string> names;
  for (;;) {
    const std::string name = metadata(dataset, fmt::format("SUBDATASET_{}_NAME", names.size() + 1).c_str(), "SUBDATASETS");
    if (name.empty()) return names;
    names.push_back(name);
  }
}

Dataset open_page(const std::string& path, int page) {
  Dataset dataset = open(path, GDAL_OF_RASTER);
  if (page == 1) return dataset;
  const std::vector<std::string> pages = pages_of(dataset.get());
  if (page < 1 || page > std::max<std::int64_t>(1, std::ssize(pages)))
    throw Error(ErrorCode::bad_shape,
                fmt::format("{}: --page {}: its pages are 1 to {}", path, page, std::max<std::size_t>(1, pages.size())));
  Dataset other(GDALOpenEx(pages[static_cast<std::size_t>(page) - 1].c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                           nullptr, nullptr, nullptr));
  if (!other) refuse(ErrorCode::bad_file, path, fmt::format("its page {} is nothing that GDAL can read", page));
  return other;
}

RasterFacts read_raster(const std::string& path, int page) {
  const Dataset dataset = open_page(path, page);
  RasterFacts facts;
  facts.n_pages = std::max<std::int64_t>(1, std::ssize(pages_of(page == 1 ? dataset.get() : open(path, GDAL_OF_RASTER).get())));
  facts.n_control_points = GDALGetGCPCount(dataset.get());
  facts.has_polynomials = GDALGetMetadata(dataset.get(), "RPC") != nullptr;
  const auto count_tag = [&](const std::string&, const std::string&) { ++facts.n_tags; };
  for_each_tag(dataset.get(), count_tag);
  facts.cells = {GDALGetRasterXSize(dataset.get()), GDALGetRasterYSize(dataset.get())};
  if (Geotransform t; GDALGetGeoTransform(dataset.get(), t.data()) == CE_None) facts.transform = t;
  facts.crs = crs_of(GDALGetSpatialRef(dataset.get()));
  facts.format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset.get()));
  facts.is_interleaved = is_interleaved(dataset.get());
  facts.compression = metadata(dataset.get(), "COMPRESSION", structure);
  for (int b = 1; b <= GDALGetRasterCount(dataset.get()); ++b) {
    GDALRasterBandH band = GDALGetRasterBand(dataset.get(), b);
    facts.bands.push_back(GDALGetDescription(band));
    for_each_tag(band, count_tag);
    facts.scales.push_back({GDALGetRasterScale(band, nullptr), GDALGetRasterOffset(band, nullptr)});
    if (GDALGetRasterColorInterpretation(band) == GCI_AlphaBand) facts.alpha = b - 1;
    if (b > 1 && type_name(band) != facts.type) facts.stored = "";
    if (b > 1) continue;
    facts.type = type_name(band);
    facts.stored = stored_element_of(facts.type);
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

// body(first column, first row, columns, rows) for parts whose blocks are unpacked once and held in memory together.
template <class Body>
static void for_each_block(GDALDatasetH dataset, const CellRequest& r, std::int64_t cell_bytes, const Body& body) {
  constexpr std::int64_t together = std::int64_t{32} << 20;  // bytes
  int block_width = 1, block_height = 1;
  GDALGetBlockSize(GDALGetRasterBand(dataset, 1), &block_width, &block_height);
  const std::int64_t most = std::max<std::int64_t>(1, together / (cell_bytes * block_height)),
                     width = most < block_width ? most : most / block_width * block_width,
                     height = std::max<std::int64_t>(1, most / r.cells[0]) * block_height;  // more where whole rows of blocks are few
  for (std::int64_t y = r.first[1]; y < r.first[1] + r.cells[1];) {
    const std::int64_t next_y = std::min((y / height + 1) * height, r.first[1] + r.cells[1]);
    for (std::int64_t x = r.first[0]; x < r.first[0] + r.cells[0];) {
      const std::int64_t next_x = std::min((x / width + 1) * width, r.first[0] + r.cells[0]);
      body(static_cast<int>(x), static_cast<int>(y), static_cast<int>(next_x - x), static_cast<int>(next_y - y));
      x = next_x;
    }
    y = next_y;
  }
}

void read_cells(const CellRequest& r, Real as, std::span<std::byte> into) {
  const Dataset dataset = open_page(r.path, r.page);
  const int n_bands = GDALGetRasterCount(dataset.get());
  const std::int64_t bytes = bytes_of(as), row = bytes * r.cells[0], plane = row * r.cells[1];
  const GDALDataType type = as == Real::float32 ? GDT_Float32 : GDT_Float64;
  if (std::ssize(into) != plane * n_bands || r.first[0] + r.cells[0] > GDALGetRasterXSize(dataset.get()) ||
      r.first[1] + r.cells[1] > GDALGetRasterYSize(dataset.get()))
    refuse(ErrorCode::bad_file, r.path, "was changed while it was read");
  const auto place_of = [&](int x, int y) { return into.data() + (y - r.first[1]) * row + (x - r.first[0]) * bytes; };
  const auto check = [&](CPLErr status) {
    if (status != CE_None) refuse(ErrorCode::bad_file, r.path, "reading its cells");
  };
  const bool are_together = is_interleaved(dataset.get());
  for (int b = 1; b <= (are_together ? 1 : n_bands); ++b) {
    GDALRasterBandH band = GDALGetRasterBand(dataset.get(), b);
    for_each_block(dataset.get(), r, bytes * (are_together ? n_bands : 1), [&](int x, int y, int width, int height) {
      std::byte* const to = place_of(x, y) + (b - 1) * plane;
      if (are_together)
        check(GDALDatasetRasterIOEx(dataset.get(), GF_Read, x, y, width, height, to, width, height, type, n_bands, nullptr, bytes, row,
                                    plane, nullptr));
      else check(GDALRasterIOEx(band, GF_Read, x, y, width, height, to, width, height, type, bytes, row, nullptr));
    });
    GDALFlushRasterCache(band);
  }
  for (int b = 1; b <= n_bands; ++b)
    if (is_signed_byte(GDALGetRasterBand(dataset.get(), b)))
      sign_bytes(into.subspan(static_cast<std::size_t>((b - 1) * plane), static_cast<std::size_t>(plane)), as);
  if (const std::string said = complaint(); !said.empty()) throw Error(ErrorCode::bad_file, r.path + ": GDAL: " + said);
}

void read_mask(const CellRequest& r, std::span<std::uint8_t> into) {
  const Dataset dataset = open_page(r.path, r.page);
  const auto [width, height] = std::pair(static_cast<int>(r.cells[0]), static_cast<int>(r.cells[1]));
  GDALRasterBandH mask = GDALGetMaskBand(GDALGetRasterBand(dataset.get(), 1));
  if (GDALRasterIO(mask, GF_Read, static_cast<int>(r.first[0]), static_cast<int>(r.first[1]), width, height, into.data(), width, height,
                   GDT_Byte, 0, 0) != CE_None)
    refuse(ErrorCode::bad_file, r.path, "reading its mask");
}

}  // namespace crinkle::tool::geo
