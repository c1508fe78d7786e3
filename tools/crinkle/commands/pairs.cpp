// crinkle pairs: distances of all pairs of points, spheres that collide, and the energy of triplets.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/caret.hpp"
#include "command_line/shared_options.hpp"
#include "crinkle/pairs.hpp"
#include "files/arrays.hpp"
#include "files/beyond.hpp"
#include "files/file_names.hpp"
#include "files/point_file.hpp"
#include "formats/sink.hpp"
#include "formats/temporary.hpp"
#include "pairs/check.hpp"
#include "running/pair_devices.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"
#include "verifying/verify_pairs.hpp"

namespace crinkle::tool::pairs_command {
namespace {

struct Options {
  std::string work, input, output, metric, form, radii, device = "auto";
  int threads = 0;
  bool is_verified = false, is_forced = false, is_json = false;

  Overwrite overwrite() const { return is_forced ? Overwrite::force : Overwrite::refuse; }
};

// What is wrong with the words alone, before anything is opened.
void check_options(const Options& o) {
  if (o.work != "distance" && o.work != "collide" && o.work != "triplet")
    refuse("there is no work '" + shown(o.work) + "' on pairs; it is distance, collide or triplet");
  const auto only_for = [&](const std::string& option, bool is_given, const char* work) {
    if (is_given && o.work != work) refuse(option + " is for crinkle pairs " + work + ", not for " + o.work);
  };
  only_for("--metric", !o.metric.empty(), "distance");
  only_for("--output", !o.form.empty(), "distance");
  only_for("--radii", !o.radii.empty(), "collide");
  if (o.work == "distance" && o.output.empty()) refuse("distances need a file to be written to: crinkle pairs distance IN.npy OUT.npy");
  if (o.work == "triplet" && !o.output.empty()) refuse("the energy of triplets is one number, which is printed; leave out " + o.output);
  if (o.is_verified && o.output.empty()) refuse("--verify compares what is written to a file, and none is");
  if (o.is_json && o.output == "-") refuse("--json prints to standard output, where the output is to go, too");
  if (!o.metric.empty()) parse_metric(o.metric);
  if (!o.form.empty()) parse_pair_form(o.form);
  parse_device(o.device);
  check_names(o.input, InputIs::as_named, o.output);
  if (!o.radii.empty()) check_names(o.radii, InputIs::as_named, o.output);
}

ElementType type_of(Real type) { return element_type(type == Real::float32 ? "<f4" : "<f8"); }

Extents extents_of(PairForm form, const Points& points) {
  if (form == PairForm::square) return {points.n, points.n};
  return {layout_of(form, points.n, points.type).n_elements()};
}

std::span<std::byte> data_of(Sink& sink) { return sink.bytes().subspan(static_cast<std::size_t>(sink.data_offset())); }

/// What --json prints, begun.
nlohmann::ordered_json facts_of_work(const Options& o, const Points& points, Device device) {
  return {{"work", o.work},
          {"points", points.n},
          {"features", points.n_features},
          {"dtype", points.type == Real::float32 ? "float32" : "float64"},
          {"device", device.kind == Device::Kind::cuda ? facts_of(device).name : "cpu"}};
}
void print(const nlohmann::ordered_json& facts) { fmt::print("{}\n", facts.dump(2)); }

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void say_verified() {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "crinkle: verified\n");
}

void run_distance(const Options& o, Executor& executor) {
  const PointFile in = open_points(o.input);
  const Points points = in.points();
  const Metric metric = o.metric.empty() ? Metric::euclidean : parse_metric(o.metric);
  const PairForm form = o.form.empty() ? PairForm::condensed : parse_pair_form(o.form);
  if (points.n_features < 1) throw Error(ErrorCode::bad_shape, o.input + ": its points have no features");
  const Device device = choose_device(o.device, cost_of_distances(points, form), executor);
  const auto sink = Sink::create(o.output, {extents_of(form, points), type_of(points.type), &in.source->facts()}, o.overwrite());
  const std::span<std::byte> data = data_of(*sink);
  const Buffer out{data.data(), std::ssize(data)};
  const Clock clock;
  distances_on(device, points, metric, form, out, executor);
  const double seconds = clock.seconds();
  note_beyond(
      o.output, data, type_of(points.type), [&] { return has_infinite(*in.source, executor); },
      points.type == Real::float32 ? "points of float64 have those of float64" : "", executor);
  if (o.is_verified) {
    verify_distances(points, metric, form, out, o.output, executor);
    say_verified();
  }
  sink->commit();
  for (const std::string& note : sink->notes()) fmt::print(stderr, "crinkle: note: {}\n", note);
  if (!o.is_json) return;
  nlohmann::ordered_json facts = facts_of_work(o, points, device);
  facts["metric"] = name_of(metric);
  facts["output"] = name_of(form);
  facts["bytes"] = out.bytes;
  facts["seconds"] = seconds;
  print(facts);
}

/// Spheres: n rows of centre and radius, or centres and a file of radii.
struct SphereFiles {
  PointFile centres, radii;
  std::vector<std::byte> own_centres, own_radii;
  Spheres spheres;
};

void check_radii_of(const std::string& path, const Spheres& spheres) {
  try {
    check_radii(spheres.radii, spheres.centres.n, spheres.centres.type);
  } catch (const Error& e) { throw Error(e.code(), path + ": " + e.what()); }
}

SphereFiles open_spheres(const Options& o) {
  SphereFiles files;
  files.centres = open_points(o.input);
  const PointFile& in = files.centres;
  files.spheres.centres = in.points();
  if (o.radii.empty()) {
    if (in.n_columns < 2 || in.n_columns > 4) {
      throw Error(ErrorCode::bad_shape,
                  fmt::format("{}: has {} column{}; spheres have 2 to 4, one a dimension and the radius last, or --radii FILE", o.input,
                              in.n_columns, in.n_columns == 1 ? "" : "s"));
    }
    files.own_centres = columns_of(in, 0, in.n_columns - 1);
    files.own_radii = columns_of(in, in.n_columns - 1, 1);
    files.spheres.centres.n_features = in.n_columns - 1;
    files.spheres.centres.data = {files.own_centres.data(), std::ssize(files.own_centres)};
    files.spheres.radii = {files.own_radii.data(), std::ssize(files.own_radii)};
    return files;
  }
  files.radii = open_points(o.radii);
  if (files.radii.type != in.type || files.radii.n != in.n || files.radii.n_columns != 1) {
    const auto of = [](const PointFile& file) {
      return described(file.source->facts().path, file.source->facts().layout.extents, file.source->facts().type);
    };
    throw Error(ErrorCode::bad_shape, of(files.radii) + " are no radii for " + of(in) + ": one for each sphere, of the same type");
  }
  files.spheres.radii = files.radii.data;
  return files;
}

void run_collide(const Options& o, Executor& executor) {
  const SphereFiles in = open_spheres(o);
  const Device device = choose_device(o.device, cost_of_collisions(in.spheres.centres), executor);
  const FileIdentity identity = in.centres.source->facts().identity;
  if (!o.output.empty()) {
    check_output_name(o.output, o.overwrite(), identity);  // before all pairs are looked at
    if (in.radii.source) check_output_name(o.output, o.overwrite(), in.radii.source->facts().identity);
  }
  check_radii_of(o.radii.empty() ? o.input : o.radii, in.spheres);
  const Clock clock;
  const std::int64_t n = count_on(device, in.spheres, executor);
  double seconds = clock.seconds();
  if (!o.output.empty()) {
    const auto sink = Sink::create(o.output, {{n, 2}, element_type("<i8"), &in.centres.source->facts()}, o.overwrite());
    const std::span<Collision> pairs(reinterpret_cast<Collision*>(data_of(*sink).data()), static_cast<std::size_t>(n));
    find_on(device, in.spheres, pairs, executor);
    seconds = clock.seconds();
    if (o.is_verified) {
      verify_collisions(in.spheres, pairs, o.output);
      say_verified();
    }
    sink->commit();
  }
  if (o.is_json) {
    nlohmann::ordered_json facts = facts_of_work(o, in.spheres.centres, device);
    facts["collisions"] = n;
    facts["seconds"] = seconds;
    print(facts);
  } else if (o.output.empty()) {
    fmt::print("{}\n", n);
  }
}

void run_triplet(const Options& o, Executor& executor) {
  const PointFile in = open_points(o.input);
  const Device device = choose_device(o.device, cost_of_triplets(in.points()), executor);
  const Clock clock;
  const double energy = triplets_on(device, in.points(), executor);
  const double seconds = clock.seconds();
  if (!o.is_json) return fmt::print("{}\n", std::isnan(energy) ? std::abs(energy) : energy);  // a NaN has no sign
  nlohmann::ordered_json facts = facts_of_work(o, in.points(), device);
  facts["energy"] = energy;
  facts["seconds"] = seconds;
  print(facts);
}

void run_pairs(const Options& o) {
  check_options(o);
  ToldExecutor executor(make_executor(o.threads));
  if (o.work == "distance") run_distance(o, executor);
  else if (o.work == "collide") run_collide(o, executor);
  else run_triplet(o, executor);
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("pairs", "Distances, collisions and energies of all pairs or triplets of points");
  c.argument("WORK", o->work, "distance, collide or triplet").such_as({"distance", "collide", "triplet"}).required();
  c.argument("INPUT", o->input, "float32 or float64, [points][features]; collide: the last feature is the radius")
      .file({".npy"})
      .required();
  c.argument("OUTPUT", o->output, "of distance: the distances; of collide: int64 [collisions][2], or else their number is printed")
      .file({".npy"});
  c.option("--metric", "METRIC", o->metric, "euclidean (the default), sqeuclidean, manhattan (cityblock), chebyshev or cosine")
      .such_as({"euclidean", "sqeuclidean", "manhattan", "cityblock", "chebyshev", "cosine"})
      .manual(
          "Of the differences of two points' features: `sqeuclidean` is the sum of their squares, `manhattan` or `cityblock` the sum of "
          "their "
          "sizes, `chebyshev` the largest; `cosine` is 1 less the cosine of the angle, NaN where a point is zero.");
  c.option("--output", "FORM", o->form, "condensed (the default), packed-lower, packed-upper, rfp or square")
      .such_as({"condensed", "packed-lower", "packed-upper", "rfp", "square"})
      .manual(
          "`condensed`: the pairs (0, 1), (0, 2), ..., (1, 2), ... as SciPy's pdist has them; `packed-lower` and `packed-upper`: a "
          "triangle "
          "with its diagonal, packed by columns as LAPACK has it; `rfp`: rectangular full packed, of the lower triangle, not transposed; "
          "`square`: all of the symmetric matrix.");
  c.option("--radii", "FILE", o->radii, "of collide: the radii, so that all features are places")
      .file({".npy"})
      .manual("One for each row of *INPUT*.");
  add_device(c, o->device);
  add_threads(c, o->threads);
  add_verify(c, o->is_verified);
  add_json(c, o->is_json, "print JSON: what was done, the result where it is a number, and the seconds")
      .manual("An energy that is infinite or none is null. The seconds are without reading and writing files.");
  add_force(c, o->is_forced);
  c.notes =
      "distance  of every pair, condensed as SciPy's pdist does, as LAPACK's packed triangle, rectangular full packed (lower, 'N') or "
      "square\n"
      "collide   spheres in 1 to 3 dimensions whose distance is at most the sum of their radii: pairs i < j, sorted\n"
      "triplet   Axilrod and Teller's energy of all triplets of points in 3 dimensions, of strength 1, printed\n";
  c.examples = {"crinkle pairs distance stars.npy distances.npy",
                "crinkle pairs distance stars.npy square.npy --metric cityblock --output square --verify",
                "crinkle pairs collide spheres.npy", "crinkle pairs collide spheres.npy collisions.npy --json",
                "crinkle pairs triplet atoms.npy"};
  c.action = [o] { run_pairs(*o); };
  return c;
}

const Registered registered(60, declare);

}  // namespace
}  // namespace crinkle::tool::pairs_command
