// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace crinkle::tool {

Crs crs_of_option(const std::string& text, const std::string& option) {
  const std::string what = option + " " + text;
  return text.empty() ? Crs() : gdal(what, "leave it out: maps in .npy do not say where they lie").crs(text, what);
}

void bring_places(const std::string& path, const Crs& crs, const Crs& wanted, std::span<double> places, int n_dimensions) {
  if (!wanted.is_known()) return;
  if (!crs.is_known()) {
    fmt::print(stderr, "crinkle: note: {} names no coordinate reference system; its places are taken as {}\n", path, wanted.name);
    return;
  }
  const Gdal& geographic = gdal(path, "leave out --crs");
  if (geographic.is_same(crs, wanted)) return;
  geographic.transform(crs, wanted, places, n_dimensions);
  fmt::print(stderr, "crinkle: note: {}: {} places are brought from {} to {}\n", path, std::ssize(places) / n_dimensions, crs.name,
             wanted.name);
}

void note_degrees(const Crs& crs, std::span<const double> places, int n_dimensions, const Raster& raster) {
  constexpr double kilometres = 111.2;  // a degree of latitude
  const double cell = std::abs(raster.step[1]);
  if (crs.is_in_degrees && cell >= 1) {
    fmt::print(stderr,
               "crinkle: note: {} is in degrees: cells of {} are {:.4g} km from north to south; --crs EPSG:… of a system in metres, and "
               "--from-crs {} where the file names none, bring the samples there\n",
               crs.name, cell, cell * kilometres, crs.name.substr(0, crs.name.find(' ')));
    return;
  }
  if (crs.is_known() || raster.extents[0] > 2 || raster.extents[1] > 2) return;
  const auto n = static_cast<std::size_t>(n_dimensions);
  bool could_be = true, has_fractions = false;
  for (std::size_t i = 0; i + 1 < places.size() && could_be; i += n) {
    could_be = std::abs(places[i]) <= 180 && std::abs(places[i + 1]) <= 90;
    has_fractions = has_fractions || places[i] != std::floor(places[i]);
  }
  if (could_be && has_fractions) {
    fmt::print(stderr,
               "crinkle: note: all places could be degrees, and cells of {} make a map of {} × {}; --from-crs EPSG:4326 --crs EPSG:… "
               "brings degrees to metres\n",
               cell, raster.extents[0], raster.extents[1]);
  }
}

}  // namespace crinkle::tool
