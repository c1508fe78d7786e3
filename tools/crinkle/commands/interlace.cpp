// crinkle interlace: arrays of one shape into one array, along a new axis. crinkle deinterlace: an array into one file for every index of
// an axis.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "files/arrays.hpp"
#include "files/number_file.hpp"
#include "formats/alike.hpp"
#include "formats/dataset.hpp"
#include "formats/nifti.hpp"
#include "running/progress.hpp"
#include "running/run.hpp"
#include "running/several.hpp"
#include "words/axis_names.hpp"

namespace crinkle::tool::interlace_command {
namespace {

struct Options {
  std::vector<std::string> inputs, outputs;
  RawInput raw;
  std::string values;     // "": numbers are as stored
  std::string axis_word;  // "": the slowest of volumes, otherwise the fastest
  std::int64_t axis = -1;
  Running running;

  void add_to(Command& c) {
    c.option("--axis", "AXIS", axis_word, "the axis that counts the arrays: t, or 0 (slowest) to -1 (fastest)")
        .manual(
            "Left out: the fastest, so that records lie together; where the input is a NIfTI volume, the slowest. A volume's axes are "
            "called t, z, y and x, a picture's y, x and c.")
        .axis();
    raw.add_to(c);
    running.add_to(c);
  }
  std::unique_ptr<Source> open(const std::string& path) const {
    auto source = raw.open(path);
    return values.empty() ? std::move(source) : values_of(*source, values);
  }
  /// Array k as it lies in the array that has the axis.
  Layout part_of(const Layout& whole, std::int64_t k) const {
    Layout part = whole;
    const std::ptrdiff_t place = place_of_axis(whole.extents);
    part.offset += k * whole.strides[static_cast<std::size_t>(place)];
    part.extents.erase(part.extents.begin() + place);
    part.strides.erase(part.strides.begin() + place);
    return part;
  }
  /// The change to an array without the axis that comes out of the one that has it: its index `at` there.
  SpatialChange without_axis(const Extents& extents, std::int64_t at) const {
    SpatialChange change;
    change.fixed.assign(extents.size(), 0.0);
    const std::ptrdiff_t place = place_of_axis(extents);
    change.fixed[static_cast<std::size_t>(place)] = static_cast<double>(at);
    for (int a = 0; a < std::ssize(extents); ++a)
      if (a != place) change.axes.push_back({.source_axis = a});
    return change;
  }
  /// The change to the array that has the axis, made of arrays without it.
  SpatialChange with_axis(const Extents& extents) const {
    SpatialChange change;
    const std::ptrdiff_t place = place_of_axis(extents);
    for (int a = 0; a < std::ssize(extents); ++a) change.axes.push_back({.source_axis = a == place ? -1 : a < place ? a : a - 1});
    return change;
  }
  std::ptrdiff_t place_of_axis(const Extents& extents) const { return axis < 0 ? axis + std::ssize(extents) : axis; }
};

// Names and options, before anything is opened.
void check(const Options& o) {
  o.running.check(o.outputs.front(), "");
  o.raw.facts(o.inputs.front());
  for (const std::string& input : o.inputs) check_names(input, o.raw.is(), o.outputs.front());
  for (const std::string& output : o.outputs) check_names(o.inputs.front(), o.raw.is(), output);
}

// A grey picture without its channel, so that three of them are a picture in colour.
Layout array_of(const ArrayFacts& facts) {
  Layout array = facts.layout;
  array.offset = 0;
  if (facts.format == "png" && array.extents.size() == 3 && array.extents[2] == 1) {
    array.extents.pop_back();
    array.strides.pop_back();
  }
  return array;
}

std::int64_t usual_axis(const ArrayFacts& facts) { return facts.format == "nifti" ? 0 : -1; }

// A name with {} stands for one file an index: vol_{}.nii for vol_00.nii to vol_11.nii, which sort as they are counted.
std::vector<std::string> numbered(const std::vector<std::string>& outputs, std::int64_t n) {
  const std::size_t at = outputs.front().find("{}");
  if (outputs.size() != 1 || at == std::string::npos) return outputs;
  if (outputs.front().find("{}", at + 2) != std::string::npos) refuse(outputs.front() + ": {} stands for the number once, not twice");
  constexpr std::int64_t most = 10000;
  if (n > most)
    throw Error(ErrorCode::too_large,
                fmt::format("{}: the axis has {} indices, and at most {} files are numbered", outputs.front(), n, most));
  std::vector<std::string> names;
  const std::size_t width = std::to_string(std::max<std::int64_t>(n - 1, 0)).size();
  for (std::int64_t k = 0; k < n; ++k) names.push_back(std::string(outputs.front()).replace(at, 2, fmt::format("{:0{}}", k, width)));
  return names;
}

// Every array is as the first.
void check_alike(const ArrayFacts& first, const ArrayFacts& other) {
  const bool have_one_shape = array_of(first).extents == array_of(other).extents;
  if (!have_one_shape || first.type.descr != other.type.descr) {
    const bool is_order = have_one_shape && first.type.name == other.type.name && !first.type.name.empty();
    throw Error(ErrorCode::bad_shape, described(first.path, first.layout.extents, first.type) + " and " +
                                          described(other.path, other.layout.extents, other.type) + " are not alike" +
                                          (is_order ? ": their byte orders differ, " + first.type.descr + " and " + other.type.descr : ""));
  }
}

// Interlaces arrays that lie alike by one map with a slot axis; others by boxes for those in C order and those in Fortran order.
Rearrangement interlace_all(const std::vector<Layout>& arrays, const Options& o) {
  const auto n = std::ssize(arrays);
  Rearrangement map = interlace(arrays[0], n, o.axis);
  if (std::all_of(arrays.begin(), arrays.end(), [&](const Layout& each) { return each == arrays[0]; })) return map;
  const Layout& whole = map.destination();
  Steps steps;
  steps.steps.emplace_back();
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    for (Box box : Rearrangement(arrays[static_cast<std::size_t>(k)]).into(o.part_of(whole, k)).boxes()) {
      box.src_slot = static_cast<std::int32_t>(k);
      steps.steps[0].boxes.push_back(box);
    }
  }
  return Rearrangement(arrays[0], whole, std::move(steps));
}

// Throws bad_file unless the array `to` has the elements of the array `from`.
void verify(const Layout& from, ConstBuffer source, const Layout& to, std::span<const std::byte> made, const std::string& path) {
  const std::span bytes(static_cast<const std::byte*>(source.data), static_cast<std::size_t>(source.bytes));
  const std::int64_t wrong = first_difference(Rearrangement(from).into(to), bytes, Form::elements, made, Form::elements);
  if (wrong >= 0) throw Error(ErrorCode::bad_file, fmt::format("{}: element {} is not what should have been written", path, wrong));
}

// Numbers that mean different values, or voxels of different places, are not put into one file under the first one's header.
void check_metadata(const ArrayFacts& first, const ArrayFacts& other, const std::string& output) {
  std::optional<std::string> difference = scale_difference(first, other);
  const bool is_scale = difference.has_value();
  if (!is_scale && (output.ends_with(".nii") || output.ends_with(".nii.gz"))) difference = nifti_difference(first, other);
  if (!difference) return;
  throw Error(ErrorCode::unsupported, *difference + (is_scale ? "; --values float64 writes the values, slope times number plus intercept"
                                                              : "; .npy and raw outputs do not say such things and take both"));
}

void run_interlace(const Options& given) {
  check(given);
  Options o = given;
  const std::string& to_path = o.outputs.front();
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& input : o.inputs) {
    sources.push_back(o.open(input));
    check_alike(sources[0]->facts(), sources.back()->facts());
    check_metadata(sources[0]->facts(), sources.back()->facts(), to_path);
  }
  const ArrayFacts& first = sources[0]->facts();
  std::vector<Layout> arrays;
  for (const auto& source : sources) arrays.push_back(array_of(source->facts()));
  const auto n = static_cast<std::int64_t>(sources.size());
  o.axis = o.axis_word.empty() ? usual_axis(first) : new_axis_of(o.axis_word, first, arrays[0].extents, "--axis");
  const Rearrangement map = interlace_all(arrays, o);
  const Extents& extents = map.destination().extents;

  SeveralFiles files;
  const auto buffers = [&] {
    std::vector<ConstBuffer> all;
    for (const auto& source : sources) {
      const auto data = source->bytes().subspan(static_cast<std::size_t>(source->facts().layout.offset));
      all.push_back({data.data(), std::ssize(data)});
    }
    return all;
  };
  std::vector<std::string> what;
  for (const auto& source : sources) {
    files.inputs.push_back(source.get());
    what.push_back(described(source->facts().path, first.layout.extents, first.type));
  }
  const SpatialChange change = o.with_axis(extents);
  ArrayFacts alike = first;
  if (names_dataset(to_path)) {  // others have no place for such things
    std::vector<const ArrayFacts*> all;
    std::vector<std::string> notes;
    for (const auto& source : sources) all.push_back(&source->facts());
    alike = said_alike(all, notes);
    print_notes(notes);
  }
  files.outputs.push_back({to_path, {extents, first.type, &alike, &change}});
  files.what = enumerated(what) + " -> " + described(to_path, extents, first.type);
  files.verify = [&](std::span<const std::span<std::byte>> outputs, Executor& executor) {
    const std::vector<ConstBuffer> all = buffers();
    executor.parallel_for(n, [&](std::int64_t k) {
      const auto array = static_cast<std::size_t>(k);
      verify(arrays[array], all[array], o.part_of(map.destination(), k), outputs[0], to_path);
    });
  };
  run_several(map, buffers, files, o.running);
}

void run_deinterlace(const Options& given) {
  check(given);
  Options o = given;
  const auto source = o.open(o.inputs.front());
  const ArrayFacts& facts = source->facts();
  o.axis = o.axis_word.empty() ? usual_axis(facts) : axis_of(o.axis_word, facts, "--axis");
  const Rearrangement map = deinterlace(facts.layout, o.axis);
  Extents extents = facts.layout.extents;
  const auto axis = extents.begin() + o.place_of_axis(extents);
  o.outputs = numbered(o.outputs, *axis);
  const auto n = std::ssize(o.outputs);
  if (*axis != n) {
    throw Error(ErrorCode::bad_shape,
                fmt::format("{}: axis {} has {} indices, and there are {} outputs; give one for each, or one name with {{}} for the number",
                            described(facts.path, facts.layout.extents, facts.type),
                            told_axis(static_cast<std::size_t>(o.place_of_axis(facts.layout.extents)), names_of_axes(facts)), *axis, n));
  }
  extents.erase(axis);

  SeveralFiles files;
  files.inputs.push_back(source.get());
  std::vector<std::string> what;
  std::vector<SpatialChange> changes;
  for (std::int64_t k = 0; k < n; ++k) changes.push_back(o.without_axis(facts.layout.extents, k));
  for (const std::string& output : o.outputs) {
    files.outputs.push_back({output, {extents, facts.type, &facts, &changes[files.outputs.size()]}});
    what.push_back(described(output, extents, facts.type));
  }
  files.what = described(facts.path, facts.layout.extents, facts.type) + " -> " + enumerated(what);
  const ConstBuffer whole{source->bytes().data(), std::ssize(source->bytes())};
  files.verify = [&](std::span<const std::span<std::byte>> outputs, Executor& executor) {
    executor.parallel_for(n, [&](std::int64_t k) {
      const auto file = static_cast<std::size_t>(k);
      verify(o.part_of(facts.layout, k), whole, Layout::dense(extents, facts.type.bytes), outputs[file], o.outputs[file]);
    });
  };
  run_several(map, {whole}, files, o.running);
}

Command declare_interlace() {
  auto o = std::make_shared<Options>();
  Command c("interlace", "Put arrays of one shape together along a new axis");
  c.argument("INPUT", o->inputs, fmt::format("arrays of one shape and type: {}", arrays_read)).file().required();
  c.option("-o,--output", "FILE", o->outputs.emplace_back(), arrays_written).file().required();
  o->add_to(c);
  c.option("--values", "TYPE", o->values, "write the values that NIfTI's numbers mean: float32 or float64")
      .only({"float32", "float64"})
      .manual(
          "Slope times number plus intercept, computed in float64; the output's slope is 1. Volumes whose slopes or intercepts differ "
          "are refused without it. All values are held in memory. Numbers of other files are values already.");
  c.examples = {"crinkle interlace red.npy green.npy blue.npy -o interlaced.npy",
                "crinkle interlace red.npy green.npy blue.npy -o stacked.npy --axis 0 --verify",
                "crinkle interlace before.nii after.nii -o both.nii --axis t --values float32",
                "crinkle interlace x.raw y.raw --shape 512,512 --dtype float32 -o xy.raw"};
  c.action = [o] { run_interlace(*o); };
  return c;
}

Command declare_deinterlace() {
  auto o = std::make_shared<Options>();
  Command c("deinterlace", "Take an array apart along an axis, a file for every index");
  c.argument("INPUT", o->inputs.emplace_back(), arrays_read).file().required();
  c.option("-o,--output", "FILE", o->outputs,
           "as many files as the axis has indices, or one name with {} for the number, of the same kinds")
      .list()
      .file()
      .required()
      .manual("Numbers begin with 0 and have as many digits as the last: *vol_{}.nii.gz* is *vol_00.nii.gz* to *vol_11.nii.gz*.");
  o->add_to(c);
  c.examples = {"crinkle deinterlace picture.png -o red.png green.png blue.png",
                "crinkle deinterlace stacked.npy --axis 0 -o first.npy second.npy third.npy --verify",
                "crinkle deinterlace series.nii.gz --axis t -o 'vol_{}.nii.gz'",
                "crinkle deinterlace xy.raw --shape 512,512,2 --dtype float32 -o first.raw second.raw"};
  c.action = [o] { run_deinterlace(*o); };
  return c;
}

const Registered interlace_registered(40, declare_interlace), deinterlace_registered(50, declare_deinterlace);

}  // namespace
}  // namespace crinkle::tool::interlace_command
