// SPDX-License-Identifier: BSD-3-Clause
#include "running/moving.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "base/checked.hpp"
#include "files/arrays.hpp"
#include "files/file_names.hpp"
#include "formats/interrupt.hpp"
#include "plan/describe.hpp"
#include "running/progress.hpp"
#include "running/several.hpp"
#include "running/stored.hpp"

namespace crinkle::tool {
namespace {

Operation plan_of(const Rearrangement& r) { return plan(r, cpu()); }

}  // namespace

std::string why_not_on_a_gpu(const MoveOptions& o) {
  if (o.wish.is_bit_planes || !o.wish.from_bit_planes.empty()) return "bit planes are not made on a GPU yet";
  if (o.planning.is_measured()) return "--plan measure tries what there is to choose on a CPU";
  return "";
}

Move::Move(const MoveOptions& o, const ArrayFacts& facts, const Source& source)
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

double Move::run(std::span<std::byte> out) const {
  if (place_.is_gpu()) {
    const ConstBuffer from{source_bytes().data(), std::ssize(source_bytes())};
    const Buffer to{out.data(), std::ssize(out)};
    return move_through_gpu(map(), {&from, 1}, {&to, 1}, place_, o_.running, *executor_);
  }
  if (!o_.running.memory.empty()) note_large_slabs(map(), source_form(), result_form(), limit());
  return move_bytes(map(), source_bytes(), source_form(), out, result_form(), *executor_, [this] { return plan(); }, limit());
}

bool Move::is_stored(const Sink& sink) const {
  return !place_.is_gpu() && !o_.is_reported && !o_.planning.is_measured() && source_form() == Form::elements &&
         result_form() == Form::elements && facts_.layout == source_.facts().layout && o_.output != "-" && !o_.output.ends_with(".png") &&
         StoredRun::serves(plan_of(map()), {&source_}, sink);
}

void Move::run_stored(Sink& sink) const {
  const Operation operation = plan_of(map());
  const auto start = std::chrono::steady_clock::now();
  const EndsOnTheWay on_the_way;
  StoredRun run(operation, {&source_}, sink, o_.running.means(o_.output), *executor_);
  run.report(o_.running.is_explained);
  Progress progress(static_cast<std::int64_t>(run.plan().all.written));
  run.run({.written = [&](std::int64_t n) { progress.advance(n); }});
  progress.finish();
  sink.commit();
  print_notes(sink.notes());
  if (o_.running.is_verified) {
    try {
      run.verify(*Source::open_as_written(o_.output, type_));
    } catch (const Error& e) {
      if (sink.dataset() != nullptr) sink.dataset()->withdraw();
      else std::remove(o_.output.c_str());
      throw Error(e.code(), std::string(e.what()) + "; the output was removed");
    }
    say_verified();
  }
  if (o_.running.is_json) print_done(o_.running, done(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()), {});
}

bool Move::streams_well() const {
  return !place_.is_gpu() && source_form() == Form::elements && result_form() == Form::elements && tool::streams_well(map());
}

void Move::run_into_stream(int descriptor, const std::string& path) const {
  stream_bytes(map(), source_bytes(), [&](std::span<const std::byte> slab) { write_fully(descriptor, slab, path); }, *executor_, limit());
}

std::int64_t Move::bytes_moved() const {
  std::int64_t bytes = Plan(map()).bytes_moved();
  if (!o_.wish.from_bit_planes.empty()) bytes = add(bytes, add(facts_.layout.n_bytes(), map().source().n_bytes()));
  if (o_.wish.is_bit_planes) bytes = add(bytes, add(map().destination().n_bytes(), Layout::dense(extents_, 1).n_bytes()));
  return bytes;
}

Done Move::done(double seconds) const {
  Done done{.operation = "move",
            .device = place_.device,
            .n_devices = 1 + std::ssize(place_.others),
            .bytes_moved = bytes_moved(),
            .seconds = seconds};
  done.include(done.inputs, facts_.path, facts_.layout.extents, facts_.type);
  done.include(done.outputs, o_.output, extents_, o_.window.empty() ? type_ : element_type("|u1"));
  return done;
}

std::string Move::describe() const {
  std::string text = plan().describe();
  if (o_.planning.is_measured() && is_in_slabs()) text += "as estimated, not measured: it moves in slabs, which have plans of their own\n";
  if (!place_.is_gpu()) text += describe_slabs(map(), source_form(), result_form(), limit());
  if (!o_.wish.from_bit_planes.empty())
    text += fmt::format("before it, {} of bit planes are put together to {} elements, slab by slab\n", print_shape(facts_.layout.extents),
                        map().source().n_elements());
  if (o_.wish.is_bit_planes)
    text += fmt::format("after it, {} elements are taken apart into bit planes {}, slab by slab\n", map().destination().n_elements(),
                        print_shape(extents_));
  return text + place_.why + "\n";
}

void Move::verify(const std::string& path, std::span<const std::byte> out) const {
  const std::int64_t at = first_difference(map(), source_bytes(), source_form(), out, result_form());
  if (at >= 0)
    throw Error(ErrorCode::bad_file, fmt::format("{}: read back, element {} of {} is not what the move should have written", path, at,
                                                 Layout::dense(extents_, 1).n_bytes()));
}

bool Move::is_in_slabs() const {
  return is_for_slabs(map(), source_form(), result_form(), limit()) || Plan(map()).workspace_bytes() > limit();
}

const Plan& Move::plan() const {
  if (!plan_) plan_.emplace(o_.planning.is_measured() && !is_in_slabs() ? o_.planning.plan(map(), *executor_) : Plan(map(), place_.device));
  return *plan_;
}

std::span<const std::byte> Move::source_bytes() const {
  return source_form() == Form::elements ? source_.bytes() : source_.bytes().subspan(static_cast<std::size_t>(facts_.layout.offset));
}

Layout Move::planes_layout(const ArrayFacts& facts) const {
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

void Move::verify_file(std::int64_t n_bytes) const {
  const RawFacts as_written{extents_, type_, 0};
  try {
    const auto back = is_named_as_a_format(o_.output) ? Source::open_as_written(o_.output, type_) : Source::open(o_.output, &as_written);
    const auto at = static_cast<std::size_t>(back->facts().layout.offset);
    if (static_cast<std::int64_t>(back->bytes().size() - at) < n_bytes)
      throw Error(ErrorCode::bad_file, o_.output + ": read back, it is too short");
    const std::string& order = back->facts().type.descr;
    if (back->facts().format == "png" && order != type_.descr && type_.bytes == 2) {  // PNG knows one byte order
      const std::span<std::byte> pixels = back->decoded();
      for (std::size_t i = 0; i + 1 < pixels.size(); i += 2) std::swap(pixels[i], pixels[i + 1]);
    }
    verify(o_.output, back->bytes().subspan(at, static_cast<std::size_t>(n_bytes)));
  } catch (const Error& e) {
    std::remove(o_.output.c_str());
    throw Error(e.code(), std::string(e.what()) + "; the output was removed");
  }
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: {} verified\n", o_.output);
}

void fault_in(std::span<const std::byte> in, std::span<std::byte> out) {
  constexpr std::size_t page = 4096;
  const volatile std::byte* pages = in.data();
  for (std::size_t i = 0; i < in.size(); i += page) static_cast<void>(pages[i]);
  std::fill(out.begin(), out.end(), std::byte{0});
}

}  // namespace crinkle::tool
