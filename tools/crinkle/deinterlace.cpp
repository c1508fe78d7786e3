// crinkle deinterlace: an array into one file for every index of an axis.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "array_options.hpp"
#include "base/checked.hpp"
#include "command.hpp"

namespace crinkle::tool {
namespace {

struct Options {
  ArrayOptions arrays;
  std::string input;
  std::vector<std::string> outputs;
};

void run_deinterlace(const Options& o) {
  check_arrays(o.arrays, {o.input}, o.outputs);
  const auto source = o.arrays.open(o.input);
  const ArrayFacts& facts = source->facts();
  const Rearrangement map = deinterlace(facts.layout, o.arrays.axis);
  const auto n = std::ssize(o.outputs);
  Extents extents = facts.layout.extents;
  const auto axis = extents.begin() + (o.arrays.axis < 0 ? o.arrays.axis + std::ssize(extents) : o.arrays.axis);
  const std::int64_t inner = Layout::dense(Extents(axis + 1, extents.end()), 1).n_elements();
  if (*axis != n) {
    throw Error(ErrorCode::bad_shape, fmt::format("{}: axis {} has {} indices, and there are {} outputs; give one for each",
                                                  described(facts.path, facts.layout.extents, facts.type), o.arrays.axis, *axis, n));
  }
  extents.erase(axis);

  SeveralFiles files;
  files.inputs.push_back(source.get());
  std::vector<std::string> what;
  for (const std::string& output : o.outputs) {
    files.outputs.push_back({output, {extents, facts.type, &facts}});
    what.push_back(described(output, extents, facts.type));
  }
  files.what = described(facts.path, facts.layout.extents, facts.type) + " -> " + enumerated(what);
  files.verify = [&](std::span<const std::span<std::byte>> outputs, Executor&) {
    const auto e = static_cast<std::size_t>(facts.layout.element_bytes);
    for_each_element(facts.layout, [&](std::int64_t i, std::int64_t at) {
      const std::int64_t k = i / inner % n, to = i / inner / n * inner + i % inner;
      const auto file = static_cast<std::size_t>(k);
      if (std::memcmp(source->bytes().data() + at, outputs[file].data() + static_cast<std::size_t>(to) * e, e) == 0) return;
      throw Error(ErrorCode::bad_file, fmt::format("{}: element {} is not what taking apart should have written", o.outputs[file], to));
    });
  };
  run_several(map, {{source->bytes().data(), std::ssize(source->bytes())}}, files, o.arrays.running);
}

}  // namespace

Action add_deinterlace(CLI::App& app) {
  CLI::App* command = app.add_subcommand("deinterlace", "Take an array apart along an axis, a file for every index");
  auto o = std::make_shared<Options>();
  command->add_option("INPUT", o->input, ".npy, .png, .nii, .nii.gz, raw with --shape")->required();
  command->add_option("-o,--output", o->outputs, "as many files as the axis has indices")->type_name("FILE ...")->required();
  o->arrays.add_to(*command);
  command->footer(
      "Examples:\n"
      "  crinkle deinterlace picture.png -o red.png green.png blue.png\n"
      "  crinkle deinterlace stacked.npy --axis 0 -o first.npy second.npy third.npy --verify\n"
      "  crinkle deinterlace xy.raw --shape 512,512,2 --dtype float32 -o first.raw second.raw");
  return [o] { run_deinterlace(*o); };
}

}  // namespace crinkle::tool
