// crinkle info: what a file holds.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "formats/source.hpp"
#include "plan/describe.hpp"
#include "shared_options.hpp"

namespace crinkle::tool::info_command {
namespace {

struct Options {
  std::string path;
  bool is_json = false;
};

void run_info(const Options& o) {
  const auto source = Source::open(o.path);
  const ArrayFacts& facts = source->facts();
  const std::int64_t n_bytes = facts.layout.n_bytes();
  Layout from_origin = facts.layout;
  from_origin.offset = 0;
  const bool is_c_order = from_origin.is_dense();
  if (o.is_json) {
    const nlohmann::ordered_json j{
        {"path", o.path},           {"format", facts.format},    {"shape", facts.layout.extents},     {"strides", facts.layout.strides},
        {"dtype", facts.type.name}, {"descr", facts.type.descr}, {"element_bytes", facts.type.bytes}, {"bytes", n_bytes},
        {"is_c_order", is_c_order}, {"notes", facts.notes}};
    fmt::print("{}\n", j.dump(2));
    return;
  }
  fmt::print("{}\n  format    {}\n  shape     {}\n  type      {} ({}), {} byte{} an element\n  order     {}\n  data      {}\n", o.path,
             facts.format, print_shape(facts.layout.extents), spelled(facts.type), facts.type.descr, facts.type.bytes,
             facts.type.bytes == 1 ? "" : "s", is_c_order ? "C, the last axis fastest" : "strided, not C",
             plan::print_bytes(static_cast<double>(n_bytes)));
  for (const std::string& note : facts.notes) fmt::print("  note      {}\n", note);
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("info", "Say what a file holds");
  c.argument("FILE", o->path, ".npy, .png, .nii or .nii.gz").file({".npy", ".png", ".nii", ".nii.gz"}).required();
  add_json(c, o->is_json);
  c.examples = {"crinkle info volume.nii.gz", "crinkle info picture.png --json"};
  c.action = [o] { run_info(*o); };
  return c;
}

const Registered registered(100, declare);

}  // namespace
}  // namespace crinkle::tool::info_command
