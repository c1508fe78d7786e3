// A layer of points as columns of numbers: a name is a field, or a coordinate of the geometry.
// SPDX-License-Identifier: BSD-3-Clause
#include "gdal/layer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "gdal/crs.hpp"
#include "gdal/handles.hpp"

namespace crinkle::tool::geo {
namespace {

// The number of a column comes from here.
struct Column {
  std::string name;
  int field = -1;        // −1: of the geometry,
  int coordinate = -1;   // 0, 1 or 2
  bool is_long = false;  // integers of 64 bits
};

std::string kind_of(OGRwkbGeometryType type) { return OGRGeometryTypeToName(OGR_GT_Flatten(type)); }

OGRLayerH layer_of(GDALDatasetH dataset, const LayerRequest& r) {
  const int n = GDALDatasetGetLayerCount(dataset);
  std::string there;
  for (int i = 0; i < n; ++i) {
    OGRLayerH layer = GDALDatasetGetLayer(dataset, i);
    if (r.layer == OGR_L_GetName(layer) || (r.layer.empty() && n == 1)) return layer;
    there += fmt::format("{}{} ({})", i == 0 ? "" : ", ", OGR_L_GetName(layer), kind_of(OGR_L_GetGeomType(layer)));
  }
  if (n == 0) throw Error(ErrorCode::bad_file, r.path + ": there is no layer in it");
  if (r.layer.empty())
    throw Error(ErrorCode::bad_notation, fmt::format("{}: which of its {} layers? --layer NAME says it: {}", r.path, n, there));
  throw Error(ErrorCode::bad_file, fmt::format("{}: there is no layer '{}'; there is {}", r.path, r.layer, there));
}

bool is_of_numbers(OGRFieldType type) { return type == OFTInteger || type == OFTInteger64 || type == OFTReal; }

std::string fields_of(OGRFeatureDefnH definition) {
  std::string there;
  for (int i = 0; i < OGR_FD_GetFieldCount(definition); ++i)
    there += (i == 0 ? "" : ", ") + std::string(OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(definition, i)));
  return there;
}

Column column_of(const std::string& name, std::size_t place, OGRFeatureDefnH definition, const LayerRequest& r) {
  if (name.empty()) return {std::string(1, "xyz"[place]), -1, static_cast<int>(place)};
  for (int i = 0; i < OGR_FD_GetFieldCount(definition); ++i) {
    OGRFieldDefnH field = OGR_FD_GetFieldDefn(definition, i);
    const std::string called = OGR_Fld_GetNameRef(field);
    const OGRFieldType type = OGR_Fld_GetType(field);
    if (called == name && !is_of_numbers(type))
      throw Error(ErrorCode::bad_file, fmt::format("{}: the field '{}' is of type {}; a column is of numbers (Integer, Integer64 or Real)",
                                                   r.path, name, OGR_GetFieldTypeName(type)));
    if (called == name) return {name, i, -1, type == OFTInteger64};
  }
  if (name == "x" || name == "y" || name == "z") return {name, -1, name[0] - 'x'};
  const std::string there = fields_of(definition);
  throw Error(ErrorCode::bad_file, fmt::format("{}: there is no field '{}'; there {}", r.path, name,
                                               there.empty() ? "are none" : "is " + there + ", and x, y and z of the geometry"));
}

std::vector<Column> columns_of(OGRFeatureDefnH definition, const LayerRequest& r) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < r.names.size(); ++i) columns.push_back(column_of(r.names[i], i, definition, r));
  return columns;
}

bool uses_geometry(const std::vector<Column>& columns) {
  for (const Column& column : columns)
    if (column.field < 0) return true;
  return false;
}

[[noreturn]] void refuse_kind(const LayerRequest& r, const std::string& which, const std::string& kind) {
  throw Error(ErrorCode::bad_file,
              fmt::format("{}: {} of type {}; samples are points: make points of it first, centroids or vertices", r.path, which, kind));
}

// The points of a feature; none where it has no place.
std::vector<OGRGeometryH> points_of(OGRFeatureH feature, const LayerRequest& r) {
  OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
  if (geometry == nullptr || OGR_G_IsEmpty(geometry) != 0) return {};
  const OGRwkbGeometryType type = OGR_GT_Flatten(OGR_G_GetGeometryType(geometry));
  if (type == wkbPoint) return {geometry};
  if (type != wkbMultiPoint) refuse_kind(r, fmt::format("feature {} is", static_cast<long long>(OGR_F_GetFID(feature))), kind_of(type));
  std::vector<OGRGeometryH> points;
  for (int i = 0; i < OGR_G_GetGeometryCount(geometry); ++i) {
    OGRGeometryH point = OGR_G_GetGeometryRef(geometry, i);
    if (OGR_G_IsEmpty(point) == 0) points.push_back(point);
  }
  return points;
}

class Reader {
 public:
  Reader(const LayerRequest& r, std::vector<Column> columns, std::string fields)
      : r_(r), columns_(std::move(columns)), fields_(std::move(fields)), numbers_(columns_.size()), missing_(columns_.size()) {
    table_.columns.resize(columns_.size());
  }

  void add(OGRFeatureH feature) {
    const long long id = OGR_F_GetFID(feature);
    if (!uses_geometry_) return add(feature, nullptr, id);
    const std::vector<OGRGeometryH> points = points_of(feature, r_);
    if (points.empty()) skip(id, "geometry");
    for (OGRGeometryH point : points) add(feature, point, id);
  }
  CsvColumns take() {
    if (!rounded_.empty())
      table_.notes.push_back(fmt::format("{}: there are numbers of int64 beyond 2^53, which are rounded to float64", rounded_));
    return std::move(table_);
  }

 private:
  void skip(long long id, const std::string& what) {
    if (r_.missing == Missing::is_refused) throw Error(ErrorCode::bad_file, fmt::format("{}: feature {} has no {}", r_.path, id, what));
    ++table_.n_skipped;
  }

  void add(OGRFeatureH feature, OGRGeometryH point, long long id) {
    std::string what;  // is missing
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::optional<double> number = number_of(columns_[c], feature, point, id);
      const bool is_marked = number && r_.values.has(c) && r_.marks.is_one(*number);
      table_.n_marked += is_marked ? 1 : 0;
      missing_[c] = !number || std::isnan(*number) || is_marked;
      if (missing_[c] && what.empty()) what = columns_[c].name;
      numbers_[c] = std::numeric_limits<double>::quiet_NaN();
      if (missing_[c]) continue;
      if (std::isinf(*number))
        throw Error(ErrorCode::bad_file, fmt::format("{}: feature {}: {} is infinite", r_.path, id, columns_[c].name));
      numbers_[c] = *number;
    }
    if (!what.empty() && (r_.missing == Missing::is_refused || !r_.values.is_enough(missing_))) return skip(id, what);
    for (std::size_t c = 0; c < columns_.size(); ++c) table_.columns[c].push_back(numbers_[c]);
    ++table_.n_records;
  }

  std::optional<double> number_of(const Column& column, OGRFeatureH feature, OGRGeometryH point, long long id) const {
    if (column.field >= 0) {
      if (OGR_F_IsFieldSetAndNotNull(feature, column.field) == 0) return {};
      constexpr GIntBig most = GIntBig{1} << 53;
      if (const GIntBig whole = column.is_long ? OGR_F_GetFieldAsInteger64(feature, column.field) : 0; whole < -most || whole > most)
        rounded_ = column.name;
      return OGR_F_GetFieldAsDouble(feature, column.field);
    }
    if (column.coordinate == 0) return OGR_G_GetX(point, 0);
    if (column.coordinate == 1) return OGR_G_GetY(point, 0);
    if (OGR_G_Is3D(point) == 0)
      throw Error(ErrorCode::bad_file, fmt::format("{}: feature {} is a point without z; {}", r_.path, id,
                                                   fields_.empty() ? "there are no fields" : "its fields are " + fields_));
    return OGR_G_GetZ(point, 0);
  }

  const LayerRequest& r_;
  const std::vector<Column> columns_;
  const std::string fields_;  // that there are
  const bool uses_geometry_ = uses_geometry(columns_);
  std::vector<double> numbers_;
  std::vector<bool> missing_;
  CsvColumns table_;
  mutable std::string rounded_;  // the column that has a number which float64 does not hold
};

}  // namespace

LayerTable read_layer(const LayerRequest& r) {
  LayerTable result;
  const Dataset dataset = open(r.path, GDAL_OF_VECTOR);
  OGRLayerH layer = layer_of(dataset.get(), r);
  if (OGR_L_GetFeatureCount(layer, 0) == 0)
    throw Error(ErrorCode::bad_file,
                fmt::format("{}: there are no points in it: the layer '{}' has no features", r.path, OGR_L_GetName(layer)));
  const std::vector<Column> columns = columns_of(OGR_L_GetLayerDefn(layer), r);
  const OGRwkbGeometryType type = OGR_GT_Flatten(OGR_L_GetGeomType(layer));
  if (uses_geometry(columns)) {
    const std::string which = fmt::format("the layer '{}' is", OGR_L_GetName(layer));
    if (type == wkbNone)
      throw Error(ErrorCode::bad_file,
                  fmt::format("{}: {} without geometry; name the fields of its places: --x NAME --y NAME", r.path, which));
    if (type != wkbPoint && type != wkbMultiPoint && type != wkbUnknown) refuse_kind(r, which, kind_of(type));
  }
  result.crs = crs_of(OGR_L_GetSpatialRef(layer));
  Reader reader(r, columns, fields_of(OGR_L_GetLayerDefn(layer)));
  OGR_L_ResetReading(layer);
  while (const Feature feature{OGR_L_GetNextFeature(layer)}) reader.add(feature.get());
  // The end of a layer and an error are told alike.
  if (const std::string said = complaint(&result.notes); !said.empty()) throw Error(ErrorCode::bad_file, r.path + ": GDAL: " + said);
  result.table = reader.take();
  return result;
}

}  // namespace crinkle::tool::geo
