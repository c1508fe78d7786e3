// Coordinate reference systems of samples, targets and maps: what is taken for what, and what is brought from one to the other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "crinkle/interpolate.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {

/// The reference system that --crs or --from-crs says; not known where it was not given.
Crs crs_of_option(const std::string& text, const std::string& option);

/// Brings places that are in `crs` to `wanted`, and says on standard error what it did; places in no known system are taken as they are.
void bring_places(const std::string& path, const Crs& crs, const Crs& wanted, std::span<double> places, int n_dimensions);

/// Refuses places of a system in degrees that are no longitudes and latitudes; says on standard error where places could be degrees that
/// are taken as another system's, because nothing says theirs.
void check_places(const std::string& path, const Crs& crs, bool is_taken, std::span<const double> places, int n_dimensions);

/// Says on standard error where cells that look like metres are degrees: of a system in degrees, and of none whose places could be degrees
/// and have the names of such.
enum class Named : std::uint8_t { otherwise, as_degrees };
void note_degrees(const Crs& crs, std::span<const double> places, int n_dimensions, const Raster& raster, Named named = Named::otherwise);
/// The same of a distance: --radius.
void note_degrees(const Crs& crs, const char* option, double distance);

}  // namespace crinkle::tool
