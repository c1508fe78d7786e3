// crinkle draw: a picture of a move.
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>

#include "command.hpp"
#include "picture.hpp"
#include "plan/draw.hpp"
#include "plan/pass.hpp"
#include "wish.hpp"

namespace crinkle::tool {

namespace {

// A block of the first entry of the plan, which has the lowest destination bytes.
std::string draw_first_tile(const Rearrangement& map, const Machine& machine, const plan::DrawOptions& options, std::uint32_t block) {
  if (machine.kind != MachineKind::gpu)
    throw Error(ErrorCode::unsupported, "tiles are drawn for a GPU: --machine h200, not " + machine.name);
  const plan::Pass pass = plan::plan_pass(map.boxes(), machine);
  if (pass.entries.empty()) throw Error(ErrorCode::bad_shape, "an empty array has no tiles");
  const Box box = plan::box_for(pass.entries[0], 16, machine);
  return plan::draw_tile(box, choose_tile(box, machine), options, block);
}

}  // namespace

Action add_draw(CLI::App& app) {
  struct Options {
    Wish wish;
    std::string shape, dtype, output;
    plan::DrawOptions draw;
    std::optional<std::uint32_t> tile;
    std::string machine = "h200";
    bool is_forced = false;
  };
  CLI::App* command = app.add_subcommand("draw", "Draw a move as an SVG picture");
  auto o = std::make_shared<Options>();
  o->wish.add_to(*command);
  command->add_option("--shape", o->shape, "of the source: 4,6")->type_name("SHAPE")->required();
  command->add_option("--dtype", o->dtype, "of the source; u1 when left out")->type_name("TYPE");
  command->add_option("-o,--output", o->output, "the picture, .svg")->type_name("FILE")->required();
  command->add_option("--max-cells", o->draw.max_cells, "refuse more cells than this")->type_name("N")->capture_default_str();
  command->add_option("--title", o->draw.title, "above the picture; the specification when left out");
  command->add_option("--tile", o->tile, "instead, one tile of the plan: the order in which this block reads and writes")
      ->type_name("BLOCK");
  command->add_option("--machine", o->machine, "whose tile: a GPU, h200")->capture_default_str();
  command->add_flag("--force", o->is_forced, "replace a picture that exists");
  command->footer(
      "Examples:\n"
      "  crinkle draw 'y (x 2) -> 2 y x' --shape 4,4 -o crinkled.svg\n"
      "  crinkle draw 'y x -> y x' --shape 4,6 --roll x=1 --pad y=1:1:reflect -o padded.svg\n"
      "  crinkle draw 'y x -> x y' --shape 256,256 --dtype float32 --tile 0 -o tile.svg");
  return [o] {
    o->wish.refuse_bit_planes("draw");
    const auto [layout, type] = array_of(o->shape, o->dtype, "u1");
    plan::DrawOptions options = o->draw;
    if (options.title.empty()) {
      options.title = o->wish.spec;
      for (const Verb& v : o->wish.verbs()) options.title += ", " + print(v);
    }
    const Machine machine = Machine::named(o->machine);
    const Rearrangement map = resolve(o->wish, layout, type).map;
    const std::string picture = o->tile ? draw_first_tile(map, machine, options, *o->tile) : plan::draw(map, options);
    write_picture(o->output, picture, o->is_forced);
  };
}

}  // namespace crinkle::tool
