// SPDX-License-Identifier: BSD-3-Clause
#include "formats/geotiff/ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace crinkle::tool::geotiff {
namespace {

bool has_scales(const RasterFacts& raster) {
  return std::any_of(raster.scales.begin(), raster.scales.end(), [](const auto& scale) { return scale != std::array{1.0, 0.0}; });
}

std::string named_place(const RasterFacts& raster) { return raster.crs.is_known() ? fmt::format(" ({})", raster.crs.name) : ""; }

// What an axis of the output is of the source.
struct Along {
  bool is_there = false;
  double start = 0, step = 1;
};

Along along(const AxisOrigin& origin, int axis) {
  if (origin.source_axis != axis || origin.is_rolled) return {};
  return {true, origin.start, origin.step};
}

// Corners of cells: cell j of the output, from j to j + 1, covers the source from start + step · j on, or, where it is flipped, to there.
struct Line {
  double at = 0, step = 1;
};
Line line_of(const Along& a) { return {a.start + 0.5 - a.step / 2, a.step}; }

std::vector<std::int64_t> bands_along(const Along& a, std::int64_t n) {
  std::vector<std::int64_t> bands;
  for (std::int64_t b = 0; b < n; ++b) bands.push_back(static_cast<std::int64_t>(std::llround(a.start + a.step * static_cast<double>(b))));
  return bands;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<std::int64_t>& bands) {
  std::vector<T> some;
  for (const std::int64_t b : bands) some.push_back(b >= 0 && b < std::ssize(all) ? all[static_cast<std::size_t>(b)] : T());
  return some;
}

}  // namespace

std::shared_ptr<const FormatExtras> moved(const DatasetFacts& source, const OutputFacts& output, const std::string& path,
                                          std::vector<std::string>& notes) {
  const Ground& from = *ground_of(source);
  const std::size_t rank = output.extents.size(), source_rank = source.extents.size();
  const int y = static_cast<int>(source_rank) - 2, x = y + 1, band = source_rank == 3 ? 0 : -1;
  std::vector<AxisOrigin> origins(rank);
  for (std::size_t a = 0; a < rank; ++a) {
    if (output.change == nullptr && rank == source_rank) origins[a] = {static_cast<int>(a)};
    else if (output.change != nullptr && a < output.change->axes.size()) origins[a] = output.change->axes[a];
  }
  const auto lost = [&](const std::string& why) {
    const std::string what = left_behind(source, path);
    if (!what.empty()) notes.push_back(fmt::format("{}, as a plain TIFF: {}", what, why));
    return nullptr;
  };
  if (rank != 2 && rank != 3) return lost(fmt::format("a raster has axes band, y and x, and this array {}", rank));
  const Along rows_of_y = along(origins[rank - 2], y), rows_of_x = along(origins[rank - 2], x);
  const Along columns_of_x = along(origins[rank - 1], x), columns_of_y = along(origins[rank - 1], y);
  const bool is_upright = rows_of_y.is_there && columns_of_x.is_there, is_turned = rows_of_x.is_there && columns_of_y.is_there;
  if (!is_upright && !is_turned) return lost("its rows and columns are no longer lines along those of the raster");
  auto ground = std::make_shared<Ground>(from);
  RasterFacts& raster = ground->raster;
  std::vector<std::int64_t> bands = {0};
  if (rank == 3) {
    const Along along_bands = along(origins[0], band);
    if (band < 0 || !along_bands.is_there) return lost("its first axis is not the raster's bands");
    bands = bands_along(along_bands, output.extents[0]);
  } else if (band >= 0) {
    if (output.change == nullptr || output.change->fixed.empty()) return lost("its bands are gone");
    bands = {static_cast<std::int64_t>(output.change->fixed[0])};
  }
  ground->bands = chosen(from.bands, bands);
  raster.bands = chosen(from.raster.bands, bands);
  raster.scales = chosen(from.raster.scales, bands);
  raster.cells = {output.extents[rank - 1], output.extents[rank - 2]};
  if (from.raster.transform) {
    const auto [cx, right_x, down_x, cy, right_y, down_y] = *from.raster.transform;
    const Line rows = line_of(is_upright ? rows_of_y : rows_of_x), columns = line_of(is_upright ? columns_of_x : columns_of_y);
    // (column, row) of the source are lines of (column, row) here, or of (row, column).
    const double column = is_upright ? columns.at : rows.at, row = is_upright ? rows.at : columns.at;
    Geotransform t{cx + right_x * column + down_x * row, 0, 0, cy + right_y * column + down_y * row, 0, 0};
    if (is_upright) t[1] = right_x * columns.step, t[4] = right_y * columns.step, t[2] = down_x * rows.step, t[5] = down_y * rows.step;
    else t[1] = down_x * columns.step, t[4] = down_y * columns.step, t[2] = right_x * rows.step, t[5] = right_y * rows.step;
    raster.transform = t;
    if (is_turned)
      notes.push_back(
          fmt::format("the rows of the result lead along y on the ground, not x (geotransform {} {} {} {}), which not every program reads",
                      t[1], t[2], t[4], t[5]));
  }
  if (output.type.name != source.type.name) {
    if (raster.nodata) notes.push_back(fmt::format("its number for no data, {}, is not said of {}", *raster.nodata, spelled(output.type)));
    raster.nodata.reset();
  }
  return ground;
}

std::string left_behind(const DatasetFacts& source, const std::string& path) {
  const RasterFacts& raster = ground_of(source)->raster;
  std::vector<std::string> what;
  if (raster.transform || raster.crs.is_known()) what.push_back("its place on the ground" + named_place(raster));
  if (raster.nodata) what.push_back(fmt::format("its number for no data, {}", *raster.nodata));
  if (has_scales(raster)) what.emplace_back("the scales of its bands");
  if (std::any_of(raster.bands.begin(), raster.bands.end(), [](const std::string& name) { return !name.empty(); }))
    what.emplace_back("the names of its bands");
  if (raster.n_tags > 0) what.push_back(fmt::format("{} tag{}", raster.n_tags, raster.n_tags == 1 ? "" : "s"));
  if (what.empty()) return {};
  return fmt::format("{} stay{} behind: {} has no place for {}", fmt::join(what, ", "), what.size() == 1 ? "s" : "", path,
                     what.size() == 1 ? "it" : "them");
}

std::string offsets_in_sums(const DatasetFacts& source, double of_weights) {
  const Ground* const ground = ground_of(source);
  if (ground == nullptr) return {};
  const auto& scales = ground->raster.scales;
  const auto offset = std::find_if(scales.begin(), scales.end(), [](const auto& scale) { return scale[1] != 0; });
  if (offset == scales.end()) return {};
  return fmt::format("{}: the offsets of its bands, as {}, stay as they are, and the weights add up to {}", source.path, (*offset)[1],
                     of_weights);
}

std::string not_heeded(const DatasetFacts& source) {
  const Ground* const ground = ground_of(source);
  if (ground == nullptr) return {};
  if (ground->raster.nodata) return fmt::format("{}: its number for no data, {}, counts as any other", source.path, *ground->raster.nodata);
  return {};
}

}  // namespace crinkle::tool::geotiff
