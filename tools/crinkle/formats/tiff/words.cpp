// SPDX-License-Identifier: BSD-3-Clause
#include "formats/tiff/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "crinkle/error.hpp"

namespace crinkle::tool::tiff {

Packing packing_of_words(const std::string& words) {
  const auto refuse = [&] {
    throw Error(
        ErrorCode::bad_notation,
        fmt::format("--filter {}: a TIFF has none, lzw, deflate:LEVEL (1 to 9) or zstd:LEVEL (1 to 22), each but none with ,predictor",
                    words));
  };
  Packing packing;
  if (words.empty()) return packing;
  std::string word = words;
  if (const std::size_t comma = word.find(','); comma != std::string::npos) {
    if (word.substr(comma) != ",predictor") refuse();
    packing.has_predictor = true;
    word.resize(comma);
  }
  const std::size_t colon = word.find(':');
  packing.name = word.substr(0, colon);
  const int most = packing.name == "deflate" ? 9 : packing.name == "zstd" ? 22 : 0;
  if (most == 0 && packing.name != "lzw" && packing.name != "none") refuse();
  if (packing.name == "none" && packing.has_predictor) refuse();
  if (colon == std::string::npos) return packing;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + colon + 1, end, packing.level);
  if (error != std::errc() || rest != end || packing.level < 1 || packing.level > most) refuse();
  return packing;
}

std::array<std::int64_t, 2> piece_of_words(const DatasetWish& wish, const DatasetFacts& facts, std::size_t first) {
  if (!wish.shards.empty()) throw Error(ErrorCode::bad_notation, "--shards are of stores of many files; a TIFF is one file, in --chunks");
  if (!wish.read_along.empty() || wish.is_into)
    throw Error(ErrorCode::bad_notation,
                std::string(wish.is_into ? "--into is of HDF5 and NetCDF-4" : "--read-along is of stores and HDF5") +
                    "; a TIFF is one array, in rows or tiles that --chunks gives");
  if (wish.chunks.empty() || wish.chunks == "auto") return {0, 0};
  const Extents grid = grid_of_words("--chunks", wish.chunks, facts.extents, facts.axes);
  const bool is_by_names = wish.chunks.find('=') != std::string::npos;
  for (std::size_t a = 0; a < grid.size(); ++a) {
    if (a == first || a == first + 1) continue;
    const bool is_said = !is_by_names || ("," + wish.chunks).find("," + facts.axes[a] + "=") != std::string::npos;
    const std::int64_t right = a < first ? 1 : facts.extents[a];
    if (is_said && grid[a] != right)
      throw Error(
          ErrorCode::bad_shape,
          fmt::format("--chunks {}: pictures of a TIFF are stored each by itself, so {} is {}, not {}; the last axes, rows and columns, "
                      "are those that --chunks cuts",
                      wish.chunks, facts.axes[a].empty() ? fmt::format("axis {}", a) : facts.axes[a], right, grid[a]));
  }
  const std::array<std::int64_t, 2> piece = {grid[first], grid[first + 1]};
  if (piece[1] < facts.extents[first + 1] && (piece[0] % 16 != 0 || piece[1] % 16 != 0))
    throw Error(ErrorCode::bad_shape,
                fmt::format("--chunks {}: tiles of a TIFF are multiples of 16 rows and columns, not {} x {}; chunks of whole "
                            "rows may have any number of them",
                            wish.chunks, piece[0], piece[1]));
  return piece;
}

}  // namespace crinkle::tool::tiff
