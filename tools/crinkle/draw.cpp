// crinkle draw: a picture of a move.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstring>
#include <memory>

#include "command.hpp"
#include "formats/sink.hpp"
#include "plan/draw.hpp"
#include "wish.hpp"

namespace crinkle::tool {

Action add_draw(CLI::App& app) {
  struct Options {
    Wish wish;
    std::string shape, dtype = "u1", output;
    plan::DrawOptions draw;
    bool is_forced = false;
  };
  CLI::App* command = app.add_subcommand("draw", "Draw a move as an SVG picture");
  auto o = std::make_shared<Options>();
  o->wish.add_to(*command);
  command->add_option("--shape", o->shape, "of the source: 4,6")->required();
  command->add_option("--dtype", o->dtype, "of the source")->capture_default_str();
  command->add_option("-o,--output", o->output, "the picture, .svg")->required();
  command->add_option("--max-cells", o->draw.max_cells, "refuse more cells than this")->capture_default_str();
  command->add_option("--title", o->draw.title, "above the picture; the specification when left out");
  command->add_flag("--force", o->is_forced, "replace a picture that exists");
  command->footer("Examples:\n"
                  "  crinkle draw 'y (x 2) -> 2 y x' --shape 4,4 -o crinkled.svg\n"
                  "  crinkle draw 'y x -> y x' --shape 4,6 --roll x=1 --pad y=1:1:reflect -o padded.svg");
  return [o] {
    const auto [layout, type] = array_of(o->shape, o->dtype);
    plan::DrawOptions options = o->draw;
    if (options.title.empty()) {
      options.title = o->wish.spec;
      for (const Verb& v : o->wish.verbs()) options.title += ", " + print(v);
    }
    const std::string picture = plan::draw(resolve(o->wish, layout, type).map, options);
    if (!o->output.ends_with(".svg")) throw Error(ErrorCode::unsupported, o->output + ": pictures are SVG; give a name that ends in .svg");
    const OutputFacts facts{{static_cast<std::int64_t>(picture.size())}, element_type("|u1")};
    const auto sink = Sink::create(o->output, facts, o->is_forced ? Overwrite::force : Overwrite::refuse);
    std::memcpy(sink->bytes().data() + sink->data_offset(), picture.data(), picture.size());
    sink->commit();
  };
}

}  // namespace crinkle::tool
