// The module's one door.
// SPDX-License-Identifier: BSD-3-Clause
#include "gdal/crs.hpp"
#include "gdal/gdal.hpp"
#include "gdal/handles.hpp"
#include "gdal/layer.hpp"
#include "gdal/raster.hpp"

namespace crinkle::tool::geo {
namespace {

class Here final : public Gdal {
 public:
  Here() { begin(); }
  LayerTable read_layer(const LayerRequest& request) const override { return geo::read_layer(request); }
  Crs crs(const std::string& text, const std::string& option) const override { return crs_of_text(text, option); }
  bool is_same(const Crs& a, const Crs& b) const override { return geo::is_same(a, b); }
  void transform(const Crs& from, const Crs& to, std::span<double> places, int n_dimensions) const override {
    geo::transform(from, to, places, n_dimensions);
  }
  RasterFacts raster(const std::string& path, int page) const override { return read_raster(path, page); }
  void read_cells(const CellRequest& request, Real as, std::span<std::byte> into) const override { geo::read_cells(request, as, into); }
  std::unique_ptr<RasterCells> open_cells(const std::string& path, int page) const override { return geo::open_cells(path, page); }
  void read_mask(const CellRequest& request, std::span<std::uint8_t> into) const override { geo::read_mask(request, into); }
  std::unique_ptr<MapWriter> begin_map(const std::string& path, const MapRequest& request) const override {
    return geo::begin_map(path, request);
  }
};

}  // namespace
}  // namespace crinkle::tool::geo

extern "C" const crinkle::tool::Gdal* crinkle_gdal();
extern "C" const crinkle::tool::Gdal* crinkle_gdal() {
  static const crinkle::tool::geo::Here here;
  return &here;
}
