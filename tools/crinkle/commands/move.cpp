// crinkle move: one file into another.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "command_line/shared_options.hpp"
#include "files/arrays.hpp"
#include "files/file_names.hpp"
#include "formats/nifti.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "maps/raster_header.hpp"
#include "running/moving.hpp"
#include "running/packed_move.hpp"
#include "running/progress.hpp"
#include "running/put.hpp"
#include "running/several.hpp"
#include "words/axis_names.hpp"
#include "words/spatial.hpp"
#include "words/wish.hpp"

namespace crinkle::tool::move_command {
namespace {

struct Options : MoveOptions {
  std::string input, orient, header;
  std::optional<std::string> last;  // OUTPUT, of three words
  RawInput raw;
  Put put;
};

// With --orient the specification may be left out, and the words before it move up.
Options completed(Options o) {
  if (o.last) {
    o.output = *o.last;
    return o;
  }
  if (o.orient.empty()) refuse("OUTPUT is required: crinkle move SPEC INPUT OUTPUT; only with --orient SPEC may be left out");
  o.output = std::exchange(o.input, std::exchange(o.wish.spec, "... -> ..."));
  return o;
}

// NumPy's slices beyond an axis take nothing of it.
void note_empty(const Wish& wish, const ArrayFacts& facts, const Extents& made) {
  if (facts.layout.n_elements() == 0 || Layout::dense(made, 1).n_elements() > 0) return;
  std::string slices;
  for (const Verb& verb : wish.verbs)
    if (verb.kind == Verb::Kind::slice) slices += (slices.empty() ? "" : " ") + ("--" + print(verb));
  print_notes(
      {fmt::format("the result has no elements, {}{}", print_shape(made),
                   slices.empty() ? "" : ": " + slices + " takes none of " + described(facts.path, facts.layout.extents, facts.type))});
}

void put(const Options& o, const Source& source, const ArrayFacts& facts) {
  if (o.is_reported || o.planning.is_measured()) refuse("--put goes without --report and --plan measure, which are of whole outputs");
  if (!o.window.empty()) refuse("--window is of a whole picture; leave out --put");
  o.wish.refuse_bit_planes("put");
  o.put.run(resolve(o.wish, facts.layout, facts.type), source, facts, o.output, o.running);
}

void run_move(const Options& given) {
  Options o = completed(given);
  // What cannot be is refused before anything is opened.
  o.running.check(o.put.is_asked() ? "" : o.output,
                  is_packed(o.raw) ? "elements of less than a byte are moved on a CPU" : why_not_on_a_gpu(o));
  if (o.is_reported && o.running.is_json) refuse("--report and --json both print to standard output; --json has bytes and seconds, too");
  o.planning.check();
  o.put.check();
  if (is_packed(o.raw)) {
    if (!o.orient.empty() || o.put.is_asked() || o.is_reported || o.planning.is_measured())
      refuse("--orient, --put, --report and --plan measure are not for elements of less than a byte; leave them out");
    return run_packed_move(o.wish, o.raw, o.running, o.input, o.output);
  }
  check_names(o.input, o.raw.is(), o.put.is_asked() ? "-" : o.output);  // what is put into keeps its form, whatever its name
  const auto source = o.raw.open(o.input);
  ArrayFacts facts = o.orient.empty() ? source->facts() : turned_to(o.orient, source->facts());
  if (!o.header.empty()) take_raster_header(o.header, o.put.is_asked() ? "-" : o.output, facts);
  o.wish.spec = completed(o.wish.spec, facts);
  if (o.wish.unshuffled.empty() && o.wish.from_bit_planes.empty()) check_axis_names(o.wish.spec, o.wish.verbs, facts);
  if (o.put.is_asked()) return put(o, *source, facts);
  const Move move(o, facts, *source);
  print_notes(facts.notes);
  note_empty(o.wish, facts, move.extents());
  if (o.running.is_explained) fmt::print(stderr, "{}", move.describe());
  else if (move.place().is_predicted && isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: {}\n", move.place().why);
  const SpatialChange change = spatial_change(move.wanted());
  OutputFacts output = o.running.stored_as({move.extents(), move.type(), &facts, &change});
  output.window = parse_window(o.window);
  if (!o.wish.is_bit_planes) output.axes = names_of_result(o.wish.spec);
  if (!o.orient.empty()) check_letters(o.orient, o.output, output);
  if (o.running.is_dry) {
    print_notes(Sink::check(o.output, output, o.running.overwrite()));
    return print_dry(o.running, move.done(0), o.output,  // done() says whether it can be planned
                     described(o.input, facts.layout.extents, facts.type) + " -> " + described(o.output, move.extents(), output.written()));
  }
  // A result that is compared, timed or tried first is made as a whole before any of it is written.
  if (o.output == "-" && !o.running.is_verified && !o.is_reported && !o.planning.is_measured() && move.streams_well()) {
    Sink::check(o.output, output, o.running.overwrite());
    return move.run_into_stream(STDOUT_FILENO, "standard output");
  }
  auto sink = Sink::create(o.output, output, o.running.overwrite());
  if (move.is_stored(*sink)) return move.run_stored(*sink);
  const std::int64_t n_bytes = Layout::dense(move.extents(), move.type().bytes).n_bytes();
  const std::span<std::byte> out = sink->bytes().subspan(static_cast<std::size_t>(sink->data_offset()), static_cast<std::size_t>(n_bytes));
  if (o.is_reported) fault_in(source->bytes(), out);
  const double seconds = move.run(out);
  // What is no copy of the elements, and what cannot be read back, is compared before it is written.
  const bool is_verified_here = o.output == "-" || output.window;
  if (o.running.is_verified && is_verified_here) move.verify(o.output == "-" ? "standard output" : o.output, out);
  sink->commit();
  print_notes(sink->notes());
  sink.reset();  // verifying maps the output once more
  if (o.running.is_verified && !is_verified_here) move.verify_file(n_bytes);
  if (o.is_reported) print_report(move.bytes_moved(), seconds, o.output == "-" ? stderr : stdout, move.executor());
  if (o.running.is_json) print_done(o.running, move.done(seconds), {});
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("move", "Bring a file's array into another layout");
  o->wish.add_to(c);
  c.argument("INPUT", o->input, fmt::format("{}, or - for standard input, raw or .npy", arrays_read)).file().required();
  c.argument("OUTPUT", o->last, arrays_written).file();
  c.option("--orient", "CODES", o->orient, "turn a NIfTI volume: where x, y and z shall lead, as in RAS")
      .such_as({"RAS", "LAS", "LPS", "RPS", "RPI", "LPI", "RAI", "LAI", "ASL", "PIR", "PSR", "SRA"})
      .manual(
          "One each of R or L (right, left), A or P (anterior, posterior), S or I (superior, inferior): any of the 48. The spatial axes "
          "are permuted and flipped, and every voxel keeps its place in the world. The specification may be left out; one that is "
          "there acts on the turned volume, whose axes it names z, y, x, and must not turn them again where the output is NIfTI. A "
          "volume that does not say where its axes lead is refused.");
  c.option("--header", "FILE.json", o->header, "of a GeoTIFF made of .npy or raw: its place, in the words of info --json")
      .file({".json"})
      .manual(
          "*geotransform*, *crs_wkt*, *nodata*, *bands* (names) and *scales* (a scale and an offset a band); each may be left out. The "
          "array is "
          "[y][x] or [band][y][x].");
  add_window(c, o->window);
  o->raw.add_to(c);
  o->put.add_to(c);
  o->running.add_to(c, "read the output back and compare every element with the definition");
  o->planning.add_to(c);
  c.flag("--report", o->is_reported, "print bytes and time; from 4 MiB on GB/s and percent of a plain copy")
      .manual("Input and output are brought into memory before, and planning is not counted. The copy takes up to 512 MiB of its own.");
  c.notes =
      "With --device cuda a file goes through a GPU, whose memory may be smaller.\n"
      "Raw elements of 1, 2 or 4 bits, the lowest first: --shape '[128][128][128][4 bits]'.\n";
  c.examples = {"crinkle move 'z y x -> x z y' --flip z volume.nii.gz turned.nii.gz --verify",
                "crinkle move 'y (x 2) c -> y (2 x) c' picture.png crinkled.png",
                "crinkle move 'z y x -> y x' --at z=5 volume.nii.gz slice.png --window auto",
                "crinkle move '... -> ...' --byte-order big values.npy values_be.npy",
                "crinkle move 'z y x -> z y x' --roll x=-7 --pad y=1:1:reflect in.npy out.npy",
                "crinkle move --orient RAS volume.nii.gz ras.nii.gz",
                "crinkle move 'time y x -> y x time' maps.zarr series.zarr --chunks auto --read-along time",
                "crinkle move 'y x -> x y' tile.npy whole.npy --put 100:200,0:64",
                "crinkle move 'y x -> x y' --shape 512,512 --dtype float32 - - < in.raw > out.raw"};
  c.action = [o] { run_move(*o); };
  return c;
}

const Registered registered(10, declare);

}  // namespace
}  // namespace crinkle::tool::move_command
