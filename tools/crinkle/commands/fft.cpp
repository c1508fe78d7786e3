// crinkle fft: Fourier transforms of arrays in files, and pictures of their spectra.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/fft.hpp"
#include "crinkle/cuda_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "base/caret.hpp"
#include "command_line/shared_options.hpp"
#include "crinkle/operations.hpp"
#include "files/beyond.hpp"
#include "files/file_names.hpp"
#include "files/number_file.hpp"
#include "formats/sink.hpp"
#include "plan/describe.hpp"
#include "running/part_run.hpp"
#include "running/progress.hpp"
#include "running/work.hpp"
#include "verifying/verify_transform.hpp"
#include "words/axis_names.hpp"

namespace crinkle::tool::fft_command {
namespace {

struct Options {
  std::string input, output, axes, norm = "backward", dtype, planning = "estimate";
  std::vector<std::string> sizes;
  RawInput raw;
  WorkOptions work;
  bool is_inverse = false, is_real = false, is_cosine = false, is_sine = false, is_shifted = false, is_spectrum = false, is_pairs = false,
       is_float16 = false;
};

FftRequest request_of(const Options& o, const ArrayFacts& facts) {
  FftRequest request;
  const auto rank = std::ssize(facts.layout.extents);
  if (!o.axes.empty()) {
    for (const std::string& word : split(o.axes)) request.axes.push_back(axis_of(word, facts));
  } else {
    request.axes.resize(static_cast<std::size_t>(facts.format == "png" ? 2 : rank));
    std::iota(request.axes.begin(), request.axes.end(), std::int64_t{0});
  }
  for (const std::string& text : o.sizes) {
    const std::size_t equals = text.find('=');
    const std::string what = "--size " + shown(text);
    if (equals == std::string::npos) refuse(what + ": write AXIS=N, as in --size x=4096");
    const std::int64_t axis = axis_of(text.substr(0, equals), facts, what);
    const auto n = parse_integer<std::int64_t>(what, text.substr(equals + 1));
    const auto found = std::find(request.axes.begin(), request.axes.end(), axis);
    if (found == request.axes.end()) refuse(fmt::format("{}: axis {} is not transformed; name it in --axes", what, axis));
    if (n < 1) throw Error(ErrorCode::bad_shape, what + ": give 1 or more");
    request.sizes.resize(request.axes.size());
    std::int64_t& size = request.sizes[static_cast<std::size_t>(found - request.axes.begin())];
    if (size != 0) refuse(fmt::format("{}: axis {} has a size of {} already; give one", what, axis, size));
    size = n;
  }
  request.direction = o.is_inverse ? FftDirection::inverse : FftDirection::forward;
  request.norm = parse_fft_norm(o.norm);
  if (o.is_cosine || o.is_sine) request.kind = o.is_cosine ? FftKind::cosine : FftKind::sine;
  if (o.is_real) request.kind = o.is_inverse ? FftKind::complex_to_real : FftKind::real_to_complex;
  return request;
}

const char* type_of(FftReal real, bool is_complex) {
  const char* types[2][2] = {{"<f4", "<c8"}, {"<f8", "<c16"}};
  return types[real == FftReal::float64 ? 1 : 0][is_complex ? 1 : 0];
}

void run_fft(const Options& o) {
  check_names(o.input, o.raw.is(), o.output);
  if (o.is_spectrum && o.is_real && o.is_inverse) refuse("--spectrum is of complex numbers; --inverse --real gives real ones");
  if ((o.is_cosine || o.is_sine) && (o.is_cosine == o.is_sine || o.is_real || o.is_shifted || o.is_spectrum))
    refuse(
        "--cosine and --sine are of real numbers and have no negative frequencies: give one of them, without --real, --shift and "
        "--spectrum");
  if (o.is_spectrum && o.is_float16) refuse("--spectrum writes grey levels or float32; leave out --float16");
  o.work.check(o.output);
  std::string dtype = o.dtype;
  auto source = o.raw.completed(dtype).open(o.input);
  const NumberFile file = open_numbers(std::move(source), dtype, o.is_pairs ? LastAxis::is_pairs : LastAxis::is_an_axis);
  const ArrayFacts& facts = file.facts;
  if (o.is_float16 && file.real == FftReal::float64)
    refuse("--float16 is of results that are computed in float32: give --dtype float32, too");
  FftRequest request = request_of(o, facts);
  const bool is_real = o.is_cosine || o.is_sine;
  const bool is_real_in = is_real || request.kind == FftKind::real_to_complex,
             is_real_out = is_real || request.kind == FftKind::complex_to_real;
  if (is_real_in && file.is_complex)
    refuse(o.input + ": has complex numbers; " +
           (is_real ? "--cosine and --sine are for real ones" : "--real is for real ones, or with --inverse for their transform"));
  const NumbersAre are = is_real_in ? NumbersAre::real : NumbersAre::complex;
  Numbers in = kind_of_numbers(file, are);
  request.real = o.is_float16 ? FftReal::float16 : in.real;
  const bool has_middle = o.is_shifted || (o.is_spectrum && !o.is_inverse);
  if (has_middle) request.shift = o.is_inverse ? FftShift::input : FftShift::output;
  request.in = in.layout;
  request.out =
      Layout::dense(fft_extents(in.layout.extents, request.axes, request.kind, request.sizes), (o.is_float16                       ? 2
                                                                                                : request.real == FftReal::float64 ? 8
                                                                                                                                   : 4) *
                                                                                                   (is_real_out ? 1 : 2));
  if (o.planning == "measure") {
    KernelOptions options = kernel_options();
    options.effort = KernelEffort::measured;
    set_kernel_options(std::move(options));
  }
  Work work(o.work, [&](Device device) { return plan(request, device); });
  if (o.planning == "measure" && !work.is_on_gpu()) print_notes({"--plan measure: on a CPU there is nothing to choose"});
  print_notes(facts.notes);
  print_notes(not_heeded(facts));
  work.explain();
  const bool is_complex = !is_real_out;
  const ElementType type = element_type(o.is_spectrum  ? (o.output.ends_with(".png") ? "|u1" : "<f4")
                                        : o.is_float16 ? "<f2"
                                                       : type_of(request.real, is_complex));
  Extents extents = request.out.extents;
  if (o.is_float16 && is_complex) extents.push_back(2);
  const TransformFacts transformed(extents, type, facts, request.axes, &o.work.stored);
  if (work.is_dry(file.source->facts(), transformed.output(), o.output)) return;

  if (!o.work.memory.empty() && in.is_converted)
    print_notes({fmt::format(
        "--memory {}: beside its parts, {} takes {} as {}{}", o.work.memory, o.input,
        planning::print_bytes(static_cast<double>(in.layout.n_bytes())), element_type(type_of(in.real, !is_real_in)).name,
        !file.is_complex && request.kind == FftKind::complex_to_complex && !o.is_inverse ? "; --real takes real numbers as they are"
                                                                                         : "")});
  bool is_verified = false;
  const auto report = [&] {
    work.print_json(o.work.is_verified ? nlohmann::ordered_json{{"verified", is_verified}} : nlohmann::ordered_json());
  };
  const auto transform = [&](std::byte* to) {
    in = numbers_of(file, are);
    if (in.has_rounded)
      print_notes({o.input + ": " + beyond_float64(facts.type.name, in.real == FftReal::float64 ? "float64" : "float32")});
    const ConstBuffer from{in.data.data, in.data.bytes};
    const Buffer result{to, request.out.n_bytes()};
    work.run(from, result);
    if (!o.work.is_verified) return;
    is_verified = verify_transform(request, from, result, o.output, work.executor());
    if (is_verified) say_verified();
    else print_notes({fmt::format("{} is not verified: not all numbers of {} are finite, and these fill their lines", o.output, o.input)});
  };
  if (o.is_spectrum) {
    std::vector<std::byte> result(static_cast<std::size_t>(request.out.n_bytes()));
    transform(result.data());
    const std::vector<float> logarithms = log_magnitudes(result, request.real);
    const std::int64_t n_not_finite = std::count_if(logarithms.begin(), logarithms.end(), [](float x) { return !std::isfinite(x); });
    if (n_not_finite > 0)
      print_notes(
          {fmt::format("{} of {} numbers of the spectrum are not finite{}; {} of the input's {} are not", n_not_finite, logarithms.size(),
                       o.output.ends_with(".png") ? ", and white" : "", count_not_finite(in, is_real_in ? 1 : 2), in.layout.n_elements())});
    print_notes(write_spectrum(logarithms, transformed.output(), facts, o.output, o.work.overwrite()));
    return report();
  }
  const auto sink = Sink::create(o.output, transformed.output(), o.work.overwrite());
  const auto note_not_finite = [&](std::int64_t n, bool had_some) {
    if (n > 0 && !had_some)
      print_notes({fmt::format("{}: {} of its parts are beyond {}, and infinite or NaN{}", o.output, n, type.name,
                               request.real == FftReal::float64 ? "" : "; --dtype float64 holds them")});
  };
  if (!in.is_converted && !o.is_float16 && work.is_stored(*sink, *file.source)) {
    std::int64_t n_made = 0, n_read = 0;
    work.write_stored(*sink, *file.source, o.output,
                      {.read = [&](std::span<std::byte> part) { n_read += count_not_finite(part, facts.type, work.executor()); },
                       .look = [&](std::span<std::byte> part) { n_made += count_not_finite(part, type, work.executor()); },
                       .written = {}});
    note_not_finite(n_made, n_read > 0);
    return report();
  }
  const std::span<std::byte> numbers = sink->data();
  transform(numbers.data());
  if (o.is_float16) check_range({numbers.begin(), numbers.end()}, in, is_real_in ? 1 : 2);
  else if (const std::int64_t n = count_not_finite(numbers, type, work.executor()); n > 0)
    note_not_finite(n, count_not_finite(in, is_real_in ? 1 : 2) > 0);
  sink->commit();
  print_notes(sink->notes());
  report();
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("fft", "Fourier transforms of any axes, and pictures of spectra");
  c.argument("INPUT", o->input, fmt::format("float16, float32, float64, complex64 or complex128: {}, or - for standard input", arrays_read))
      .file()
      .required();
  c.argument("OUTPUT", o->output, fmt::format("complex, or real for --inverse --real: {}; .png with --spectrum alone", arrays_written))
      .file()
      .required();
  c.option(
      "--axes", "LIST", o->axes,
      "numbers, or names: x is the last axis, y, z and t come before it, a picture's are y, x, c; all when left out, of a picture y and x");
  c.flag("--inverse", o->is_inverse, "the inverse transform");
  c.flag("--real", o->is_real, "real input: the last of the axes keeps N/2 + 1 numbers; with --inverse real output");
  c.flag("--cosine", o->is_cosine, "cosine transform of type II of real numbers, or with --inverse its inverse (III)");
  c.flag("--sine", o->is_sine, "sine transform, likewise");
  c.option("--norm", "NORM", o->norm, "backward, ortho or forward, as in NumPy").only({"backward", "ortho", "forward"});
  c.flag("--shift", o->is_shifted, "zero frequency in the middle of the output; of an inverse's input");
  c.option("--size", "AXIS=N", o->sizes, "crop the input to N along the axis, or pad it with zeros").repeatable();
  add_type(c, "--dtype", o->dtype, "convert integers and other types to float32 or float64 first");
  o->raw.add_beside_result_to(c);
  c.flag("--float16", o->is_float16, "a result of float16, of complex numbers with a last axis of two, re and im");
  c.flag("--pairs", o->is_pairs, "the input's last axis is re and im of complex numbers");
  c.flag("--spectrum", o->is_spectrum, "write log(1 + |X|), zero frequency in the middle: a .png, or float32");
  c.option("--plan", "HOW", o->planning, "of a GPU: estimate, or measure: compile kernels for it, try some and keep the fastest")
      .only({"estimate", "measure"});
  o->work.add_to(c, "transform back, all at once in memory whatever --memory says, and compare with the input before an output appears");
  c.examples = {"crinkle fft signal.npy spectrum.npy --axes x --real",
                "crinkle fft volume.nii.gz frequencies.npy --axes z,y,x --norm ortho",
                "crinkle fft frequencies.npy volume.npy --inverse --norm ortho",
                "crinkle fft photo.png blocks.npy --cosine --axes y,x --norm ortho --dtype float32",
                "crinkle fft photo.png spectrum.png --dtype float32 --spectrum"};
  c.action = [o] { run_fft(*o); };
  return c;
}

const Registered registered(37, declare);

}  // namespace
}  // namespace crinkle::tool::fft_command
