// What an output takes over from the array that it is made of.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <nlohmann/json.hpp>

#include "crinkle/error.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"

namespace crinkle::tool {
namespace {

/// The array of one axis, beside an array or in a group above it, that has an axis' name and extent; null: there is none.
std::shared_ptr<Coordinates> coordinates_beside(const DatasetFacts& array, const std::string& axis, std::int64_t n) {
  constexpr std::int64_t most_bytes = 1 << 26;
  if (axis.empty() || axis.find('/') != std::string::npos || array.inside.empty()) return nullptr;
  const std::string file = dataset_name(array.path).file;
  for (std::size_t end = array.inside.rfind('/'); end != std::string::npos; end = end == 0 ? end - 1 : array.inside.rfind('/', end - 1)) {
    const std::string inside = array.inside.substr(0, end) + "/" + axis;
    if (inside == array.inside) continue;
    try {
      const auto there = open_dataset(file + ":" + inside);
      const DatasetFacts& facts = there->facts();
      if (facts.extents != Extents{n} || facts.inside != inside || n * facts.type.bytes > most_bytes) continue;
      auto made = std::make_shared<Coordinates>(Coordinates{facts, std::vector<std::byte>(static_cast<std::size_t>(n * facts.type.bytes))});
      there->read(whole_of(facts.extents), made->elements.data(), {facts.type.bytes});
      return made;
    } catch (const Error&) {}  // it is not there, or no array that can be read
    if (end == 0) break;
  }
  return nullptr;
}

/// Those of n indices of the output that begin at `start` and go on by `step`. False: they do not lie on indices of the input.
bool cut(Coordinates& coordinates, const AxisOrigin& origin, std::int64_t n) {
  const std::int64_t had = coordinates.facts.extents[0], bytes = coordinates.facts.type.bytes;
  std::vector<std::byte> taken;
  for (std::int64_t j = 0; j < n; ++j) {
    const double at = origin.start + origin.step * static_cast<double>(j);
    if (at < 0 || at > static_cast<double>(had - 1) || at != std::floor(at)) return false;
    const auto first = coordinates.elements.begin() + static_cast<std::int64_t>(at) * bytes;
    taken.insert(taken.end(), first, first + bytes);
  }
  coordinates.elements = std::move(taken);
  coordinates.facts.extents = {n};
  return !origin.is_rolled;
}

/// What the axes of an output stand for, where its format keeps that.
void take_coordinates(DatasetFacts& facts, const OutputFacts& output, const DatasetFacts& source) {
  for (std::size_t a = 0; a < facts.axes.size(); ++a) {
    AxisOrigin origin{static_cast<int>(a)};
    if (output.change != nullptr && a < output.change->axes.size()) origin = output.change->axes[a];
    else if (output.extents.size() != source.extents.size() || output.extents[a] != source.extents[a]) origin.source_axis = -1;
    facts.coordinates.push_back(nullptr);
    if (origin.source_axis < 0 || facts.axes[a].empty()) continue;
    const auto from = static_cast<std::size_t>(origin.source_axis);
    if (source.axes[from] != facts.axes[a]) continue;
    const auto found = coordinates_beside(source, source.axes[from], source.extents[from]);
    if (found == nullptr) continue;
    if (cut(*found, origin, output.extents[a])) facts.coordinates.back() = found;
    else
      facts.notes.push_back("the coordinates of axis '" + printable(facts.axes[a]) +
                            "' stay behind: its indices are no longer those of the input");
  }
}

}  // namespace

DatasetFacts dataset_facts(const std::string& path, const OutputFacts& output) {
  DatasetFacts facts;
  facts.extents = output.extents;
  facts.type = output.type;
  facts.path = path;
  facts.axes = output.axes;
  facts.axes.resize(output.extents.size());
  if (output.source == nullptr) return facts;
  if (output.source->format == "nifti")
    facts.notes.push_back("the size and place of the voxels of " + output.source->path +
                          " stay behind: a store has no words for them here");
  const auto* const source = dynamic_cast<const DatasetExtras*>(output.source->extras.get());
  if (source == nullptr) return facts;
  if (output.type.bytes == source->facts.type.bytes && output.type.name == source->facts.type.name) {
    facts.attributes = source->facts.attributes;
    facts.attribute_types = source->facts.attribute_types;
    facts.inside = source->facts.inside;
    facts.fill = source->facts.fill;
    if (output.type.descr != source->facts.type.descr) facts.fill.clear();
  } else if (!source->facts.attributes->empty()) {
    facts.notes.push_back("the attributes of " + output.source->path + " stay behind: they are of " + spelled(source->facts.type) +
                          ", not of " + spelled(output.type));
  }
  const std::vector<std::string>& names = source->facts.axes;
  for (std::size_t a = 0; a < facts.axes.size(); ++a) {
    if (output.change != nullptr && a < output.change->axes.size()) {
      const int axis = output.change->axes[a].source_axis;
      if (axis >= 0 && !names[static_cast<std::size_t>(axis)].empty()) facts.axes[a] = names[static_cast<std::size_t>(axis)];
    } else if (output.change == nullptr && output.extents.size() == source->facts.extents.size()) {
      facts.axes[a] = names[a];
    }
  }
  if (keeps_coordinates(path)) take_coordinates(facts, output, source->facts);
  return facts;
}

}  // namespace crinkle::tool
