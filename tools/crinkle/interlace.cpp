// crinkle interlace: arrays of one shape into one array, along a new axis.
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
  std::vector<std::string> inputs;
  std::string output;
};

// Every array is as the first.
void check_alike(const ArrayFacts& first, const ArrayFacts& other) {
  if (first.layout.extents != other.layout.extents || first.type.descr != other.type.descr) {
    const bool is_order = first.layout.extents == other.layout.extents && first.type.name == other.type.name && !first.type.name.empty();
    throw Error(ErrorCode::bad_shape, described(first.path, first.layout.extents, first.type) + " and " +
                                          described(other.path, other.layout.extents, other.type) + " are not alike" +
                                          (is_order ? ": their byte orders differ, " + first.type.descr + " and " + other.type.descr : ""));
  }
  if (first.layout.strides != other.layout.strides) {
    throw Error(ErrorCode::unsupported,
                first.path + " and " + other.path +
                    " list their axes in different orders, C and Fortran; crinkle move '... -> ...' writes either in "
                    "C order");
  }
}

void run_interlace(const Options& o) {
  check_arrays(o.arrays, o.inputs, {o.output});
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& input : o.inputs) {
    sources.push_back(o.arrays.open(input));
    check_alike(sources[0]->facts(), sources.back()->facts());
  }
  const ArrayFacts& first = sources[0]->facts();
  Layout each = first.layout;
  each.offset = 0;
  const auto n = static_cast<std::int64_t>(sources.size());
  const Rearrangement map = interlace(each, n, o.arrays.axis);
  const Extents& extents = map.destination().extents;

  SeveralFiles files;
  std::vector<ConstBuffer> buffers;
  std::vector<std::string> what;
  for (const auto& source : sources) {
    const auto data = source->bytes().subspan(static_cast<std::size_t>(source->facts().layout.offset));
    buffers.push_back({data.data(), std::ssize(data)});
    files.inputs.push_back(source.get());
    what.push_back(described(source->facts().path, each.extents, first.type));
  }
  files.outputs.push_back({o.output, {extents, first.type, &first}});
  files.what = enumerated(what) + " -> " + described(o.output, extents, first.type);
  files.verify = [&](std::span<const std::span<std::byte>> outputs, Executor& executor) {
    const auto e = static_cast<std::size_t>(each.element_bytes);
    const std::size_t new_axis = static_cast<std::size_t>(o.arrays.axis < 0 ? o.arrays.axis + std::ssize(extents) : o.arrays.axis);
    const std::int64_t inner =
        Layout::dense(Extents(extents.begin() + static_cast<std::ptrdiff_t>(new_axis) + 1, extents.end()), 1).n_elements();
    executor.parallel_for(n, [&](std::int64_t k) {
      const auto* const from = static_cast<const std::byte*>(buffers[static_cast<std::size_t>(k)].data);
      for_each_element(each, [&](std::int64_t i, std::int64_t at) {
        const std::int64_t to = (i / inner * n + k) * inner + i % inner;
        if (std::memcmp(from + at, outputs[0].data() + static_cast<std::size_t>(to) * e, e) == 0) return;
        throw Error(ErrorCode::bad_file, fmt::format("{}: element {} is not what interlacing should have written", o.output, to));
      });
    });
  };
  run_several(map, buffers, files, o.arrays.running);
}

}  // namespace

Action add_interlace(CLI::App& app) {
  CLI::App* command = app.add_subcommand("interlace", "Put arrays of one shape together along a new axis");
  auto o = std::make_shared<Options>();
  command->add_option("INPUT", o->inputs, "arrays of one shape and type: .npy, .png, .nii, .nii.gz, raw with --shape")->required();
  command->add_option("-o,--output", o->output, "the file; - for raw on standard output")->type_name("FILE")->required();
  o->arrays.add_to(*command);
  command->footer(
      "Examples:\n"
      "  crinkle interlace red.npy green.npy blue.npy -o interlaced.npy\n"
      "  crinkle interlace red.npy green.npy blue.npy -o stacked.npy --axis 0 --verify\n"
      "  crinkle interlace x.raw y.raw --shape 512,512 --dtype float32 -o xy.raw");
  return [o] { run_interlace(*o); };
}

}  // namespace crinkle::tool
