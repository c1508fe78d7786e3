// SPDX-License-Identifier: BSD-3-Clause
#include "formats/attributes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "crinkle/error.hpp"
#include "formats/zarr/types.hpp"

namespace crinkle::tool {
namespace {

using Json = nlohmann::ordered_json;

char kind_of(const ElementType& type) { return type.is_structured() || type.descr.size() < 2 ? '?' : type.descr[1]; }

bool is_number(const Json& value) { return value.is_number() || value == "NaN" || value == "Infinity" || value == "-Infinity"; }

ElementType type_of_numbers(const std::string& name, const std::vector<Json>& values, const DatasetFacts& facts, bool is_small) {
  constexpr std::array<std::string_view, 7> like_elements = {"_FillValue",  "missing_value", "valid_min", "valid_max",
                                                             "valid_range", "flag_values",   "flag_masks"};
  const bool is_whole = std::all_of(values.begin(), values.end(), [](const Json& v) { return v.is_number_integer(); });
  const char kind = kind_of(facts.type);
  const bool is_like = std::find(like_elements.begin(), like_elements.end(), name) != like_elements.end();
  if (is_like && (kind == 'f' || ((kind == 'i' || kind == 'u') && is_whole))) return facts.type;
  if (const auto told = facts.attribute_types.find(name); told != facts.attribute_types.end()) return element_type(told->second);
  if (!is_whole) return element_type("<f8");
  const auto fits = [](const Json& v) { return std::abs(v.get<double>()) <= INT32_MAX; };
  return element_type(is_small && std::all_of(values.begin(), values.end(), fits) ? "<i4" : "<i8");
}

/// A list in lists, flat.
void flatten(const Json& value, std::size_t axis, Extents& extents, std::vector<Json>& flat) {
  if (!value.is_array()) {
    if (axis != extents.size()) throw Error(ErrorCode::bad_shape, "its lists are not of one length");
    flat.push_back(value);
    return;
  }
  if (flat.empty() && axis == extents.size()) extents.push_back(std::ssize(value));
  if (axis >= extents.size() || extents[axis] != std::ssize(value)) throw Error(ErrorCode::bad_shape, "its lists are not of one length");
  for (const Json& next : value) flatten(next, axis + 1, extents, flat);
}

// xarray writes the fill value of floats into Zarr as base64 of a double.
Json number_of_base64(const Json& text) {
  const zarr::Bytes bits = zarr::fill_of(text, element_type("|V8"), "_FillValue");
  double number = 0;
  std::memcpy(&number, bits.data(), sizeof number);
  return std::isnan(number) ? Json("NaN") : std::isinf(number) ? Json(number > 0 ? "Infinity" : "-Infinity") : Json(number);
}

// The values one behind the other become lists in lists.
Json shaped(const std::vector<Json>& values, const Extents& extents, std::size_t axis, std::size_t& at) {
  if (axis == extents.size()) return values[at++];
  Json list = Json::array();
  for (std::int64_t i = 0; i < extents[axis]; ++i) list.push_back(shaped(values, extents, axis + 1, at));
  return list;
}

}  // namespace

AttributeValue attribute_value(const std::string& name, const Json& value, const DatasetFacts& facts, bool is_small) {
  AttributeValue made;
  std::vector<Json> flat;
  flatten(value, 0, made.extents, flat);
  if (flat.empty()) throw Error(ErrorCode::unsupported, "it is an empty list");
  const auto are = [&](auto&& what) { return std::all_of(flat.begin(), flat.end(), what); };
  const bool is_fill = name == "_FillValue" && flat.size() == 1 && kind_of(facts.type) == 'f';
  if (is_fill && flat[0].is_string() && !is_number(flat[0])) flat[0] = number_of_base64(flat[0]);
  if (are([](const Json& v) { return v.is_boolean(); })) {
    made.type = element_type("|b1");
    for (const Json& v : flat) made.numbers.push_back(std::byte{v.get<bool>()});
  } else if (are(is_number) && (is_fill || flat[0].is_number() || facts.attribute_types.contains(name))) {
    made.type = type_of_numbers(name, flat, facts, is_small);
    for (const Json& v : flat) {
      const zarr::Bytes next = zarr::fill_of(v, made.type, name);
      made.numbers.insert(made.numbers.end(), next.begin(), next.end());
    }
  } else if (are([](const Json& v) { return v.is_string(); })) {
    for (const Json& v : flat) made.texts.push_back(v.get<std::string>());
  } else {
    throw Error(ErrorCode::unsupported, "it is no number, text or list of either");
  }
  return made;
}

Json json_of(const AttributeValue& value) {
  std::vector<Json> all(value.texts.begin(), value.texts.end());
  for (std::size_t at = 0; at < value.numbers.size(); at += static_cast<std::size_t>(value.type.bytes)) {
    const auto first = value.numbers.begin() + static_cast<std::ptrdiff_t>(at);
    Json said = zarr::json_of_fill(zarr::Bytes(first, first + value.type.bytes), value.type);
    const bool is_nan = said.is_string() && said.get_ref<const std::string&>().starts_with("0x");
    all.push_back(is_nan ? Json("NaN") : std::move(said));
  }
  std::size_t at = 0;
  return shaped(all, value.extents, 0, at);
}

}  // namespace crinkle::tool
