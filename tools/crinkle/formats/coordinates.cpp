// SPDX-License-Identifier: BSD-3-Clause
#include "formats/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {
namespace {

std::string group_of(const std::string& inside) {
  const std::size_t slash = inside.rfind('/');
  return slash == std::string::npos ? "" : inside.substr(0, slash);
}

/// The array of one axis of this name in a group; null: there is none that can be read.
std::unique_ptr<Dataset> array_of_axis(const std::string& file, const std::string& group, const std::string& axis) {
  constexpr std::int64_t most_bytes = 1 << 26;
  if (axis.empty() || axis.find('/') != std::string::npos) return nullptr;
  const std::string inside = group + "/" + axis;
  try {
    auto there = open_dataset(file + ":" + inside);
    const DatasetFacts& facts = there->facts();
    const bool is_one = facts.extents.size() == 1 && facts.inside == inside;
    return is_one && facts.extents[0] * facts.type.bytes <= most_bytes ? std::move(there) : nullptr;
  } catch (const Error&) { return nullptr; }
}

/// Null: they cannot be read.
std::shared_ptr<const Coordinates> elements_of(const Dataset& array) try {
  const DatasetFacts& facts = array.facts();
  auto made = std::make_shared<Coordinates>(
      Coordinates{facts, std::vector<std::byte>(static_cast<std::size_t>(facts.extents[0] * facts.type.bytes))});
  array.read(whole_of(facts.extents), made->elements.data(), {facts.type.bytes});
  return made;
} catch (const Error&) { return nullptr; }

/// Beside an array or in a group above it.
std::shared_ptr<const Coordinates> looked_for(const DatasetFacts& array, std::size_t axis) {
  if (array.inside.empty()) return nullptr;
  const std::string file = dataset_name(array.path).file;
  for (std::string group = array.inside; !group.empty();) {
    group = group_of(group);
    if (group + "/" + array.axes[axis] == array.inside) continue;
    const auto there = array_of_axis(file, group, array.axes[axis]);
    if (there == nullptr || there->facts().extents[0] != array.extents[axis]) continue;
    if (auto found = elements_of(*there)) return found;
  }
  return nullptr;
}

/// Those of n indices of the output that begin at `start` and go on by `step`; nothing: they do not lie on indices of the input.
std::shared_ptr<const Coordinates> cut(const Coordinates& all, const AxisOrigin& origin, std::int64_t n) {
  if (origin.is_rolled) return nullptr;
  const std::int64_t had = all.facts.extents[0], bytes = all.facts.type.bytes;
  auto some = std::make_shared<Coordinates>(Coordinates{all.facts, {}});
  for (std::int64_t j = 0; j < n; ++j) {
    const double at = origin.start + origin.step * static_cast<double>(j);
    if (at < 0 || at > static_cast<double>(had - 1) || at != std::floor(at)) return nullptr;
    const auto first = all.elements.begin() + static_cast<std::int64_t>(at) * bytes;
    some->elements.insert(some->elements.end(), first, first + bytes);
  }
  some->facts.extents = {n};
  return some;
}

std::string left_of(const std::vector<std::string>& axes, const std::string& why) {
  return fmt::format("the coordinates of ax{} {} stay behind: {}", axes.size() == 1 ? "is" : "es", fmt::join(axes, ", "), why);
}

std::string has_no_place(const std::string& path) { return path + " has no place for them"; }

/// What lies beside an output stays where it is: only formats that keep no coordinates of their own are asked.
std::unique_ptr<Dataset> beside(const DatasetFacts& facts, std::size_t axis) {
  const DatasetName name = dataset_name(facts.path);
  if (name.inside.empty() || names_one_file(facts.path) || group_of(name.inside) + "/" + facts.axes[axis] == name.inside) return nullptr;
  return array_of_axis(name.file, group_of(name.inside), facts.axes[axis]);
}

}  // namespace

bool are_in_one_group(const std::string& path, const DatasetFacts& source) {
  const DatasetName name = dataset_name(path);
  std::error_code code;
  return !source.inside.empty() && !name.inside.empty() && group_of(name.inside) == group_of(source.inside) &&
         std::filesystem::equivalent(name.file, dataset_name(source.path).file, code);
}

std::shared_ptr<const Coordinates> coordinates_of(const DatasetExtras& stored, std::size_t axis) {
  const auto [place, is_new] = stored.coordinates.try_emplace(axis);
  if (is_new) place->second = looked_for(stored.facts, axis);
  return place->second;
}

void take_coordinates(DatasetFacts& facts, const OutputFacts& output, const DatasetExtras& stored) {
  const DatasetFacts& source = stored.facts;
  std::vector<bool> is_there(source.axes.size());
  facts.coordinates.resize(facts.axes.size());
  for (std::size_t a = 0; a < facts.axes.size(); ++a) {
    AxisOrigin origin{static_cast<int>(a)};
    if (output.change != nullptr && a < output.change->axes.size()) origin = output.change->axes[a];
    else if (output.extents.size() != source.extents.size() || output.extents[a] != source.extents[a]) origin.source_axis = -1;
    if (origin.source_axis < 0 || facts.axes[a].empty()) continue;
    const auto from = static_cast<std::size_t>(origin.source_axis);
    if (source.axes[from] != facts.axes[a]) continue;
    is_there[from] = true;
    const auto found = coordinates_of(stored, from);
    if (found == nullptr) continue;
    facts.coordinates[a] = cut(*found, origin, output.extents[a]);
    if (facts.coordinates[a] == nullptr)
      facts.notes.push_back("the coordinates of axis '" + printable(facts.axes[a]) +
                            "' stay behind: its indices are no longer those of the input");
  }
  std::vector<std::string> gone;
  for (std::size_t a = 0; a < source.axes.size(); ++a)
    if (!is_there[a] && coordinates_of(stored, a) != nullptr) gone.push_back(printable(source.axes[a]));
  if (!gone.empty()) facts.notes.push_back(left_of(gone, "no axis of " + facts.path + " has their indices"));
  if (keeps_coordinates(facts.path)) return;
  std::vector<std::string> left;
  for (std::size_t a = 0; a < facts.axes.size(); ++a)
    if (facts.coordinates[a] != nullptr && beside(facts, a) == nullptr) left.push_back(printable(facts.axes[a]));
  if (!left.empty()) facts.notes.push_back(left_of(left, has_no_place(facts.path)));
}

void compare_with_beside(DatasetFacts& facts) {
  const DatasetName name = dataset_name(facts.path);
  for (std::size_t a = 0; a < facts.axes.size(); ++a) {
    const auto there = beside(facts, a);
    if (there == nullptr) continue;
    const Coordinates* const own = a < facts.coordinates.size() ? facts.coordinates[a].get() : nullptr;
    const auto same = [&] {
      const auto other = elements_of(*there);
      return other != nullptr && own->facts.type.descr == other->facts.type.descr && own->elements == other->elements;
    };
    const std::string axis = printable(facts.axes[a]), what = printable(there->facts().path, 200);
    const std::int64_t n = there->facts().extents[0];
    if (n != facts.extents[a])
      facts.notes.push_back(
          fmt::format("axis '{}' has {} elements here and {} in {}, so that readers refuse the group or mix them up: give "
                      "the array another group or the axis another name",
                      axis, facts.extents[a], n, what));
    else if (own == nullptr)
      facts.notes.push_back(fmt::format("axis '{}' is the one that the store has, with its coordinates, {}", axis, what));
    else if (!same())
      facts.notes.push_back(
          fmt::format("axis '{}' has other coordinates here than {} says, which readers take: give the array another "
                      "group or the axis another name",
                      axis, what));
  }
}

std::string coordinates_left_behind(const DatasetExtras& stored, const std::string& path) {
  std::vector<std::string> axes;
  for (std::size_t a = 0; a < stored.facts.axes.size(); ++a)
    if (coordinates_of(stored, a) != nullptr) axes.push_back(printable(stored.facts.axes[a]));
  return axes.empty() ? "" : left_of(axes, has_no_place(path));
}

void note_dangling(DatasetFacts& facts, const DatasetFacts& source) {
  if (names_one_file(facts.path) || are_in_one_group(facts.path, source)) return;
  const bool has_own = keeps_coordinates(facts.path);
  const auto is_taken = [&](const std::string& array) {
    for (std::size_t a = 0; a < facts.coordinates.size(); ++a)
      if (has_own && facts.coordinates[a] != nullptr && facts.axes[a] == array) return true;
    return false;
  };
  const auto note = [&](const DatasetFacts& array, const std::string& of) {
    if (array.attributes == nullptr) return;
    for (const char* const word :
         {"coordinates", "grid_mapping", "bounds", "climatology", "ancillary_variables", "cell_measures", "formula_terms"}) {
      const auto said = array.attributes->find(word);
      if (said == array.attributes->end() || !said->is_string()) continue;
      const std::string text = said->get<std::string>();
      std::istringstream names(text);
      std::string name;
      bool is_dangling = false;
      while (names >> name) is_dangling = is_dangling || !is_taken(name);
      if (is_dangling)
        facts.notes.push_back(fmt::format("attribute '{}'{} names arrays that stay behind: {}", word, of, printable(text, 200)));
    }
  };
  note(facts, "");
  for (std::size_t a = 0; has_own && a < facts.coordinates.size(); ++a)
    if (facts.coordinates[a] != nullptr) note(facts.coordinates[a]->facts, " of axis '" + printable(facts.axes[a]) + "'");
}

}  // namespace crinkle::tool
