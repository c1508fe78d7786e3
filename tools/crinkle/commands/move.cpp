// crinkle move: one file into another.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
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
#include "running/packed_move.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"
#include "running/put.hpp"
#include "running/run.hpp"
#include "running/several.hpp"
#include "running/stored.hpp"
#include "words/axis_names.hpp"
#include "words/spatial.hpp"
#include "words/wish.hpp"

namespace crinkle::tool::move_command {
namespace {

struct Options {
  Wish wish;
  std::string input, output, orient, window;
  std::optional<std::string> last;  // OUTPUT, of three words
  RawInput raw;
  Running running;
  Planning planning;
  Put put;
  bool is_reported = false;
};

// Says why a GPU cannot do it, or "".
std::string why_not_on_a_gpu(const Options& o) {
  if (o.wish.is_bit_planes || !o.wish.from_bit_planes.empty()) return "bit planes are not made on a GPU yet";
  if (o.planning.is_measured()) return "--plan measure tries what there is to choose on a CPU";
  return "";
}

Operation plan_of(const Rearrangement& r) { return plan(r, cpu()); }

// The move itself, with bit planes taken apart before it or made after it where they are asked for.
class Move {
 public:
  Move(const Options& o, const ArrayFacts& facts, const Source& source)
      : o_(o), facts_(facts), source_(source), executor_(make_executor(o.running.threads)) {
    o.wish.check_count();
    if (o.wish.from_bit_planes.empty()) {
      wanted_.emplace(resolve(o.wish, facts.layout, facts.type));
    } else {
      wanted_.emplace(resolve(o.wish, planes_layout(facts), element_type(o.wish.from_bit_planes, ErrorCode::bad_notation)));
    }
    type_ = wanted_->type;
    extents_ = wanted_->extents;
    if (o.wish.is_bit_planes) {
      const std::int64_t n = map().destination().n_elements(), e = map().destination().element_bytes;
      extents_ = {multiply(8, e), ceil_divide(n, 8)};
      type_ = element_type("|u1");
    }
    place_ = o.running.choose(map(), map().destination().n_bytes(), why_not_on_a_gpu(o), *executor_);
  }

  const Wanted& wanted() const { return *wanted_; }
  const Rearrangement& map() const { return wanted_->map; }
  const ElementType& type() const { return type_; }
  const Extents& extents() const { return extents_; }
  const Place& place() const { return place_; }

  // Returns the seconds that moving took.
  double run(std::span<std::byte> out) const {
    if (place_.is_gpu()) {
      const ConstBuffer from{source_bytes().data(), std::ssize(source_bytes())};
      const Buffer to{out.data(), std::ssize(out)};
      return move_through_gpu(map(), {&from, 1}, {&to, 1}, place_.device, o_.running, *executor_);
    }
    if (!o_.running.memory.empty()) note_large_slabs(map(), source_form(), result_form(), limit());
    return move_bytes(map(), source_bytes(), source_form(), out, result_form(), *executor_, [this] { return plan(); }, limit());
  }

  // Whether it goes part by part, from or to a file of chunks.
  bool is_stored(const Sink& sink) const {
    return !place_.is_gpu() && !o_.is_reported && !o_.planning.is_measured() && source_form() == Form::elements &&
           result_form() == Form::elements && facts_.layout == source_.facts().layout && o_.output != "-" &&
           StoredRun::serves(plan_of(map()), source_, sink);
  }
  void run_stored(Sink& sink) const {
    const Operation operation = plan_of(map());
    const auto start = std::chrono::steady_clock::now();
    StoredRun run(operation, source_, sink, o_.running.memory.empty() ? usual_memory() : limit(), *executor_);
    run.report(o_.running.is_explained, o_.running.memory);
    Progress progress(map().destination().n_bytes());
    run.run({}, [&](std::int64_t n) { progress.advance(n); });
    progress.finish();
    sink.commit();
    print_notes(sink.notes());
    if (o_.running.is_verified) {
      run.verify(*Source::open(o_.output));
      say_verified();
    }
    if (o_.running.is_json) print_done(o_.running, done(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()), {});
  }

  // Whether the result can be written while it is made.
  bool streams_well() const {
    return !place_.is_gpu() && source_form() == Form::elements && result_form() == Form::elements && tool::streams_well(map());
  }
  void run_into_stream(int descriptor, const std::string& path) const {
    stream_bytes(map(), source_bytes(), [&](std::span<const std::byte> slab) { write_fully(descriptor, slab, path); }, *executor_, limit());
  }

  // Read and written, by the passes for bit planes too.
  std::int64_t bytes_moved() const {
    std::int64_t bytes = Plan(map()).bytes_moved();
    if (!o_.wish.from_bit_planes.empty()) bytes = add(bytes, add(facts_.layout.n_bytes(), map().source().n_bytes()));
    if (o_.wish.is_bit_planes) bytes = add(bytes, add(map().destination().n_bytes(), Layout::dense(extents_, 1).n_bytes()));
    return bytes;
  }

  Done done(double seconds) const {
    Done done{.operation = "move", .device = place_.device, .bytes_moved = bytes_moved(), .seconds = seconds};
    done.include(done.inputs, facts_.path, facts_.layout.extents, facts_.type);
    done.include(done.outputs, o_.output, extents_, o_.window.empty() ? type_ : element_type("|u1"));
    return done;
  }

  std::string describe() const {
    std::string text = plan().describe();
    if (o_.planning.is_measured() && is_in_slabs())
      text += "as estimated, not measured: it moves in slabs, which have plans of their own\n";
    if (!place_.is_gpu()) text += describe_slabs(map(), source_form(), result_form(), limit());
    if (!o_.wish.from_bit_planes.empty())
      text += fmt::format("before it, {} of bit planes are put together to {} elements, slab by slab\n", print_shape(facts_.layout.extents),
                          map().source().n_elements());
    if (o_.wish.is_bit_planes)
      text += fmt::format("after it, {} elements are taken apart into bit planes {}, slab by slab\n", map().destination().n_elements(),
                          print_shape(extents_));
    return text + place_.why + "\n";
  }

  // Throws bad_file, naming the element, when `out` is not what the definition says.
  void verify(const std::string& path, std::span<const std::byte> out) const {
    const std::int64_t at = first_difference(map(), source_bytes(), source_form(), out, result_form());
    if (at >= 0)
      throw Error(ErrorCode::bad_file, fmt::format("{}: read back, element {} of {} is not what the move should have written", path, at,
                                                   Layout::dense(extents_, 1).n_bytes()));
  }

  Executor& executor() const { return *executor_; }

 private:
  std::int64_t limit() const { return o_.running.slab_bytes(); }
  bool is_in_slabs() const { return is_for_slabs(map(), source_form(), result_form(), limit()) || Plan(map()).workspace_bytes() > limit(); }
  // Measured once, where that is asked for and of use.
  const Plan& plan() const {
    if (!plan_)
      plan_.emplace(o_.planning.is_measured() && !is_in_slabs() ? o_.planning.plan(map(), *executor_) : Plan(map(), place_.device));
    return *plan_;
  }
  Form source_form() const { return o_.wish.from_bit_planes.empty() ? Form::elements : Form::bit_planes; }
  Form result_form() const { return o_.wish.is_bit_planes ? Form::bit_planes : Form::elements; }
  // From where the map counts: the origin of an array, the first byte of planes.
  std::span<const std::byte> source_bytes() const {
    return source_form() == Form::elements ? source_.bytes() : source_.bytes().subspan(static_cast<std::size_t>(facts_.layout.offset));
  }
  Layout planes_layout(const ArrayFacts& facts) const {
    const std::int64_t e = element_type(o_.wish.from_bit_planes, ErrorCode::bad_notation).bytes;
    const Extents& x = facts.layout.extents;
    Layout from_origin = facts.layout;
    from_origin.offset = 0;
    if (facts.type.bytes != 1 || x.size() != 2 || x[0] != 8 * e || !from_origin.is_dense()) {
      throw Error(ErrorCode::bad_shape,
                  fmt::format("cannot take {} of {} for bit planes of {}: they are bytes of shape [{}][n / 8] in C order", print_shape(x),
                              spelled(facts.type), o_.wish.from_bit_planes, 8 * e));
    }
    const std::int64_t n = o_.wish.count ? *o_.wish.count : multiply(8, x[1]);
    if (ceil_divide(n, 8) != x[1]) throw Error(ErrorCode::bad_shape, fmt::format("{} elements do not fill planes of {} bytes", n, x[1]));
    return Layout::dense({n}, e);
  }

  const Options& o_;
  const ArrayFacts& facts_;
  const Source& source_;
  std::unique_ptr<Executor> executor_;
  std::optional<Wanted> wanted_;
  Place place_;
  mutable std::optional<Plan> plan_;
  ElementType type_;
  Extents extents_;
};

// Reads the output back as anyone would. An output that is not what it should be does not stay.
void verify_file(const Options& o, const Move& move, std::int64_t n_bytes) {
  const RawFacts as_written{move.extents(), move.type(), 0};
  try {
    const auto back = Source::open(o.output, is_named_as_a_format(o.output) ? nullptr : &as_written);
    const auto at = static_cast<std::size_t>(back->facts().layout.offset);
    if (static_cast<std::int64_t>(back->bytes().size() - at) < n_bytes)
      throw Error(ErrorCode::bad_file, o.output + ": read back, it is too short");
    const std::string& order = back->facts().type.descr;
    if (back->facts().format == "png" && order != move.type().descr && move.type().bytes == 2) {  // PNG knows one byte order
      const std::span<std::byte> pixels = back->decoded();
      for (std::size_t i = 0; i + 1 < pixels.size(); i += 2) std::swap(pixels[i], pixels[i + 1]);
    }
    move.verify(o.output, back->bytes().subspan(at, static_cast<std::size_t>(n_bytes)));
  } catch (const Error& e) {
    std::remove(o.output.c_str());
    throw Error(e.code(), std::string(e.what()) + "; the output was removed");
  }
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: {} verified\n", o.output);
}

// Has the pages of both mappings in memory before the time is taken.
void fault_in(std::span<const std::byte> in, std::span<std::byte> out) {
  constexpr std::size_t page = 4096;
  const volatile std::byte* pages = in.data();
  for (std::size_t i = 0; i < in.size(); i += page) static_cast<void>(pages[i]);
  std::fill(out.begin(), out.end(), std::byte{0});
}

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

void put(const Options& o, const Source& source, const ArrayFacts& facts) {
  if (o.is_reported || o.planning.is_measured()) refuse("--put goes without --report and --plan measure, which are of whole outputs");
  if (!o.window.empty()) refuse("--window is of a whole picture; leave out --put");
  o.wish.refuse_bit_planes("put");
  o.put.run(resolve(o.wish, facts.layout, facts.type), source, facts, o.output, o.running);
}

void run_move(const Options& given) {
  const Options o = completed(given);
  o.running.check(o.put.is_asked() ? "" : o.output, why_not_on_a_gpu(o));  // what cannot be is refused before anything is opened
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
  const ArrayFacts facts = o.orient.empty() ? source->facts() : turned_to(o.orient, source->facts());
  if (o.wish.unshuffled.empty() && o.wish.from_bit_planes.empty()) check_axis_names(o.wish.spec, o.wish.verbs, facts);
  if (o.put.is_asked()) return put(o, *source, facts);
  const Move move(o, facts, *source);
  print_notes(facts.notes);
  if (o.running.is_explained) fmt::print(stderr, "{}", move.describe());
  else if (move.place().is_predicted && isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: {}\n", move.place().why);
  const SpatialChange change = spatial_change(move.wanted());
  OutputFacts output = o.running.stored_as({move.extents(), move.type(), &facts, &change});
  output.window = parse_window(o.window);
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
  if (o.running.is_verified && !is_verified_here) verify_file(o, move, n_bytes);
  if (o.is_reported) print_report(move.bytes_moved(), seconds, o.output == "-" ? stderr : stdout, move.executor());
  if (o.running.is_json) print_done(o.running, move.done(seconds), {});
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("move", "Bring a file's array into another layout");
  o->wish.add_to(c);
  c.argument("INPUT", o->input, ".npy, .png, .nii, .nii.gz, .hdr with .img, raw with --shape, or - for standard input, raw or .npy")
      .file()
      .required();
  c.argument("OUTPUT", o->last, ".npy, .png, .nii, .nii.gz or raw, by its name; - for raw on standard output").file();
  c.option("--orient", "CODES", o->orient, "turn a NIfTI volume: where x, y and z shall lead, as in RAS")
      .such_as({"RAS", "LAS", "LPS", "RPS", "RPI", "LPI", "RAI", "LAI", "ASL", "PIR", "PSR", "SRA"})
      .manual(
          "One each of R or L (right, left), A or P (anterior, posterior), S or I (superior, inferior): any of the 48. The spatial axes "
          "are permuted and flipped, and every voxel keeps its place in the world. The specification may be left out; one that is "
          "there acts on the turned volume, whose axes it names z, y, x, and must not turn them again where the output is NIfTI. A "
          "volume that does not say where its axes lead is refused.");
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
                "crinkle move 'y x -> x y' tile.npy whole.npy --put 100:200,0:64",
                "crinkle move 'y x -> x y' --shape 512,512 --dtype float32 - - < in.raw > out.raw"};
  c.action = [o] { run_move(*o); };
  return c;
}

const Registered registered(10, declare);

}  // namespace
}  // namespace crinkle::tool::move_command
