// SPDX-License-Identifier: BSD-3-Clause
#include "formats/alike.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "crinkle/error.hpp"
#include "formats/coordinates.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {
namespace {

using Json = nlohmann::ordered_json;

const DatasetExtras* stored_of(const ArrayFacts& facts) { return dynamic_cast<const DatasetExtras*>(facts.extras.get()); }

const Json& attributes_of(const ArrayFacts& facts) {
  static const Json none = Json::object();
  const DatasetExtras* const stored = stored_of(facts);
  return stored == nullptr || stored->facts.attributes == nullptr ? none : *stored->facts.attributes;
}

std::string told(const ArrayFacts& facts, const std::string& attribute) {
  const Json& all = attributes_of(facts);
  const auto found = all.find(attribute);
  return (found == all.end() ? "none" : printable(found->dump())) + " in " + facts.path;
}

/// Of the attribute, the first array and one that says otherwise; "": all say the same.
std::string difference(std::span<const ArrayFacts* const> arrays, const std::string& attribute) {
  const auto says_otherwise = [&](const ArrayFacts* other) {
    const Json &a = attributes_of(*arrays[0]), &b = attributes_of(*other);
    return a.contains(attribute) != b.contains(attribute) || (a.contains(attribute) && a.at(attribute) != b.at(attribute));
  };
  const auto other = std::find_if(arrays.begin(), arrays.end(), says_otherwise);
  return other == arrays.end() ? ""
                               : fmt::format("{} is {}, {}", printable(attribute), told(*arrays[0], attribute), told(**other, attribute));
}

void keep_alike_attributes(std::span<const ArrayFacts* const> arrays, DatasetFacts& facts, std::vector<std::string>& notes) {
  Json said = attributes_of(*arrays[0]), all = Json::object();
  for (const ArrayFacts* const array : arrays)
    for (const auto& [name, value] : attributes_of(*array).items()) all[name] = value;
  for (const auto& [name, value] : all.items()) {
    const std::string unlike = difference(arrays, name);
    if (unlike.empty()) continue;
    if (name == "scale_factor" || name == "add_offset")
      throw Error(ErrorCode::unsupported,
                  unlike + ": equal numbers mean different values; .npy and raw outputs do not say such things and take both");
    notes.push_back("an attribute stays behind: " + unlike);
    said.erase(name);
    if (name == "_FillValue" || name == "missing_value") facts.fill.clear();
  }
  facts.attributes = std::make_shared<const Json>(std::move(said));
}

/// An array and what it says of an axis.
struct Said {
  const ArrayFacts& array;
  std::string name;
  AxisStep step;
  std::shared_ptr<const Coordinates> coordinates;

  Said(const ArrayFacts& facts, std::size_t axis) : array(facts) {
    const DatasetExtras* const stored = stored_of(facts);
    if (stored == nullptr) return;
    name = stored->facts.axes[axis];
    if (axis < stored->facts.steps.size()) step = stored->facts.steps[axis];
    coordinates = coordinates_of(*stored, axis);
  }
  bool has_coordinates_of(const Said& other) const {
    const Coordinates *const a = coordinates.get(), *const b = other.coordinates.get();
    return name == other.name &&
           (a == b || (a != nullptr && b != nullptr && a->facts.type.descr == b->facts.type.descr && a->elements == b->elements));
  }
};

void keep_alike_axis(std::span<const ArrayFacts* const> arrays, std::size_t axis, DatasetExtras& made, std::vector<std::string>& notes) {
  const Said first(*arrays[0], axis);
  made.coordinates[axis] = first.coordinates;
  bool is_name_told = false, are_coordinates_told = false, is_step_told = false;
  for (const ArrayFacts* const array : arrays.subspan(1)) {
    const Said other(*array, axis);
    const std::string where = fmt::format("in {}", array->path), here = fmt::format("in {}", first.array.path);
    if (!is_name_told && other.name != first.name) {
      notes.push_back(fmt::format("axis {} is called '{}' {} and '{}' {}: the first array's name stays", axis, printable(first.name), here,
                                  printable(other.name), where));
      is_name_told = true;
    }
    if (!are_coordinates_told && (first.coordinates || other.coordinates) && !other.has_coordinates_of(first)) {
      notes.push_back(fmt::format("the coordinates of axis {} ('{}') stay behind: they are not the same {} and {}", axis,
                                  printable(first.name), here, where));
      made.coordinates[axis] = nullptr;
      are_coordinates_told = true;
    }
    if (!is_step_told && (other.step.size != first.step.size || other.step.unit != first.step.unit)) {
      notes.push_back(fmt::format("the step along axis {} stays behind: it is {} {} {}, {} {} {}", axis, first.step.size, first.step.unit,
                                  here, other.step.size, other.step.unit, where));
      if (axis < made.facts.steps.size()) made.facts.steps[axis] = {};
      is_step_told = true;
    }
  }
}

}  // namespace

ArrayFacts said_alike(std::span<const ArrayFacts* const> arrays, std::vector<std::string>& notes) {
  ArrayFacts alike = *arrays[0];
  DatasetFacts none;
  const DatasetExtras* const first = stored_of(alike);
  auto made = std::make_shared<DatasetExtras>(first == nullptr ? none : first->facts);
  keep_alike_attributes(arrays, made->facts, notes);
  for (std::size_t a = 0; a < alike.layout.extents.size(); ++a) keep_alike_axis(arrays, a, *made, notes);
  if (first != nullptr) alike.extras = std::move(made);
  return alike;
}

}  // namespace crinkle::tool
