// crinkle draw: a picture of a move.
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>

#include "command_line/shared_options.hpp"
#include "files/picture.hpp"
#include "plan/draw/draw.hpp"
#include "plan/pass.hpp"
#include "words/wish.hpp"

namespace crinkle::tool::draw_command {

namespace {

// A block of the first entry of the plan, which has the lowest destination bytes.
std::string draw_first_tile(const Rearrangement& map, const Machine& machine, const planning::DrawOptions& options, std::uint32_t block) {
  if (machine.kind != MachineKind::gpu)
    throw Error(ErrorCode::unsupported, "tiles are drawn for a GPU: --machine h200, not " + machine.name);
  const planning::Pass pass = planning::plan_pass(map.boxes(), machine);
  if (pass.entries.empty()) throw Error(ErrorCode::bad_shape, "an empty array has no tiles");
  const Box box = planning::box_for(pass.entries[0], 16, machine);
  return planning::draw_tile(box, choose_tile(box, machine), options, block);
}

struct Options {
  Wish wish;
  std::string shape, dtype, output;
  planning::DrawOptions draw;
  std::optional<std::uint32_t> tile;
  std::string machine = "h200";
  bool is_forced = false;
};

void run_draw(const Options& o) {
  o.wish.refuse_bit_planes("draw");
  const auto [layout, type] = array_of(o.shape, o.dtype, "u1");
  planning::DrawOptions options = o.draw;
  if (options.title.empty()) {
    options.title = o.wish.spec;
    for (const Verb& v : o.wish.verbs) options.title += ", " + print(v);
  }
  const Machine machine = Machine::named(o.machine);
  const Rearrangement map = resolve(o.wish, layout, type).map;
  const std::string picture = o.tile ? draw_first_tile(map, machine, options, *o.tile) : planning::draw(map, options);
  write_picture(o.output, picture, o.is_forced);
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("draw", "Draw a move as an SVG picture");
  o->wish.add_to(c);
  add_shape(c, o->shape, "the source").required();
  add_dtype(c, o->dtype, "the source, whose elements are bytes when left out");
  c.option("-o,--output", "FILE", o->output, "the picture, .svg").file({".svg"}).required();
  c.option("--max-cells", "N", o->draw.max_cells, "refuse more cells than this");
  c.option("--title", "TEXT", o->draw.title, "above the picture; the specification when left out");
  c.option("--tile", "BLOCK", o->tile, "instead, one tile of the plan: the order in which this block reads and writes");
  c.option("--machine", "NAME", o->machine, "whose tile: a GPU, h200").such_as({"h200"});
  add_force(c, o->is_forced);
  c.examples = {"crinkle draw 'y (x 2) -> 2 y x' --shape 4,4 -o crinkled.svg",
                "crinkle draw 'y x -> y x' --shape 4,6 --roll x=1 --pad y=1:1:reflect -o padded.svg",
                "crinkle draw 'y x -> x y' --shape 256,256 --dtype float32 --tile 0 -o tile.svg"};
  c.action = [o] { run_draw(*o); };
  return c;
}

const Registered registered(90, declare);

}  // namespace
}  // namespace crinkle::tool::draw_command
