// crinkle explain: the plan of a move, for any machine, without data.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "command_line/shared_options.hpp"
#include "plan/machine.hpp"
#include "running/run.hpp"
#include "words/wish.hpp"

namespace crinkle::tool::explain_command {
namespace {

struct Options {
  Wish wish;
  std::string shape, dtype, machine = "this";
  bool is_json = false;
};

void run_explain(const Options& o) {
  o.wish.refuse_bit_planes("explain");
  const auto [layout, type] = array_of(o.shape, o.dtype);
  const Rearrangement map = resolve(o.wish, layout, type).map;
  const Plan plan(map, o.machine);
  if (o.is_json) return fmt::print("{}\n", plan.describe_json());
  const bool is_here = Machine::named(o.machine).kind == MachineKind::cpu;
  fmt::print("{}{}", plan.describe(), is_here ? describe_slabs(map, Form::elements, Form::elements) : "");
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("explain", "Describe the plan of a move, for this or another machine");
  o->wish.add_to(c);
  add_shape(c, o->shape, "the source").required();
  add_dtype(c, o->dtype, "the source");
  c.option("--machine", "NAME", o->machine, "this or h200").such_as({"this", "h200"});
  add_json(c, o->is_json);
  c.examples = {"crinkle explain 'z y x -> x y z' --shape 512,512,1024 --dtype float32 --machine h200",
                "crinkle explain 'y x -> y x' --roll x=1 --shape '[8192][8192][float32]' --json"};
  c.action = [o] { run_explain(*o); };
  return c;
}

const Registered registered(80, declare);

}  // namespace
}  // namespace crinkle::tool::explain_command
