// crinkle resample: an array turned, zoomed, sheared, in polar coordinates, or at coordinates of a file.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "arrays.hpp"
#include "base/caret.hpp"
#include "crinkle/resample.hpp"
#include "file_names.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "formats/temporary.hpp"
#include "interpolation_notes.hpp"
#include "options.hpp"
#include "planning.hpp"
#include "progress.hpp"
#include "resample_map.hpp"
#include "shared_options.hpp"
#include "through_device.hpp"

namespace crinkle::tool::resample_command {
namespace {

struct Options {
  ResampleWords words;
  std::string input, output, by = "linear", dtype, device = "auto";
  double nodata = std::numeric_limits<double>::quiet_NaN();
  int threads = 0;
  bool is_forced = false, is_json = false;
};

nlohmann::json described(const Resampling& r, const std::string& by) {
  nlohmann::json j{{"source_shape", r.source.extents}, {"shape", r.destination.extents}, {"axes", r.axes}, {"by", by}};
  if (const auto* affine = std::get_if<AffineMap>(&r.map)) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(affine->rank); ++a) {
      j["matrix"].push_back(std::vector<double>(affine->matrix[a].begin(), affine->matrix[a].begin() + affine->rank));
      j["offset"].push_back(affine->offset[a]);
    }
  }
  if (const auto* polar = std::get_if<PolarMap>(&r.map)) {
    j["polar"] = {{"direction", polar->direction == PolarMap::Direction::to_polar ? "to_polar" : "from_polar"},
                  {"centre", polar->centre},
                  {"angle_step", polar->angle_step},
                  {"radius_step", polar->radius_step},
                  {"logarithmic", polar->is_logarithmic}};
  }
  for (const Faces& faces : r.boundary.empty() ? usual_boundary(r) : r.boundary)
    j["boundary"].push_back(faces.low == faces.high ? print(faces.low) : print(faces.low) + "/" + print(faces.high));
  return j;
}

void run_on(Device device, Resampling r, ConstBuffer from, Buffer to, Executor& executor) {
  if (device.kind == Device::Kind::cpu) return resample(r, from, to, executor);
  DeviceMemory coordinates;
  if (auto* field = std::get_if<CoordinateField>(&r.map)) {
    coordinates = DeviceMemory(device, field->data.bytes);
    copy_bytes(field->data, coordinates);
    field->data = coordinates;
  }
  through_device(device, from, to, [&](ConstBuffer in, Buffer out, const Stream& stream) { resample(r, in, out, device, stream); });
}

void run_resample(const Options& o) {
  check_names(o.input, InputIs::as_named, o.output);
  const Device device = parse_device(o.device).value_or(cpu());  // files pass through the host's memory, which takes longer
  Resampling r;
  r.by = parse_resample_by(o.by);
  const auto source = Source::open(o.input);
  const ArrayFacts& facts = source->facts();
  const ElementType type = o.dtype.empty() ? facts.type : element_type(o.dtype, ErrorCode::bad_notation);
  r.source_type = number_read(facts.type, o.input);
  r.destination_type = number_written(type, o.output);
  if (type.name == "float32" && !is_of_float32(o.nodata))
    refuse(fmt::format("--nodata {} is beyond float32; --dtype float64 holds it", o.nodata));
  const WantedMap wanted = wanted_map(o.words, facts);
  r.map = wanted.map;
  r.source = facts.layout;
  r.destination = Layout::dense(wanted.extents, type.bytes);
  r.axes = wanted.axes;
  r.destination_axes = wanted.destination_axes;
  r.boundary = wanted.boundary;
  r.nodata = o.nodata;
  const OutputFacts output{wanted.extents, type, &facts, &wanted.change};
  const Overwrite overwrite = o.is_forced ? Overwrite::force : Overwrite::refuse;
  Sink::check(o.output, output, overwrite);  // before memory is taken
  if (wanted.file) check_output_name(o.output, overwrite, wanted.file->facts().identity);
  for (const std::string& note : facts.notes) fmt::print(stderr, "crinkle: note: {}\n", note);
  ToldExecutor executor(make_executor(o.threads));
  const auto sink = Sink::create(o.output, output, overwrite);
  const auto out = sink->bytes().subspan(static_cast<std::size_t>(sink->data_offset()));
  run_on(device, r, {source->bytes().data(), std::ssize(source->bytes())}, {out.data(), std::ssize(out)}, executor);
  sink->commit();
  for (const std::string& note : sink->notes()) fmt::print(stderr, "crinkle: note: {}\n", note);
  if (o.is_json) fmt::print("{}\n", described(r, o.by).dump());
}

Command declare() {
  auto o = std::make_shared<Options>();
  ResampleWords& w = o->words;
  Command c("resample", "Zoom, turn or warp an array: affine and polar maps, or coordinates of a file");
  c.argument("INPUT", o->input, ".npy, .png, .nii, .nii.gz, .hdr with .img")
      .file({".npy", ".png", ".nii", ".nii.gz", ".hdr", ".img"})
      .required();
  c.argument("OUTPUT", o->output, ".npy, .png, .nii, .nii.gz or raw, by its name; - for raw on standard output")
      .file({".npy", ".png", ".nii", ".nii.gz", ".raw"})
      .required();
  c.option("--zoom", "FACTOR", w.zoom, "so many times as large: one for all axes, or one an axis: 2,1.5");
  c.option("--size", "SHAPE", w.size, "of the result, y=512,x=512 or in the order of the axes: 512,512");
  c.option("--spacing", "MM", w.spacing, "of a NIfTI volume's voxels: 1mm, or one an axis: 2mm,1mm,1mm");
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
  c.option("--by", "HOW", o->by, "nearest, linear, cubic (Keys) or spline (SciPy's order 3)")
      .only({"nearest", "linear", "cubic", "spline"});
  c.option("--boundary", "BOUNDARY", w.boundary, "beyond the array: periodic, edge, reflect, symmetric, constant:V; one, or one an axis")
      .such_as({"periodic", "edge", "reflect", "symmetric", "constant:0"});
  c.option("--keep", "WHAT", w.keep, "of --zoom and --size: edges of the outer elements stay in place, or their centres")
      .only({"edges", "centres"});
  c.option("--nodata", "V", o->nodata, "where a coordinate is no number (the default: NaN, 0 of integers)");
  add_type(c, "--dtype", o->dtype, "of the result; left out: the input's");
  add_device(c, o->device, "auto (the CPU: files pass through it), cpu or cuda[:N] for uint8, uint16, int16, float32 and float64");
  add_threads(c, o->threads);
  add_force(c, o->is_forced);
  add_json(c, o->is_json, "print the shape and the map");
  c.notes =
      "Coordinates are indices, 0 the centre of the first element, as in SciPy's map_coordinates and affine_transform. Boundaries left "
      "out\n"
      "are edge for --zoom, --size and --spacing, periodic for the angles of --inverse, else constant:0. NumPy's words: reflect is "
      "SciPy's\n"
      "mirror, symmetric its reflect, periodic its grid-wrap, constant its grid-constant. Polar coordinates have 360 angles and a radius "
      "an\n"
      "element where --size does not say; angles go from x towards y. The way back needs the same --centre and --radius, and the --size of "
      "the\n"
      "picture. Nothing is smoothed: before shrinking, blur (crinkle stencil gaussian:S, S half the factor). A volume is turned by its "
      "indices, not\n"
      "in millimetres: bring it to cubes first (--spacing 1mm).\n";
  c.examples = {"crinkle resample photo.png twice.png --zoom 2 --by cubic",
                "crinkle resample volume.nii.gz cubes.nii.gz --spacing 1mm",
                "crinkle resample photo.png turned.png --rotate 30 --boundary constant:255",
                "crinkle resample photo.png polar.png --polar --centre 240,320 --radius 200 --size 720,200",
                "crinkle resample polar.png back.png --polar --inverse --centre 240,320 --radius 200 --size 480,640",
                "crinkle resample field.npy at.npy --coordinates coordinates.npy --by spline --boundary reflect"};
  c.action = [o] { run_resample(*o); };
  return c;
}

const Registered registered(36, declare);

}  // namespace
}  // namespace crinkle::tool::resample_command
