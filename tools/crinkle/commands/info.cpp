// crinkle info: what a file holds.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "command_line/shared_options.hpp"
#include "formats/file.hpp"
#include "formats/nifti.hpp"
#include "formats/source.hpp"
#include "formats/tiff/tiff.hpp"
#include "gdal/gdal.hpp"
#include "maps/ground.hpp"
#include "plan/describe.hpp"

namespace crinkle::tool::info_command {
namespace {

struct Options {
  std::string path;
  std::optional<int> page;  // of a TIFF
  bool is_json = false;
};

// The letters say where x, y and z lead to, in that order: R right, A front, S up.
void print_geometry(const NiftiGeometry& g) {
  std::string sizes;
  for (std::size_t d = 0; d < g.spacing.size() && d < 3; ++d) sizes += fmt::format("{}{}", d == 0 ? "" : " x ", g.spacing[d]);
  fmt::print("  voxel     {} {} (x, y, z)\n", sizes, g.space_unit);
  if (g.spacing.size() > 3) fmt::print("  time step {} {}\n", g.spacing[3], g.time_unit);
  if (g.form.empty()) {
    fmt::print("  place     not said (qform and sform are 0)\n");
    return;
  }
  fmt::print("  axes      {} (where x, y and z lead)\n", g.letters);
  for (std::size_t i = 0; i < 3; ++i)
    fmt::print("  {:<9} {:>12.6g} {:>12.6g} {:>12.6g} {:>12.6g}\n", i == 0 ? g.form : "", g.affine[i][0], g.affine[i][1], g.affine[i][2],
               g.affine[i][3]);
}

void print_dataset(const DatasetFacts& facts) {
  const bool is_named = std::any_of(facts.axes.begin(), facts.axes.end(), [](const std::string& name) { return !name.empty(); });
  if (is_named) fmt::print("  axes      {}\n", fmt::join(facts.axes, " "));
  std::vector<std::string> steps;
  for (std::size_t a = 0; a < facts.steps.size(); ++a)
    if (facts.steps[a].size > 0) steps.push_back(fmt::format("{} {} {}", facts.axes[a], facts.steps[a].size, facts.steps[a].unit));
  if (!steps.empty()) fmt::print("  steps     {}\n", fmt::join(steps, ", "));
  if (facts.page > 0) fmt::print("  page      {} of {}\n", facts.page, facts.n_pages);
  else if (facts.n_pages > 1) fmt::print("  pages     {}\n", facts.n_pages);
  fmt::print("  chunks    {}\n  packing   {}\n", print_shape(facts.chunks), facts.packing);
  for (const auto& [key, value] : facts.attributes->items()) fmt::print("  {:<9} {}\n", printable(key), printable(value.dump(), 100));
}

// `page`: 0 where none is said.
void print_raster(const Options& o, const std::string& file, int page) {
  const RasterFacts facts = gdal(o.path, "a file with tags of GeoTIFF is read by GDAL alone: give .npy").raster(file, std::max(page, 1));
  const bool is_turned = facts.transform && is_turned_against_x(*facts.transform);
  const Geotransform t = facts.transform.value_or(Geotransform());
  if (o.is_json) {
    nlohmann::ordered_json j{
        {"path", o.path},      {"format", facts.format}, {"shape", {std::ssize(facts.bands), facts.cells[1], facts.cells[0]}},
        {"dtype", facts.type}, {"bands", facts.bands},   {"compression", facts.compression},
        {"block", facts.block}};
    j["axes"] = facts.bands.size() > 1 ? std::vector<std::string>{"band", "y", "x"} : std::vector<std::string>{"y", "x"};
    if (facts.transform) j["geotransform"] = t;
    if (facts.transform && !is_turned) {
      j["corner"] = {t[0], t[3]};
      j["step"] = {t[1], t[5]};
    }
    j["crs"] = facts.crs.is_known() ? nlohmann::ordered_json(facts.crs.name) : nlohmann::ordered_json();
    j["crs_wkt"] = facts.crs.is_known() ? nlohmann::ordered_json(facts.crs.wkt) : nlohmann::ordered_json();
    // JSON has no NaN.
    if (facts.nodata)
      j["nodata"] =
          std::isfinite(*facts.nodata) ? nlohmann::ordered_json(*facts.nodata) : nlohmann::ordered_json(fmt::format("{}", *facts.nodata));
    if (facts.n_pages > 1) j["pages"] = facts.n_pages;
    if (facts.n_control_points > 0) j["control_points"] = facts.n_control_points;
    if (facts.alpha) j["alpha"] = *facts.alpha;
    j["mask"] = facts.has_mask;
    j["scales"] = facts.scales;
    j["tags"] = facts.n_tags;
    fmt::print("{}\n", j.dump(2));
    return;
  }
  const std::string step =
      is_turned ? fmt::format("{} {} a column, {} {} a row (x, y)", t[1], t[4], t[2], t[5]) : fmt::format("{} {}", t[1], t[5]);
  fmt::print("{}\n  format    {}, {}, blocks of {} x {}\n  shape     [{}][{}][{}] {} (bands, y, x)\n", o.path, facts.format,
             facts.compression.empty() ? "not packed" : facts.compression, facts.block[0], facts.block[1], facts.bands.size(),
             facts.cells[1], facts.cells[0], facts.type);
  if (facts.transform) fmt::print("  corner    {} {} (x, y)\n  step      {}\n", t[0], t[3], step);
  else fmt::print("  place     {}\n", place_otherwise(facts).empty() ? "not said (it has no geotransform)" : place_otherwise(facts));
  fmt::print("  system    {}\n", facts.crs.is_known() ? facts.crs.name : "not said");
  if (facts.nodata) fmt::print("  nodata    {}\n", *facts.nodata);
  if (facts.n_pages > 1) fmt::print("  page      {} of {}; --page N says more of another\n", std::max(page, 1), facts.n_pages);
  if (facts.has_mask) fmt::print("  mask      beside the cells\n");
  if (facts.alpha) fmt::print("  mask      alpha, band {}: cells where it is 0 have no data\n", *facts.alpha + 1);
  for (std::size_t b = 0; b < facts.scales.size(); ++b)
    if (facts.scales[b] != std::array{1.0, 0.0})
      fmt::print("  scale     band {}: a number n means {} n + {}\n", b + 1, facts.scales[b][0], facts.scales[b][1]);
  if (facts.n_tags > 0) fmt::print("  tags      {}\n", facts.n_tags);
  for (const std::string& band : facts.bands)
    if (!band.empty()) fmt::print("  band      {}\n", band);
}

void run_info(const Options& o) {
  const DatasetName name = dataset_name(o.path);
  std::string path = o.path;
  if (is_tiff(name.file)) {
    const tiff::Part part = tiff::part_of(o.path, name);
    const std::int64_t page = o.page ? *o.page : part.page;
    if (o.page && (*o.page < 1 || !name.inside.empty()))
      throw Error(ErrorCode::bad_notation, fmt::format("--page {}: one page, counted from 1, of a whole file", *o.page));
    if (tiff::is_geographic(name.file)) return print_raster(o, name.file, static_cast<int>(std::min<std::int64_t>(page, INT32_MAX)));
    if (o.page) path += fmt::format(":/page{}", page);
  } else if (o.page) {
    throw Error(ErrorCode::bad_notation, fmt::format("--page {} is of TIFF, and {} is none", *o.page, o.path));
  }
  const auto source = Source::open(path);
  const ArrayFacts& facts = source->facts();
  const std::int64_t n_bytes = facts.layout.n_bytes();
  Layout from_origin = facts.layout;
  from_origin.offset = 0;
  const bool is_c_order = from_origin.is_dense();
  const std::optional<NiftiGeometry> geometry = geometry_of(facts);
  if (o.is_json) {
    nlohmann::ordered_json j{
        {"path", o.path},           {"format", facts.format},    {"shape", facts.layout.extents},     {"strides", facts.layout.strides},
        {"dtype", facts.type.name}, {"descr", facts.type.descr}, {"element_bytes", facts.type.bytes}, {"bytes", n_bytes},
        {"is_c_order", is_c_order}, {"notes", facts.notes}};
    if (source->dataset() != nullptr) {
      const DatasetFacts& stored = source->dataset()->facts();
      j["format"] = stored.format;
      j["axes"] = stored.axes;
      for (const AxisStep& step : stored.steps) j["steps"].push_back({step.size, step.unit});
      if (stored.n_pages > 0) j["pages"] = stored.n_pages;
      j["chunks"] = stored.chunks;
      j["packing"] = stored.packing;
      j["attributes"] = *stored.attributes;
    }
    if (geometry) {
      j["voxel_size"] = geometry->spacing;
      j["units"] = {geometry->space_unit, geometry->time_unit};
      if (!geometry->form.empty()) {
        j["orientation"] = geometry->letters;
        j["affine_from"] = geometry->form;
        j["affine"] = geometry->affine;
      }
    }
    fmt::print("{}\n", j.dump(2));
    return;
  }
  fmt::print("{}\n  format    {}\n  shape     {}\n  type      {} ({}), {} byte{} an element\n  order     {}\n  data      {}\n", o.path,
             source->dataset() != nullptr ? source->dataset()->facts().format : facts.format, print_shape(facts.layout.extents),
             spelled(facts.type), facts.type.descr, facts.type.bytes, facts.type.bytes == 1 ? "" : "s",
             is_c_order ? "C, the last axis fastest" : "strided, not C", planning::print_bytes(static_cast<double>(n_bytes)));
  if (geometry) print_geometry(*geometry);
  if (source->dataset() != nullptr) print_dataset(source->dataset()->facts());
  for (const std::string& note : facts.notes) fmt::print("  note      {}\n", note);
}

Command declare() {
  auto o = std::make_shared<Options>();
  Command c("info", "Say what a file holds");
  c.argument("FILE", o->path, ".npy, .png, .nii, .nii.gz, .hdr with .img, .tif, or .zarr")
      .file({".npy", ".png", ".nii", ".nii.gz", ".hdr", ".img", ".tif"})
      .required();
  c.option("--page", "N", o->page, "of a TIFF that has several pictures");
  add_json(c, o->is_json);
  c.examples = {"crinkle info volume.nii.gz", "crinkle info picture.png --json"};
  c.action = [o] { run_info(*o); };
  return c;
}

const Registered registered(100, declare);

}  // namespace
}  // namespace crinkle::tool::info_command
