// How an array becomes pictures of a TIFF, and what is written of its axes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "formats/dataset.hpp"
#include "formats/tiff/words.hpp"

namespace crinkle::tool::tiff {

struct Form {
  Extents counting;                                 // axes that count pictures
  std::size_t n_left_out = 0;                       // of rows and columns, where the array has fewer than two axes
  std::int64_t rows = 1, columns = 1, samples = 1;  // of each
  bool has_samples = false;                         // as the last axis
  std::int64_t piece_rows = 1, piece_columns = 1;   // those of tiles are multiples of 16
  bool is_tiled = false;
  ElementType type;                           // in the machine's byte order
  int bits = 8, format = 1, photometric = 1;  // in TIFF's numbers
  Packing packing;
  std::string description;
  double x_resolution = 0, y_resolution = 0;  // cells to the unit; 0: not said
  int resolution_unit = 1;
  std::vector<std::string> notes;

  std::int64_t n_pictures() const;
  std::int64_t pieces_across() const { return (columns + piece_columns - 1) / piece_columns; }
  std::int64_t pieces_of_picture() const { return pieces_across() * ((rows + piece_rows - 1) / piece_rows); }
  Extents unit() const;  // of the array's axes
};

/// Throws unsupported, with the way out, for what a TIFF does not hold; bad_notation and bad_shape for words.
Form form_of(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish);

}  // namespace crinkle::tool::tiff
