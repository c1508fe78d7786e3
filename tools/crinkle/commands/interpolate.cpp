// crinkle interpolate: a map, or values at places, from scattered samples.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/caret.hpp"
#include "command_line/shared_options.hpp"
#include "crinkle/interpolate.hpp"
#include "files/arrays.hpp"
#include "files/beyond.hpp"
#include "files/file_names.hpp"
#include "formats/sink.hpp"
#include "formats/temporary.hpp"
#include "maps/column_works.hpp"
#include "maps/crs.hpp"
#include "maps/interpolation_notes.hpp"
#include "maps/nodata.hpp"
#include "maps/preview.hpp"
#include "maps/sample_columns.hpp"
#include "maps/sample_file.hpp"
#include "maps/value_table.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"

namespace crinkle::tool::interpolate_command {
namespace {

struct Options {
  SampleOptions samples;
  RasterOptions raster;
  MapOptions map;
  std::string output, targets, targets_layer, power = "2", neighbours = "0", dtype = "float32";
  PreviewOptions preview;
  Interpolation how;
  WorkOptions work;

  /// Values at targets, as text.
  bool is_table() const { return !targets.empty() && output.ends_with(".csv"); }
  Real type() const { return dtype == "float32" ? Real::float32 : Real::float64; }
  Overwrite overwrite() const { return work.overwrite(); }
};

void check_options(const Options& o) {
  if (o.targets.empty()) check_is_no_table(o.output);
  o.raster.check();
  o.map.check(o.samples.input, o.is_table() ? "-" : o.output, o.work.stored);
  if (o.output.ends_with(".png"))
    refuse(o.output + ": a map is of floats, which PNG cannot hold; write .tif or .npy and a picture beside it: --preview " + o.output);
  if (o.targets.empty()) o.raster.check_cell(", or --targets FILE");
  if (!o.targets.empty() && o.raster.is_given()) refuse("values at --targets have no cells: leave out --cell, --extent and --like");
  if (!o.targets.empty() && is_named_tiff(o.output)) refuse("values at --targets are no map: write .csv or .npy, not " + o.output);
  if (o.targets.empty() && !o.targets_layer.empty()) refuse("--targets-layer " + o.targets_layer + " is of --targets FILE");
  if (!o.targets.empty() && o.preview.is_asked()) refuse("--preview is of a map; values at --targets are none");
  if (o.dtype != "float32" && o.dtype != "float64") refuse("--dtype '" + shown(o.dtype) + "'; it is float32 or float64");
  if (o.dtype == "float32" && !is_of_float32(o.how.nodata))
    refuse(fmt::format("--nodata {} is beyond float32; --dtype float64 holds it", o.how.nodata));
  o.work.check(o.output);
  o.preview.check(o.overwrite());
}

std::int64_t neighbours_of(const std::string& text) {
  const double n = parse_real("--neighbours", text);
  if (n != std::floor(n) || std::abs(n) > 1e15) refuse("--neighbours: '" + shown(text) + "' is no whole number");
  return static_cast<std::int64_t>(n);
}

/// The scores of what is tried where a word says auto; n is the number of samples in the column with the fewest.
std::vector<Score> scores_of(Device device, const Options& o, const SampleFile& samples, std::int64_t n, Executor& executor) {
  std::vector<double> powers = {0.5, 1, 1.5, 2, 2.5, 3, 4, 6};
  if (o.power != "auto") powers = {parse_real("--power", o.power)};
  std::vector<std::int64_t> neighbours;
  for (const std::int64_t k : {4, 8, 12, 16, 24, 32})
    if (k < n) neighbours.push_back(k);
  if (o.neighbours != "auto" || neighbours.empty()) neighbours = {o.neighbours == "auto" ? 0 : neighbours_of(o.neighbours)};
  return scores_of_parts(samples, o.samples.input, [&](const SampleFile& part) {
    if (device.kind == Device::Kind::cuda) return cross_validate(part.samples(), o.how, powers, neighbours, device);
    return cross_validate(part.samples(), o.how, powers, neighbours, executor);
  });
}

nlohmann::ordered_json facts_of(const Score& score) {
  nlohmann::ordered_json facts = {{"power", score.power}, {"neighbours", score.neighbours}, {"predicted", score.n_predicted}};
  facts["rmse"] = std::isfinite(score.rmse) ? nlohmann::ordered_json(score.rmse) : nlohmann::ordered_json();
  return facts;
}

nlohmann::ordered_json facts_of(const Raster& raster, int n_dimensions) {
  nlohmann::ordered_json facts;
  const auto n = static_cast<std::ptrdiff_t>(n_dimensions);
  facts["first_cell"] = std::vector<double>(raster.first.begin(), raster.first.begin() + n);
  facts["step"] = std::vector<double>(raster.step.begin(), raster.step.begin() + n);
  facts["cells"] = std::vector<std::int64_t>(raster.extents.begin(), raster.extents.begin() + n);
  return facts;
}

// Operations of arithmetic a second of one core, of sums over all samples with p = 2 (docs/interpolation.md).
constexpr double sums_s = 60e9;

// As near as Interpolator::run() promises, and, since both are rounded to the type, a step of it.
Agreement agreement_of(const Interpolation& how, Real type, const SampleFile& part, bool is_on_gpu, const Operation& exact) {
  const bool is_narrow = type == Real::float32;
  const double part_of_range = std::max(how.tolerance, how.is_local() || !is_narrow ? 2e-12 : is_on_gpu ? 2e-5 : 1e-6);
  Agreement agreement{{}, exact};
  for (std::size_t c = 0; c < static_cast<std::size_t>(part.n_columns); ++c) {
    double least = part.values[c], most = least;
    for (std::size_t i = c; i < part.values.size(); i += static_cast<std::size_t>(part.n_columns)) {
      least = std::min(least, part.values[i]);
      most = std::max(most, part.values[i]);
    }
    agreement.near.push_back({part_of_range * (most - least), is_narrow ? 0x1p-23 : 0x1p-52});
  }
  return agreement;
}

// NaN where there is no data.
ColumnWorks works_of(const Options& o, const SampleFile& samples, const InterpolationTargets& targets, Executor& executor) {
  Interpolation how = o.how;
  how.nodata = std::numeric_limits<double>::quiet_NaN();
  const auto planned = [&](const Interpolation& as, const SampleFile& part, Device device) {
    if (device.kind == Device::Kind::cuda) return Interpolator(part.samples(), as, device).operation(targets, o.type());
    return Interpolator(part.samples(), as, executor).operation(targets, o.type());
  };
  return {o.work,
          samples,
          o.samples.input,
          [&](const SampleFile& part, Device device) { return planned(how, part, device); },
          [&](const SampleFile& part, bool is_on_gpu) {
            Interpolation exact = how;
            exact.tolerance = 0;
            return agreement_of(how, o.type(), part, is_on_gpu, planned(exact, part, cpu()));
          },
          sums_s};
}

// All columns, and what is told of their values.
template <class T>
void run(ColumnWorks& works, const Options& o, const SampleFile& samples, std::span<T> out, Executor& executor) {
  const ElementType type = element_type(o.dtype);
  note_pairs(o.how, static_cast<double>(samples.n), static_cast<double>(out.size()) / static_cast<double>(samples.n_columns));
  const std::span<std::byte> bytes = std::as_writable_bytes(out);
  works.run(bytes, o.output);
  note_beyond(o.output, bytes, type, [] { return false; }, "--dtype float64 holds them", executor);
  note_beside(put_nodata(bytes, type, o.how.nodata, executor), std::ssize(out), static_cast<double>(static_cast<T>(o.how.nodata)), type);
  note_no_data<T>(out, o.how.nodata);
}

template <class T>
void write(const Options& o, const SampleFile& samples, Executor& executor, nlohmann::ordered_json facts) {
  SampleFile targets;
  MapRaster raster;
  Extents extents;
  if (o.targets.empty()) {
    raster = o.raster.raster(samples);
    note_degrees(samples.crs, samples.places, samples.n_dimensions, raster,
                 samples.is_named_in_degrees ? Named::as_degrees : Named::otherwise);
    note_apart(samples, box_of(raster), "the map");
    extents = extents_of(raster, samples.n_dimensions, samples.n_columns);
    facts["raster"] = facts_of(raster, samples.n_dimensions);
  } else {
    targets = o.samples.open_targets(o.targets, o.targets_layer, samples);
    check_output_name(o.output, o.overwrite(), targets.source->facts().identity);
    note_apart(samples, box_of(targets.places, targets.n_dimensions), "the targets");
    extents = samples.n_columns > 1 ? Extents{samples.n_columns, targets.n} : Extents{targets.n};
    facts["targets"] = targets.n;
  }
  check_output_name(o.output, o.overwrite(), samples.source->facts().identity);
  o.raster.check_output(o.output, o.overwrite());
  note_degrees(samples.crs, "--radius", o.how.radius);
  note_degrees(samples.crs, "--smoothing", o.how.smoothing);
  note_coincident(samples);
  note_nodata_among(samples, o.how.nodata);
  if (sizeof(T) == 4) note_narrow(samples);
  const ElementType type = element_type(sizeof(T) == 4 ? "<f4" : "<f8");
  ColumnWorks works =
      works_of(o, samples, o.targets.empty() ? InterpolationTargets(raster) : InterpolationTargets(Reals(targets.places)), executor);
  works.explain();
  if (works.is_dry(o.output, fmt::format("{}: {} samples -> {}", o.samples.input, samples.n, described(o.output, extents, type)))) return;
  std::vector<std::unique_ptr<Sink>> sinks;
  if (o.is_table()) {
    std::vector<T> values(static_cast<std::size_t>(Layout::dense(extents, 1).n_bytes()));
    run(works, o, samples, std::span(values), executor);
    const std::string text = table_of(targets, samples.value_names, values);
    sinks.push_back(
        Sink::create(o.output, {.extents = {std::ssize(text)}, .type = element_type("u1"), .is_whole_file = true}, o.overwrite()));
    std::memcpy(sinks[0]->bytes().data(), text.data(), text.size());
  } else {
    const MapContent content{raster, extents, type, samples.value_names, samples.crs, o.how.nodata, o.work.threads};
    sinks.push_back(o.map.create(o.output, content, o.overwrite(), &o.work.stored));
    const std::span<std::byte> data = sinks[0]->data();
    const std::span<T> out(reinterpret_cast<T*>(data.data()), data.size() / sizeof(T));
    run(works, o, samples, out, executor);
    if (o.preview.is_asked()) {
      const std::int64_t nx = raster.extents[0];
      const auto nodata = static_cast<double>(static_cast<T>(o.how.nodata));
      sinks.push_back(draw_preview(
          o.preview, raster.extents[1], nx,
          [&](std::int64_t y, std::int64_t x) { return static_cast<double>(out[static_cast<std::size_t>(y * nx + x)]); },
          [&](double v) { return std::isnan(v) || v == nodata; }, o.overwrite()));
    }
  }
  commit_all(sinks);
  works.print_json(facts);
}

void run_interpolate(const Options& given) {
  Options o = given;
  check_options(o);
  ToldExecutor executor(make_executor(o.work.threads));
  const SampleFile samples = o.samples.open(o.raster.crs());
  nlohmann::ordered_json facts = {{"samples", samples.n}, {"columns", samples.n_columns}, {"dimensions", samples.n_dimensions}};
  const std::vector<std::int64_t> n_of = values_of_columns(samples), n_counting = counting_of_columns(samples);
  const bool is_whole = !has_gaps(samples);
  for (std::size_t c = 0; c < n_of.size() && !is_whole; ++c) facts["samples_of"][samples.value_names[c]] = n_of[c];
  const std::int64_t n_samples = is_whole ? samples.n : std::accumulate(n_of.begin(), n_of.end(), std::int64_t{0});
  if (samples.crs.is_known()) facts["crs"] = samples.crs.name;
  if (o.power == "auto" || o.neighbours == "auto") {
    const std::vector<Score> scores = scores_of(parse_device(o.work.device).value_or(cpu()), o, samples,
                                                *std::min_element(n_counting.begin(), n_counting.end()), executor);
    const Score best = best_of(scores);
    if (best.n_predicted == 0) {
      throw Error(ErrorCode::bad_shape,
                  fmt::format("auto: no sample has as many others near it as --radius {}, --least {} and --sectors {} ask for; give "
                              "--power and --neighbours, or ask for less",
                              o.how.radius, o.how.least_neighbours, o.how.sectors));
    }
    o.how.power = best.power;
    o.how.neighbours = best.neighbours;
    facts["scores"] = nlohmann::ordered_json::array();
    for (const Score& score : scores) facts["scores"].push_back(facts_of(score));
    const std::string counted = best.neighbours == 0 ? "all samples" : fmt::format("{} neighbours", best.neighbours);
    fmt::print(stderr, "crinkle: note: power {} and {} predict {} of {} samples best, with an error (RMSE) of {:.4g}\n", best.power,
               counted, best.n_predicted, n_samples, best.rmse);
  } else {
    o.how.power = parse_real("--power", o.power);
    o.how.neighbours = neighbours_of(o.neighbours);
  }
  note_idle(o.how);
  if (const auto fewest = std::min_element(n_counting.begin(), n_counting.end()); o.how.neighbours > *fewest)
    fmt::print(stderr, "crinkle: note: --neighbours {}: there are {} samples with {}{}, and all of them count\n", o.how.neighbours, *fewest,
               samples.value_names[static_cast<std::size_t>(fewest - n_counting.begin())],
               samples.weights.empty() ? "" : " and a weight above 0");
  facts["power"] = o.how.power;
  facts["neighbours"] = o.how.neighbours;
  if (o.dtype == "float32") write<float>(o, samples, executor, std::move(facts));
  else write<double>(o, samples, executor, std::move(facts));
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("interpolate", "A map from scattered samples, by inverse-distance weights");
  o->samples.add_to(c);
  c.argument("OUTPUT", o->output,
             "the map, GeoTIFF (.tif) or [y][x] (.npy), the northern row first; or values at targets, a table (.csv) or [targets] (.npy); "
             "several "
             "columns one after the other")
      .required();
  o->raster.add_to(c);
  c.option("--targets", "FILE", o->targets, "values at the places of a file instead of a map; its columns are named as the input's");
  c.option("--targets-layer", "NAME", o->targets_layer, "the layer of a file of targets that has several");
  c.option("--weight", "NAME", o->samples.weight, "the column of weights: a sample of weight 2 counts as two of 1");
  c.option("--power", "P", o->power, "the power p of 1/distance^p, or auto: the best of several, by leaving each sample out");
  c.option("--neighbours", "K", o->neighbours, "the nearest so many samples count, of each sector; 0 for all; auto");
  c.option("--radius", "R", o->how.radius, "only samples at most so far away count");
  c.option("--least", "N", o->how.least_neighbours, "where fewer samples count there is no data");
  c.option("--sectors", "N", o->how.sectors, "4 quadrants or 8 octants around each cell, so that no side is left out");
  c.option("--ratio", "F", o->how.anisotropy.ratio, "a step across the long axis of an ellipse counts so many times");
  c.option("--angle", "A", o->how.anisotropy.angle, "of the long axis, counterclockwise from x, in degrees");
  c.option("--smoothing", "S", o->how.smoothing, "a distance s: 1/(distance² + s²)^(p/2)");
  c.option("--nodata", "V", o->how.nodata, "what is written where there is no data (the default: NaN)");
  c.option("--tolerance", "E", o->how.tolerance,
           "values may be wrong by E times their range: sums over all samples take less time; 0: exact");
  o->preview.add_to(c, "the first column");
  c.option("--dtype", "DTYPE", o->dtype, "float32 or float64");
  o->map.add_to(c);
  o->work.add_to(c, "compare drawn values, or all where they are few, with the definition, within the error that is promised");
  c.examples = {
      "crinkle interpolate wells.csv map.npy --value level --cell 10 --neighbours 12 --preview map.png",
      "crinkle interpolate wells.csv best.npy --value level --cell 10 --power auto --neighbours auto --json",
      "crinkle interpolate wells.csv maps.npy --value level,salt --x east --y north --cell 10 --extent 0,0,5000,2000 --radius 500 "
      "--nodata -9999",
      "crinkle interpolate wells.geojson map.tif --value level --cell 10 --crs EPSG:25832 --neighbours 12 --radius 500",
      "crinkle interpolate wells.csv at_places.csv --value level --targets places.csv --neighbours 12",
      "crinkle interpolate samples.npy at_places.npy --targets places.npy --power 3"};
  c.action = [o] { run_interpolate(*o); };
  return c;
}

const Registered registered(40, declare);

}  // namespace
}  // namespace crinkle::tool::interpolate_command
