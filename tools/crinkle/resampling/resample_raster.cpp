// Cells without data are NaN while they are computed with, and so is what lies beyond the raster: resample() then says by a NaN where one
// of them counted, and these cells alone are looked at again. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/number_lines.hpp"
#include "crinkle/error.hpp"
#include "files/arrays.hpp"
#include "files/beyond.hpp"
#include "files/file_names.hpp"
#include "formats/temporary.hpp"
#include "maps/nodata.hpp"
#include "resample/check.hpp"
#include "resampling/needed_cells.hpp"
#include "resampling/raster_cells.hpp"
#include "resampling/resample_run.hpp"
#include "resampling/second_look.hpp"
#include "running/progress.hpp"

namespace crinkle::tool {
namespace {

// From the input to the output, all that does not depend on the type that is computed with.
struct Job {
  const ResampleOptions& o;
  const Gdal& geographic;
  RasterFacts raster;
  ArrayFacts facts;
  ElementType type;                          // of the result
  std::optional<double> nodata, its_nodata;  // of the result and of the input
  WantedMap wanted;
};

bool is_float(const ElementType& type) { return type.name.starts_with("float"); }

// The number for cells without data; nothing where no number of the type was named for it.
std::optional<double> nodata_of(const ResampleOptions& o, const RasterFacts& raster, const ElementType& type) {
  const double nan = std::nan("");
  const double number = o.nodata ? *o.nodata : raster.nodata.value_or(nan);
  if (const std::optional<double> held = as_held(number, type, o.output)) return held;
  if (o.nodata) refuse(fmt::format("--nodata {} is no {}; --dtype float64 holds it", number, type.name));
  if (raster.nodata && type.name != raster.element)
    refuse(fmt::format("{} has nodata {}, which is no {}; --nodata says another one", o.input, number, type.name));
  return {};
}

ArrayFacts facts_of(const RasterFacts& raster, const std::string& path) {
  if (raster.element.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: cells of {} are not resampled; gdal_translate -ot Float64 makes others of them", path, raster.type));
  ArrayFacts facts;
  facts.type = element_type(raster.element);
  Extents extents = {raster.cells[1], raster.cells[0]};
  if (raster.bands.size() > 1) extents.insert(extents.begin(), std::ssize(raster.bands));
  facts.layout = Layout::dense(extents, facts.type.bytes);
  facts.format = "geotiff";
  facts.path = path;
  facts.identity = identity_of(path);
  return facts;
}

// Whether resample() would compute in float32.
bool is_computed_in_float32(const ElementType& type) { return is_float(type) ? type.bytes <= 4 : type.bytes <= 2; }

template <class T>
void finish(const Job& job, const Resampling& r, ConstBuffer cells, const T* result, std::byte* to, Executor& executor) {
  const bool is_clipped = r.by == ResampleBy::spline && job.wanted.boundary.empty();
  const SecondLook<T> second(r, cells, is_clipped);
  const Extents& extents = r.destination.extents;
  const auto n_out = job.wanted.destination_axes.size();
  const std::int64_t width = extents.back(), n = r.destination.n_elements(), n_rows = width == 0 ? 0 : n / width;
  std::int64_t rows_of_band = 1;
  for (std::size_t b = extents.size() - n_out; b + 1 < extents.size(); ++b) rows_of_band *= extents[b];
  const NumberType written = number_written(job.type, job.o.output);
  const T nodata = static_cast<T>(job.nodata.value_or(std::nan("")));
  const BesideNodata<T> beside_nodata(nodata, job.type);
  std::atomic<std::int64_t> n_missing = 0, n_beside = 0;
  const std::int64_t alpha = job.raster.alpha.value_or(-1);
  const std::int64_t n_chunks = std::min<std::int64_t>(n_rows, 8 * executor.n_workers());
  executor.parallel_for(n_chunks, [&](std::int64_t chunk) {
    std::vector<T> line(static_cast<std::size_t>(width)), stored(line.size());
    std::int64_t n_here = 0, n_beside_here = 0;
    for (std::int64_t row = n_rows * chunk / n_chunks; row < n_rows * (chunk + 1) / n_chunks; ++row) {
      std::int64_t p[resampling::most_form_axes] = {};
      for (std::size_t b = n_out - 1, rest = static_cast<std::size_t>(row % rows_of_band); b-- > 0;) {
        const auto extent = static_cast<std::size_t>(extents[extents.size() - n_out + b]);
        p[b] = static_cast<std::int64_t>(rest % extent);
        rest /= extent;
      }
      for (std::int64_t i = 0; i < width; ++i) {
        T& number = line[static_cast<std::size_t>(i)];
        number = result[row * width + i];
        p[n_out - 1] = i;
        if (std::isnan(number) || is_clipped) number = second.value(row / rows_of_band, p, number);
      }
      stored = line;
      settle_line(stored.data(), width, written);
      const bool is_alpha = alpha == row / rows_of_band;  // which is 0 where there is no data, and any number where there is
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (std::isnan(line[i])) {
          ++n_here;
          line[i] = is_alpha ? T{0} : nodata;
        } else if (is_alpha) {
          continue;
        } else if (const T beside = beside_nodata(line[i], stored[i]); beside != stored[i]) {
          line[i] = beside;
          ++n_beside_here;
        }
      }
      store_line(to + row * width * job.type.bytes, job.type.bytes, line.data(), 1, width, written);
    }
    n_missing += n_here;
    n_beside += n_beside_here;
  });
  if (n_missing == n && n > 0) {
    fmt::print(stderr, "crinkle: note: there is no data at any of the {} cells; do they lie on {}?\n", n, job.o.input);
  } else if (n_missing > 0 && !job.nodata && alpha < 0) {
    fmt::print(stderr, "crinkle: note: {} of {} cells have no data and are 0, as {} names no nodata; --nodata V marks them\n",
               n_missing.load(), n, job.o.input);
  }
  note_beside(n_beside, n, static_cast<double>(nodata), job.type);
}

std::unique_ptr<Sink> sink_of(const Job& job) {
  const ResampleOptions& o = job.o;
  OutputFacts output = o.work.stored_as({job.wanted.extents, job.type, &job.facts, &job.wanted.change});
  output.window = parse_window(o.window);
  if (output.window) output.window->nodata = job.nodata;
  if (!is_named_tiff(o.output)) return Sink::create(o.output, output, o.overwrite());
  const Extents& extents = job.wanted.extents;
  if (job.wanted.destination_axes.size() != 2)
    throw Error(ErrorCode::unsupported, fmt::format("{}: coordinates of {} axes are no rows and columns of a GeoTIFF; write .npy", o.output,
                                                    job.wanted.destination_axes.size()));
  MapRequest request{.cells = {extents[extents.size() - 1], extents[extents.size() - 2]},
                     .transform = job.wanted.transform,
                     .bands = job.raster.bands,
                     .element = job.type.name,
                     .nodata = job.nodata,
                     .threads = o.work.threads,
                     .bands_as = o.input,
                     .bands_page = o.page_of_map()};
  if (job.wanted.transform) request.crs = job.raster.crs;
  else if (job.raster.transform)
    fmt::print(stderr, "crinkle: note: {} has no place on the ground: its rows and columns are no straight lines there\n", o.output);
  if (job.raster.compression == "LZW") request.compression = "lzw";
  if (job.raster.compression == "ZSTD") request.compression = "zstd";
  return o.map.create_tiff(o.output, std::move(request), o.overwrite());
}

template <class T>
void run(const Job& job) {
  const auto n_bytes = static_cast<std::int64_t>(sizeof(T));
  Resampling r;
  job.o.set_kernel(r);
  r.map = job.wanted.map;
  r.source = Layout::dense(job.facts.layout.extents, n_bytes);
  r.destination = Layout::dense(job.wanted.extents, n_bytes);
  r.source_type = r.destination_type = {sizeof(T) == 4 ? Number::float32 : Number::float64};
  r.axes = job.wanted.axes;
  r.destination_axes = job.wanted.destination_axes;
  r.boundary = job.wanted.boundary;
  note_skipped(r);
  if (r.boundary.empty() && !resampling::is_growing(r)) {
    r.boundary = usual_boundary(r);
    for (Faces& faces : r.boundary)
      if (faces.low.bound != Bound::periodic)
        faces = r.by == ResampleBy::spline ? Faces(Bound::edge) : Faces(Bound::constant, std::nan(""));
  }
  const Resampling asked = r;
  const Extents& all = job.facts.layout.extents;
  const CellBox box = needed_cells(r, {job.wanted.extents.end() - 2, job.wanted.extents.end()}, {all.end() - 2, all.end()});
  Extents some = all;
  std::copy(box.extents.begin(), box.extents.end(), some.end() - 2);
  r.source = Layout::dense(some, n_bytes);
  r.map = within(r.map, box);
  CoordinateOnDevice coordinates;
  Work work(job.o.work, [&](Device device) { return plan(coordinates.on(device, r), device); });  // checks, before memory is taken
  Executor& executor = work.executor();
  work.explain();
  if (work.is_dry(job.facts, {job.wanted.extents, job.type, &job.facts, &job.wanted.change}, job.o.output)) return;
  Mapping cells = Mapping::anonymous(r.source.n_bytes(), job.o.input);
  const std::int64_t n_missing =
      read_cells<T>(job.geographic, {job.o.input, job.o.page_of_map(), {box.first[1], box.first[0]}, {box.extents[1], box.extents[0]}},
                    job.raster, job.its_nodata, cells);
  if (n_missing > 0 && r.by == ResampleBy::spline)
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} cells have no data, which a spline would spread over the map; --by cubic leaves "
                            "them out",
                            job.o.input, n_missing));
  if (job.type.name != job.raster.element)
    note_made_integers<T>(job.o.input, {reinterpret_cast<const T*>(cells.bytes().data()), cells.bytes().size() / sizeof(T)}, job.type,
                          executor);
  const auto sink = sink_of(job);
  const std::span<std::byte> out = sink->data();
  const bool is_result = number_written(job.type, job.o.output) == r.destination_type;
  Mapping apart = is_result ? Mapping() : Mapping::anonymous(r.destination.n_bytes(), job.o.output);
  const std::span<std::byte> result = is_result ? out : apart.writable();
  const ConstBuffer from{cells.bytes().data(), std::ssize(cells.bytes())};
  work.run(from, {result.data(), std::ssize(result)});
  if (job.o.work.is_verified) verify_resampling(work, r, from, {result.data(), std::ssize(result)}, job.o.output);
  finish(job, r, from, reinterpret_cast<const T*>(result.data()), out.data(), executor);
  const auto were_infinite = [&] {
    return std::isinf(job.nodata.value_or(0)) ||
           count_infinite(cells.bytes(), element_type(sizeof(T) == 4 ? "float32" : "float64"), executor) > 0;
  };
  if (may_go_beyond(job.o, job.raster.element != job.type.name))
    note_beyond(job.o.output, out, job.type, were_infinite, job.type.bytes < 8 ? "--dtype float64 holds them" : "", executor);
  sink->commit();
  print_notes(sink->notes());
  work.print_json(described(asked));
}

}  // namespace

void resample_raster(const ResampleOptions& o) {
  o.map.check(o.input, o.output, o.work.stored);
  const Gdal& geographic = gdal(o.input, "give .npy");
  RasterFacts raster = geographic.raster(o.input, o.page_of_map());
  if (raster.has_colour_table && o.by != "nearest" && o.by != "mode")
    throw Error(ErrorCode::unsupported,
                o.input + ": its numbers stand for colours of a table, which have nothing between them; --by nearest or --by mode");
  ArrayFacts facts = facts_of(raster, o.input);
  ElementType type = o.dtype.empty() ? facts.type : element_type(o.dtype, ErrorCode::bad_notation);
  if (is_named_tiff(o.output) && !type.name.empty()) type = element_type(type.name);  // in the machine's order
  number_written(type, o.output);
  const std::optional<double> nodata = nodata_of(o, raster, type), its_nodata = raster.nodata ? raster.nodata : o.nodata;
  WantedMap wanted = wanted_map(o.words, facts, &raster);
  check_constants(wanted.boundary, type, o.output);
  const Job job{o, geographic, std::move(raster), std::move(facts), type, nodata, its_nodata, std::move(wanted)};
  check_output_name(o.output, o.overwrite(), job.facts.identity);
  if (!o.words.like.empty()) check_output_name(o.output, o.overwrite(), identity_of(o.words.like));
  if (job.wanted.file) check_output_name(o.output, o.overwrite(), job.wanted.file->facts().identity);
  for (const std::string& note : notes_of(job.raster, o.page_of_map(), o.output))
    fmt::print(stderr, "crinkle: note: {}: {}\n", o.input, note);
  if (is_computed_in_float32(job.facts.type) && is_computed_in_float32(type)) run<float>(job);
  else run<double>(job);
}

}  // namespace crinkle::tool
