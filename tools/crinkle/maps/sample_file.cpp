// SPDX-License-Identifier: BSD-3-Clause
#include "maps/sample_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/caret.hpp"
#include "files/no_table.hpp"
#include "files/number_file.hpp"
#include "files/point_file.hpp"
#include "formats/csv.hpp"
#include "formats/temporary.hpp"
#include "maps/crs.hpp"
#include "maps/ground.hpp"
#include "maps/sample_columns.hpp"

namespace crinkle::tool {
namespace {

char delimiter_of(const std::string& text) {
  if (text.empty()) return 0;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1 || text == "\"" || text == "\n") refuse("--delimiter '" + shown(text) + "'; it is one character, or tab");
  return text[0];
}

// An array of float32 or float64; other numbers as float64.
PointFile open_numbers_as_points(const std::string& path) {
  auto source = Source::open(path);
  const std::string& type = source->facts().type.name;
  if (type.find("int") != std::string::npos || type == "bool" || type == "float16") source = values_of(*source, "float64");
  return points_of(std::move(source));
}

// The columns of an array by their numbers.
std::vector<std::vector<double>> columns_by_number(const PointFile& file, const std::string& path, const std::vector<std::string>& names) {
  std::vector<std::vector<double>> columns;
  for (const std::string& name : names) {
    std::int64_t column = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), column);
    if (error != std::errc() || end != name.data() + name.size() || column < 0 || column >= file.n_columns) {
      throw Error(ErrorCode::bad_shape, fmt::format("{}: there is no column '{}'; an array's {} columns are named 0 to {}", path,
                                                    shown(name), file.n_columns, file.n_columns - 1));
    }
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < file.n; ++i) {
      const std::int64_t k = i * file.n_columns + column;
      numbers.push_back(file.type == Real::float32 ? static_cast<double>(static_cast<const float*>(file.data.data)[k])
                                                   : static_cast<const double*>(file.data.data)[k]);
    }
    columns.push_back(std::move(numbers));
  }
  return columns;
}

// Whether the names of the first two columns are those of longitudes and latitudes.
bool are_names_of_degrees(const std::vector<std::string>& names) {
  const auto begins = [](std::string name, std::string_view word) {
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name.starts_with(word);
  };
  return begins(names[0], "lon") || begins(names[0], "lng") || begins(names[1], "lat");
}

// Rows in which numbers are NaN that are needed are missing.
CsvColumns without_missing(std::vector<std::vector<double>> columns, const std::vector<std::string>& names, std::int64_t n,
                           const std::string& path, bool is_strict, const ValueColumns& values) {
  CsvColumns kept;
  kept.columns.resize(columns.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    std::vector<bool> missing;
    for (const std::vector<double>& column : columns) missing.push_back(std::isnan(column[row]));
    const bool is_whole = std::find(missing.begin(), missing.end(), true) == missing.end();
    if (!is_whole && (is_strict || !values.is_enough(missing))) {
      if (is_strict) throw Error(ErrorCode::bad_file, fmt::format("{}: row {} has a missing value", path, i));
      ++kept.n_skipped;
      continue;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (std::isinf(columns[c][row]))
        throw Error(ErrorCode::bad_file, fmt::format("{}: row {}, column {} is infinite", path, i, names[c]));
      kept.columns[c].push_back(columns[c][row]);
    }
    ++kept.n_records;
  }
  return kept;
}

CsvColumns columns_of_layer(SampleFile& file, const LayerRequest& request) {
  if (file.source->facts().identity.inode == 0)
    throw Error(ErrorCode::unsupported, "standard input has layers, which are read by the name of their file");
  LayerTable layer = gdal(request.path, "give CSV or .npy").read_layer(request);
  for (const std::string& note : layer.notes) fmt::print(stderr, "crinkle: note: {}: GDAL: {}\n", request.path, note);
  file.crs = std::move(layer.crs);
  return std::move(layer.table);
}

}  // namespace

Samples SampleFile::samples() const {
  Samples s{.places = places, .values = values, .n_dimensions = n_dimensions, .n_columns = n_columns};
  if (!weights.empty()) s.weights = weights;
  return s;
}

void SampleOptions::add_to(Command& c) {
  c.argument(
       "INPUT", input,
       "the samples: CSV with a header line (or columns by number), .npy [samples][columns], or GeoPackage, Shapefile or GeoJSON of points")
      .required();
  c.option("--value", "NAMES", values, "the column to map, or several: height,depth");
  c.option("--x", "NAME", x, "the column of x: x, of .npy 0, of points their own");
  c.option("--y", "NAME", y, "the column of y: y, of .npy 1, of points their own");
  c.option("--z", "NAME", z, "the column of z, for maps in three dimensions; z of points is their own");
  c.option("--layer", "NAME", layer, "the layer of a file that has several");
  c.option("--crs", "CRS", crs, "the coordinate reference system of the map, such as EPSG:25832; samples of another one are brought to it");
  c.option("--from-crs", "CRS", from_crs, "the system of places whose file does not say one, as CSV does not: EPSG:4326 for degrees");
  c.option("--delimiter", "CHARACTER", delimiter, "between fields of CSV: one character or tab; else as the header line shows");
  c.flag("--strict", is_strict, "refuse missing values; else they are counted, and a column does without their records");
}

SampleFile SampleOptions::open(const Crs& of_map, Values needed) const {
  const Crs named = crs_of_option(crs, "--crs");
  SampleFile file = read(input, layer, Role::samples, needed);
  if (of_map.is_known() && named.is_known() && !gdal("--crs", "leave it out").is_same(of_map, named))
    refuse("--crs " + crs + ", but the map's cells are --like a file in " + of_map.name + "; leave --crs out, or say --from-crs");
  if (!file.crs.is_known()) file.crs = named;
  const Crs wanted = of_map.is_known() ? of_map : named.is_known() ? named : file.crs;
  bring_places(input, file.crs, wanted, file.places, file.n_dimensions);
  file.crs = wanted;
  check_places(input, wanted, file.is_crs_taken, file.places, file.n_dimensions);
  return file;
}

SampleFile SampleOptions::open_targets(const std::string& path, const std::string& its_layer, const SampleFile& samples) const {
  SampleFile file = read(path, its_layer, Role::targets, Values::are_optional);
  if (!samples.crs.is_known() && file.crs.is_known())
    refuse(path + " is in " + file.crs.name + ", and " + input + " does not say what it is in; --from-crs or --crs says it");
  if (!file.crs.is_known() && !crs.empty()) file.crs = samples.crs;
  bring_places(path, file.crs, samples.crs, file.places, file.n_dimensions);
  check_places(path, samples.crs, file.is_crs_taken, file.places, file.n_dimensions);
  return file;
}

SampleFile SampleOptions::read(const std::string& path, const std::string& its_layer, Role role, Values needed) const {
  const bool has_values = role == Role::samples, needs_values = needed == Values::are_needed;
  const bool is_missing_refused = is_strict || role == Role::targets;  // every target has its place in the output
  const std::vector<std::string> value_names = has_values && !values.empty() ? split(values) : std::vector<std::string>();
  const std::string weight_name = has_values ? weight : "";
  SampleFile file;
  file.source = Source::open_npy_or_bytes(path, 0);
  const bool is_array = file.source->facts().format == "npy", is_layer = !is_array && begins_like_layers(file.source->bytes());
  file.n_dimensions = z.empty() ? 2 : 3;
  std::vector<std::string> names = {x, y};  // of a layer: where nothing is said, the geometry's
  if (!is_layer && x.empty()) names[0] = is_array ? "0" : "x";
  if (!is_layer && y.empty()) names[1] = is_array ? "1" : "y";
  if (!z.empty()) names.push_back(z);
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a + 1; b < names.size(); ++b)
      if (!names[a].empty() && names[a] == names[b])
        refuse(fmt::format("--{} and --{} are the same column, '{}'", "xyz"[a], "xyz"[b], shown(names[a])));
  names.insert(names.end(), value_names.begin(), value_names.end());
  file.is_named_in_degrees = are_names_of_degrees(names);
  if (!is_layer && !is_array) refuse_no_table(file.source->bytes(), path);
  if (!is_layer && !its_layer.empty()) refuse("layer " + its_layer + ": " + path + " is a table and has none");
  CsvColumns table;
  if (is_array) {
    const PointFile points = open_numbers_as_points(path);
    if (has_values && value_names.empty()) names.push_back(std::to_string(points.n_columns - 1));
    if (has_values && value_names.empty() && needs_values && points.n_columns <= file.n_dimensions)
      throw Error(ErrorCode::bad_shape,
                  fmt::format("{}: its {} columns are of places, and a value is needed beside them: a column more, or "
                              "--value NUMBER",
                              path, points.n_columns));
    const ValueColumns its_values{static_cast<std::size_t>(file.n_dimensions), names.size() - static_cast<std::size_t>(file.n_dimensions)};
    if (!weight_name.empty()) names.push_back(weight_name);
    table = without_missing(columns_by_number(points, path, names), names, points.n, path, is_missing_refused, its_values);
  } else {
    if (has_values && value_names.empty() && needs_values)
      refuse("--value NAME says which column of " + path + " is mapped" +
             (is_layer ? "; ogrinfo -so -al lists its fields" : ": " + csv_names(file.source->bytes(), path, delimiter_of(delimiter))));
    if (!weight_name.empty()) names.push_back(weight_name);
    const Missing missing = is_missing_refused ? Missing::is_refused : Missing::is_skipped;
    std::vector<std::string> options = {"--x", "--y", "--z"};
    options.resize(static_cast<std::size_t>(file.n_dimensions));
    options.resize(options.size() + value_names.size(), "--value");
    if (!weight_name.empty()) options.emplace_back("--weight");
    const ValueColumns its_values{static_cast<std::size_t>(file.n_dimensions), value_names.size()};
    if (is_layer) table = columns_of_layer(file, {path, its_layer, names, missing, its_values});
    else table = read_csv(file.source->bytes(), path, {names, options, delimiter_of(delimiter), missing, its_values});
  }
  for (const std::string& note : table.notes) fmt::print(stderr, "crinkle: note: {}: {}\n", path, note);
  for (const std::string& name : value_names)
    if (const auto at = std::find(names.begin(), names.begin() + file.n_dimensions, name); at != names.begin() + file.n_dimensions)
      fmt::print(stderr, "crinkle: note: --value {} is the column of {}, too: the map is of the samples' own places\n", name,
                 "xyz"[at - names.begin()]);
  if (const Crs said = crs_of_option(from_crs, "--from-crs"); !file.crs.is_known()) file.crs = said;
  else if (said.is_known() && has_values && !gdal("--from-crs", "leave it out").is_same(said, file.crs))
    refuse("--from-crs " + from_crs + ", but " + path + " says itself that it is in " + file.crs.name + "; leave --from-crs out");
  file.is_crs_taken = !file.crs.is_known();
  if (table.n_skipped > 0) {
    fmt::print(stderr, "crinkle: note: {}: {} of {} records have missing values and are left out\n", path, table.n_skipped,
               table.n_skipped + table.n_records);
  }
  file.n = table.n_records;
  if (file.n == 0) throw Error(ErrorCode::bad_file, path + ": there are no samples in it");
  const auto n_dimensions = static_cast<std::size_t>(file.n_dimensions), n_weights = static_cast<std::size_t>(weight_name.empty() ? 0 : 1);
  file.n_columns = std::ssize(names) - file.n_dimensions - (weight_name.empty() ? 0 : 1);
  file.value_names.assign(names.begin() + file.n_dimensions, names.begin() + file.n_dimensions + file.n_columns);
  for (std::size_t i = 0; i < static_cast<std::size_t>(file.n); ++i) {
    for (std::size_t c = 0; c < names.size(); ++c)
      (c < n_dimensions ? file.places : c < names.size() - n_weights ? file.values : file.weights).push_back(table.columns[c][i]);
  }
  note_gaps(path, file);
  if (has_values && file.n_columns == 0) {
    file.n_columns = 1;
    file.value_names = {"samples"};
    file.values.assign(static_cast<std::size_t>(file.n), 0);
  }
  return file;
}

void RasterOptions::add_to(Command& c) {
  c.option("--cell", "SIZE", cell, "the side of a cell of the map");
  c.option("--extent", "NUMBERS", extent, "x0,y0,x1,y1 of the map (x0,y0,z0,x1,y1,z1 with --z); else what the samples cover");
  c.option("--like", "FILE.tif", like, "the cells of another raster: its corner, its steps and its reference system");
}

Crs RasterOptions::crs() const { return like.empty() ? Crs() : gdal(like, "say --cell and --extent").raster(like).crs; }

void RasterOptions::check() const {
  if (!like.empty() && (cell != 0 || !extent.empty())) refuse("--like " + like + " says the cells; leave out --cell and --extent");
}

void RasterOptions::check_cell(const std::string& or_else) const {
  if (like.empty() && !(cell > 0))
    refuse(fmt::format("--cell {}; a map needs the side of its cells, above 0, or --like FILE.tif{}", cell, or_else));
}

void RasterOptions::check_output(const std::string& output, Overwrite overwrite) const {
  if (!like.empty()) check_output_name(output, overwrite, identity_of(like));
}

MapRaster RasterOptions::raster(const SampleFile& samples) const {
  const auto n = static_cast<std::size_t>(samples.n_dimensions);
  if (!like.empty()) {
    if (n != 2) refuse("--like " + like + ": its cells are in two dimensions; leave out --z");
    const auto [cells, corner, step] = grid_of(gdal(like, "say --cell and --extent").raster(like), like);
    return {
        {.first = {corner[0] + step[0] / 2, corner[1] + step[1] / 2, 0}, .step = {step[0], step[1], 1}, .extents = {cells[0], cells[1], 1}},
        corner};
  }
  std::vector<double> ends;
  if (!extent.empty())
    for (const std::string& part : split(extent)) ends.push_back(parse_real("--extent", part));
  if (!extent.empty() && ends.size() != 2 * n)
    refuse(fmt::format("--extent '{}' has {} numbers; it needs {}", shown(extent), ends.size(), 2 * n));
  if (extent.empty()) {
    ends.assign(2 * n, 0);
    for (std::size_t a = 0; a < n; ++a) {
      ends[a] = ends[n + a] = samples.places[a];
      for (std::size_t i = a; i < samples.places.size(); i += n) {
        ends[a] = std::min(ends[a], samples.places[i]);
        ends[n + a] = std::max(ends[n + a], samples.places[i]);
      }
      if (ends[a] == ends[n + a])
        throw Error(ErrorCode::bad_shape, fmt::format("all samples have {} = {}; say what the map covers: --extent", "xyz"[a], ends[a]));
    }
  }
  try {
    return {n == 2 ? raster_over(ends[0], ends[1], ends[2], ends[3], cell)
                   : raster_over(ends[0], ends[1], ends[2], ends[3], ends[4], ends[5], cell),
            {ends[0], ends[n + 1]}};
  } catch (const Error& e) {
    if (e.code() != ErrorCode::too_large) throw;
    throw Error(e.code(), fmt::format("--cell {}: {}", cell, e.what()));
  }
}

Extents extents_of(const Raster& raster, int n_dimensions, std::int64_t n_columns) {
  Extents extents;
  if (n_columns > 1) extents.push_back(n_columns);
  for (std::size_t a = static_cast<std::size_t>(n_dimensions); a-- > 0;) extents.push_back(raster.extents[a]);
  return extents;
}

}  // namespace crinkle::tool
