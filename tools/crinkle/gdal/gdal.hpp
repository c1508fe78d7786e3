// Geographic files by GDAL: point layers and rasters in, GeoTIFF out, coordinate reference systems. GDAL is in a module of
// its own that is loaded when a file needs it: its hundred libraries, linked to the command, would make each start of it take 0.1 s longer.
// So this header names nothing of GDAL's, and what throws is told in GDAL's words behind the file's name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/real.hpp"
#include "formats/csv.hpp"

namespace crinkle::tool {

/// A coordinate reference system: what the numbers of places mean on the Earth. x is east or the longitude, y north or the latitude.
struct Crs {
  std::string wkt;   // WKT 2; empty: not known
  std::string name;  // for a person: "EPSG:25832 (ETRS89 / UTM zone 32N)"
  bool is_in_degrees = false;

  bool is_known() const { return !wkt.empty(); }
};

struct LayerRequest {
  std::string path;
  std::string layer;  // empty: the only one
  /// Fields, x, y or z of the geometry where no field is called so, or "" for coordinate number i at place i.
  std::vector<std::string> names;
  Missing missing = Missing::is_skipped;
  ValueColumns values;
  MissingMarks marks = {};
};

/// A record for every point; a MultiPoint is several. Missing are features without a geometry or a value in one of the
/// fields that are needed.
struct LayerTable {
  CsvColumns table;
  Crs crs;
  std::vector<std::string> notes;  // what GDAL warned of
};

/// A raster's place: (column, row) of the corner of a cell is at (t0 + t1 column + t2 row, t3 + t4 column + t5 row) on the ground.
using Geotransform = std::array<double, 6>;

/// Facts that a raster file says.
struct RasterFacts {
  std::array<std::int64_t, 2> cells{};    // columns, rows
  std::optional<Geotransform> transform;  // none: it does not say where it lies
  Crs crs;
  std::string format, type, compression;      // the type in GDAL's words,
  std::string element;                        // and as "uint8", "float32", …; "" for complex numbers and integers of 64 bits
  std::array<std::int64_t, 2> block{};        // cells that are packed together
  std::vector<std::string> bands;             // what they are called, "" where they have no name
  std::optional<double> nodata;               // of the first band
  bool has_colour_table = false;              // numbers stand for colours
  bool has_mask = false;                      // which cells have data is said beside them, not by a number
  std::optional<std::int64_t> alpha;          // the band that says so: cells where it is 0 have none
  std::int64_t n_pages = 1;                   // pictures in the file, of which these facts are of one
  std::int64_t n_control_points = 0;          // on the ground, which say where it lies instead of a transform
  bool has_polynomials = false;               // of a camera (RPC), which say so
  std::vector<std::array<double, 2>> scales;  // of each band: a number n means scale · n + offset
  std::int64_t n_tags = 0;                    // further ones, of the picture and of its bands
  std::string stored;                         // the type of all bands as "int64", "complex64", …, too; "": there is none for it
  bool is_interleaved = false;                // all bands of a cell are packed together
};

/// A part of a raster: bands, rows and columns from `first` on.
struct RasterBox {
  std::array<std::int64_t, 3> first{}, n{};
};

/// A raster that is kept open. Safe from several threads.
class RasterCells {
 public:
  virtual ~RasterCells() = default;
  /// Cells as they are stored; (band, row, column) of the box goes to into + Σ i · strides bytes. Throws bad_file.
  virtual void read(const RasterBox& box, std::byte* into, const std::array<std::int64_t, 3>& strides) const = 0;
};

/// A picture of a raster file, and of its cells those from column and row `first` on.
struct CellRequest {
  std::string path;
  int page = 1;
  std::array<std::int64_t, 2> first{}, cells{};  // columns, rows
};

/// A GeoTIFF to be written: tiles of 256 × 256, band after band.
struct MapRequest {
  std::array<std::int64_t, 2> cells{};  // columns, rows
  std::optional<Geotransform> transform;
  Crs crs;
  std::vector<std::string> bands;  // their names
  std::string element;             // as of RasterFacts
  std::optional<double> nodata;
  std::string compression;  // none, deflate, zstd or lzw
  int threads = 0;          // that pack; 0: all
  std::string bands_as;     // a raster whose tags, and whose bands' colours, units, scales and offsets these have; "": none
  int bands_page = 1;       // of it
  std::vector<std::int64_t> bands_from = {};       // which of its bands each is; empty: in order
  std::vector<std::array<double, 2>> scales = {};  // of each band, where no raster says them
  int level = -1;                                  // of the compression; -1: as usual
  std::array<std::int64_t, 2> tile = {256, 256};   // columns, rows; as many columns as there are: rows that are packed together
};

class MapWriter {
 public:
  virtual ~MapWriter() = default;  // without finish() the file is not whole
  /// Rows first_row … first_row + n_rows of a band, counted from 0. Few rows at a time are cheapest in multiples of 256.
  virtual void write(std::int64_t band, std::int64_t first_row, std::int64_t n_rows, const void* numbers) = 0;
  /// All is in the file, or this throws bad_file.
  virtual void finish() = 0;
};

class Gdal {
 public:
  virtual ~Gdal() = default;
  /// Throws bad_file for what GDAL cannot read, features that are no points, fields and layers that are not there (naming those that are),
  /// texts where numbers are needed, infinite numbers, missing values that are refused; bad_notation where a layer has to be chosen.
  virtual LayerTable read_layer(const LayerRequest& request) const = 0;
  /// "EPSG:25832", WKT, a PROJ text. Throws bad_notation, naming the option it was said by.
  virtual Crs crs(const std::string& text, const std::string& option) const = 0;
  /// Whether places in one are places in the other.
  virtual bool is_same(const Crs& a, const Crs& b) const = 0;
  /// places: [n][n_dimensions], x and y first; z stays as it is. Throws bad_shape for places that have no counterpart.
  virtual void transform(const Crs& from, const Crs& to, std::span<double> places, int n_dimensions) const = 0;
  /// Throws bad_file for what is no raster, bad_shape for a page that it does not have.
  virtual RasterFacts raster(const std::string& path, int page) const = 0;
  RasterFacts raster(const std::string& path) const { return raster(path, 1); }
  /// Cells of a raster, [band][row][column], as numbers of this type. Throws bad_file, also where `into` is not as large.
  virtual void read_cells(const CellRequest& request, Real as, std::span<std::byte> into) const = 0;
  virtual std::unique_ptr<RasterCells> open_cells(const std::string& path, int page) const = 0;
  /// The mask of these cells, [row][column]: 0 where there is no data.
  virtual void read_mask(const CellRequest& request, std::span<std::uint8_t> into) const = 0;
  /// Begins the file `path`, which is there and empty. Throws unsupported for what GeoTIFF or this GDAL cannot hold, bad_file.
  virtual std::unique_ptr<MapWriter> begin_map(const std::string& path, const MapRequest& request) const = 0;
};

/// Loads the module. Throws unsupported where there is none: `what` needs it (a file's name, an option), and `instead` is the way out.
const Gdal& gdal(const std::string& what, const std::string& instead);

/// Runs what writes a file under a name for now; GDAL's words on it name the path that it gets.
void writing_as(const std::string& path, const std::string& name_for_now, const std::function<void()>& work);

/// Whether the build has it; the module may still not be found.
bool has_gdal();

/// Whether the first bytes are those of a file with layers: GeoPackage, Shapefile, GeoJSON, GML, KML, GPX, FlatGeobuf.
bool begins_like_layers(std::span<const std::byte> file);
bool begins_like_tiff(std::span<const std::byte> file);
/// The same of a file by its name; not for what cannot be read.
bool is_tiff(const std::string& path);

}  // namespace crinkle::tool
