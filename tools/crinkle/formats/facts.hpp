// ArrayFacts say what a file says about the array in it, RawFacts what a raw file has to be told, OutputFacts what an output is to become.
// Shapes are in NumPy's order, slowest axis first, whatever the file's own habit is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crinkle/layout.hpp"
#include "formats/element_type.hpp"
#include "formats/side_files.hpp"
#include "formats/window.hpp"

namespace crinkle::tool {

/// A format keeps this beside the array: the NIfTI header, so that it can be carried to the output.
struct FormatExtras {
  virtual ~FormatExtras() = default;
};

struct DatasetWish;  // dataset.hpp

/// Which file a path led to; two names of one file compare equal. No file (standard input): inode 0.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct ArrayFacts {
  Layout layout;                   // extents, byte strides, and as offset the place of the data in Source::bytes()
  ElementType type;                //
  std::string format;              // "npy", "raw", "png", "nifti"
  std::string path;                // as it was given
  std::vector<std::string> notes;  // one line each, for a person: dropped PNG chunks, bytes left over, …
  std::shared_ptr<const FormatExtras> extras;
  FileIdentity identity;
};

/// A raw file's shape and type, and the byte where its data begins.
struct RawFacts {
  Extents extents;
  ElementType type;
  std::int64_t offset = 0;
};

/// The origin of an output axis: index j of it lies at index start + step · j of the source axis. A flip has step −1 and
/// start extent − 1; `pad` makes start negative; a slice with a step has that step.
struct AxisOrigin {
  int source_axis = -1;    // counted as in the source's extents; −1 when the axis is split, merged, new or follows no such law
  double start = 0;        // in source indices
  double step = 1;         // in source indices, negative when flipped, never 0 where source_axis >= 0
  bool is_rolled = false;  // start and step are those of the axis before it was rolled
};

struct SpatialChange {
  std::vector<AxisOrigin> axes;  // one per output axis
  std::vector<double> fixed;     // one per source axis: the index `at` fixed it to (0 for the others); may be empty: all 0
};

struct OutputFacts {
  Extents extents;
  ElementType type;
  const ArrayFacts* source = nullptr;     // for the NIfTI header and to refuse writing over the input; may be null
  const SpatialChange* change = nullptr;  // null: the axes are the source's, in order, if their extents are equal
  bool is_whole_file = false;             // the elements are all of the file, whatever its name says
  Replaced replaced = Replaced::all;      // of a file that is there
  std::vector<std::string> axes = {};     // names that a specification gives them, or none
  const DatasetWish* stored = nullptr;    // chunks and packing; null: chosen
  std::optional<Window> window = {};      // of a PNG: its levels are of these numbers
  bool is_transform = false;              // its numbers are others than the source's, and the source's attributes are not of them

  /// Of the elements in the file.
  ElementType written() const { return window ? element_type("|u1") : type; }
};

enum class Overwrite { refuse, force };

}  // namespace crinkle::tool
