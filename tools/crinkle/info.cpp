// crinkle info: what a file holds.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "formats/source.hpp"
#include "plan/describe.hpp"

namespace crinkle::tool {

Action add_info(CLI::App& app) {
  struct Options {
    std::string path;
    bool is_json = false;
  };
  CLI::App* command = app.add_subcommand("info", "Say what a file holds");
  auto o = std::make_shared<Options>();
  command->add_option("FILE", o->path, ".npy, .png, .nii or .nii.gz")->required();
  command->add_flag("--json", o->is_json, "print JSON");
  command->footer("Examples:\n  crinkle info volume.nii.gz\n  crinkle info picture.png --json");
  return [o] {
    const auto source = Source::open(o->path);
    const ArrayFacts& facts = source->facts();
    const std::int64_t n_bytes = facts.layout.n_bytes();
    Layout from_origin = facts.layout;
    from_origin.offset = 0;
    const bool is_c_order = from_origin.is_dense();
    if (o->is_json) {
      const nlohmann::ordered_json j{
          {"path", o->path},          {"format", facts.format},    {"shape", facts.layout.extents},     {"strides", facts.layout.strides},
          {"dtype", facts.type.name}, {"descr", facts.type.descr}, {"element_bytes", facts.type.bytes}, {"bytes", n_bytes},
          {"is_c_order", is_c_order}, {"notes", facts.notes}};
      fmt::print("{}\n", j.dump(2));
      return;
    }
    fmt::print("{}\n  format    {}\n  shape     {}\n  type      {} ({}), {} byte{} an element\n  order     {}\n  data      {}\n", o->path,
               facts.format, print_shape(facts.layout.extents), spelled(facts.type), facts.type.descr, facts.type.bytes,
               facts.type.bytes == 1 ? "" : "s", is_c_order ? "C, the last axis fastest" : "strided, not C",
               plan::print_bytes(static_cast<double>(n_bytes)));
    for (const std::string& note : facts.notes) fmt::print("  note      {}\n", note);
  };
}

}  // namespace crinkle::tool
