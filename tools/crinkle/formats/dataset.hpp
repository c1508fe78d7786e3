// Arrays in files of chunks: Zarr, HDF5, NetCDF, TIFF. Chunks are packed by themselves, so that a box of an array is read and written
// without the rest. Nothing above this header knows which format it is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "formats/box_copy.hpp"
#include "formats/element_type.hpp"
#include "formats/facts.hpp"

namespace crinkle::tool {

struct Coordinates;
/// How far neighbours along an axis are apart.
struct AxisStep {
  double size = 0;   // 0: not known
  std::string unit;  // "um", "s", …

  /// Steps in inches and centimetres are of a print, which nobody means.
  bool is_meant() const { return size > 0 && unit != "inch" && unit != "cm"; }
};

/// What a file says about one array in it.
struct DatasetFacts {
  Extents extents;
  ElementType type;
  std::vector<std::string> axes;   // one name an axis, "" where it has none
  Extents chunks;                  // elements along each axis that are packed together; those at the end may reach beyond the array
  Extents unit;                    // whole multiples of chunks that are written together: shards, or the chunks
  bool is_in_pieces = false;       // a box of a chunk is read without the rest of it: its bytes are those of its elements
  std::vector<std::byte> fill;     // an element that stands where chunks are not there; empty: zeros
  std::string packing;             // for a person: "blosc lz4 5, shuffle"
  std::string format;              // "zarr 3"
  std::string path;                // as it was given
  std::string place;               // of an array that is there: its directory, or its file
  std::string inside;              // the array's name in the file: "/group/temperature"
  bool is_chunked = true;          // false: the elements lie in one piece, and `chunks` are how it is read best
  std::int64_t stored_bytes = -1;  // what its elements take in the file; −1: not known
  std::shared_ptr<const nlohmann::ordered_json> attributes;          // an object
  std::map<std::string, std::string> attribute_types;                // of numbers in it, where a format has several: "<f4"
  std::vector<std::shared_ptr<const Coordinates>> coordinates = {};  // of an output's axes, null for none; may be empty
  std::vector<std::string> around = {};                              // names of attributes of the groups that it lies in
  std::vector<std::string> notes;
  std::vector<AxisStep> steps;                 // one an axis, or none
  std::int64_t page = 0, n_pages = 0;          // of a TIFF: the one that is read, 0 for all, of so many
  std::shared_ptr<const FormatExtras> ground;  // of a raster: what is said of its place and its bands (geotiff/ground.hpp)
};

/// What the indices of an axis stand for: an array of one axis.
struct Coordinates {
  DatasetFacts facts;
  std::vector<std::byte> elements;
};

/// Something in a file: a group, an array, or an array that cannot be read.
struct DatasetNode {
  std::string name;  // "/group/temperature"
  bool is_group = false;
  DatasetFacts facts;   // of a group its attributes and notes
  std::string why_not;  // an array is not read; "": it is
};

/// They travel with an array to what is made of it.
struct DatasetExtras final : FormatExtras {
  explicit DatasetExtras(DatasetFacts said) : facts(std::move(said)) {}
  DatasetFacts facts;
  mutable std::map<std::size_t, std::shared_ptr<const Coordinates>> coordinates = {};  // of axes that were asked for, null for none
};

/// What an output takes over from its source: names of axes that are still there, attributes. What cannot is noted.
DatasetFacts dataset_facts(const std::string& path, const OutputFacts& output);

/// Names and steps of an output's axes alone: what its source says, moved with them.
DatasetFacts axes_and_steps(const OutputFacts& output);
/// How many axes of an array that was read have steps that are meant.
std::int64_t count_steps(const std::vector<AxisStep>& steps);

/// Adds the names of attributes of a group, "" for the file itself, to those around an array.
void add_around(std::vector<std::string>& around, const std::string& group, const nlohmann::ordered_json& attributes);

/// What of a source a file of this name has no place for beside attributes, one line each.
std::vector<std::string> left_behind(const ArrayFacts& source, const std::string& path);

/// The facts of sums, of a type, of an array's numbers with weights that add up to `of_weights`: add_offset is as often in them, which is
/// noted.
ArrayFacts offset_as_in_sums(const ArrayFacts& source, double of_weights, const ElementType& type, std::vector<std::string>& notes);

/// What its numbers mean that operations on them do not heed: a number for no data. One line each.
std::vector<std::string> not_heeded(const ArrayFacts& source);

/// An array that is there. Safe from several threads.
class Dataset {
 public:
  virtual ~Dataset() = default;
  const DatasetFacts& facts() const noexcept { return facts_; }
  /// Element i of the box goes to into + Σ i_a · strides[a] bytes. Chunks that are not there have the fill value. Throws bad_file for torn
  /// chunks, naming them.
  virtual void read(const Ranges& box, std::byte* into, const Extents& strides) const = 0;

 protected:
  DatasetFacts facts_;
};

/// How an array is to be stored, in words; what is left out is chosen.
struct DatasetWish {
  std::string chunks, shards;  // "y=512,x=512" by names of axes, all of them or the rest whole; or "1,512,512"
  std::string filter;          // "zstd:3,shuffle", "none"
  std::string read_along;      // an axis that chunks of `chunks` "auto" are long along; "" for none
  bool is_into = false;        // a file that is there gets one more array
  bool is_resumed = false;     // what a run of this request left that was stopped is gone on with, and what this one leaves stays
  std::string request = {};    // what the bytes follow from; "": no run goes on with it

  bool is_any() const { return !chunks.empty() || !shards.empty() || !filter.empty() || !read_along.empty() || is_into; }
};

/// Refuses --resume, of an output that is not made part by part in a file of its own.
void refuse_resuming(const DatasetWish& wish, const std::string& path, const std::string& why);

/// Elements of a chunk, from the words of `option`. Throws bad_notation and bad_shape.
Extents grid_of_words(const std::string& option, const std::string& words, const Extents& extents, const std::vector<std::string>& axes);

/// Elements of a chunk: what wish.chunks says, or chosen ones of at most so many bytes, the longest axes halved until then; along
/// wish.read_along, by name or number, as much as that holds. Throws as grid_of_words().
Extents chunks_of_wish(const DatasetWish& wish, const DatasetFacts& facts, std::int64_t most = 4 << 20);

/// Chunks that are chosen: the longest axis is halved until one has at most `most` bytes, few enough to be packed and found quickly.
Extents chosen_chunks(const Extents& extents, std::int64_t element_bytes, std::int64_t most);

/// Pieces of an array that lies in one piece: whole along the last axes, of some 4 MiB.
Extents rows_of(const Extents& extents, std::int64_t element_bytes);

/// An array that is being made: nothing is under its name until commit().
class NewDataset {
 public:
  virtual ~NewDataset() = default;  // without commit(): nothing is left
  const DatasetFacts& facts() const noexcept { return facts_; }
  /// Writes the elements of a box that begins at multiples of facts().unit and ends there or at the array's end; element i is read from
  /// from + Σ i_a · strides[a] bytes. Safe from several threads for different boxes. Throws bad_file for what cannot be written.
  virtual void write(const Ranges& box, const std::byte* from, const Extents& strides) = 0;
  /// Whether a run of the same request that was stopped has written all of such a box; and says that this one has, for the next one.
  virtual bool has(const Ranges&) const { return false; }
  virtual void finish(const Ranges&) {}
  virtual void commit() = 0;
  virtual void withdraw() noexcept = 0;  // after it: nothing is under the name

 protected:
  DatasetFacts facts_;
};

/// "store.zarr:/a/b" is the array /a/b of the file store.zarr; a name without ":/" has no array in it.
struct DatasetName {
  std::string file, inside;
};
DatasetName dataset_name(const std::string& path);

/// Whether a path is a file of arrays that is there, and whether an output of this name is one.
bool is_dataset(const std::string& path);
bool names_dataset(const std::string& path);
/// Whether an array of this name is made together with all of its file, so that no two outputs of a run lie in one.
bool takes_whole_file(const std::string& path);
/// Whether all of that output is one file.
bool names_one_file(const std::string& path);
/// Whether an output of this name has room for the coordinates of its axes.
bool keeps_coordinates(const std::string& path);

/// What lies in a file or in a group of it, groups before what is in them.
std::vector<DatasetNode> nodes_of_dataset(const std::string& path);

/// What this build reads and writes of them, for a person: "Zarr, HDF5".
std::string dataset_formats();

/// Opens the array; the only one of the file where none is named. Throws bad_file for what is torn or lies, unsupported for types and
/// codecs that are not known (naming them), bad_notation where an array has to be named or is not there (naming those that are).
std::unique_ptr<Dataset> open_dataset(const std::string& path);

/// Begins the array `path`. Throws what Sink::create throws.
std::unique_ptr<NewDataset> begin_dataset(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                                          const FileIdentity& input = {});
/// Refuses what begin_dataset() would refuse; makes nothing.
void check_dataset(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                   const FileIdentity& input = {});

/// The same array with elements of `type`, which are its own in the other byte order.
std::unique_ptr<Dataset> in_order(std::unique_ptr<Dataset> dataset, const ElementType& type);

/// Boxes of the grid of `unit` that cover a box, cut to it, the last axis fastest.
std::vector<Ranges> boxes_of_grid(const Ranges& box, const Extents& unit);
/// All indices of an array.
Ranges whole_of(const Extents& extents);

/// Reads and writes on all threads, a chunk or a unit a task. `strides` are those of the memory.
void read_box(const Dataset& from, const Ranges& box, std::byte* into, const Extents& strides, Executor& executor);
void write_box(NewDataset& to, const Ranges& box, const std::byte* from, const Extents& strides, Executor& executor);

}  // namespace crinkle::tool
