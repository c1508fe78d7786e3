// crinkle explain: the plan of a move, for any machine, without data.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "plan/machine.hpp"
#include "run.hpp"
#include "wish.hpp"

namespace crinkle::tool {

Action add_explain(CLI::App& app) {
  struct Options {
    Wish wish;
    std::string shape, dtype, machine = "this";
    bool is_json = false;
  };
  CLI::App* command = app.add_subcommand("explain", "Describe the plan of a move, for this or another machine");
  auto o = std::make_shared<Options>();
  o->wish.add_to(*command);
  command->add_option("--shape", o->shape, "of the source: 64,512,512 or [64][512][512][float32]")->type_name("SHAPE")->required();
  command->add_option("--dtype", o->dtype, "of the source: float32, '<f4', …")->type_name("TYPE");
  command->add_option("--machine", o->machine, "this or h200")->type_name("NAME")->capture_default_str();
  command->add_flag("--json", o->is_json, "print JSON");
  command->footer(
      "Examples:\n"
      "  crinkle explain 'z y x -> x y z' --shape 512,512,1024 --dtype float32 --machine h200\n"
      "  crinkle explain 'y x -> y x' --roll x=1 --shape '[8192][8192][float32]' --json");
  return [o] {
    o->wish.refuse_bit_planes("explain");
    const auto [layout, type] = array_of(o->shape, o->dtype);
    const Rearrangement map = resolve(o->wish, layout, type).map;
    const Plan plan(map, o->machine);
    if (o->is_json) return fmt::print("{}\n", plan.describe_json());
    const bool is_here = Machine::named(o->machine).kind == MachineKind::cpu;
    fmt::print("{}{}", plan.describe(), is_here ? describe_slabs(map, Form::elements, Form::elements) : "");
  };
}

}  // namespace crinkle::tool
