// What an output takes over from the array that it is made of.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "crinkle/error.hpp"
#include "formats/coordinates.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "formats/geotiff/ground.hpp"
#include "formats/nifti.hpp"
#include "formats/tiff/tiff.hpp"

namespace crinkle::tool {
namespace {

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

std::string left_around(const DatasetFacts& said, const std::string& path) {
  constexpr std::size_t most = 5;
  if (said.around.empty() || are_in_one_group(path, said)) return "";
  std::string names;
  for (std::size_t k = 0; k < std::min(most, said.around.size()); ++k) names += (k == 0 ? "" : ", ") + printable(said.around[k]);
  return "the attributes of the file itself stay behind: " + names + (said.around.size() > most ? ", …" : "");
}

// Names and steps of the source's axes that are still there; names that a specification gave stay where the source has none.
void take_axes(DatasetFacts& facts, const DatasetFacts& said, const OutputFacts& output) {
  const bool is_as_it_was = output.change == nullptr && output.extents.size() == said.extents.size();
  facts.steps.resize(said.steps.empty() ? 0 : facts.axes.size());
  std::vector<bool> is_there(said.axes.size());
  for (std::size_t a = 0; a < facts.axes.size(); ++a) {
    const bool is_told = output.change != nullptr && a < output.change->axes.size();
    const AxisOrigin origin = is_told ? output.change->axes[a] : AxisOrigin{is_as_it_was ? static_cast<int>(a) : -1};
    if (origin.source_axis < 0) continue;
    const auto from = static_cast<std::size_t>(origin.source_axis);
    is_there[from] = true;
    const bool is_of_format =
        output.source->extras == nullptr || dynamic_cast<const DatasetExtras*>(output.source->extras.get()) == nullptr;
    if (!said.axes[from].empty() && (!is_of_format || facts.axes[a].empty())) facts.axes[a] = said.axes[from];
    if (from < said.steps.size()) facts.steps[a] = {said.steps[from].size * std::abs(origin.step), said.steps[from].unit};
  }
  for (std::size_t from = 0; from < said.steps.size(); ++from)
    if (names_one_file(facts.path) && said.steps[from].is_meant() && !is_there[from])
      facts.notes.push_back(fmt::format("the step along axis {} ('{}') stays behind: no axis of {} has its indices", from,
                                        printable(said.axes[from]), facts.path));
}

}  // namespace

DatasetFacts axes_and_steps(const OutputFacts& output) {
  DatasetFacts facts;
  facts.axes = output.axes;
  facts.axes.resize(output.extents.size());
  if (output.source != nullptr) take_axes(facts, said_of(*output.source), output);
  return facts;
}

std::int64_t count_steps(const std::vector<AxisStep>& steps) {
  return std::count_if(steps.begin(), steps.end(), [](const AxisStep& step) { return step.is_meant(); });
}

void add_around(std::vector<std::string>& around, const std::string& group, const nlohmann::ordered_json& attributes) {
  if (!attributes.is_object()) return;
  for (const auto& [name, value] : attributes.items()) around.push_back(group + (group.empty() ? "" : "/") + name);
}

std::vector<std::string> left_behind(const ArrayFacts& source, const std::string& path) {
  std::vector<std::string> lost;
  const bool is_nifti = path.ends_with(".nii") || path.ends_with(".nii.gz");  // whose header takes steps, or notes them
  if (has_geometry(source) && !is_nifti)
    lost.push_back("the size and place of the voxels of " + source.path + " stay behind: " + path + " has no place for them");
  const auto* const stored = dynamic_cast<const DatasetExtras*>(source.extras.get());
  if (stored == nullptr) return lost;
  if (std::string text = left_around(stored->facts, path); !text.empty()) lost.push_back(std::move(text));
  if (!names_dataset(path))
    if (std::string text = coordinates_left_behind(*stored, path); !text.empty()) lost.push_back(std::move(text));
  if (!is_nifti && count_steps(stored->facts.steps) > 0)
    lost.push_back("the steps along the axes of " + source.path + " stay behind: " + path + " has no place for them");
  if (stored->facts.ground) {
    const std::string of_ground = geotiff::left_behind(stored->facts, path);
    if (!of_ground.empty()) lost.push_back(of_ground);
  }
  return lost;
}

ArrayFacts offset_as_in_sums(const ArrayFacts& source, double of_weights, const ElementType& type, std::vector<std::string>& notes) {
  ArrayFacts sums = source;
  const auto* const stored = dynamic_cast<const DatasetExtras*>(source.extras.get());
  if (stored == nullptr || of_weights == 1) return sums;
  if (std::string text = geotiff::offsets_in_sums(stored->facts, of_weights); !text.empty()) notes.push_back(std::move(text));
  if (stored->facts.attributes == nullptr || type.name != source.type.name) return sums;  // else they stay behind
  const auto offset = stored->facts.attributes->find("add_offset");
  if (offset == stored->facts.attributes->end() || !offset->is_number() || *offset == 0) return sums;
  auto made = std::make_shared<DatasetExtras>(*stored);
  nlohmann::ordered_json said = *stored->facts.attributes;
  said["add_offset"] = offset->get<double>() * of_weights;
  notes.push_back(fmt::format("the add_offset of the result is {}, that of {}, {}, times the sum of the weights", said["add_offset"].dump(),
                              source.path, offset->dump()));
  made->facts.attribute_types.erase("add_offset");
  made->facts.attributes = std::make_shared<const nlohmann::ordered_json>(std::move(said));
  sums.extras = std::move(made);
  return sums;
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
  if (const auto geometry = geometry_of(*output.source); is_tiff && geometry && !geometry->form.empty())
    facts.notes.push_back("the place of the voxels of " + output.source->path + " stays behind: a TIFF has no words for it");
  facts.inside = said.inside;
  const bool is_same_type = output.type.bytes == said.type.bytes && output.type.name == said.type.name;
  if (is_same_type && !output.is_transform) {
    facts.attributes = said.attributes;
    facts.attribute_types = said.attribute_types;
    facts.fill = said.fill;
    if (output.type.descr != said.type.descr) facts.fill.clear();
  } else if (said.attributes && !said.attributes->empty()) {
    facts.notes.push_back(
        "the attributes of " + output.source->path + " stay behind: they are of " +
        (output.is_transform ? "its numbers, not of their transform" : spelled(said.type) + ", not of " + spelled(output.type)));
  }
  take_axes(facts, said, output);
  if (!is_tiff) {
    const std::vector<std::string> lost = left_behind(*output.source, path);
    facts.notes.insert(facts.notes.end(), lost.begin(), lost.end());
  } else {
    if (std::string text = left_around(said, path); !text.empty()) facts.notes.push_back(std::move(text));
    if (said.ground) facts.ground = geotiff::moved(said, output, path, facts.notes);
  }
  if (const auto* const stored = dynamic_cast<const DatasetExtras*>(output.source->extras.get())) {
    take_coordinates(facts, output, *stored);
    note_dangling(facts, said);
  }
  if (!keeps_coordinates(path)) compare_with_beside(facts);
  return facts;
}

}  // namespace crinkle::tool
