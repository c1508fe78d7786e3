// crinkle triangle: the triangle of a matrix from any layout into any other.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "command_line/shared_options.hpp"
#include "crinkle/triangle.hpp"
#include "files/file_names.hpp"
#include "files/triangle_file.hpp"
#include "formats/sink.hpp"
#include "running/progress.hpp"
#include "running/work.hpp"

namespace crinkle::tool::triangle_command {
namespace {

struct Options {
  std::string from, to, input, output, dtype;
  std::optional<std::int64_t> n;
  WorkOptions work;
};

void check_options(const Options& o) {
  const bool is_raw = !o.dtype.empty();
  o.work.check(o.output);
  check_names(o.input, is_raw ? InputIs::raw : InputIs::as_named, o.output);
  TriangleLayout::parse(o.from, 0, 1);
  TriangleLayout::parse(o.to, 0, 1);
  if (o.n && *o.n < 0) throw Error(ErrorCode::bad_notation, fmt::format("--n {}: give 0 or more rows", *o.n));
}

void run_triangle(const Options& o) {
  check_options(o);
  const TriangleFile in = open_triangle(o.input, o.from, o.n.value_or(-1), o.dtype);
  const ArrayFacts& facts = in.source->facts();
  const TriangleRequest request{in.layout, output_layout(o.output, o.to, in.layout)};
  Work work(o.work, [&](Device device) { return plan(request, device); });
  const TriangleLayout& to = request.to;
  const OutputFacts output = o.work.stored_as({is_matrix(to) ? Extents{to.n, to.n} : Extents{to.n_elements()}, facts.type, &facts});
  work.explain();
  print_notes(facts.notes);
  if (work.is_dry(facts, output, o.output)) return;
  const auto sink = Sink::create(o.output, output, o.work.overwrite());
  work.write(*sink, {&in.data, 1}, o.output, {});
  work.print_json({{"from", request.from.print()}, {"to", to.print()}});
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("triangle", "Bring the triangle of a matrix from one layout into another");
  c.argument("INPUT", o->input, "[n][n] for full and symmetric, else a vector; raw with --n and --dtype").file().required();
  c.argument("OUTPUT", o->output, "the same; - for raw on standard output").file().required();
  c.option("--from", "LAYOUT", o->from, "the layout of the input, in words as below")
      .required()
      .manual(
          "A form: `full` (a matrix of which one triangle counts; written, the other one is zero), `symmetric` (a matrix with both, "
          "equal), "
          "`packed` (one triangle, line by line: LAPACK's TP), `rfp` (rectangular full packed: LAPACK's TF), `condensed` (without the "
          "diagonal, as SciPy's squareform has it; read, the diagonal is zero). Beside it `lower` (the default) or `upper`, and `columns` "
          "(the default, as in LAPACK) or `rows`: which lines lie contiguous. A matrix in a file that is not raw has its own order. Lower "
          "becomes upper by transposing.");
  c.option("--to", "LAYOUT", o->to, "the layout of the output").required();
  c.option("--n", "N", o->n, "rows of the matrix; of a raw input, or to be sure");
  add_dtype(c, o->dtype, "a raw input");
  o->work.add_to(c, "compare drawn lines, or all where they are few, with the definition before an output appears");
  c.notes =
      "full       a matrix of which one triangle counts; written, the other one is zero\n"
      "symmetric  a matrix with both, equal\n"
      "packed     one triangle, line by line: LAPACK's TP\n"
      "rfp        rectangular full packed: LAPACK's TF\n"
      "condensed  without the diagonal, as SciPy's squareform has it; read, the diagonal is zero\n"
      "Beside these words lower (the default) or upper, and columns (the default, as in LAPACK) or rows: which lines lie contiguous.\n"
      "A matrix in a file that is not raw has its own order. Lower becomes upper by transposing.\n";
  c.examples = {"crinkle triangle --from 'full lower' --to 'packed lower' matrix.npy packed.npy",
                "crinkle triangle --from condensed --to symmetric distances.npy symmetric.npy --verify",
                "crinkle triangle --from 'packed upper' --to 'rfp upper' --n 1000 --dtype float64 ap.raw arf.raw"};
  c.action = [o] { run_triangle(*o); };
  return c;
}

const Registered registered(70, declare);

}  // namespace
}  // namespace crinkle::tool::triangle_command
