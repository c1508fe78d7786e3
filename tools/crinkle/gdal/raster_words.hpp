// What GDAL says of rasters in words of its own: types, tags, pages.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cpl_string.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "gdal/handles.hpp"

namespace crinkle::tool::geo {

inline std::string metadata(GDALMajorObjectH object, const char* name, const char* domain) {
  const char* const text = GDALGetMetadataItem(object, name, domain);
  return text == nullptr ? std::string() : std::string(text);
}

// Types by GDAL's name, as some versions lack some of them.
inline constexpr std::pair<const char*, const char*> elements[] = {{"Byte", "uint8"},      {"Int8", "int8"},      {"UInt16", "uint16"},
                                                                   {"Int16", "int16"},     {"UInt32", "uint32"},  {"Int32", "int32"},
                                                                   {"Float32", "float32"}, {"Float64", "float64"}};

// Those that are moved, and not computed with.
inline constexpr std::pair<const char*, const char*> moved_elements[] = {
    {"Int64", "int64"}, {"UInt64", "uint64"}, {"CFloat32", "complex64"}, {"CFloat64", "complex128"}};

// Signed bytes were a remark beside Byte before GDAL 3.7.
inline constexpr const char *pixel_type = "PIXELTYPE", *structure = "IMAGE_STRUCTURE", *signed_byte = "SIGNEDBYTE";
inline bool is_signed_byte(GDALRasterBandH band) {
  return GDALGetRasterDataType(band) == GDT_Byte && metadata(band, pixel_type, structure) == signed_byte;
}
inline std::string type_name(GDALRasterBandH band) {
  return is_signed_byte(band) ? "Int8" : GDALGetDataTypeName(GDALGetRasterDataType(band));
}

inline std::string element_of(const std::string& name) {
  const auto* const found = std::find_if(std::begin(elements), std::end(elements), [&](const auto& e) { return e.first == name; });
  return found == std::end(elements) ? "" : found->second;
}

inline std::string stored_element_of(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(moved_elements), std::end(moved_elements), [&](const auto& e) { return e.first == name; });
  return found == std::end(moved_elements) ? element_of(name) : found->second;
}

/// The tags of a picture or a band that other words of it do not say: statistics are of its own cells.
template <class Body>
void for_each_tag(GDALMajorObjectH object, const Body& body) {
  for (char** tag = GDALGetMetadata(object, nullptr); tag != nullptr && *tag != nullptr; ++tag) {
    char* name = nullptr;
    const char* const value = CPLParseNameValue(*tag, &name);
    const std::string called = name == nullptr ? "" : name;
    if (value != nullptr && !called.starts_with("STATISTICS_") && called != "AREA_OR_POINT") body(called, std::string(value));
    CPLFree(name);
  }
}
inline void copy_tags(GDALMajorObjectH from, GDALMajorObjectH to) {
  for_each_tag(from,
               [&](const std::string& name, const std::string& value) { GDALSetMetadataItem(to, name.c_str(), value.c_str(), nullptr); });
}

/// Whether all bands of a cell lie together, and are unpacked together.
inline bool is_interleaved(GDALDatasetH dataset) {
  return GDALGetRasterCount(dataset) > 1 && metadata(dataset, "INTERLEAVE", structure) == "PIXEL";
}

/// The names under which GDAL opens the pictures of a file that has several.
std::vector<std::string> pages_of(GDALDatasetH dataset);
/// Throws as open() does, and bad_shape for a page that is not there.
Dataset open_page(const std::string& path, int page);

}  // namespace crinkle::tool::geo
