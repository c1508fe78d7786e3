// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "crinkle/error.hpp"
#include "formats/geotiff/geotiff.hpp"
#include "formats/geotiff/ground.hpp"

namespace crinkle::tool::geotiff {
namespace {

std::vector<std::string> notes_of(const RasterFacts& raster, bool is_page_said) {
  std::vector<std::string> notes;
  if (raster.n_pages > 1 && !is_page_said)
    notes.push_back(fmt::format("page 1 of {} is read; :/pageN behind its name reads another", raster.n_pages));
  if (!raster.transform && raster.n_control_points > 0)
    notes.push_back(fmt::format("its place is said by {} ground control points, which stay behind; gdalwarp makes a map of it",
                                raster.n_control_points));
  if (!raster.transform && raster.has_polynomials)
    notes.emplace_back("its place is said by polynomials of a camera (RPC), which stay behind");
  if (raster.has_mask) notes.emplace_back("its mask, which says what cells have data, stays behind");
  return notes;
}

class Raster final : public Dataset {
 public:
  Raster(const std::string& path, const std::string& file, int page, const Gdal& geographic)
      : cells_(geographic.open_cells(file, std::max(page, 1))) {
    auto ground = std::make_shared<Ground>();
    ground->raster = geographic.raster(file, std::max(page, 1));
    ground->path = file;
    ground->page = std::max(page, 1);
    const RasterFacts& raster = ground->raster;
    if (raster.stored.empty())
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: cells of {} are not read; gdal_translate -ot Float64 makes others of them", path, raster.type));
    facts_.type = element_type(raster.stored);
    for (std::int64_t b = 0; b < std::ssize(raster.bands); ++b) ground->bands.push_back(b);
    const std::int64_t n_bands = std::ssize(raster.bands);
    if (n_bands == 0) throw Error(ErrorCode::bad_file, path + ": has no bands");
    facts_.extents = {raster.cells[1], raster.cells[0]};
    // Blocks of few rows are read together; GDAL unpacks those alone that a box touches.
    constexpr std::int64_t together = 1 << 18;
    std::int64_t rows = std::max<std::int64_t>(raster.block[1], 1), columns = std::clamp<std::int64_t>(raster.block[0], 1, raster.cells[0]);
    while (rows < raster.cells[1] && rows * columns * facts_.type.bytes < together) rows *= 2;
    facts_.chunks = {std::min(rows, raster.cells[1]), columns};
    facts_.axes = {"y", "x"};
    if (n_bands > 1) {
      facts_.extents.insert(facts_.extents.begin(), n_bands);
      facts_.chunks.insert(facts_.chunks.begin(), raster.is_interleaved ? n_bands : 1);
      facts_.axes.insert(facts_.axes.begin(), "band");
    }
    facts_.unit = facts_.chunks;
    facts_.packing = raster.compression.empty() ? "none" : raster.compression;
    facts_.format = "geotiff";
    facts_.path = path;
    facts_.place = file;
    facts_.page = page;
    facts_.n_pages = raster.n_pages;
    facts_.attributes = std::make_shared<const nlohmann::ordered_json>(nlohmann::ordered_json::object());
    facts_.notes = notes_of(raster, page > 0);
    facts_.ground = std::move(ground);
  }

  void read(const Ranges& box, std::byte* into, const Extents& strides) const override {
    if (std::any_of(box.begin(), box.end(), [](const Range& range) { return range.n == 0; })) return;
    RasterBox cells{{0, 0, 0}, {1, 1, 1}};
    std::array<std::int64_t, 3> steps{};
    for (std::size_t a = 0, to = 3 - box.size(); a < box.size(); ++a, ++to) {
      cells.first[to] = box[a].first;
      cells.n[to] = box[a].n;
      steps[to] = strides[a];
    }
    cells_->read(cells, into, steps);
  }

 private:
  std::unique_ptr<RasterCells> cells_;
};

}  // namespace

std::unique_ptr<Dataset> open(const std::string& path, const std::string& file, int page) {
  return std::make_unique<Raster>(path, file, page,
                                  gdal(path, "a file with tags of GeoTIFF is read by GDAL alone: have another program make .npy of it"));
}

}  // namespace crinkle::tool::geotiff
