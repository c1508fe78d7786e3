// SPDX-License-Identifier: BSD-3-Clause
#include "maps/sample_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/caret.hpp"
#include "files/no_table.hpp"
#include "files/number_file.hpp"
#include "files/point_file.hpp"
#include "formats/csv.hpp"
#include "formats/known_files.hpp"
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

// Names between commas; those that begin with a quote go to the next one, and may have commas in them.
std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"' && (is_quoted || names.back().empty())) is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted) names.emplace_back();
    else if (c != ' ' || is_quoted || !names.back().empty()) names.back() += c;
  }
  if (is_quoted) refuse("--value '" + shown(text) + "': a quote begins and does not end");
  return names;
}

// An array of float32 or float64; other numbers as float64.
PointFile open_numbers_as_points(const std::string& path) {
  auto source = Source::open(path);
  const std::string& type = source->facts().type.name;
  if (type.find("int") != std::string::npos || type == "bool" || type == "float16") source = values_of(*source, "float64");
  for (const std::string& note : source->facts().notes) fmt::print(stderr, "crinkle: note: {}: {}\n", path, note);
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
                           const std::string& path, bool is_strict, const ValueColumns& values, const MissingMarks& marks) {
  CsvColumns kept;
  kept.columns.resize(columns.size());
  for (std::size_t c = values.first; c < values.first + values.n; ++c)
    for (double& number : columns[c])
      if (marks.is_one(number)) {
        number = std::numeric_limits<double>::quiet_NaN();
        ++kept.n_marked;
      }
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
  LayerTable layer;
  try {
    layer = gdal(request.path, "give CSV or .npy").read_layer(request);
  } catch (const Error& e) {  // GDAL opens some files that are packed by zip
    const std::optional<std::string> known = told_as_known(file.source->bytes(), request.path);
    if (!known || std::string(e.what()).find("GDAL") == std::string::npos) throw;
    throw Error(ErrorCode::unsupported, request.path + ": " + *known);
  }
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
  c.option("--value", "NAMES", values, "the column to map, or several: height,depth; one with a comma in quotes: '\"height, m\"'");
  c.option("--x", "NAME", x, "the column of x: x, of .npy 0, of points their own");
  c.option("--y", "NAME", y, "the column of y: y, of .npy 1, of points their own");
  c.option("--z", "NAME", z, "the column of z, for maps in three dimensions; z of points is their own");
  c.option("--layer", "NAME", layer, "the layer of a file that has several");
  c.option("--crs", "CRS", crs, "the coordinate reference system of the map, such as EPSG:25832; samples of another one are brought to it");
  c.option("--from-crs", "CRS", from_crs, "the system of places whose file does not say one, as CSV does not: EPSG:4326 for degrees");
  c.option("--delimiter", "CHARACTER", delimiter, "between fields of CSV: one character or tab; else as the header line shows");
  c.option("--decimal", "CHARACTER", decimal, "before the decimals of CSV: . or , (which is then no delimiter)").only({".", ","});
  c.option("--missing", "VALUES", missing, "values that stand for none, as -999 or -999,n.d., beside empty fields, NA, NaN and the like");
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

// The names in --value; all of it is one where the header line has it so.
std::vector<std::string> SampleOptions::names_of_values(std::span<const std::byte> text, const std::string& path) const {
  if (values.find(',') != std::string::npos && has_csv_column(text, path, values, delimiter_of(delimiter))) return {values};
  return split_names(values);
}

SampleFile SampleOptions::read(const std::string& path, const std::string& its_layer, Role role, Values needed) const {
  const bool has_values = role == Role::samples, needs_values = needed == Values::are_needed;
  const bool is_missing_refused = is_strict || role == Role::targets;  // every target has its place in the output
  const MissingMarks marks = missing_marks(missing.empty() ? std::vector<std::string>() : split(missing));
  const std::string weight_name = has_values ? weight : "";
  SampleFile file;
  file.source = Source::open_npy_or_bytes(path, 0);
  const bool is_array = file.source->facts().format == "npy", is_layer = !is_array && begins_like_layers(file.source->bytes());
  const bool is_text = !is_array && !is_layer;
  if (is_text) refuse_no_table(file.source->bytes(), path);
  if (!is_text && has_values && (decimal != "." || !delimiter.empty()))
    fmt::print(stderr, "crinkle: note: {} is of CSV, and {} is none\n",
               decimal != "." ? "--decimal " + decimal : "--delimiter " + delimiter, path);
  std::vector<std::string> value_names;
  if (has_values && !values.empty()) value_names = is_text ? names_of_values(file.source->bytes(), path) : split_names(values);
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
    table = without_missing(columns_by_number(points, path, names), names, points.n, path, is_missing_refused, its_values, marks);
  } else {
    if (has_values && value_names.empty() && needs_values)
      refuse("--value NAME says which column of " + path + " is mapped" +
             (is_layer ? "; ogrinfo -so -al lists its fields" : ": " + csv_names(file.source->bytes(), path, delimiter_of(delimiter))));
    if (!weight_name.empty()) names.push_back(weight_name);
    const Missing skipped = is_missing_refused ? Missing::is_refused : Missing::is_skipped;
    std::vector<std::string> options = {"--x", "--y", "--z"};
    options.resize(static_cast<std::size_t>(file.n_dimensions));
    options.resize(options.size() + value_names.size(), "--value");
    if (!weight_name.empty()) options.emplace_back("--weight");
    const ValueColumns its_values{static_cast<std::size_t>(file.n_dimensions), value_names.size()};
    if (is_layer) table = columns_of_layer(file, {path, its_layer, names, skipped, its_values, marks});
    else table = read_csv(file.source->bytes(), path, {names, options, delimiter_of(delimiter), skipped, its_values, decimal[0], marks});
  }
  if (has_values && !missing.empty() && table.n_marked == 0)
    table.notes.push_back("no value is --missing " + missing + ", which changes nothing");
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

}  // namespace crinkle::tool
