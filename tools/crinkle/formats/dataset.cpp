// What all files of arrays share: names, grids of boxes, copies between chunks and memory; see dataset.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/dataset.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "formats/geotiff/ground.hpp"
#include "formats/nifti.hpp"
#include "formats/tiff/tiff.hpp"
#include "formats/zarr/zarr.hpp"

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

bool exists(const std::string& path) {
  struct stat entry = {};
  return ::stat(path.c_str(), &entry) == 0;
}

template <class Unit>
void copy_line(std::int64_t n, const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, sizeof(Unit));
}

struct Block16 {
  std::uint64_t low, high;
};

// Axes from the slowest on; the last ones that lie dense in both are one run.
struct Copy {
  const Extents& extents;
  const Extents& from_strides;
  const Extents& to_strides;
  std::int64_t element_bytes;
  std::size_t n_axes = 0;      // outside of a run
  std::int64_t run_bytes = 0;  // dense in both

  void along(std::size_t axis, const std::byte* from, std::byte* to) const {
    if (axis == n_axes) {
      std::memcpy(to, from, static_cast<std::size_t>(run_bytes));
      return;
    }
    const std::int64_t n = extents[axis], a = from_strides[axis], b = to_strides[axis];
    if (axis + 1 == n_axes && run_bytes <= 16) return line(n, from, a, to, b);
    for (std::int64_t i = 0; i < n; ++i) along(axis + 1, from + i * a, to + i * b);
  }
  void line(std::int64_t n, const std::byte* from, std::int64_t a, std::byte* to, std::int64_t b) const {
    switch (run_bytes) {
      case 1: return copy_line<std::uint8_t>(n, from, a, to, b);
      case 2: return copy_line<std::uint16_t>(n, from, a, to, b);
      case 4: return copy_line<std::uint32_t>(n, from, a, to, b);
      case 8: return copy_line<std::uint64_t>(n, from, a, to, b);
      case 16: return copy_line<Block16>(n, from, a, to, b);
      default:
        for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * b, from + i * a, static_cast<std::size_t>(run_bytes));
    }
  }
};

bool is_empty(const Ranges& box) {
  return std::any_of(box.begin(), box.end(), [](const Range& range) { return range.n == 0; });
}

// The place in memory of a box inside of another one.
std::int64_t place_in(const Ranges& outer, const Ranges& inner, const Extents& strides) {
  std::int64_t at = 0;
  for (std::size_t a = 0; a < outer.size(); ++a) at += (inner[a].first - outer[a].first) * strides[a];
  return at;
}

// What the source says as a file of many does: of a volume its steps and names, of a picture its names.
DatasetFacts said_of(const ArrayFacts& source) {
  if (const auto* const stored = dynamic_cast<const DatasetExtras*>(source.extras.get())) return stored->facts;
  DatasetFacts facts;
  const std::size_t rank = source.layout.extents.size();
  facts.extents = source.layout.extents;
  facts.axes.resize(rank);
  const bool is_picture = source.format == "png" && rank >= 2;
  const std::vector<std::string> habit = is_picture && rank == 3 ? std::vector<std::string>{"y", "x", "c"} : std::vector<std::string>{"t", "z", "y", "x"};
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
    const bool is_of_format = output.source->extras == nullptr || dynamic_cast<const DatasetExtras*>(output.source->extras.get()) == nullptr;
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
  const std::string text = geotiff::not_heeded(stored->facts);
  return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
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
  return facts;
}

DatasetName dataset_name(const std::string& path) {
  const auto without_slashes = [](std::string file) {
    while (file.size() > 1 && file.back() == '/') file.pop_back();
    return file;
  };
  const std::size_t colon = path.rfind(":/");
  if (colon == std::string::npos || colon == 0 || exists(path)) return {without_slashes(path), ""};
  return {without_slashes(path.substr(0, colon)), without_slashes(path.substr(colon + 1))};
}

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

Extents grid_of_words(const std::string& option, const std::string& words, const Extents& extents, const std::vector<std::string>& axes) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::bad_notation,
                fmt::format("{} {}: {}; it is one number an axis, as in 1,512,512, or by names, as in y=512,x=512", option, words, why));
  };
  Extents grid;
  std::vector<bool> is_said(extents.size());
  for (const std::int64_t n : extents) grid.push_back(std::max<std::int64_t>(n, 1));
  std::size_t place = 0;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, comma - at);
    at = comma + 1;
    const std::size_t equals = word.find('='), digits = equals == std::string::npos ? 0 : equals + 1;
    std::size_t axis = place++;
    if (equals != std::string::npos) {
      const auto found = std::find(axes.begin(), axes.end(), word.substr(0, equals));
      if (found == axes.end() || found->empty() || std::count(axes.begin(), axes.end(), *found) > 1)
        refuse(fmt::format("the axes are {}, and none is '{}'", fmt::join(axes, " "), word.substr(0, equals)));
      axis = static_cast<std::size_t>(found - axes.begin());
    }
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(word.data() + digits, word.data() + word.size(), n);
    if (error != std::errc() || end != word.data() + word.size() || n < 1)
      refuse(fmt::format("'{}' is no number of 1 or more", word.substr(digits)));
    if (axis >= extents.size()) refuse(fmt::format("there are {} axes", extents.size()));
    if (is_said[axis]) refuse("an axis is named twice");
    is_said[axis] = true;
    grid[axis] = n;
  }
  if (words.find('=') == std::string::npos && place != extents.size()) refuse(fmt::format("{} numbers for {} axes", place, extents.size()));
  return grid;
}

std::vector<Ranges> boxes_of_grid(const Ranges& box, const Extents& unit) {
  if (is_empty(box)) return {};
  std::int64_t n = 1;
  for (std::size_t a = 0; a < box.size(); ++a) n = multiply(n, (box[a].first + box[a].n - 1) / unit[a] - box[a].first / unit[a] + 1);
  std::vector<Ranges> all(static_cast<std::size_t>(n), box);
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t rest = k;
    for (std::size_t a = box.size(); a-- > 0;) {
      const std::int64_t first_cell = box[a].first / unit[a], end = box[a].first + box[a].n;
      const std::int64_t n_cells = (end - 1) / unit[a] - first_cell + 1, cell = first_cell + rest % n_cells;
      rest /= n_cells;
      const std::int64_t first = std::max(box[a].first, cell * unit[a]), last = std::min(end - cell * unit[a], unit[a]) + cell * unit[a];
      all[static_cast<std::size_t>(k)][a] = {first, last - first};
    }
  }
  return all;
}

Ranges whole_of(const Extents& extents) {
  Ranges all;
  for (const std::int64_t n : extents) all.push_back({0, n});
  return all;
}

void read_box(const Dataset& from, const Ranges& box, std::byte* into, const Extents& strides, Executor& executor) {
  const std::vector<Ranges> boxes = boxes_of_grid(box, from.facts().chunks);
  executor.parallel_for(std::ssize(boxes), [&](std::int64_t k) {
    const Ranges& part = boxes[static_cast<std::size_t>(k)];
    from.read(part, into + place_in(box, part, strides), strides);
  });
}

void write_box(NewDataset& to, const Ranges& box, const std::byte* from, const Extents& strides, Executor& executor) {
  const std::vector<Ranges> boxes = boxes_of_grid(box, to.facts().unit);
  executor.parallel_for(std::ssize(boxes), [&](std::int64_t k) {
    const Ranges& part = boxes[static_cast<std::size_t>(k)];
    to.write(part, from + place_in(box, part, strides), strides);
  });
}

void copy_box(const Extents& extents, std::int64_t element_bytes, const std::byte* from, const Extents& from_strides, std::byte* to,
              const Extents& to_strides) {
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t n) { return n == 0; })) return;
  Copy copy{extents, from_strides, to_strides, element_bytes, extents.size(), element_bytes};
  while (copy.n_axes > 0) {
    const std::size_t axis = copy.n_axes - 1;
    const bool is_dense = from_strides[axis] == copy.run_bytes && to_strides[axis] == copy.run_bytes;
    if (!is_dense && extents[axis] != 1) break;
    copy.run_bytes *= extents[axis];
    --copy.n_axes;
  }
  copy.along(0, from, to);
}

}  // namespace crinkle::tool
