// A GeoTIFF is packed when it is committed, 256 rows at a time, out of a file that holds all cells: larger ones than memory are written as
// any other, and a value does not depend on where a part begins.
// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/checked.hpp"
#include "files/file_names.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "formats/interrupt.hpp"
#include "formats/temporary.hpp"
#include "running/progress.hpp"

namespace crinkle::tool {
namespace {

// Which value a band is of, and in three dimensions of which layer.
std::vector<std::string> bands_of(const MapContent& content) {
  std::vector<std::string> bands;
  for (const std::string& name : content.names) {
    for (std::int64_t k = 0; k < content.raster.extents[2]; ++k) {
      const double z = content.raster.first[2] + static_cast<double>(k) * content.raster.step[2];
      bands.push_back(content.raster.extents[2] == 1 ? name : fmt::format("{}, z = {}", name, z));
    }
  }
  return bands;
}

// Whether a file of GDAL's remarks (.aux.xml) names a reference system.
bool has_system(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {}).find("<SRS") != std::string::npos;
}

class TiffSink final : public Sink {
 public:
  TiffSink(const std::string& path, const MapRequest& request, Overwrite overwrite)
      : path_(path),
        row_bytes_(multiply(request.cells[0], element_type(request.element).bytes)),
        n_rows_(request.cells[1]),
        n_bands_(std::ssize(request.bands)),
        n_bytes_(multiply(multiply(row_bytes_, n_rows_), n_bands_)),
        cells_(path, n_bytes_, overwrite, {}),
        mapping_(Mapping::of_file(cells_.descriptor(), n_bytes_, Mapping::Access::write, path)),
        file_(path, 0, overwrite, {}),
        crs_(request.crs.name) {
    file_.expect_beside(".aux.xml");  // where GDAL puts what a GeoTIFF cannot hold
    writing_as(path_, file_.path(), [&] { writer_ = gdal(path, "").begin_map(file_.path(), request); });
  }

  std::span<std::byte> bytes() override { return mapping_.writable(); }
  void commit() override {
    pack();
    const SignalsHeld held;
    commit_for_now();
    settle();
  }

 private:
  void pack() override {
    constexpr std::int64_t tile_rows = 256;
    Progress progress(n_bytes_);
    writing_as(path_, file_.path(), [&] {
      const std::byte* from = mapping_.bytes().data();
      for (std::int64_t band = 0; band < n_bands_; ++band) {
        for (std::int64_t row = 0; row < n_rows_; row += tile_rows) {
          const std::int64_t n = std::min(tile_rows, n_rows_ - row);
          writer_->write(band, row, n, from);
          from += n * row_bytes_;
          progress.advance(n * row_bytes_);
        }
      }
      writer_->finish();
    });
  }

  void commit_for_now() override { file_.exchange_with_output(); }
  void withdraw() noexcept override { file_.withdraw(); }
  void settle() noexcept override {
    if (const std::string beside = file_.settle(); !beside.empty())
      fmt::print(stderr, "crinkle: note: {} goes with {}: it has {} which a GeoTIFF cannot hold\n", beside, path_,
                 has_system(beside) ? (crs_ == "unknown" ? "the reference system" : "the reference system, " + crs_ + ",")
                                    : "what was said of its bands,");
  }

  std::string path_;
  std::int64_t row_bytes_, n_rows_, n_bands_, n_bytes_;
  Temporary cells_;  // never renamed
  Mapping mapping_;
  Temporary file_;
  std::string crs_;
  std::unique_ptr<MapWriter> writer_;
};

}  // namespace

void check_is_no_table(const std::string& output) {
  if (output.ends_with(".csv") || output.ends_with(".CSV"))
    refuse(output +
           ": a map is no table; write .tif or .npy, or a table of the values at places: crinkle interpolate … --targets PLACES.csv");
}

void MapOptions::add_to(Command& c) {
  c.option("--compress", "WORD", compress, "of GeoTIFF: none, deflate (the default), zstd or lzw").only({"none", "deflate", "zstd", "lzw"});
}

void MapOptions::check(const std::string& input, const std::string& output, const DatasetWish& stored, InputIs is) const {
  if (!is_named_tiff(output)) {
    if (!compress.empty()) refuse("--compress " + compress + " is of GeoTIFF, whose name ends in .tif; " + output + " is none");
    return check_names(input, is, output);
  }
  if (stored.is_any() || stored.is_resumed)
    refuse(output +
           ": this GeoTIFF is made as a whole, in tiles of 256 packed by --compress; --chunks, --shards, --filter, --into and --resume are "
           "of .zarr, .h5 and .nc outputs");
  check_names(input, is, "-");
  gdal(output, "write .npy");
}

std::unique_ptr<Sink> MapOptions::create(const std::string& output, const MapContent& content, Overwrite overwrite,
                                         const DatasetWish* stored) const {
  if (!is_named_tiff(output)) return Sink::create(output, {.extents = content.extents, .type = content.type, .stored = stored}, overwrite);
  const MapRaster& raster = content.raster;
  MapRequest request{.cells = {raster.extents[0], raster.extents[1]},
                     .transform = Geotransform{raster.corner[0], raster.step[0], 0, raster.corner[1], 0, raster.step[1]},
                     .crs = content.crs,
                     .bands = bands_of(content),
                     .element = content.type.name,
                     .nodata = content.nodata,
                     .threads = content.threads};
  if (request.element == "float32") request.nodata = static_cast<double>(static_cast<float>(content.nodata));
  return create_tiff(output, std::move(request), overwrite);
}

std::unique_ptr<Sink> MapOptions::create_tiff(const std::string& output, MapRequest request, Overwrite overwrite) const {
  if (!compress.empty()) request.compression = compress;
  if (request.compression.empty()) request.compression = "deflate";
  return std::make_unique<TiffSink>(output, request, overwrite);
}

}  // namespace crinkle::tool
