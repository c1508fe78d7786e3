// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/scales.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "crinkle/error.hpp"
#include "formats/file.hpp"
#include "formats/hdf5/attributes.hpp"
#include "formats/hdf5/types.hpp"
#include "formats/netcdf/conventions.hpp"

namespace crinkle::tool::hdf5 {
namespace {

/// The dimensions of a NetCDF file are numbered.
void write_number(hid_t scale, int number) {
  const Library h5;
  const Handle space(h5->H5Screate(H5S_SCALAR));
  const Handle attribute(h5->H5Acreate2(scale, "_Netcdf4Dimid", *h5->H5T_STD_I32LE_g, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (attribute) h5->H5Awrite(attribute.get(), *h5->H5T_STD_I32LE_g, &number);
}

herr_t keep_largest(hid_t from, const char* name, const H5O_info_t* info, void* largest) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  const Library h5;
  const Handle dataset(h5->H5Dopen2(from, name, H5P_DEFAULT));
  if (!dataset || !has_attribute(dataset.get(), "_Netcdf4Dimid")) return 0;
  const Handle attribute(h5->H5Aopen(dataset.get(), "_Netcdf4Dimid", H5P_DEFAULT));
  int number = -1;
  if (attribute && h5->H5Aread(attribute.get(), *h5->H5T_STD_I32LE_g, &number) >= 0)
    *static_cast<int*>(largest) = std::max(*static_cast<int*>(largest), number);
  return 0;
}

int next_number(hid_t file) {
  const Library h5;
  int largest = -1;
  h5->H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, keep_largest, &largest, H5O_INFO_BASIC);
  return largest + 1;
}

bool is_of_length(hid_t scale, std::int64_t n) {
  const Library h5;
  const Handle space(h5->H5Dget_space(scale));
  hsize_t has = 0;
  return space && h5->H5Sget_simple_extent_ndims(space.get()) == 1 && h5->H5Sget_simple_extent_dims(space.get(), &has, nullptr) == 1 &&
         has == static_cast<hsize_t>(n);
}

/// Whether what is there has other coordinates than those of the input.
bool has_others(hid_t scale, const Coordinates& coordinates, const std::string& where) {
  const Library h5;
  const Handle type = type_for(coordinates.facts.type, where);
  std::vector<std::byte> there(coordinates.elements.size());
  return there.empty() || h5->H5Dread(scale, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, there.data()) < 0 || there != coordinates.elements;
}

/// A dimension scale with the coordinates, or, as NetCDF has them, one without.
Handle made_scale(hid_t file, const std::string& path, std::int64_t n, const Coordinates* coordinates, bool is_netcdf, int number,
                  std::vector<std::string>& notes, const std::string& where) {
  const Library h5;
  const auto extent = static_cast<hsize_t>(n);
  const Handle space(h5->H5Screate_simple(1, &extent, nullptr)), properties = h5.properties(*h5->H5P_CLS_DATASET_CREATE_ID_g);
  h5->H5Pset_obj_track_times(properties.get(), 0);
  if (is_netcdf) h5->H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  h5->H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
  const Handle type = coordinates != nullptr ? type_for(coordinates->facts.type, where) : Handle(h5->H5Tcopy(*h5->H5T_IEEE_F32BE_g));
  Handle scale = h5.opened(h5->H5Dcreate2(file, path.c_str(), type.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), where,
                           "making the axis " + path);
  if (coordinates != nullptr) {
    if (n > 0)
      h5.checked(h5->H5Dwrite(scale.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, coordinates->elements.data()), where,
                 "writing " + path);
    write_attributes(scale.get(), is_netcdf, coordinates->facts, notes);
  }
  const std::string name =
      coordinates != nullptr ? base_of(path) : fmt::format("This is a netCDF dimension but not a netCDF variable. {:10}", n);
  h5.checked(h5->H5DSset_scale(scale.get(), name.c_str()), where, "making an axis of " + path);
  if (is_netcdf) write_number(scale.get(), number);
  return scale;
}

/// A name that nothing in the group has, or an axis of this length.
std::string free_name(hid_t file, const std::string& group, const std::string& name, std::int64_t n) {
  const Library h5;
  for (int k = 0;; ++k) {
    const std::string tried = k == 0 ? name : fmt::format("{}_{}", name, k);
    if (h5->H5Lexists(file, (group + "/" + tried).c_str(), H5P_DEFAULT) <= 0) return tried;
    const Handle there(h5->H5Dopen2(file, (group + "/" + tried).c_str(), H5P_DEFAULT));
    if (there && h5->H5DSis_scale(there.get()) > 0 && is_of_length(there.get(), n)) return tried;
  }
}

}  // namespace

std::string group_of(const std::string& inside) { return inside.substr(0, inside.rfind('/')); }
std::string base_of(const std::string& inside) { return inside.substr(inside.rfind('/') + 1); }

void make_groups(hid_t file, const std::string& inside, bool is_netcdf, std::vector<std::string>& made, const std::string& where) {
  const Library h5;
  const Handle properties = h5.properties(*h5->H5P_CLS_GROUP_CREATE_ID_g);
  h5->H5Pset_obj_track_times(properties.get(), 0);
  if (is_netcdf) h5->H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  for (std::size_t at = inside.find('/', 1); at != std::string::npos; at = inside.find('/', at + 1)) {
    const std::string group = inside.substr(0, at);
    if (h5->H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
    h5.opened(h5->H5Gcreate2(file, group.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), where, "making the group " + group);
    made.push_back(group);
  }
}

void name_axes(hid_t file, hid_t dataset, const DatasetFacts& facts, bool is_netcdf, std::vector<std::string>& made,
               std::vector<std::string>& notes) {
  const Library h5;
  const std::size_t rank = facts.extents.size();
  const std::vector<std::string> names = is_netcdf ? netcdf::names_of_dimensions(facts, notes) : facts.axes;
  int number = is_netcdf ? next_number(file) : 0;
  for (std::size_t a = 0; a < rank; ++a) {
    const std::string name =
        is_netcdf && names[a] != facts.axes[a] ? free_name(file, group_of(facts.inside), names[a], facts.extents[a]) : names[a];
    const Coordinates* const coordinates = a < facts.coordinates.size() && name == facts.axes[a] ? facts.coordinates[a].get() : nullptr;
    if (!is_netcdf && !name.empty() && coordinates == nullptr) h5->H5DSset_label(dataset, static_cast<unsigned>(a), name.c_str());
    if (name.empty() || (!is_netcdf && coordinates == nullptr)) continue;
    const std::string path = group_of(facts.inside) + "/" + name;
    if (path == facts.inside) {  // an array of coordinates itself
      h5.checked(h5->H5DSset_scale(dataset, name.c_str()), facts.path, "making an axis of it");
      if (is_netcdf) write_number(dataset, number++);
      continue;
    }
    Handle scale;
    if (h5->H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) {
      scale = Handle(h5->H5Dopen2(file, path.c_str(), H5P_DEFAULT));
      if (!scale || !is_of_length(scale.get(), facts.extents[a])) {
        const std::string why = fmt::format("{} is there, and is no axis of {} elements", path, facts.extents[a]);
        if (is_netcdf)
          throw Error(ErrorCode::exists,
                      fmt::format("{}: {}; give the axis another name in the specification, or the array another group", facts.path, why));
        notes.push_back(fmt::format("the coordinates of axis '{}' stay behind: {}", printable(name), why));
        h5->H5DSset_label(dataset, static_cast<unsigned>(a), name.c_str());
        continue;
      }
      if (coordinates != nullptr && has_others(scale.get(), *coordinates, facts.path))
        throw Error(ErrorCode::exists, fmt::format("{}: {} is there with other coordinates than those of the input's axis; give the axis "
                                                   "another name in the specification, or the array another group",
                                                   facts.path, path));
      if (coordinates == nullptr)
        notes.push_back(fmt::format("axis '{}' is the one that the file has, with its coordinates", printable(name)));
      if (h5->H5DSis_scale(scale.get()) <= 0) h5->H5DSset_scale(scale.get(), name.c_str());
    } else {
      scale = made_scale(file, path, facts.extents[a], coordinates, is_netcdf, number++, notes, facts.path);
      made.push_back(path);
    }
    h5.checked(h5->H5DSattach_scale(dataset, scale.get(), static_cast<unsigned>(a)), facts.path, "naming an axis " + name);
  }
}

}  // namespace crinkle::tool::hdf5
