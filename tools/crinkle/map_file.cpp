// A GeoTIFF is packed when it is committed, 256 rows at a time, out of a file that holds all cells: larger ones than memory are written as
// any other, and a value does not depend on where a part begins.
// SPDX-License-Identifier: BSD-3-Clause
#include "map_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "file_names.hpp"
#include "formats/file.hpp"
#include "formats/temporary.hpp"
#include "progress.hpp"

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

class TiffSink final : public Sink {
 public:
  TiffSink(const std::string& path, const MapContent& content, const std::string& compression, Overwrite overwrite)
      : path_(path),
        n_bytes_(Layout::dense(content.extents, content.type.bytes).n_bytes()),
        row_bytes_(multiply(content.raster.extents[0], content.type.bytes)),
        n_rows_(content.raster.extents[1]),
        cells_(path, n_bytes_, overwrite, {}),
        mapping_(Mapping::of_file(cells_.descriptor(), n_bytes_, Mapping::Access::write, path)),
        file_(path, 0, overwrite, {}) {
    const Raster& raster = content.raster;
    MapRequest request{.grid = {.cells = {raster.extents[0], raster.extents[1]},
                                .corner = content.raster.corner,
                                .step = {raster.step[0], raster.step[1]}},
                       .crs = content.crs,
                       .bands = bands_of(content),
                       .is_float64 = content.type.bytes == 8,
                       .nodata = content.nodata,
                       .compression = compression,
                       .threads = content.threads};
    n_bands_ = std::ssize(request.bands);
    if (!request.is_float64) request.nodata = static_cast<double>(static_cast<float>(request.nodata));
    writing([&] { writer_ = gdal(path, "").begin_map(file_.path(), request); });
  }

  std::span<std::byte> bytes() noexcept override { return mapping_.writable(); }
  void commit() override {
    pack();
    file_.rename_to_output();
  }

 private:
  void pack() override {
    constexpr std::int64_t tile_rows = 256;
    Progress progress(n_bytes_);
    writing([&] {
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

  // GDAL's words carry the temporary's name.
  template <class Work>
  void writing(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      std::string text = error.what();
      for (std::size_t at = text.find(file_.path()); at != std::string::npos; at = text.find(file_.path(), at + path_.size()))
        text.replace(at, file_.path().size(), path_);
      throw Error(error.code(), text);
    }
  }

  void commit_for_now() override { file_.exchange_with_output(); }
  void withdraw() noexcept override { file_.withdraw(); }

  std::string path_;
  std::int64_t n_bytes_, row_bytes_, n_rows_, n_bands_ = 0;
  Temporary cells_;  // never renamed
  Mapping mapping_;
  Temporary file_;
  std::unique_ptr<MapWriter> writer_;
};

}  // namespace

void MapOptions::add_to(Command& c) {
  c.option("--compress", "WORD", compress, "of GeoTIFF: none, deflate, zstd or lzw").only({"none", "deflate", "zstd", "lzw"});
}

void MapOptions::check(const std::string& input, const std::string& output) const {
  if (!is_named_tiff(output)) {
    if (compress != "deflate") refuse("--compress " + compress + " is of GeoTIFF, whose name ends in .tif; " + output + " is none");
    return check_names(input, InputIs::as_named, output);
  }
  check_names(input, InputIs::as_named, "-");
  gdal(output, "write .npy");
}

std::unique_ptr<Sink> MapOptions::create(const std::string& output, const MapContent& content, Overwrite overwrite) const {
  if (is_named_tiff(output)) return std::make_unique<TiffSink>(output, content, compress, overwrite);
  return Sink::create(output, {content.extents, content.type}, overwrite);
}

}  // namespace crinkle::tool
