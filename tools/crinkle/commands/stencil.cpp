// crinkle stencil: a linear stencil over a file's array, once or for many steps.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "files/arrays.hpp"
#include "files/beyond.hpp"
#include "files/file_names.hpp"
#include "formats/nifti.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "running/part_run.hpp"
#include "running/progress.hpp"
#include "running/work.hpp"
#include "words/stencil_axes.hpp"
#include "words/wish.hpp"

namespace crinkle::tool::stencil_command {
namespace {

struct Options {
  std::string stencil, input, output, boundary = "reflect", axes, dtype, window;
  std::int64_t steps = 1;
  RawInput raw;
  WorkOptions work;
};

// The sum of the weights over all passes and steps; exactly 0 or 1 where rounding alone lies between.
double sum_of_weights(const LinearStencil& stencil, std::int64_t steps) {
  double product = 1;
  for (const PointList& pass : stencil.passes) {
    double sum = 0, all = 0;
    for (const double c : pass.coefficients) {
      sum += c;
      all += std::abs(c);
    }
    constexpr double rounding = 1e-12;
    product *= std::abs(sum) <= rounding * all ? 0 : std::abs(sum - 1) <= rounding * all ? 1 : sum;
  }
  return std::pow(product, static_cast<double>(steps));
}

void run_stencil(const Options& o) {
  check_names(o.input, o.raw.is(), o.output);
  o.work.check(o.output);
  std::string dtype = o.dtype;
  const auto source = o.raw.completed(dtype).open(o.input);
  const ArrayFacts& facts = source->facts();
  const std::optional<Window> window = parse_window(o.window);
  if (window && dtype.empty() && facts.type.bytes < 8) dtype = "float32";  // signs and halves are seen
  const ElementType type = dtype.empty() ? facts.type : element_type(dtype, ErrorCode::bad_notation);
  Sweep sweep;
  sweep.source_type = number_read(facts.type, o.input);
  sweep.destination_type = number_written(type, o.output);
  const NamedAxes axes = axes_of(facts, o.axes);
  sweep.stencil = stencil_of(o.stencil, axes);
  check_reach(sweep.stencil, axes, facts.layout.extents);
  sweep.source = facts.layout;
  sweep.destination = Layout::dense(facts.layout.extents, type.bytes);
  sweep.axes = axes.axes;
  sweep.boundary = faces_of(o.boundary, axes);
  check_constants(sweep.boundary, type, o.output);
  sweep.steps = o.steps;
  const double sum = sum_of_weights(sweep.stencil, o.steps);
  std::vector<std::string> of_offsets;
  const ArrayFacts meant = offset_as_in_sums(facts_of_sums(facts, sum), sum, type, of_offsets);
  OutputFacts output = o.work.stored_as({facts.layout.extents, type, &meant});
  output.window = window;
  if (!o.work.is_dry) Sink::check(o.output, output, o.work.overwrite());  // before memory is taken
  Work work(o.work, [&](Device device) { return plan(sweep, device); });
  print_notes(facts.notes);
  print_notes(not_heeded(facts));
  print_notes(of_offsets);
  if (const auto [before, after] = std::pair(scale_of(facts).second, scale_of(meant).second); before != after)
    fmt::print(stderr, "crinkle: note: the intercept of the result is {}, that of {}, {}, times the sum of the weights\n", after, o.input,
               before);
  if (sum == 0 && type.name.starts_with("uint"))
    fmt::print(stderr, "crinkle: note: {} is of {}, so that differences below 0 become 0; --dtype float32 keeps them\n", o.output,
               type.name);
  work.explain(sweep.stencil.name);
  if (work.is_dry(facts, output, o.output)) return;
  note_made_integers(*source, type, work.executor());
  const auto sink = Sink::create(o.output, output, o.work.overwrite());
  const auto look = [&](std::span<std::byte> out) {
    note_beyond(
        o.output, out, type, [&] { return has_infinite(*source, work.executor()); }, type.bytes < 8 ? "--dtype float64 holds them" : "",
        work.executor());
  };
  bool has_rounded = false;
  if (work.is_stored(*sink, *source)) {
    PartCalls calls;
    calls.read = [&](std::span<std::byte> part) { has_rounded = has_rounded || has_beyond_float64(part, facts.type, work.executor()); };
    calls.look = look;
    work.write_stored(*sink, *source, o.output, calls);
  } else {
    has_rounded = has_beyond_float64(*source, work.executor());
    work.write(*sink, *source, o.output, look);
  }
  if (has_rounded) print_notes({o.input + ": " + beyond_float64(facts.type.name)});
  work.print_json({{"stencil", sweep.stencil.name}, {"steps", sweep.steps}});
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("stencil", "Blur, differentiate or smooth an array: sums of neighbours, for one step or many");
  c.argument("STENCIL", o->stencil, "what is summed, in words as below").required();
  c.argument("INPUT", o->input, fmt::format("{}, or - for standard input, raw or .npy", arrays_read)).file().required();
  c.argument("OUTPUT", o->output, arrays_written).file().required();
  c.option("--boundary", "BOUNDARY", o->boundary, "beyond the array: periodic, edge, reflect, symmetric, constant:V; one, or one an axis")
      .such_as({"periodic", "edge", "reflect", "symmetric", "constant:0"});
  c.option("--steps", "N", o->steps, "how often, each time on the result of the last");
  c.option("--axes", "AXES", o->axes, "y,x or 0,1; left out: y,x of a picture, z,y,x of a volume, else all");
  add_window(c, o->window);
  add_type(c, "--dtype", o->dtype, "of the result, as float32 where integers would lose signs; left out: the input's");
  o->raw.add_beside_result_to(c);
  o->work.add_to(c, "compare drawn elements, or all where they are few, with the definition before an output appears");
  c.notes =
      "average:RADIUS[:star]     the mean of the box around, or of the star along the axes\n"
      "laplacian[:ORDER]         by central differences of order 2, 4, 6 or 8, in cells\n"
      "gradient:AXIS[:ORDER]     along one axis, in cells\n"
      "gaussian:SIGMA            in cells, or as gaussian:2.0mm by the spacing that a NIfTI header has; one, or one an axis in the order "
      "of --axes: "
      "gaussian:1mm,2mm; gaussian:8mm:fwhm is the full width at half maximum, 2.355 sigma\n"
      "sobel:AXIS                as SciPy has it\n"
      "array:WEIGHTS             a file, or lists: array:[[0,1,0],[1,-4,1],[0,1,0]]; convolve:WEIGHTS flips them\n"
      "Axes are named or numbered as in --axes. No stencil may reach farther along an axis than the array has cells there. Sums are\n"
      "float32 of float16 and float32, else float64; integers are rounded and saturated. An axis may have two ends:\n"
      "--boundary edge/constant:0. NumPy's words: its reflect is SciPy's mirror, its symmetric SciPy's reflect.\n";
  c.examples = {"crinkle stencil gaussian:1.5 picture.png blurred.png",
                "crinkle stencil gaussian:2.0mm volume.nii.gz smooth.nii.gz",
                "crinkle stencil laplacian:4 field.npy curvature.npy --boundary periodic",
                "crinkle stencil average:1:star field.npy relaxed.npy --steps 100 --axes y,x --boundary edge,constant:0",
                "crinkle stencil sobel:x picture.png edges.npy --dtype float32",
                "crinkle stencil sobel:x picture.png edges.png --window -255:255"};
  c.action = [o] { run_stencil(*o); };
  return c;
}

const Registered registered(35, declare);

}  // namespace
}  // namespace crinkle::tool::stencil_command
