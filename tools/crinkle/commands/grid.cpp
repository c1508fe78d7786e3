// crinkle grid: samples binned onto a map.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
#include "maps/nodata.hpp"
#include "maps/preview.hpp"
#include "maps/sample_columns.hpp"
#include "maps/sample_file.hpp"
#include "running/progress.hpp"

namespace crinkle::tool::grid_command {
namespace {

struct Options {
  SampleOptions samples;
  RasterOptions raster;
  MapOptions map;
  std::string output, statistics = "mean";
  PreviewOptions preview;
  double nodata = std::nan("");
  WorkOptions work;
};

constexpr std::pair<const char*, Statistic> names[] = {{"count", Statistic::count}, {"sum", Statistic::sum},
                                                       {"mean", Statistic::mean},   {"min", Statistic::min},
                                                       {"max", Statistic::max},     {"deviation", Statistic::deviation}};

std::vector<Statistic> statistics_of(const std::string& list) {
  std::vector<Statistic> all;
  for (const std::string& word : split(list)) {
    const std::size_t before = all.size();
    for (const auto& [name, statistic] : names)
      if (word == name) all.push_back(statistic);
    if (all.size() == before)
      throw Error(ErrorCode::bad_notation,
                  "--statistic '" + shown(word) + "'; it is count, sum, mean, min, max or deviation, or several: mean,count");
  }
  return all;
}

// All columns, and what is told of their values. Returns how many samples lie outside.
std::int64_t fill(ColumnWorks& works, const Options& o, const SampleFile& samples, const Raster& raster,
                  const std::vector<Statistic>& statistics, std::span<std::byte> out, Executor& executor) {
  works.run(out, o.output);
  std::int64_t n_outside = 0, n_counted = 0;
  for_each_part(samples, o.samples.input, [&](const SampleFile& part, std::int64_t) {
    n_outside += part.n - bin(part.samples(), raster, {}, {}, o.nodata, executor);
    n_counted += part.n;
  });
  if (n_outside > 0) fmt::print(stderr, "crinkle: note: {} of {} samples lie outside the map\n", n_outside, n_counted);
  const ElementType type = element_type("float64");
  note_beyond(o.output, out, type, [] { return false; }, "", executor);
  std::int64_t n_beside = 0;
  const std::size_t plane = out.size() / statistics.size();
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    // A count of 0 is of no samples: where nodata is 0 it may say so.
    if (statistics[s] == Statistic::count && o.nodata == 0) continue;
    n_beside += put_nodata(out.subspan(s * plane, plane), type, o.nodata, executor);
  }
  note_beside(n_beside, std::ssize(out) / type.bytes, o.nodata, type);
  return n_outside;
}

void run_grid(const Options& o) {
  const Overwrite overwrite = o.work.overwrite();
  const std::vector<Statistic> statistics = statistics_of(o.statistics);
  check_is_no_table(o.output);
  o.raster.check();
  o.raster.check_cell();
  o.map.check(o.samples.input, o.output, o.work.stored);
  o.work.check(o.output);
  o.preview.check(overwrite);
  ToldExecutor executor(make_executor(o.work.threads));
  const bool is_count = std::all_of(statistics.begin(), statistics.end(), [](Statistic s) { return s == Statistic::count; });
  const SampleFile samples = o.samples.open(o.raster.crs(), is_count ? Values::are_optional : Values::are_needed);
  const MapRaster raster = o.raster.raster(samples);
  note_degrees(samples.crs, samples.places, samples.n_dimensions, raster,
               samples.is_named_in_degrees ? Named::as_degrees : Named::otherwise);
  Extents extents = extents_of(raster, samples.n_dimensions, samples.n_columns);
  if (statistics.size() > 1) extents.insert(extents.begin(), std::ssize(statistics));
  check_output_name(o.output, overwrite, samples.source->facts().identity);
  o.raster.check_output(o.output, overwrite);
  const auto planned = [&](const SampleFile& part, Device device) {
    return plan(BinRequest{part.samples(), raster, statistics, std::nan("")}, device);
  };
  ColumnWorks works(o.work, samples, o.samples.input, planned, [](const SampleFile&, bool) { return Agreement(); });
  works.explain();
  const ElementType type = element_type("<f8");
  if (works.is_dry(o.output, fmt::format("{}: {} samples -> {}", o.samples.input, samples.n, described(o.output, extents, type)))) return;
  std::vector<std::unique_ptr<Sink>> sinks;
  std::vector<std::string> bands;
  for (const std::string& statistic : split(o.statistics))
    for (const std::string& name : samples.value_names) bands.push_back(statistic + " of " + name);
  sinks.push_back(o.map.create(o.output, {raster, extents, type, bands, samples.crs, o.nodata, o.work.threads}, overwrite, &o.work.stored));
  const std::span<std::byte> out = sinks[0]->data();
  const std::int64_t n_outside = fill(works, o, samples, raster, statistics, out, executor);
  if (o.preview.is_asked()) {
    const std::int64_t nx = raster.extents[0];
    const auto* const numbers = reinterpret_cast<const double*>(out.data());
    sinks.push_back(draw_preview(
        o.preview, raster.extents[1], nx, [&](std::int64_t y, std::int64_t x) { return numbers[y * nx + x]; },
        [&](double v) { return std::isnan(v) || v == o.nodata; }, overwrite));
  }
  commit_all(sinks);
  works.print_json({{"samples", samples.n}, {"columns", samples.n_columns}, {"statistics", split(o.statistics)}, {"outside", n_outside}});
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("grid", "Scattered samples binned onto a map: their mean, count and more in every cell");
  o->samples.add_to(c);
  c.argument("OUTPUT", o->output,
             "GeoTIFF (.tif) or float64 [y][x] (.npy), the northern row first; several statistics and columns before these axes")
      .required();
  o->raster.add_to(c);
  c.option("--statistic", "WORDS", o->statistics, "count, sum, mean, min, max, deviation, or several: mean,count");
  c.option("--nodata", "V", o->nodata, "what is written where no sample lies (the default: NaN)");
  o->preview.add_to(c, "the first statistic");
  o->map.add_to(c);
  o->work.add_to(c, "compare drawn cells, or all where they are few, with the definition before an output appears");
  c.examples = {"crinkle grid soundings.csv depth.npy --value depth --cell 5",
                "crinkle grid soundings.csv depths.npy --value depth --cell 5 --statistic mean,count,deviation --preview depth.png",
                "crinkle grid soundings.csv counts.tif --cell 5 --statistic count"};
  c.action = [o] { run_grid(*o); };
  return c;
}

const Registered registered(45, declare);

}  // namespace
}  // namespace crinkle::tool::grid_command
