// What one pass over files asks of a disk and of codecs, when an operation goes part by part from one grid of chunks to another one:
// counted from the parts, before any of them is read.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/operation.hpp"
#include "formats/dataset.hpp"

namespace crinkle::tool {

/// Bytes, and calls of the system.
struct Traffic {
  double read = 0, decoded = 0, written = 0, encoded = 0, calls = 0, parts = 0;

  Traffic& operator+=(const Traffic& other);
  /// On so many cores: about (docs/tuning.md).
  double seconds(int n_workers) const;
};

/// A grid of boxes in a file: what is read and written there at least.
struct Grid {
  Extents extents, chunks;
  std::int64_t element_bytes = 1;
  bool is_in_pieces = false;  // a box of a chunk is read without the rest

  static Grid read_of(const DatasetFacts& facts);
  static Grid written_of(const DatasetFacts& facts);  // chunks: facts.unit
  Traffic reading(const Ranges& box) const;           // which may go round its ends
};

/// How parts of an operation lie: pieces of every cut, the last ones shorter.
struct Parts {
  Extents extents, pieces;

  Parts(const Operation& operation, Extents pieces);
  std::int64_t n() const;
  Ranges at(std::int64_t number) const;  // the last cut fastest
  Ranges middle() const;                 // where what lies around a part is whole
};

/// Of all parts, of many from some; all inputs lie as `from` does, and what is written is the operation's output.
Traffic traffic_of(const Operation& operation, const Parts& parts, const Grid& from, const Grid& to);

}  // namespace crinkle::tool
