// SPDX-License-Identifier: BSD-3-Clause
#include "move/describe.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "move/cuda/compiled.hpp"
#include "plan/describe.hpp"

namespace crinkle {
namespace {

nlohmann::ordered_json described(const Layout& layout) {
  return {{"extents", layout.extents}, {"strides", layout.strides}, {"offset", layout.offset}, {"element_bytes", layout.element_bytes}};
}

nlohmann::ordered_json describe_gathers(const PlannedStep& step) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const EntryTable& g : step.gathers()) list.push_back({{"entries", g.n_entries}, {"has_fills", !g.fills.empty()}});
  return list;
}

nlohmann::ordered_json describe_schedules(const PlannedStep& step) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const planning::Schedule& s : step.on_cpu.schedules) {
    nlohmann::ordered_json schedule{{"regime", planning::name_of(s.regime)}, {"element_bytes", s.element}, {"bytes", s.n_bytes}};
    if (s.swapped > 0) schedule["swapped_bytes"] = s.swapped;
    if (is_reversed(s)) schedule["is_reversed"] = true;
    list.push_back(std::move(schedule));
  }
  return list;
}

std::string print_schedules(const PlannedStep& step) {
  std::string text;
  for (const planning::Schedule& s : step.on_cpu.schedules) {
    text += fmt::format("  swept as {}: {} in elements of {} bytes{}\n", planning::name_of(s.regime),
                        planning::print_bytes(static_cast<double>(s.n_bytes)), s.element,
                        s.swapped > 0    ? fmt::format(", items of {} bytes turned round", s.swapped)
                        : is_reversed(s) ? ", the last item first"
                                         : "");
  }
  return text;
}

nlohmann::ordered_json describe_exchanges(const std::vector<planning::Exchange>& exchanges) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const planning::Exchange& x : exchanges)
    list.push_back({{"kind", planning::name_of(x.kind)}, {"element_bytes", x.element}, {"bytes", x.n_bytes}});
  return list;
}

std::string print_exchanges(const std::vector<planning::Exchange>& exchanges) {
  std::string text;
  for (const planning::Exchange& x : exchanges)
    text +=
        fmt::format("{} {} {}", text.empty() ? "" : ",", planning::name_of(x.kind), planning::print_bytes(static_cast<double>(x.n_bytes)));
  return "runs in place:" + (text.empty() ? " nothing moves" : text) + "\n";
}

/// Boxes that are repeated by index arrays have no tiles on a GPU: every thread moves units of its own.
nlohmann::ordered_json describe_pass(const PlannedStep& s, const Machine& machine) {
  nlohmann::ordered_json pass = planning::describe(s.pass, machine, machine.kind == MachineKind::gpu && s.gathers().empty());
  pass["predicted_fraction"] = s.predicted_fraction(machine);
  return pass;
}

}  // namespace

std::string describe_json(const PlannedMove& move, const Layout* source, const Layout* destination) {
  nlohmann::ordered_json j{{"machine", move.machine.name}};
  if (source != nullptr) j["source"] = described(*source);
  if (destination != nullptr) j["destination"] = described(*destination);
  j["bytes_moved"] = move.bytes_moved;
  j["workspace_bytes"] = move.workspace_bytes;
  if (!move.why.empty()) j["why_several_steps"] = move.why;
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const PlannedStep& s : move.steps) {
    nlohmann::ordered_json step = describe_pass(s, move.machine);
    if (!s.gathers().empty()) {
      step["gathers"] = describe_gathers(s);  // the boxes and bytes are those of one entry
      step["entries_in_all"] = s.n_entries();
    }
    if (!s.chosen.empty()) step["chosen"] = s.chosen;
    if (s.compiled != nullptr) step["compiled"] = describe(*s.compiled);
    if (move.machine.kind == MachineKind::cpu) step["schedules"] = describe_schedules(s);
    steps.push_back(std::move(step));
  }
  j["steps"] = steps;
  j["can_run_in_place"] = move.can_run_in_place();
  if (move.exchanges) j["exchanges"] = describe_exchanges(*move.exchanges);
  return j.dump(2);
}

std::string describe(const PlannedMove& move, const Layout* source, const Layout* destination) {
  std::string text;
  if (source != nullptr && destination != nullptr) {
    text += fmt::format("{} of {} bytes -> {}, on {}\n", print_shape(source->extents), source->element_bytes,
                        print_shape(destination->extents), move.machine.name);
  }
  if (move.steps.size() > 1) {
    text += fmt::format("{} steps through a workspace of {}: {}\n", move.steps.size(),
                        planning::print_bytes(static_cast<double>(move.workspace_bytes)), move.why);
  }
  for (const PlannedStep& s : move.steps) {
    for (const EntryTable& g : s.gathers()) {
      text += fmt::format("gathered by an index array of {} entries{}; for each of them\n", g.n_entries,
                          g.fills.empty() ? "" : ", some of them fill");
    }
    text += planning::print(describe_pass(s, move.machine)) + print_schedules(s);
    if (!s.chosen.empty()) text += "  " + s.chosen + "\n";
    if (s.compiled != nullptr) text += "  " + describe(*s.compiled) + "\n";
  }
  if (move.exchanges) text += print_exchanges(*move.exchanges);
  if (move.exchanges_on_gpu != nullptr) text += "can run in place\n";
  return text;
}

}  // namespace crinkle
