// GDAL's handles that close themselves, and its complaints as exceptions. GDAL says what is wrong to a handler and returns null or a code;
// what was said since the last look is kept here, so that nothing of it is printed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "crinkle/error.hpp"

namespace crinkle::tool::geo {

template <auto close>
struct Closing {
  template <class T>
  void operator()(T* handle) const noexcept {
    close(handle);
  }
};
template <class Handle, auto close>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Closing<close>>;

inline void close_dataset(GDALDatasetH dataset) { GDALClose(dataset); }  // it returns nothing, in later versions a code
using Dataset = Owned<GDALDatasetH, close_dataset>;
using Feature = Owned<OGRFeatureH, OGR_F_Destroy>;
using SpatialReference = Owned<OGRSpatialReferenceH, OSRDestroySpatialReference>;
using Transformation = Owned<OGRCoordinateTransformationH, OCTDestroyCoordinateTransformation>;

/// Registers GDAL's formats, once, and takes its complaints from then on.
void begin();

/// The failures of GDAL since the last call, in one line; "" if there were none. Warnings since then go to `warnings`.
std::string complaint(std::vector<std::string>* warnings = nullptr);

/// "what: GDAL: text", with the last complaint; `otherwise` where GDAL said nothing.
[[noreturn]] void refuse(ErrorCode code, const std::string& what, const std::string& otherwise);

/// A name that GDAL takes for a file's, whatever it looks like.
std::string as_file(const std::string& path);

/// Opens a file for reading: GDAL_OF_VECTOR or GDAL_OF_RASTER. Throws bad_file.
Dataset open(const std::string& path, unsigned kind);

}  // namespace crinkle::tool::geo
