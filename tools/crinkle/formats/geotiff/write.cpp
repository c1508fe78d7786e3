// A GeoTIFF is packed when it is committed, out of a file that holds all cells, so that its bytes do not depend on the order in which parts
// come.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/file.hpp"
#include "formats/geotiff/geotiff.hpp"
#include "formats/geotiff/ground.hpp"
#include "formats/interrupt.hpp"
#include "formats/temporary.hpp"
#include "formats/tiff/words.hpp"

namespace crinkle::tool::geotiff {
namespace {

MapRequest request_of(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish) {
  const Ground& ground = *ground_of(facts);
  const std::size_t first = facts.extents.size() - 2;
  static constexpr const char* types[] = {"uint8",  "int8",  "uint16",  "int16",   "uint32",    "int32",
                                          "uint64", "int64", "float32", "float64", "complex64", "complex128"};
  if (std::find(std::begin(types), std::end(types), facts.type.name) == std::end(types))
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: a GeoTIFF of {} is not written; write .npy, or another --dtype", path, spelled(facts.type)));
  if (Layout::dense(facts.extents, 1).n_bytes() == 0)
    throw Error(ErrorCode::unsupported, path + ": a raster of no cells is not written; write .npy");
  MapRequest request{.cells = {facts.extents[first + 1], facts.extents[first]},
                     .transform = ground.raster.transform,
                     .crs = ground.raster.crs,
                     .bands = ground.raster.bands,
                     .element = facts.type.name,
                     .nodata = ground.raster.nodata,
                     .bands_as = ground.path,
                     .bands_page = ground.page,
                     .bands_from = ground.bands};
  if (ground.path.empty()) request.scales = ground.raster.scales;
  const std::array<std::int64_t, 2> piece = tiff::piece_of_words(wish, facts, first);
  if (piece[0] > 0) request.tile = {piece[1], piece[0]};
  const tiff::Packing packing = tiff::packing_of_words(wish.filter);
  request.compression = packing.name;
  request.level = packing.level;
  if (!wish.filter.empty()) return request;
  const std::string& its = ground.raster.compression;
  request.compression = its == "LZW" ? "lzw" : its == "ZSTD" ? "zstd" : its.empty() && !ground.path.empty() ? "none" : "deflate";
  return request;
}

class Writing final : public NewDataset {
 public:
  Writing(const std::string& path, const DatasetFacts& facts, MapRequest request, const DatasetWish& wish, Overwrite overwrite,
          const FileIdentity& input)
      : path_(path),
        layout_(Layout::dense(facts.extents, facts.type.bytes)),
        is_swapped_(facts.type.bytes > 1 && facts.type.descr[0] != native_order),
        item_(facts.type.name.starts_with("complex") ? facts.type.bytes / 2 : facts.type.bytes),
        cells_(path, layout_.n_bytes(), overwrite, input, Replaced::all, GoingOn{wish.is_resumed, wish.request}),
        mapping_(Mapping::of_file(cells_.descriptor(), layout_.n_bytes(), Mapping::Access::write, path)),
        file_(path, 0, overwrite, input),
        request_(std::move(request)) {
    facts_ = facts;
    facts_.notes.clear();
    facts_.unit = Extents(facts.extents.size(), 1);
    for (std::size_t a = facts.extents.size() - 2; a < facts.extents.size(); ++a)
      facts_.unit[a] = std::min<std::int64_t>(256, facts.extents[a]);
    facts_.chunks = facts_.unit;
    facts_.format = "geotiff";
    cells_.goes_on(facts_.extents, facts_.unit);
    cells_.begin_parts(facts_.extents, facts_.unit);
    file_.expect_beside(".aux.xml");
    writing_as(path_, file_.path(), [&] { writer_ = gdal(path, "write .npy").begin_map(file_.path(), request_); });
  }

  bool has(const Ranges& box) const override { return cells_.has(box); }
  void finish(const Ranges& box) override { cells_.finish(box); }

  void write(const Ranges& box, const std::byte* from, const Extents& strides) override {
    Extents extents;
    std::int64_t at = 0;
    for (std::size_t a = 0; a < box.size(); ++a) {
      extents.push_back(box[a].n);
      at += box[a].first * layout_.strides[a];
    }
    copy_box(extents, layout_.element_bytes, from, strides, mapping_.writable().data() + at, layout_.strides);
  }

  void commit() override {
    const std::int64_t n_rows = request_.cells[1], row_bytes = request_.cells[0] * layout_.element_bytes;
    writing_as(path_, file_.path(), [&] {
      const std::byte* from = mapping_.bytes().data();
      std::vector<std::byte> swapped;
      for (std::int64_t band = 0; band < std::ssize(request_.bands); ++band) {
        for (std::int64_t row = 0; row < n_rows; row += request_.tile[1]) {
          const std::int64_t n = std::min(request_.tile[1], n_rows - row);
          if (is_swapped_) {
            swapped.assign(from, from + n * row_bytes);
            for (auto at = swapped.begin(); at != swapped.end(); at += item_) std::reverse(at, at + item_);
          }
          writer_->write(band, row, n, is_swapped_ ? swapped.data() : from);
          from += n * row_bytes;
        }
      }
      writer_->finish();
    });
    const SignalsHeld held;
    file_.exchange_with_output();
    cells_.done();
    if (const std::string beside = file_.settle(); !beside.empty())
      fmt::print(stderr, "crinkle: note: {} goes with {}: it has what a GeoTIFF cannot hold\n", beside, path_);
  }

  void withdraw() noexcept override { file_.withdraw(); }

 private:
  std::string path_;
  Layout layout_;
  bool is_swapped_;
  std::int64_t item_;
  Temporary cells_;  // never renamed
  Mapping mapping_;
  Temporary file_;
  MapRequest request_;
  std::unique_ptr<MapWriter> writer_;
};

}  // namespace

void check(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish) {
  gdal(path, "write .npy");
  request_of(path, facts, wish);
}

std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                                  const FileIdentity& input) {
  return std::make_unique<Writing>(path, facts, request_of(path, facts, wish), wish, overwrite, input);
}

}  // namespace crinkle::tool::geotiff
