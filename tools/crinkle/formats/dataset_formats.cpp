// Which formats of files of arrays there are, and which one a path is of.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "formats/dataset.hpp"
#include "formats/tiff/tiff.hpp"
#include "formats/zarr/zarr.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {
namespace {

struct Format {
  const char* name;
  bool is_folder;  // else a file, of which all is one output
  bool (*is_built)();
  bool (*is_there)(const DatasetName& name);
  bool (*is_named)(const std::string& file);
  std::unique_ptr<Dataset> (*open)(const std::string& path, const DatasetName& name);
  std::unique_ptr<NewDataset> (*begin)(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                       Overwrite overwrite, const FileIdentity& input);
  void (*check)(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                const FileIdentity& input);
};

constexpr Format formats[] = {
    {"Zarr", true, zarr::is_built, zarr::is_there, zarr::is_named, zarr::open, zarr::begin, zarr::check},
    {"TIFF", false, tiff::is_built, tiff::is_there, tiff::is_named, tiff::open, tiff::begin, tiff::check},
};

const Format* format_there(const DatasetName& name) {
  const auto* const found = std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return f.is_there(name); });
  return found == std::end(formats) ? nullptr : found;
}

const Format* format_named(const std::string& path) {
  const std::string file = dataset_name(path).file;
  const auto* const found = std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return f.is_named(file); });
  return found == std::end(formats) ? nullptr : found;
}

}  // namespace

bool is_dataset(const std::string& path) { return path != "-" && format_there(dataset_name(path)) != nullptr; }

std::string dataset_formats() {
  std::string all;
  for (const Format& format : formats)
    if (format.is_built()) all += (all.empty() ? "" : ", ") + std::string(format.name);
  if (has_gdal()) all += (all.empty() ? "" : ", ") + std::string("GeoTIFF");
  return all;
}

bool names_dataset(const std::string& path) { return format_named(path) != nullptr; }

bool names_folder(const std::string& path) {
  const Format* const format = format_named(path);
  return format != nullptr && format->is_folder;
}

std::unique_ptr<Dataset> open_dataset(const std::string& path) {
  const DatasetName name = dataset_name(path);
  const Format* const format = format_there(name);
  return (format == nullptr ? formats[0] : *format).open(path, name);
}

std::unique_ptr<NewDataset> begin_dataset(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                                          const FileIdentity& input) {
  return format_named(path)->begin(path, dataset_name(path), facts, wish, overwrite, input);
}

void check_dataset(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                   const FileIdentity& input) {
  format_named(path)->check(path, dataset_name(path), facts, wish, overwrite, input);
}

}  // namespace crinkle::tool
