// crinkle triangle: the triangle of a matrix from any layout into any other.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "command_line/shared_options.hpp"
#include "crinkle/crinkle.hpp"
#include "files/file_names.hpp"
#include "files/triangle_file.hpp"
#include "formats/sink.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"

namespace crinkle::tool::triangle_command {
namespace {

struct Options {
  std::string from, to, input, output, dtype, device = "auto";
  std::optional<std::int64_t> n;
  int threads = 0;
  bool is_verified = false, is_forced = false;
};

void check_options(const Options& o) {
  const bool is_raw = !o.dtype.empty();
  check_names(o.input, is_raw ? InputIs::raw : InputIs::as_named, o.output);
  TriangleLayout::parse(o.from, 0, 1);
  TriangleLayout::parse(o.to, 0, 1);
  if (o.n && *o.n < 0) throw Error(ErrorCode::bad_notation, fmt::format("--n {}: give 0 or more rows", *o.n));
}

// Files pass through the host's memory both ways, which takes longer than the conversion: "auto" is the CPU.
void convert_on(const Device device, const TriangleFile& from, const TriangleLayout& to, Buffer dst, Executor& executor) {
  if (device.kind == Device::Kind::cpu) return convert_triangle(from.layout, to, from.data, dst, executor);
  const std::int64_t n_read = from.layout.bytes(), n_written = to.bytes();
  const DeviceMemory in(device, n_read), out(device, n_written);
  copy_bytes({from.data.data, n_read}, in);
  if (to.form == TriangleLayout::Form::full) copy_bytes({dst.data, n_written}, out);  // what stays as it is
  const Stream stream(device);
  convert_triangle(from.layout, to, in, out, device, stream);
  stream.synchronize();
  copy_bytes(out, dst);
}

/// Throws bad_file, naming the place, unless every pair is where the definition says.
void verify(const TriangleFile& from, const TriangleLayout& to, std::span<const std::byte> written, const std::string& path,
            Executor& executor) {
  const auto e = static_cast<std::size_t>(to.element_bytes);
  TriangleLayout mirrored = to;
  mirrored.order = to.order == TriangleLayout::Order::rows ? TriangleLayout::Order::columns : TriangleLayout::Order::rows;
  const auto* const source = static_cast<const std::byte*>(from.data.data);
  executor.parallel_for(to.n, [&](std::int64_t i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      if (i == j && !to.has_diagonal()) continue;
      const bool is_zero = i == j && !from.layout.has_diagonal();
      const std::byte* const wanted = is_zero ? nullptr : source + static_cast<std::size_t>(from.layout.place(i, j)) * e;
      const auto check = [&](std::int64_t place) {
        const auto have = written.subspan(static_cast<std::size_t>(place) * e, e);
        const bool is_right = is_zero ? std::all_of(have.begin(), have.end(), [](std::byte b) { return b == std::byte{0}; })
                                      : std::memcmp(wanted, have.data(), e) == 0;
        if (!is_right) throw Error(ErrorCode::bad_file, fmt::format("{}: element {} is not that of row {}, column {}", path, place, i, j));
      };
      check(to.place(i, j));
      if (to.form == TriangleLayout::Form::symmetric) check(mirrored.place(i, j));
    }
  });
}

void run_triangle(const Options& o) {
  check_options(o);
  const Device device = parse_device(o.device).value_or(cpu());
  ToldExecutor executor(make_executor(o.threads));
  const TriangleFile in = open_triangle(o.input, o.from, o.n.value_or(-1), o.dtype);
  const ArrayFacts& facts = in.source->facts();
  const TriangleLayout to = output_layout(o.output, o.to, in.layout);
  const Extents extents = is_matrix(to) ? Extents{to.n, to.n} : Extents{to.n_elements()};
  const auto sink = Sink::create(o.output, {extents, facts.type, &facts}, o.is_forced ? Overwrite::force : Overwrite::refuse);
  const auto out = sink->bytes().subspan(static_cast<std::size_t>(sink->data_offset()));
  convert_on(device, in, to, {out.data(), std::ssize(out)}, executor);
  if (o.is_verified) {
    verify(in, to, out, o.output, executor);
    if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: verified\n");
  }
  sink->commit();
  for (const std::string& note : sink->notes()) fmt::print(stderr, "crinkle: note: {}\n", note);
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
  add_device(c, o->device, "auto (the CPU: files pass through it), cpu or cuda[:N]");
  add_threads(c, o->threads);
  add_verify(c, o->is_verified);
  add_force(c, o->is_forced);
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
