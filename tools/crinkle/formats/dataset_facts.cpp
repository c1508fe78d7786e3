// What an output takes over from the array that it is made of.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "crinkle/error.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "formats/geotiff/ground.hpp"
#include "formats/nifti.hpp"
#include "formats/tiff/tiff.hpp"

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

// What the source says as a file of many does: of a volume its steps and names, of a picture its names.
DatasetFacts said_of(const ArrayFacts& source) {
  if (const auto* const stored = dynamic_cast<const DatasetExtras*>(source.extras.get())) return stored->facts;
  DatasetFacts facts;
  const std::size_t rank = source.layout.extents.size();
  facts.extents = source.layout.extents;
  facts.axes.resize(rank);
  const bool is_picture = source.format == "png" && rank >= 2;
  const std::vector<std::string> habit =
      is_picture && rank == 3 ? std::vector<std::string>{"y", "x", "c"} : std::vector<std::string>{"t", "z", "y", "x"};
  if (is_picture || (source.format == "nifti" && rank <= 4))
    for (std::size_t k = 1; k <= std::min(rank, habit.size()); ++k) facts.axes[rank - k] = habit[habit.size() - k];
  const std::optional<NiftiGeometry> geometry = geometry_of(source);
  if (!geometry) return facts;
  facts.steps.resize(rank);
  for (std::size_t d = 0; d < std::min(rank, geometry->spacing.size()); ++d) {
    const std::string unit = d < 3 ? geometry->space_unit : geometry->time_unit;
    if (geometry->spacing[d] > 0 && unit != "Unknown") facts.steps[rank - 1 - d] = {geometry->spacing[d], unit};
  }
  return facts;
}

// Names and steps of the source's axes that are still there; names that a specification gave stay where the source has none.
void take_axes(DatasetFacts& facts, const DatasetFacts& said, const OutputFacts& output) {
  const bool is_as_it_was = output.change == nullptr && output.extents.size() == said.extents.size();
  facts.steps.resize(said.steps.empty() ? 0 : facts.axes.size());
  for (std::size_t a = 0; a < facts.axes.size(); ++a) {
    const bool is_told = output.change != nullptr && a < output.change->axes.size();
    const AxisOrigin origin = is_told ? output.change->axes[a] : AxisOrigin{is_as_it_was ? static_cast<int>(a) : -1};
    if (origin.source_axis < 0) continue;
    const auto from = static_cast<std::size_t>(origin.source_axis);
    const bool is_of_format =
        output.source->extras == nullptr || dynamic_cast<const DatasetExtras*>(output.source->extras.get()) == nullptr;
    if (!said.axes[from].empty() && (!is_of_format || facts.axes[a].empty())) facts.axes[a] = said.axes[from];
    if (from < said.steps.size()) facts.steps[a] = {said.steps[from].size * std::abs(origin.step), said.steps[from].unit};
  }
}

}  // namespace

std::vector<std::string> left_behind(const ArrayFacts& source, const std::string& path) {
  const auto* const stored = dynamic_cast<const DatasetExtras*>(source.extras.get());
  if (stored == nullptr) return {};
  std::vector<std::string> lost;
  // Steps in inches and centimetres are of a print, which nobody means.
  if (std::any_of(stored->facts.steps.begin(), stored->facts.steps.end(),
                  [](const AxisStep& step) { return step.size > 0 && step.unit != "inch" && step.unit != "cm"; }))
    lost.push_back("the steps along the axes of " + source.path + " stay behind: " + path + " has no place for them");
  if (stored->facts.ground) {
    const std::string of_ground = geotiff::left_behind(stored->facts, path);
    if (!of_ground.empty()) lost.push_back(of_ground);
  }
  return lost;
}

std::vector<std::string> not_heeded(const ArrayFacts& source) {
  const auto* const stored = dynamic_cast<const DatasetExtras*>(source.extras.get());
  if (stored == nullptr) return {};
  std::vector<std::string> told;
  if (std::string text = geotiff::not_heeded(stored->facts); !text.empty()) told.push_back(std::move(text));
  if (stored->facts.attributes == nullptr) return told;
  for (const char* const word : {"_FillValue", "missing_value"}) {
    const auto found = stored->facts.attributes->find(word);
    if (found == stored->facts.attributes->end()) continue;
    told.push_back(
        fmt::format("{}: its {}, {}, which stands for missing numbers, counts as a number here", source.path, word, found->dump()));
    break;
  }
  return told;
}

DatasetFacts dataset_facts(const std::string& path, const OutputFacts& output) {
  DatasetFacts facts;
  facts.extents = output.extents;
  facts.type = output.type;
  facts.path = path;
  facts.axes = output.axes;
  facts.axes.resize(output.extents.size());
  if (output.source == nullptr) return facts;
  const bool is_tiff = tiff::is_named(dataset_name(path).file);
  const DatasetFacts said = said_of(*output.source);
  if (output.source->format == "nifti")
    facts.notes.push_back((is_tiff ? "the place of the voxels of " : "the size and place of the voxels of ") + output.source->path +
                          (is_tiff ? " stays behind: a TIFF has no words for it" : " stay behind: a store has no words for them here"));
  if (output.type.bytes == said.type.bytes && output.type.name == said.type.name) {
    facts.attributes = said.attributes;
    facts.attribute_types = said.attribute_types;
    facts.inside = said.inside;
    facts.fill = said.fill;
    if (output.type.descr != said.type.descr) facts.fill.clear();
  } else if (said.attributes && !said.attributes->empty()) {
    facts.notes.push_back("the attributes of " + output.source->path + " stay behind: they are of " + spelled(said.type) + ", not of " +
                          spelled(output.type));
  }
  take_axes(facts, said, output);
  if (!is_tiff) {
    const std::vector<std::string> lost = left_behind(*output.source, path);
    facts.notes.insert(facts.notes.end(), lost.begin(), lost.end());
  } else if (said.ground) {
    facts.ground = geotiff::moved(said, output, path, facts.notes);
  }
  if (keeps_coordinates(path) && !said.inside.empty()) take_coordinates(facts, output, said);
  return facts;
}

}  // namespace crinkle::tool
