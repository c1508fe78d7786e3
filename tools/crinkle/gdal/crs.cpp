// SPDX-License-Identifier: BSD-3-Clause
#include "gdal/crs.hpp"

#include <cpl_conv.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace crinkle::tool::geo {
namespace {

std::string text_or_nothing(const char* text) { return text == nullptr ? std::string() : std::string(text); }

std::string name_of(OGRSpatialReferenceH system) {
  const std::string name = text_or_nothing(OSRGetName(system)), authority = text_or_nothing(OSRGetAuthorityName(system, nullptr)),
                    code = text_or_nothing(OSRGetAuthorityCode(system, nullptr));
  if (authority.empty() || code.empty()) return name.empty() ? "a system without a name" : name;
  return fmt::format("{}:{} ({})", authority, code, name);
}

}  // namespace

Crs crs_of(OGRSpatialReferenceH system) {
  if (system == nullptr) return {};
  const SpatialReference flat(OSRClone(system));
  OSRDemoteTo2D(flat.get(), nullptr);
  static constexpr const char* options[] = {"FORMAT=WKT2_2019", nullptr};
  char* wkt = nullptr;
  const bool is_right = OSRExportToWktEx(flat.get(), &wkt, options) == OGRERR_NONE;
  Crs crs{.wkt = is_right ? text_or_nothing(wkt) : "", .name = name_of(flat.get()), .is_in_degrees = OSRIsGeographic(flat.get()) != 0};
  CPLFree(wkt);
  complaint();
  return crs;
}

Crs crs_of_text(const std::string& text, const std::string& option) {
  complaint();
  const SpatialReference system(OSRNewSpatialReference(nullptr));
  // GDAL would ask the network for an address.
  if (text.find("://") != std::string::npos || OSRSetFromUserInput(system.get(), text.c_str()) != OGRERR_NONE)
    refuse(ErrorCode::bad_notation, option, "is no coordinate reference system; one is EPSG:25832, WKT or a PROJ text");
  return crs_of(system.get());
}

SpatialReference handle_of(const Crs& crs) {
  SpatialReference system(OSRNewSpatialReference(crs.wkt.c_str()));
  if (!system) refuse(ErrorCode::bad_file, crs.name, "GDAL does not read its WKT");
  OSRSetAxisMappingStrategy(system.get(), OAMS_TRADITIONAL_GIS_ORDER);
  return system;
}

bool is_same(const Crs& a, const Crs& b) {
  if (a.wkt == b.wkt) return true;
  static constexpr const char* options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS",
                                            nullptr};
  return OSRIsSameEx(handle_of(a).get(), handle_of(b).get(), options) != 0;
}

void transform(const Crs& from, const Crs& to, std::span<double> places, int n_dimensions) {
  complaint();
  const SpatialReference source = handle_of(from), destination = handle_of(to);
  const std::string what = from.name + " to " + to.name;
  const Transformation transformation(OCTNewCoordinateTransformation(source.get(), destination.get()));
  if (!transformation) refuse(ErrorCode::unsupported, what, "PROJ knows no transformation");
  constexpr std::size_t together = 65536;
  const auto pitch = static_cast<std::size_t>(n_dimensions);
  const std::size_t n = places.size() / pitch;
  std::vector<double> x(together), y(together);
  std::vector<int> is_right(together);
  std::size_t n_wrong = 0, first_wrong = 0;
  double wrong_x = 0, wrong_y = 0;
  for (std::size_t begin = 0; begin < n; begin += together) {
    const std::size_t count = std::min(together, n - begin);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = places[(begin + i) * pitch];
      y[i] = places[(begin + i) * pitch + 1];
    }
    OCTTransformEx(transformation.get(), static_cast<int>(count), x.data(), y.data(), nullptr, is_right.data());
    for (std::size_t i = 0; i < count; ++i) {
      double* const place = &places[(begin + i) * pitch];
      if (is_right[i] == 0 || !std::isfinite(x[i]) || !std::isfinite(y[i])) {
        if (n_wrong++ == 0) {
          first_wrong = begin + i;
          wrong_x = place[0];
          wrong_y = place[1];
        }
        continue;
      }
      place[0] = x[i];
      place[1] = y[i];
    }
  }
  if (n_wrong > 0) {
    const std::string said = complaint();
    throw Error(ErrorCode::bad_shape, fmt::format("{}: {} of {} places have no counterpart, the first is place {}, {} {}{}", what, n_wrong,
                                                  n, first_wrong, wrong_x, wrong_y, said.empty() ? "" : "; GDAL: " + said));
  }
}

}  // namespace crinkle::tool::geo
