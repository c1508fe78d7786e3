// SPDX-License-Identifier: BSD-3-Clause
#include "maps/crs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace crinkle::tool {
namespace {

bool could_be_degrees(std::span<const double> places, std::size_t n_dimensions) {
  for (std::size_t i = 0; i + 1 < places.size(); i += n_dimensions)
    if (!(std::abs(places[i]) <= 180 && std::abs(places[i + 1]) <= 90)) return false;
  return true;
}

}  // namespace

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

void check_places(const std::string& path, const Crs& crs, bool is_taken, std::span<const double> places, int n_dimensions) {
  if (!crs.is_known()) return;
  const auto n = static_cast<std::size_t>(n_dimensions);
  if (!crs.is_in_degrees) {
    if (is_taken && could_be_degrees(places, n)) {
      fmt::print(
          stderr,
          "crinkle: note: {}: all places could be degrees, but are taken as {}, which is not in degrees; --from-crs EPSG:4326 brings "
          "degrees there\n",
          path, crs.name);
    }
    return;
  }
  for (std::size_t i = 0; i + 1 < places.size(); i += n) {
    const double x = places[i], y = places[i + 1];
    if (std::abs(x) <= 360 && std::abs(y) <= 90) continue;
    const bool is_swapped = std::abs(x) <= 90 && std::abs(y) <= 360;
    throw Error(ErrorCode::bad_shape,
                fmt::format("{}: place {}, {} {}, is no longitude and latitude of {}; {}", path, i / n, x, y, crs.name,
                            is_swapped ? "x is the longitude: change --x and --y"
                            : is_taken ? "--from-crs EPSG:… says which system the places are in, --crs that of the map"
                                       : "the file names a system that is not its own: correct it, as by ogr2ogr -a_srs EPSG:…"));
  }
}

void note_degrees(const Crs& crs, std::span<const double> places, int n_dimensions, const Raster& raster, Named named) {
  constexpr double kilometres = 111.2;  // a degree of latitude
  const double cell = std::abs(raster.step[1]);
  if (crs.is_in_degrees && cell >= 1) {
    fmt::print(stderr,
               "crinkle: note: {} is in degrees: cells of {} are {:.4g} km from north to south; --crs EPSG:… of a system in metres, and "
               "--from-crs {} where the file names none, bring the samples there\n",
               crs.name, cell, cell * kilometres, crs.name.substr(0, crs.name.find(' ')));
    return;
  }
  const bool is_map_tiny = raster.extents[0] <= 2 && raster.extents[1] <= 2;
  if (crs.is_known() || !(is_map_tiny || (named == Named::as_degrees && cell >= 1))) return;
  const auto n = static_cast<std::size_t>(n_dimensions);
  bool has_fractions = false;
  for (std::size_t i = 0; i < places.size() && !has_fractions; i += n) has_fractions = places[i] != std::floor(places[i]);
  if (has_fractions && could_be_degrees(places, n)) {
    fmt::print(stderr,
               "crinkle: note: all places could be degrees, and cells of {}, {:.4g} km from north to south then, make a map of {} × {}; "
               "--from-crs EPSG:4326 --crs EPSG:… brings degrees to metres\n",
               cell, cell * kilometres, raster.extents[0], raster.extents[1]);
  }
}

void note_degrees(const Crs& crs, const char* option, double distance) {
  constexpr double around = 360;
  if (!crs.is_in_degrees || !std::isfinite(distance) || distance < around) return;
  fmt::print(stderr,
             "crinkle: note: {} is in degrees, and so is {} {}: more than once around; --crs EPSG:… of a system in metres takes metres\n",
             crs.name, option, distance);
}

}  // namespace crinkle::tool
