// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "crinkle/error.hpp"
#include "formats/attributes.hpp"
#include "formats/file.hpp"
#include "formats/hdf5/types.hpp"
#include "formats/text.hpp"

namespace crinkle::tool::hdf5 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 9> of_axes = {
    "CLASS",         "NAME",          "DIMENSION_LIST",      "REFERENCE_LIST", "DIMENSION_LABELS",
    "_Netcdf4Dimid", "_NCProperties", "_Netcdf4Coordinates", "_nc3_strict"};
constexpr std::size_t most_bytes = 1 << 20;

std::string text_of(std::string_view text) { return is_utf8(text) ? std::string(text) : utf8_of_latin1(text); }

/// None, where it is nothing for JSON.
std::optional<AttributeValue> value_of(hid_t attribute, hid_t type, hid_t space, std::size_t n) {
  const Library h5;
  AttributeValue value;
  const H5T_class_t kind = h5->H5Tget_class(type);
  const std::size_t bytes = h5->H5Tget_size(type);
  if (bytes == 0 || n > most_bytes / bytes) return {};
  if (kind == H5T_STRING && h5->H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(n);
    if (h5->H5Aread(attribute, type, texts.data()) < 0) return {};
    for (const char* const text : texts) value.texts.push_back(text_of(text == nullptr ? "" : text));
    h5->H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    return value;
  }
  std::vector<std::byte> all(n * bytes);
  if (kind == H5T_STRING) {
    if (h5->H5Aread(attribute, type, all.data()) < 0) return {};
    for (std::size_t k = 0; k < n; ++k) {
      std::string_view text(reinterpret_cast<const char*>(all.data()) + k * bytes, bytes);
      text = text.substr(0, text.find('\0'));
      if (h5->H5Tget_strpad(type) == H5T_STR_SPACEPAD) text = text.substr(0, text.find_last_not_of(' ') + 1);
      value.texts.push_back(text_of(text));
    }
    return value;
  }
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM && kind != H5T_BITFIELD) return {};
  std::vector<std::string> notes;
  value.type = type_of(type, "", notes);
  if (h5->H5Aread(attribute, type, all.data()) < 0) return {};
  value.numbers = std::move(all);
  return value;
}

void write_one(hid_t object, const std::string& name, AttributeValue value, bool is_netcdf, const std::string& where) {
  const Library h5;
  if (is_netcdf && value.extents.empty() && !value.texts.empty()) return write_text_attribute(object, name.c_str(), value.texts[0]);
  if (is_netcdf && value.type.descr == "|b1") value.type = element_type("|i1");
  const std::vector<hsize_t> extents(value.extents.begin(), value.extents.end());
  const Handle space(extents.empty() ? h5->H5Screate(H5S_SCALAR)
                                     : h5->H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
  const Handle type = value.texts.empty() ? type_for(value.type, where) : text_type(0);
  std::vector<const char*> texts;
  for (const std::string& text : value.texts) texts.push_back(text.c_str());
  if (has_attribute(object, name.c_str())) h5->H5Adelete(object, name.c_str());
  const Handle attribute =
      h5.opened(h5->H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), where, "making an attribute");
  const void* const from = texts.empty() ? static_cast<const void*>(value.numbers.data()) : texts.data();
  h5.checked(h5->H5Awrite(attribute.get(), type.get(), from), where, "writing an attribute");
}

}  // namespace

bool has_attribute(hid_t object, const char* name) { return Library()->H5Aexists(object, name) > 0; }

void read_attributes(hid_t object, bool is_netcdf, DatasetFacts& facts) {
  const Library h5;
  H5O_info_t info = {};
  Json said = Json::object();
  h5.checked(h5->H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS), facts.path, "counting its attributes");
  for (hsize_t k = 0; k < info.num_attrs; ++k) {
    const Handle attribute = h5.opened(h5->H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, k, H5P_DEFAULT, H5P_DEFAULT), facts.path,
                                       fmt::format("opening attribute {}", k));
    const ssize_t length = h5.checked(h5->H5Aget_name(attribute.get(), 0, nullptr), facts.path, "asking for an attribute's name");
    std::string name(static_cast<std::size_t>(length), ' ');
    h5->H5Aget_name(attribute.get(), name.size() + 1, name.data());
    if (std::find(of_axes.begin(), of_axes.end(), name) != of_axes.end()) continue;
    const Handle type(h5->H5Aget_type(attribute.get())), space(h5->H5Aget_space(attribute.get()));
    const int rank = space ? h5->H5Sget_simple_extent_ndims(space.get()) : -1;
    const hssize_t n = space ? h5->H5Sget_simple_extent_npoints(space.get()) : 0;
    std::optional<AttributeValue> value;
    try {
      if (type && n > 0) value = value_of(attribute.get(), type.get(), space.get(), static_cast<std::size_t>(n));
    } catch (const Error&) {}  // a type that is not known
    if (!value) {
      facts.notes.push_back(fmt::format("attribute '{}' is no number, text or list of either, and stays behind", printable(name)));
      continue;
    }
    std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(rank, 0)));
    if (rank > 0) h5->H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    if (!is_netcdf || extents != std::vector<hsize_t>{1}) value->extents.assign(extents.begin(), extents.end());
    said[text_of(name)] = json_of(*value);
    if (!value->numbers.empty() && value->type.descr != "|b1") facts.attribute_types[text_of(name)] = value->type.descr;
  }
  facts.attributes = std::make_shared<const Json>(std::move(said));
}

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
  const Library h5;
  const Handle type = text_type(text.size() + 1), space(h5->H5Screate(H5S_SCALAR));
  if (has_attribute(object, name)) h5->H5Adelete(object, name);
  const Handle attribute(h5->H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (attribute) h5->H5Awrite(attribute.get(), type.get(), text.c_str());
}

void write_attributes(hid_t object, bool is_netcdf, const DatasetFacts& facts, std::vector<std::string>& notes) {
  if (facts.attributes == nullptr) return;
  for (const auto& [name, value] : facts.attributes->items()) {
    try {
      if (std::find(of_axes.begin(), of_axes.end(), name) != of_axes.end() || name.empty() || name.find('\0') != std::string::npos)
        throw Error(ErrorCode::unsupported, "HDF5 uses the name itself");
      write_one(object, name, attribute_value(name, value, facts, is_netcdf), is_netcdf, facts.path);
    } catch (const Error& e) { notes.push_back(fmt::format("attribute '{}' stays behind: {}", printable(name), e.what())); }
  }
}

std::string last_name(hid_t object) {
  const Library h5;
  const ssize_t length = h5->H5Iget_name(object, nullptr, 0);
  if (length <= 0) return "";
  std::string name(static_cast<std::size_t>(length), ' ');
  h5->H5Iget_name(object, name.data(), name.size() + 1);
  return text_of(name.substr(name.rfind('/') + 1));
}

std::vector<std::string> axis_names(hid_t dataset, std::size_t rank) {
  const Library h5;
  std::vector<std::string> names(rank);
  if (has_attribute(dataset, "DIMENSION_LIST")) {
    const Handle list(h5->H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT));
    const Handle type(h5->H5Aget_type(list.get())), space(h5->H5Aget_space(list.get()));
    const Handle item(type && h5->H5Tget_class(type.get()) == H5T_VLEN ? h5->H5Tget_super(type.get()) : -1);
    std::vector<hvl_t> scales(rank);
    if (rank > 0 && item && h5->H5Tequal(item.get(), *h5->H5T_STD_REF_OBJ_g) > 0 &&
        h5->H5Sget_simple_extent_npoints(space.get()) == static_cast<hssize_t>(rank) &&
        h5->H5Aread(list.get(), type.get(), scales.data()) >= 0) {
      for (std::size_t a = 0; a < rank; ++a)
        if (scales[a].len > 0)
          if (const Handle scale(h5->H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, scales[a].p)); scale)
            names[a] = last_name(scale.get());
      h5->H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, scales.data());
    }
  } else if (rank == 1 && h5->H5DSis_scale(dataset) > 0) {
    names[0] = last_name(dataset);
  }
  if (has_attribute(dataset, "DIMENSION_LABELS"))
    for (std::size_t a = 0; a < rank; ++a) {
      std::array<char, 256> label{};
      if (h5->H5DSget_label(dataset, static_cast<unsigned>(a), label.data(), label.size()) > 0) names[a] = text_of(label.data());
    }
  return names;
}

}  // namespace crinkle::tool::hdf5
