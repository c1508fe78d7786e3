// crinkle pairs: distances of all pairs of points, spheres that collide, and the energy of triplets.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

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
#include "running/progress.hpp"
#include "running/work.hpp"

namespace crinkle::tool::pairs_command {
namespace {

struct Options {
  std::string what, input, output, metric, form, radii;
  RawInput raw;
  WorkOptions work;
};

// Operations of arithmetic a second of one core of a Xeon with AVX-512 (2026-11-24), in float32; float64 has half as many in a vector.
constexpr double distances_s = 60e9, spheres_s = 21e9, triplets_s = 80e9;
double rate(double in_float32, Real type) { return type == Real::float32 ? in_float32 : in_float32 / 2; }

// Refuses wrong words, before anything is opened.
void check_options(const Options& o) {
  if (o.what != "distance" && o.what != "collide" && o.what != "triplet")
    refuse("there is no work '" + shown(o.what) + "' on pairs; it is distance, collide or triplet");
  const auto only_for = [&](const std::string& option, bool is_given, const char* what) {
    if (is_given && o.what != what) refuse(option + " is for crinkle pairs " + what + ", not for " + o.what);
  };
  only_for("--metric", !o.metric.empty(), "distance");
  only_for("--output", !o.form.empty(), "distance");
  only_for("--radii", !o.radii.empty(), "collide");
  if (o.what == "distance" && o.output.empty()) refuse("distances need a file to be written to: crinkle pairs distance IN.npy OUT.npy");
  if (o.what == "triplet" && !o.output.empty()) refuse("the energy of triplets is one number, which is printed; leave out " + o.output);
  if (o.work.is_verified && o.output.empty() && o.what != "triplet") refuse("--verify compares what is written to a file, and none is");
  if (!o.metric.empty()) parse_metric(o.metric);
  if (!o.form.empty()) parse_pair_form(o.form);
  o.work.check(o.output);
  check_names(o.input, o.raw.is(), o.output);
  if (!o.radii.empty()) check_names(o.radii, InputIs::as_named, o.output);
}

/// The beginning of what --json prints.
nlohmann::ordered_json facts_of(const Options& o, const Points& points) {
  return {{"work", o.what},
          {"points", points.n},
          {"features", points.n_features},
          {"dtype", points.type == Real::float32 ? "float32" : "float64"}};
}

PointFile open_input(const Options& o) {
  PointFile file = points_of(o.raw.open(o.input));
  print_notes(file.source->facts().notes);
  return file;
}

std::string described(const PointFile& file) {
  const ArrayFacts& facts = file.source->facts();
  return described(facts.path, facts.layout.extents, facts.type);
}

// As near as crinkle/pairs.hpp promises: on a CPU they are the definition's own, but for cosine.
Near near_definition(const DistanceRequest& request, bool is_on_gpu) {
  const bool is_float = request.type == Real::float32;
  const auto features = static_cast<double>(request.n_features), units = 2 * (features / 2 + 3);
  const double epsilon = is_float ? 0x1p-23 : 0x1p-52, least = is_float ? 0x1p-149 : 0x1p-1074;
  if (request.metric == Metric::cosine) return {(features + 16) * 0x1p-53, epsilon};
  return is_on_gpu ? Near{units * least, units * epsilon} : Near{};
}

void run_distance(const Options& o) {
  const PointFile in = open_input(o);
  const Points points = in.points();
  const DistanceRequest request{.n = points.n,
                                .n_features = points.n_features,
                                .type = points.type,
                                .metric = o.metric.empty() ? Metric::euclidean : parse_metric(o.metric),
                                .form = o.form.empty() ? PairForm::condensed : parse_pair_form(o.form)};
  const bool is_float = points.type == Real::float32;
  if (points.n_features < 1) throw Error(ErrorCode::bad_shape, o.input + ": its points have no features");
  Work work(o.work, [&](Device device) { return plan(request, device); }, rate(distances_s, points.type));
  const ElementType type = element_type(is_float ? "<f4" : "<f8");
  const OutputFacts output = o.work.stored_as({work.operation().outputs()[0].layout.extents, type, &in.source->facts()});
  work.explain();
  if (work.is_dry(in.source->facts(), output, o.output)) return;
  const auto sink = Sink::create(o.output, output, o.work.overwrite());
  const auto look = [&](std::span<std::byte> data) {
    note_beyond(
        o.output, data, type, [&] { return has_infinite(*in.source, work.executor()); },
        is_float ? "points of float64 have those of float64" : "", work.executor());
  };
  work.write(*sink, {&in.data, 1}, o.output, look, {.near = {near_definition(request, work.is_on_gpu())}});
  nlohmann::ordered_json facts = facts_of(o, points);
  facts["metric"] = name_of(request.metric);
  facts["form"] = name_of(request.form);
  work.print_json(facts);
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
  files.centres = open_input(o);
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
  files.radii = points_of(Source::open(o.radii));
  if (files.radii.type != in.type || files.radii.n != in.n || files.radii.n_columns != 1) {
    throw Error(ErrorCode::bad_shape,
                described(files.radii) + " are no radii for " + described(in) + ": one for each sphere, of the same type");
  }
  files.spheres.radii = files.radii.data;
  return files;
}

void run_collide(const Options& o) {
  const SphereFiles in = open_spheres(o);
  const Points& centres = in.spheres.centres;
  const auto n_dimensions = static_cast<int>(std::min<std::int64_t>(centres.n_features, std::numeric_limits<int>::max()));
  Work work(
      o.work, [&](Device device) { return plan(CollisionRequest{centres.n, n_dimensions, centres.type}, device); },
      rate(spheres_s, centres.type));
  if (!o.output.empty()) {
    check_output_name(o.output, o.work.overwrite(), in.centres.source->facts().identity);  // before all pairs are looked at
    if (in.radii.source) check_output_name(o.output, o.work.overwrite(), in.radii.source->facts().identity);
  }
  check_radii_of(o.radii.empty() ? o.input : o.radii, in.spheres);
  const auto output = [&](std::int64_t n) { return o.work.stored_as({{n, 2}, element_type("<i8"), &in.centres.source->facts()}); };
  if (o.work.is_dry && !o.output.empty()) Sink::check(o.output, output(0), o.work.overwrite());
  work.explain();
  const std::string wanted = o.output.empty() ? "the number of collisions" : o.output + " [collisions][2] int64";
  if (work.is_dry(o.output, described(in.centres) + " -> " + wanted)) return;
  const ConstBuffer inputs[] = {centres.data, in.spheres.radii};
  const std::int64_t n = work.count(inputs);
  if (!o.output.empty()) {
    const auto sink = Sink::create(o.output, output(n), o.work.overwrite());
    work.write(*sink, inputs, o.output, {});
  } else if (!o.work.is_json) {
    fmt::print("{}\n", n);
  }
  nlohmann::ordered_json facts = facts_of(o, centres);
  facts["collisions"] = n;
  work.print_json(facts);
}

// How far the energy may be from its definition by rounding: of each triplet the sizes of what is added, not of the sum that is left.
template <class T>
double near_energy(const Points& points, Executor& executor) {
  const auto* const x = static_cast<const T*>(points.data.data);
  const auto square = [&](std::int64_t i, std::int64_t j) {
    double sum = 0;
    for (std::int64_t d = 0; d < 3; ++d) {
      const double way = static_cast<double>(x[3 * i + d]) - static_cast<double>(x[3 * j + d]);
      sum += way * way;
    }
    return sum;
  };
  std::vector<double> sums(static_cast<std::size_t>(points.n));
  executor.parallel_for(points.n, [&](std::int64_t i) {
    double sum = 0;
    for (std::int64_t j = i + 1; j < points.n; ++j) {
      const double a = square(i, j);
      for (std::int64_t k = j + 1; k < points.n; ++k) {
        const double b = square(i, k), c = square(j, k), abc = a * b * c, all = a + b + c;
        sum += (1 + 3 * all * all * all / (8 * abc)) / (abc * std::sqrt(abc));
      }
    }
    sums[static_cast<std::size_t>(i)] = sum;
  });
  constexpr double roundings = 32;
  const double near = roundings * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::accumulate(sums.begin(), sums.end(), 0.0);
  return std::isnan(near) ? std::numeric_limits<double>::infinity() : near;  // points that coincide
}

void verify_energy(const Work& work, const PointFile& in, double energy, const std::string& path) {
  const Points points = in.points();
  const double near = in.type == Real::float32 ? near_energy<float>(points, work.executor()) : near_energy<double>(points, work.executor());
  const ConstBuffer out{&energy, std::int64_t{sizeof energy}};
  work.verify({&in.data, 1}, {&out, 1}, "the energy of " + path, {.near = {{near, 0}}});
}

void run_triplet(const Options& o) {
  const PointFile in = open_input(o);
  if (in.n_columns != 3)
    throw Error(ErrorCode::bad_shape, fmt::format("{}: {} feature{} of a point; the energy of triplets is of points in 3 dimensions",
                                                  described(in), in.n_columns, in.n_columns == 1 ? "" : "s"));
  Work work(o.work, [&](Device device) { return plan(TripletRequest{in.n, in.type}, device); }, rate(triplets_s, in.type));
  work.explain();
  if (work.is_dry("", described(in) + " -> the energy of all triplets")) return;
  constexpr std::int64_t most = 2000;  // whose definition takes half a minute
  if (o.work.is_verified && in.n > most)
    throw Error(ErrorCode::too_large,
                fmt::format("--verify of {}: the definition adds up all triplets one by one, of at most {} points; these are {}", o.input,
                            most, in.n));
  double energy = 0;
  work.run(in.data, {&energy, std::int64_t{sizeof energy}});
  if (o.work.is_verified) verify_energy(work, in, energy, o.input);
  if (!o.work.is_json) return fmt::print("{}\n", std::isnan(energy) ? std::abs(energy) : energy);  // a NaN has no sign
  nlohmann::ordered_json facts = facts_of(o, in.points());
  facts["energy"] = energy;
  work.print_json(facts);
}

void run_pairs(const Options& o) {
  check_options(o);
  if (o.what == "distance") run_distance(o);
  else if (o.what == "collide") run_collide(o);
  else run_triplet(o);
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("pairs", "Distances, collisions and energies of all pairs or triplets of points");
  c.argument("WORK", o->what, "distance, collide or triplet").such_as({"distance", "collide", "triplet"}).required();
  c.argument(
       "INPUT", o->input,
       "float32 or float64, [points][features], .npy, raw with --shape, or - for standard input; collide: the last feature is the radius")
      .file({".npy", ".raw"})
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
  o->raw.add_to(c);
  o->work.add_to(c,
                 "compare drawn elements, or all where they are few, with the definition before an output appears; of triplet their sum");
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
