// crinkle resample: an array turned, zoomed, sheared, in polar coordinates, or at coordinates of a file.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/caret.hpp"
#include "base/number_lines.hpp"
#include "command_line/options.hpp"
#include "command_line/shared_options.hpp"
#include "crinkle/resample.hpp"
#include "files/arrays.hpp"
#include "files/beyond.hpp"
#include "files/file_names.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "formats/temporary.hpp"
#include "formats/tiff/tiff.hpp"
#include "maps/interpolation_notes.hpp"
#include "maps/nodata.hpp"
#include "resampling/resample_ground.hpp"
#include "resampling/resample_run.hpp"
#include "running/part_run.hpp"
#include "running/planning.hpp"
#include "running/progress.hpp"

namespace crinkle::tool::resample_command {
namespace {

// The array's place on the ground, if --like says it.
std::optional<RasterFacts> raster_of(const ResampleOptions& o, const ArrayFacts& facts) {
  const Extents& extents = facts.layout.extents;
  if (o.words.like.empty()) return {};
  if (facts.format != "npy" || extents.size() < 2)
    refuse("--like " + o.words.like + " is of GeoTIFF and of .npy [y][x]; " + o.input + " is none");
  fmt::print(stderr, "crinkle: note: {} says not where it lies; it is taken to cover {}\n", o.input, o.words.like);
  return spread_over(gdal(o.words.like, "say --size").raster(o.words.like), extents[extents.size() - 2], extents.back());
}

// Of .npy, which may be of a place on the ground, a GeoTIFF is made; of other files a TIFF.
bool is_map(const ResampleOptions& o, const ArrayFacts& facts) { return is_named_tiff(o.output) && facts.format == "npy"; }

std::unique_ptr<Sink> sink_of(const ResampleOptions& o, const OutputFacts& output, const RasterFacts* raster, const WantedMap& wanted) {
  if (!is_map(o, *output.source)) return Sink::create(o.output, output, o.overwrite());
  const std::size_t rank = output.extents.size();
  if (rank < 2 || rank > 3)
    throw Error(ErrorCode::unsupported, o.output + ": a GeoTIFF is made of GeoTIFF and of .npy [y][x] or [band][y][x]");
  MapRequest request{.cells = {output.extents[rank - 1], output.extents[rank - 2]},
                     .bands = std::vector<std::string>(static_cast<std::size_t>(rank == 3 ? output.extents[0] : 1)),
                     .element = output.type.name,
                     .nodata = o.nodata,
                     .threads = o.work.threads};
  if (raster != nullptr) {
    request.transform = wanted.transform;
    request.crs = raster->crs;
  } else {
    fmt::print(stderr, "crinkle: note: {} has no place on the ground, as {} has none; --like FILE.tif names a map that it covers\n",
               o.output, o.input);
  }
  return o.map.create_tiff(o.output, std::move(request), o.overwrite());
}

// All numbers of a GeoTIFF made of an array count: this keeps them from equalling nodata by rounding alone, unless the array has it, too.
void keep_from_nodata(const ResampleOptions& o, const Source& source, NumberType from, const ElementType& type, std::span<std::byte> out,
                      Executor& executor) {
  std::int64_t n_among = 0;
  for_each_element(source.facts().layout, [&](std::int64_t, std::int64_t at) {
    double number = 0;
    load_line(&number, 1, source.bytes().data() + at, 0, 1, from);
    n_among += number == *o.nodata ? 1 : 0;
  });
  const std::int64_t n = std::ssize(out) / type.bytes;
  if (n_among == 0) return note_beside(put_nodata(out, type, *o.nodata, executor), n, *o.nodata, type);
  fmt::print(stderr, "crinkle: note: {}: {} numbers equal --nodata ({}), which {} takes for no data, and count all the same\n", o.input,
             n_among, *o.nodata, o.output);
}

void resample_array(const ResampleOptions& o) {
  check_names(o.input, o.raw.is(), o.output);
  Resampling r;
  o.set_kernel(r);
  std::string dtype = o.dtype;
  const auto source = o.raw.completed(dtype).open(o.input);
  const ArrayFacts& facts = source->facts();
  ElementType type = dtype.empty() ? facts.type : element_type(dtype, ErrorCode::bad_notation);
  const bool is_map_made = is_map(o, facts);
  if (is_map_made || !is_named_tiff(o.output)) o.map.check(o.input, o.output, o.work.stored, o.raw.is());
  else if (!o.map.compress.empty()) refuse("--compress is of GeoTIFF, and of " + o.input + " a TIFF is made, which --filter packs");
  if (is_map_made && !type.name.empty()) type = element_type(type.name);  // in the machine's order
  r.source_type = number_read(facts.type, o.input);
  r.destination_type = number_written(type, o.output);
  const bool is_float = type.name.starts_with("float");
  if (!is_map_made || !is_float) r.nodata = o.nodata.value_or(r.nodata);
  if (type.name == "float32" && o.nodata && !is_of_float32(*o.nodata))
    refuse(fmt::format("--nodata {} is beyond float32; --dtype float64 holds it", *o.nodata));
  const std::optional<RasterFacts> raster = raster_of(o, facts);
  ResampleWords words = o.words;
  if (raster && words.axes.empty()) words.axes = "y,x";
  const WantedMap wanted = wanted_map(words, facts, raster ? &*raster : nullptr);
  r.map = wanted.map;
  r.source = facts.layout;
  r.destination = Layout::dense(wanted.extents, type.bytes);
  r.axes = wanted.axes;
  r.destination_axes = wanted.destination_axes;
  r.boundary = wanted.boundary;
  check_constants(r.boundary, type, o.output);
  const bool has_field = std::holds_alternative<CoordinateField>(r.map);
  const bool may_be_outside = !words.affine.empty() && (r.is_antialiased || r.by > ResampleBy::spline);
  if (o.nodata && !has_field && !is_map_made && !may_be_outside)
    print_notes({"--nodata changes nothing: only --coordinates may be no number, and only a GeoTIFF says what stands for no data"});
  OutputFacts output = o.work.stored_as({wanted.extents, type, &facts, &wanted.change});
  output.window = parse_window(o.window);
  if (!is_map_made && !o.work.is_dry) Sink::check(o.output, output, o.overwrite());  // before memory is taken
  for (const FileIdentity& other : {facts.identity, wanted.file ? wanted.file->facts().identity : FileIdentity{},
                                    o.words.like.empty() ? FileIdentity{} : identity_of(o.words.like)})
    check_output_name(o.output, o.overwrite(), other);
  print_notes(facts.notes);
  print_notes(not_heeded(facts));
  note_skipped(r);
  CoordinateOnDevice coordinates;
  Work work(o.work, [&](Device device) { return plan(coordinates.on(device, r), device); });
  Executor& executor = work.executor();
  work.explain();
  if (work.is_dry(facts, output, o.output)) return;
  const auto sink = sink_of(o, output, raster ? &*raster : nullptr, wanted);
  const auto check_spline = [&](std::int64_t n) {
    if (n > 0)
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{}: {} numbers are NaN or infinite, which a spline would spread over the result; --by cubic brings them to 2 "
                      "elements around",
                      o.input, n));
  };
  if (!is_named_tiff(o.output) && work.is_stored(*sink, *source)) {
    note_made_integers(*source, type, executor);
    bool has_rounded = false;
    work.write_stored(*sink, *source, o.output,
                      {.read =
                           [&](std::span<std::byte> part) {
                             if (r.by == ResampleBy::spline) check_spline(count_not_finite(part, facts.type, executor));
                             has_rounded = has_rounded || has_beyond_float64(part, facts.type, executor);
                           },
                       .look =
                           [&](std::span<std::byte> part) {
                             if (may_go_beyond(o, facts.type.name != type.name))
                               note_beyond(
                                   o.output, part, type, [&] { return std::isinf(r.nodata) || has_infinite(*source, executor); },
                                   type.bytes < 8 ? "--dtype float64 holds them" : "", executor);
                           },
                       .written = {}});
    if (has_rounded) print_notes({o.input + ": " + beyond_float64(facts.type.name)});
    return work.print_json(described(r));
  }
  const std::span<std::byte> out = sink->data();
  if (r.by == ResampleBy::spline) check_spline(count_not_finite(*source, executor));
  note_made_integers(*source, type, executor);
  if (has_beyond_float64(*source, executor)) print_notes({o.input + ": " + beyond_float64(facts.type.name)});
  const ConstBuffer from{source->bytes().data(), std::ssize(source->bytes())};
  const Buffer to{out.data(), std::ssize(out)};
  work.run(from, to);
  if (o.work.is_verified) verify_resampling(work, r, from, to, o.output);
  // Integers take nodata for coordinates that are no numbers, too.
  const bool is_known = is_float || !has_field;
  if (is_map_made && o.nodata && is_known) keep_from_nodata(o, *source, r.source_type, type, out, executor);
  const auto were_infinite = [&] { return std::isinf(r.nodata) || has_infinite(*source, executor); };
  if (may_go_beyond(o, facts.type.name != type.name))
    note_beyond(o.output, out, type, were_infinite, type.bytes < 8 ? "--dtype float64 holds them" : "", executor);
  sink->commit();
  print_notes(sink->notes());
  work.print_json(described(r));
}

void run_resample(const ResampleOptions& o) {
  o.work.check(o.output);
  if (parse_window(o.window) && !o.output.ends_with(".png"))
    refuse("--window is of pictures, whose names end in .png; " + o.output + " is none");
  const bool is_read_as_tiff = o.raw.shape.empty() && is_tiff(o.input);
  if (!is_read_as_tiff && o.page) refuse(fmt::format("--page {} is of TIFF, and {} is none", *o.page, o.input));
  if (is_read_as_tiff && tiff::is_geographic(o.input)) return resample_raster(o);
  if (o.page && *o.page < 1) refuse(fmt::format("--page {}: pages are counted from 1", *o.page));
  ResampleOptions of_page = o;
  if (o.page) of_page.input += fmt::format(":/page{}", *o.page);
  resample_array(of_page);
}

Command declare() {
  auto o = std::make_shared<ResampleOptions>();
  ResampleWords& w = o->words;
  Command c("resample", "Zoom, turn or warp an array: affine and polar maps, or coordinates of a file");
  c.argument("INPUT", o->input, fmt::format("{}, or - for standard input; GeoTIFF", arrays_read)).file().required();
  c.argument("OUTPUT", o->output, arrays_written).file().required();
  c.option("--zoom", "FACTOR", w.zoom, "so many times as large: one for all axes, or one an axis: 2,1.5");
  c.option("--size", "SHAPE", w.size, "of the result, y=512,x=512 or in the order of the axes: 512,512");
  c.option("--spacing", "MM", w.spacing, "of a NIfTI volume's voxels: 1mm, or one an axis: 2mm,1mm,1mm");
  c.option("--cell", "SIZE", w.cell, "the side of a cell of the map that comes of a GeoTIFF, on the ground");
  c.option("--extent", "NUMBERS", w.extent, "X0,Y0,X1,Y1 on the ground: this part of a GeoTIFF, in its own cells, in --cell or in --size");
  c.option("--like", "FILE.tif", w.like, "the cells of another GeoTIFF; an .npy array is taken to cover it").file({".tif"});
  c.option("--page", "N", o->page, "of a TIFF that has several pictures");
  c.option("--rotate", "DEGREES", w.rotate, "counterclockwise about the middle of the plane of two axes; the result holds all of it");
  c.option("--affine", "ROWS", w.affine,
           "from indices of the result to those of the input, a row an axis, with an offset: \"1,0,5;0,1,3\"");
  c.flag("--polar", w.is_polar, "to polar coordinates, [angle][radius]");
  c.flag("--log-polar", w.is_log_polar, "the same with logarithms of radii");
  c.option("--centre", "Y,X", w.centre, "of polar coordinates; left out: the middle");
  c.option("--radius", "R", w.radius, "of the largest circle; left out: to the farthest corner");
  c.flag("--inverse", w.is_inverse, "from polar coordinates to the plane");
  c.option("--coordinates", "FILE.npy", w.coordinates, "where each element comes from: [axis], then the shape of the result")
      .file({".npy"});
  c.option("--axes", "AXES", w.axes, "y,x or 0,1; left out: y,x of a picture, x, y and z of a volume, else all");
  c.option("--by", "HOW", o->by, "nearest, linear, cubic (Keys), spline (SciPy's order 3); that shrink: area (average), mode, lanczos")
      .only({"nearest", "linear", "cubic", "spline", "area", "average", "mode", "lanczos"});
  c.flag("--antialias", o->is_antialiased, "linear and cubic kernels that grow where the result is smaller, as Pillow's and gdalwarp's");
  c.option("--boundary", "BOUNDARY", w.boundary, "beyond the array: periodic, edge, reflect, symmetric, constant:V; one, or one an axis")
      .such_as({"periodic", "edge", "reflect", "symmetric", "constant:0"});
  c.option("--keep", "WHAT", w.keep, "of --zoom and --size: edges of the outer elements stay in place, or their centres")
      .only({"edges", "centres"});
  c.option("--nodata", "V", o->nodata,
           "where a coordinate is no number, or outside for kernels that grow (the default: NaN, 0 of integers); of maps where there is no "
           "data (the default: the input's)");
  add_type(c, "--dtype", o->dtype, "of the result; left out: the input's");
  add_window(c, o->window);
  o->map.add_to(c);
  o->raw.add_beside_result_to(c);
  o->work.add_to(c, "compare drawn elements, or all where they are few, with the definition before an output appears");
  c.notes =
      "Coordinates are indices, 0 the centre of the first element, as in SciPy's map_coordinates and affine_transform. Boundaries left "
      "out\n"
      "are edge for --zoom, --size and --spacing, periodic for the angles of --inverse, else constant:0. NumPy's words: reflect is "
      "SciPy's\n"
      "mirror, symmetric its reflect, periodic its grid-wrap, constant its grid-constant. Polar coordinates have 360 angles and a radius "
      "an\n"
      "element where --size does not say; angles go from x towards y. The way back needs the same --centre and --radius, and the --size of "
      "the\n"
      "picture. A result that is much smaller skips elements, which is told: --antialias, and --by area (the mean of the cells that one of "
      "the\n"
      "result covers), mode (their commonest value, of several the smallest) and lanczos count all. These kernels grow with the scale, "
      "along "
      "axes\n"
      "that scale one by one; beyond the array nothing counts for them. Before other maps shrink, blur (crinkle stencil gaussian:S, S half "
      "the\n"
      "factor). A volume is turned by its indices, not in millimetres: bring it to cubes first (--spacing 1mm).\n"
      "Of a GeoTIFF, cells have data where the cell has that their centre lies in (area, mode: where any that they cover has); cells "
      "without\n"
      "data do not count, nor does what lies beyond.\n";
  c.examples = {"crinkle resample photo.png twice.png --zoom 2 --by cubic",
                "crinkle resample volume.nii.gz cubes.nii.gz --spacing 1mm",
                "crinkle resample photo.png small.png --zoom 0.25 --antialias",
                "crinkle resample photo.png turned.png --rotate 30 --boundary constant:255",
                "crinkle resample photo.png polar.png --polar --centre 240,320 --radius 200 --size 720,200",
                "crinkle resample polar.png back.png --polar --inverse --centre 240,320 --radius 200 --size 480,640",
                "crinkle resample heights.tif coarse.tif --cell 25 --extent 500000,5400000,505000,5404000",
                "crinkle resample heights.tif means.tif --cell 25 --by average",
                "crinkle resample field.npy at.npy --coordinates coordinates.npy --by spline --boundary reflect"};
  c.action = [o] { run_resample(*o); };
  return c;
}

const Registered registered(36, declare);

}  // namespace
}  // namespace crinkle::tool::resample_command
