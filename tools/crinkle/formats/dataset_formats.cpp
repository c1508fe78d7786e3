// Which formats of files of arrays there are, and which one a path is of.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "crinkle/error.hpp"
#include "formats/dataset_format.hpp"
#include "formats/hdf5/hdf5.hpp"
#include "formats/netcdf/netcdf.hpp"
#include "formats/tiff/tiff.hpp"
#include "formats/zarr/zarr.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {
namespace {

constexpr DatasetFormat of_zarr = {"Zarr",     false,       zarr::is_built, zarr::is_there, zarr::is_named,
                                   zarr::open, zarr::nodes, zarr::begin,    zarr::check};

constexpr DatasetFormat of_tiff = {"TIFF",     false,       tiff::is_built, tiff::is_there, tiff::is_named,
                                   tiff::open, tiff::nodes, tiff::begin,    tiff::check,    true};

std::array<const DatasetFormat*, 4> all_formats() { return {&of_zarr, &hdf5::format(), &netcdf::format(), &of_tiff}; }

const DatasetFormat* format_there(const DatasetName& name) {
  for (const DatasetFormat* const format : all_formats())
    if (format->is_there(name)) return format;
  return nullptr;
}

const DatasetFormat* format_named(const std::string& file) {
  for (const DatasetFormat* const format : all_formats())
    if (format->is_named(file)) return format;
  return nullptr;
}

/// Of a path that is_dataset() or names_dataset().
const DatasetFormat& format_of(const DatasetFormat* found, const std::string& path) {
  if (found == nullptr) throw Error(ErrorCode::bad_file, path + ": there is no file of arrays here");
  return *found;
}

}  // namespace

bool is_dataset(const std::string& path) { return path != "-" && format_there(dataset_name(path)) != nullptr; }

bool names_dataset(const std::string& path) { return format_named(dataset_name(path).file) != nullptr; }

bool names_one_file(const std::string& path) {
  const DatasetFormat* const format = format_named(dataset_name(path).file);
  return format != nullptr && format->is_one_file;
}

bool takes_whole_file(const std::string& path) {
  const DatasetFormat* const format = path == "-" ? nullptr : format_named(dataset_name(path).file);
  return format != nullptr && (format->is_one_file || format->keeps_coordinates);
}

bool keeps_coordinates(const std::string& path) {
  const DatasetFormat* const format = path == "-" ? nullptr : format_named(dataset_name(path).file);
  return format != nullptr && format->keeps_coordinates;
}

std::string dataset_formats() {
  std::string text;
  for (const DatasetFormat* const format : all_formats())
    if (format->is_built()) text += (text.empty() ? "" : ", ") + std::string(format->name);
  if (has_gdal()) text += (text.empty() ? "" : ", ") + std::string("GeoTIFF");
  return text;
}

std::unique_ptr<Dataset> open_dataset(const std::string& path) {
  const DatasetName name = dataset_name(path);
  return format_of(format_there(name), path).open(path, name);
}

std::vector<DatasetNode> nodes_of_dataset(const std::string& path) {
  const DatasetName name = dataset_name(path);
  return format_of(format_there(name), path).nodes(name);
}

std::unique_ptr<NewDataset> begin_dataset(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                                          const FileIdentity& input) {
  const DatasetName name = dataset_name(path);
  return format_of(format_named(name.file), path).begin(path, name, facts, wish, overwrite, input);
}

void check_dataset(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                   const FileIdentity& input) {
  const DatasetName name = dataset_name(path);
  format_of(format_named(name.file), path).check(path, name, facts, wish, overwrite, input);
}

}  // namespace crinkle::tool
