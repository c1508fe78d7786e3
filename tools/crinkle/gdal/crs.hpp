// Coordinate reference systems between WKT, GDAL's handles and persons. Always with x before y, whatever order the authority prefers, and
// in two dimensions: heights stay what they are.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "gdal/gdal.hpp"
#include "gdal/handles.hpp"

namespace crinkle::tool::geo {

Crs crs_of(OGRSpatialReferenceH system);  // null: not known
Crs crs_of_text(const std::string& text, const std::string& option);
SpatialReference handle_of(const Crs& crs);
bool is_same(const Crs& a, const Crs& b);
void transform(const Crs& from, const Crs& to, std::span<double> places, int n_dimensions);

}  // namespace crinkle::tool::geo
