// crinkle explain: the plan of a move, for any machine, without data.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "command_line/shared_options.hpp"
#include "crinkle/devices.hpp"
#include "distribute/axis_names.hpp"
#include "plan/machine.hpp"
#include "running/run.hpp"
#include "words/wish.hpp"

namespace crinkle::tool::explain_command {
namespace {

struct Options {
  Wish wish;
  std::string shape, dtype, machine = "this", layout, links;
  bool is_json = false;
};

// What several GPUs would send each other.
void explain_links(const Options& o, const Rearrangement& map) {
  if (o.is_json) throw Error(ErrorCode::bad_notation, "--json is of a plan; what devices send each other is told in words");
  const std::size_t arrow = o.layout.find("->");
  const std::string source = o.layout.substr(0, arrow), destination = arrow == std::string::npos ? source : o.layout.substr(arrow + 2);
  const Distribution from(map.source().extents, distributed::source_names(map), source),
      to(map.destination().extents, distributed::destination_names(map), destination);
  fmt::print("{}", describe_links(map, from, to, DeviceLinks::named(o.links.empty() ? "nvlink4" : o.links)));
}

void run_explain(const Options& o) {
  o.wish.refuse_bit_planes("explain");
  const auto [layout, type] = array_of(o.shape, o.dtype);
  const Rearrangement map = resolve(o.wish, layout, type).map;
  if (!o.links.empty() && o.layout.empty()) throw Error(ErrorCode::bad_notation, "--links are between the devices of a --layout; give one");
  if (!o.layout.empty()) return explain_links(o, map);
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
  c.option("--layout", "LAYOUT", o->layout, "tell what GPUs would send each other whose parts are these: 'y:block(8) -> x:block(8)'")
      .manual(
          "Which GPU holds what of the source and, behind the arrow, of the result; one layout is that of both. An axis is in even parts, "
          "`y:block(4)`, in cells that go round, `y:cyclic(4,64)`, or cut, `y:cuts(0,10,64)`. Told are the bytes over every link and the "
          "time that the links' rate predicts. No GPU is needed.");
  c.option("--links", "LINKS", o->links, "between these GPUs: nvlink4 or pcie5").only({"nvlink4", "pcie5"});
  add_json(c, o->is_json);
  c.examples = {"crinkle explain 'z y x -> x y z' --shape 512,512,1024 --dtype float32 --machine h200",
                "crinkle explain 'y x -> x y' --shape '[65536][65536][float32]' --layout 'y:block(8) -> x:block(8)' --links nvlink4",
                "crinkle explain 'y x -> y x' --roll x=1 --shape '[8192][8192][float32]' --json"};
  c.action = [o] { run_explain(*o); };
  return c;
}

const Registered registered(80, declare);

}  // namespace
}  // namespace crinkle::tool::explain_command
