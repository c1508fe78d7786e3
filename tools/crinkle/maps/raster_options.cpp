// The raster of a map as options name it (sample_file.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "base/caret.hpp"
#include "formats/temporary.hpp"
#include "maps/ground.hpp"
#include "maps/sample_file.hpp"

namespace crinkle::tool {

void RasterOptions::add_to(Command& c) {
  c.option("--cell", "SIZE", cell, "the side of a cell of the map");
  c.option("--extent", "NUMBERS", extent, "x0,y0,x1,y1 of the map (x0,y0,z0,x1,y1,z1 with --z); else what the samples cover");
  c.option("--like", "FILE.tif", like, "the cells of another raster: its corner, its steps and its reference system");
}

Crs RasterOptions::crs() const { return like.empty() ? Crs() : gdal(like, "say --cell and --extent").raster(like).crs; }

void RasterOptions::check() const {
  if (!like.empty() && (cell != 0 || !extent.empty())) refuse("--like " + like + " says the cells; leave out --cell and --extent");
}

void RasterOptions::check_cell(const std::string& or_else) const {
  if (like.empty() && !(cell > 0))
    refuse(fmt::format("--cell {}; a map needs the side of its cells, above 0, or --like FILE.tif{}", cell, or_else));
}

void RasterOptions::check_output(const std::string& output, Overwrite overwrite) const {
  if (!like.empty()) check_output_name(output, overwrite, identity_of(like));
}

MapRaster RasterOptions::raster(const SampleFile& samples) const {
  const auto n = static_cast<std::size_t>(samples.n_dimensions);
  if (!like.empty()) {
    if (n != 2) refuse("--like " + like + ": its cells are in two dimensions; leave out --z");
    const auto [cells, corner, step] = grid_of(gdal(like, "say --cell and --extent").raster(like), like);
    return {
        {.first = {corner[0] + step[0] / 2, corner[1] + step[1] / 2, 0}, .step = {step[0], step[1], 1}, .extents = {cells[0], cells[1], 1}},
        corner};
  }
  std::vector<double> ends;
  if (!extent.empty())
    for (const std::string& part : split(extent)) ends.push_back(parse_real("--extent", part));
  if (!extent.empty() && ends.size() != 2 * n)
    refuse(fmt::format("--extent '{}' has {} numbers; it needs {}", shown(extent), ends.size(), 2 * n));
  if (extent.empty()) {
    ends.assign(2 * n, 0);
    for (std::size_t a = 0; a < n; ++a) {
      ends[a] = ends[n + a] = samples.places[a];
      for (std::size_t i = a; i < samples.places.size(); i += n) {
        ends[a] = std::min(ends[a], samples.places[i]);
        ends[n + a] = std::max(ends[n + a], samples.places[i]);
      }
      if (ends[a] == ends[n + a])
        throw Error(ErrorCode::bad_shape, fmt::format("all samples have {} = {}; say what the map covers: --extent", "xyz"[a], ends[a]));
    }
  }
  try {
    return {n == 2 ? raster_over(ends[0], ends[1], ends[2], ends[3], cell)
                   : raster_over(ends[0], ends[1], ends[2], ends[3], ends[4], ends[5], cell),
            {ends[0], ends[n + 1]}};
  } catch (const Error& e) {
    if (e.code() != ErrorCode::too_large) throw;
    throw Error(e.code(), fmt::format("--cell {}: {}", cell, e.what()));
  }
}

Extents extents_of(const Raster& raster, int n_dimensions, std::int64_t n_columns) {
  Extents extents;
  if (n_columns > 1) extents.push_back(n_columns);
  for (std::size_t a = static_cast<std::size_t>(n_dimensions); a-- > 0;) extents.push_back(raster.extents[a]);
  return extents;
}

}  // namespace crinkle::tool
