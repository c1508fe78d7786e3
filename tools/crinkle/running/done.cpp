// Reports of what was done, and of what would be.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "base/checked.hpp"
#include "files/arrays.hpp"
#include "running/planning.hpp"
#include "running/work.hpp"

namespace crinkle::tool {

void Done::include(nlohmann::ordered_json& list, const std::string& path, const Extents& extents, const ElementType& type) {
  list.push_back({{"name", path}, {"shape", extents}, {"type", spelled(type)}});
  bytes = add(bytes, Layout::dense(extents, type.bytes).n_bytes());
}

void print_done(const WorkOptions& options, const Done& done, const nlohmann::ordered_json& more) {
  nlohmann::ordered_json facts{
      {"operation", done.operation}, {"device", done.device.kind == Device::Kind::cuda ? facts_of(done.device).name : "cpu"},
      {"inputs", done.inputs},       {"outputs", done.outputs},
      {"bytes", done.bytes},         {"bytes_moved", done.bytes_moved}};
  if (done.n_devices > 1) facts["devices"] = done.n_devices;
  if (!options.is_dry) facts["seconds"] = done.seconds;
  if (!options.memory.empty()) facts["memory"] = parse_bytes("--memory", options.memory);
  if (done.seconds > 0) facts["gb_per_s"] = static_cast<double>(done.bytes) / done.seconds * 1e-9;
  if (options.is_verified && !options.is_dry) facts["verified"] = true;
  if (more.is_object()) facts.update(more);
  fmt::print("{}\n", facts.dump(2));
}

void print_dry(const WorkOptions& options, const Done& done, const std::string& path, const std::string& words) {
  if (options.is_json) print_done(options, done, {{"dry_run", true}, {"output", path}, {"what", words}});
  else fmt::print(path == "-" ? stderr : stdout, "{}\n", words);
}

}  // namespace crinkle::tool
