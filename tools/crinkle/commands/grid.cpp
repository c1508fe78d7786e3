// crinkle grid: samples binned onto a map.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/caret.hpp"
#include "command_line/shared_options.hpp"
#include "crinkle/interpolate.hpp"
#include "files/beyond.hpp"
#include "files/file_names.hpp"
#include "formats/sink.hpp"
#include "formats/temporary.hpp"
#include "maps/nodata.hpp"
#include "maps/preview.hpp"
#include "maps/reference.hpp"
#include "maps/sample_columns.hpp"
#include "maps/sample_file.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"

namespace crinkle::tool::grid_command {
namespace {

struct Options {
  SampleOptions samples;
  RasterOptions raster;
  MapOptions map;
  std::string output, statistics = "mean", preview, device = "auto";
  double nodata = std::nan("");
  int threads = 0;
  bool is_forced = false;
};

constexpr std::pair<const char*, Statistic> names[] = {{"count", Statistic::count}, {"sum", Statistic::sum},
                                                       {"mean", Statistic::mean},   {"min", Statistic::min},
                                                       {"max", Statistic::max},     {"deviation", Statistic::deviation}};

std::vector<Statistic> statistics_of(const std::string& list) {
  std::vector<Statistic> all;
  for (const std::string& word : parts_of(list)) {
    const std::size_t before = all.size();
    for (const auto& [name, statistic] : names)
      if (word == name) all.push_back(statistic);
    if (all.size() == before)
      throw Error(ErrorCode::bad_notation,
                  "--statistic '" + shown(word) + "'; it is count, sum, mean, min, max or deviation, or several: mean,count");
  }
  return all;
}

// All columns, and what is told of their values.
void fill(Device device, const Options& o, const SampleFile& samples, const Raster& raster, const std::vector<Statistic>& statistics,
          std::span<double> out, Executor& executor) {
  const double nan = std::nan("");
  std::int64_t n_outside = 0, n_counted = 0;
  const std::size_t n_cells = out.size() / (statistics.size() * static_cast<std::size_t>(samples.n_columns));
  for_each_part(samples, o.samples.input, [&](const SampleFile& part, std::int64_t first) {
    std::vector<double> apart(part.n_columns == samples.n_columns ? 0 : statistics.size() * n_cells);
    const std::span<double> here = apart.empty() ? out : apart;
    n_outside += part.n - (device.kind == Device::Kind::cpu ? bin(part.samples(), raster, statistics, here, nan, executor)
                                                            : bin(part.samples(), raster, statistics, here, nan, device));
    n_counted += part.n;
    for (std::size_t s = 0; s < statistics.size() && !apart.empty(); ++s)
      std::copy_n(apart.begin() + static_cast<std::ptrdiff_t>(s * n_cells), n_cells,
                  out.begin() + static_cast<std::ptrdiff_t>(
                                    (s * static_cast<std::size_t>(samples.n_columns) + static_cast<std::size_t>(first)) * n_cells));
  });
  if (n_outside > 0) fmt::print(stderr, "crinkle: note: {} of {} samples lie outside the map\n", n_outside, n_counted);
  const ElementType type = element_type("float64");
  note_beyond(o.output, std::as_bytes(out), type, [] { return false; }, "", executor);
  std::int64_t n_beside = 0;
  const std::size_t plane = static_cast<std::size_t>(samples.n_columns) * n_cells;
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    // A count of 0 is of no samples: where nodata is 0 it may say so.
    if (statistics[s] == Statistic::count && o.nodata == 0) continue;
    n_beside += put_nodata(std::as_writable_bytes(out.subspan(s * plane, plane)), type, o.nodata, executor);
  }
  note_beside(n_beside, std::ssize(out), o.nodata, type);
}

void run_grid(const Options& o) {
  const Overwrite overwrite = o.is_forced ? Overwrite::force : Overwrite::refuse;
  const std::vector<Statistic> statistics = statistics_of(o.statistics);
  check_is_no_table(o.output);
  o.raster.check();
  o.map.check(o.samples.input, o.output);
  const Device device = parse_device(o.device).value_or(cpu());  // samples pass through the host's memory, which takes longer
  ToldExecutor executor(make_executor(o.threads));
  const bool is_count = std::all_of(statistics.begin(), statistics.end(), [](Statistic s) { return s == Statistic::count; });
  const SampleFile samples = o.samples.open(o.raster.crs(), is_count ? Values::are_optional : Values::are_needed);
  const MapRaster raster = o.raster.raster(samples);
  note_degrees(samples.crs, samples.places, samples.n_dimensions, raster,
               samples.is_named_in_degrees ? Named::as_degrees : Named::otherwise);
  Extents extents = extents_of(raster, samples.n_dimensions, samples.n_columns);
  if (statistics.size() > 1) extents.insert(extents.begin(), std::ssize(statistics));
  check_output_name(o.output, overwrite, samples.source->facts().identity);
  o.raster.check_output(o.output, overwrite);
  std::vector<std::unique_ptr<Sink>> sinks;
  std::vector<std::string> bands;
  for (const std::string& statistic : parts_of(o.statistics))
    for (const std::string& name : samples.value_names) bands.push_back(statistic + " of " + name);
  sinks.push_back(o.map.create(o.output, {raster, extents, element_type("<f8"), bands, samples.crs, o.nodata, o.threads}, overwrite));
  const std::span<std::byte> data = sinks[0]->bytes().subspan(static_cast<std::size_t>(sinks[0]->data_offset()));
  const std::span<double> out(reinterpret_cast<double*>(data.data()), data.size() / sizeof(double));
  fill(device, o, samples, raster, statistics, out, executor);
  if (!o.preview.empty()) {
    const std::int64_t nx = raster.extents[0];
    sinks.push_back(draw_preview(
        o.preview, raster.extents[1], nx, [&](std::int64_t y, std::int64_t x) { return out[static_cast<std::size_t>(y * nx + x)]; },
        [&](double v) { return std::isnan(v) || v == o.nodata; }, overwrite));
  }
  commit_all(sinks);
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
  c.option("--preview", "FILE.png", o->preview, "a picture of the first statistic beside the map");
  o->map.add_to(c);
  add_device(c, o->device, "auto (the CPU), cpu or cuda[:N]");
  add_threads(c, o->threads);
  add_force(c, o->is_forced);
  c.examples = {"crinkle grid soundings.csv depth.npy --value depth --cell 5",
                "crinkle grid soundings.csv depths.npy --value depth --cell 5 --statistic mean,count,deviation --preview depth.png",
                "crinkle grid soundings.csv counts.tif --cell 5 --statistic count"};
  c.action = [o] { run_grid(*o); };
  return c;
}

const Registered registered(45, declare);

}  // namespace
}  // namespace crinkle::tool::grid_command
