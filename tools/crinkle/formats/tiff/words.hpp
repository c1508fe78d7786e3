// --filter and --chunks of a TIFF.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "formats/dataset.hpp"

namespace crinkle::tool::tiff {

/// "deflate:6", "lzw", "zstd:3", "none", each but the last with ",predictor".
struct Packing {
  std::string name = "none";
  int level = -1;  // -1: as usual
  bool has_predictor = false;
};
/// Throws bad_notation.
Packing packing_of_words(const std::string& words);

/// Rows and columns that are packed together. `first`: the axis of rows, behind which columns come; the others are 1 a piece but for those
/// behind the columns, which are whole. Nothing said: {0, 0}. Throws bad_notation and bad_shape for what a TIFF does not have.
std::array<std::int64_t, 2> piece_of_words(const DatasetWish& wish, const DatasetFacts& facts, std::size_t first);

}  // namespace crinkle::tool::tiff
