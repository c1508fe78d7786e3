// Short patterns that repeat: rows of a few hundred bytes put together from pieces of a source row, records put together or taken apart,
// every k-th element of a run. An item is what repeats (a row, a record, an element); item i of a run is
//     out[i · item_bytes + u · unit …]  =  bases[origin_u.base][origin_u.offset + i · src_steps[base] …]  for all units u of an item,
// or a pattern. Some items together are a period, which is planned once as a program of vectors: each destination vector is woven from
// windows of the source as wide as itself, loaded whole, their bytes brought into place and laid over each other:
//     vector = initial;   for each piece: vector[b] = window[index[b]] where the piece's mask has b.
// Programs know no alignment and no instruction set, only the width of a vector; they are made when a plan is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cpu/record_kernels.hpp"

namespace crinkle::simd {

struct WovenPiece {
  std::int64_t offset = 0;  // of the window from its base
  std::uint64_t mask = 0;   // bytes of the vector that come from it
  std::int32_t base = 0;
};

struct alignas(64) WovenBytes {  // one for every byte of a vector
  std::uint8_t byte[64] = {};
};

struct WeaveProgram {
  std::vector<std::int32_t> initial_of;  // every vector: which of the initials, −1 for zeros
  std::vector<WovenPiece> pieces;        // n_pieces for every vector; a few may have nothing to add
  std::vector<WovenBytes> indexes;       // of every piece: byte of the window, 0x80 where another piece has it
  // Vectors of 64 bytes, of pieces 0 and 1, 2 and 3, … of every vector: byte of the two windows laid end to end.
  std::vector<WovenBytes> pairs;
  std::vector<std::uint64_t> pair_masks;  // bytes of the vector that come from either
  std::vector<WovenBytes> initials;
  std::vector<std::int64_t> steps;  // bytes from a period to the next, from every base
  std::int32_t n_bases = 0, n_pieces = 0;
  bool is_filled = false;       // some bytes come from no window: from an initial vector, or they are zero
  bool shares_windows = false;  // all vectors have the same windows
  std::int32_t n_last = 0;      // bytes of the last vector that belong to the period; the next one overwrites the others

  std::int64_t n_vectors() const { return std::ssize(initial_of); }
  std::int64_t held_bytes() const {  // of the tables
    return static_cast<std::int64_t>(initial_of.size() * sizeof(std::int32_t) + pieces.size() * sizeof(WovenPiece) +
                                     (indexes.size() + pairs.size() + initials.size()) * sizeof(WovenBytes) +
                                     pair_masks.size() * sizeof(std::uint64_t));
  }
};

class Weave {
 public:
  static constexpr std::int64_t most_period = 4096;  // bytes of the destination
  static constexpr int most_bases = 16;

  /// The source of a unit of an item: a base and bytes from there; base −1: a pattern, whose bytes begin at `offset` in the constants.
  struct Origin {
    std::int32_t base = 0;
    std::int64_t offset = 0;
  };
  struct Item {
    std::vector<Origin> units;            // as they follow each other in the destination
    std::int64_t unit = 1;                // bytes
    std::vector<std::int64_t> src_steps;  // bytes from an item to the next, from every base
    std::int32_t most_pieces = 0;         // a vector; 0: as many as beat a transposition in registers
    std::vector<std::uint8_t> constants;
  };

  Weave() = default;
  /// For runs of up to `extent` items by vectors of `width` bytes. Empty where a vector would take too many pieces, or windows would reach
  /// past what may be read.
  Weave(const Item& item, std::int64_t extent, int width);

  /// Whether these kernels can run it.
  bool is_for(const RecordKernels& kernels) const { return kernels.weave_width == width_ && program_.n_vectors() > 0; }
  std::int64_t held_bytes() const { return program_.held_bytes(); }
  std::int64_t item_bytes() const { return item_bytes_; }
  std::int64_t items() const { return items_; }                                     // of a period
  std::int64_t src_step() const { return src_steps_.empty() ? 0 : src_steps_[0]; }  // from the first base

  /// n items from `first` on of a run of `extent`, whose item 0 lies at the bases. Reads between the first and the last byte of the run's
  /// source. Writes exactly n · item_bytes() bytes. Requires 0 ≤ first, first + n ≤ extent, extent ≥ items().
  void run(const RecordKernels& kernels, const std::byte* const* bases, std::int64_t first, std::int64_t n, std::int64_t extent,
           std::byte* out) const;
  /// The same from byte `phase` of the line `out` on, by whole lines (RecordKernels::weave_lines). Requires can_stream(), n a multiple of
  /// items().
  void lines(const RecordKernels& kernels, const std::byte* const* bases, std::int64_t first, std::int64_t n, std::byte* out,
             std::byte* waiting, std::int64_t phase) const;
  bool can_stream(const RecordKernels& kernels, std::int64_t phase) const {
    return items_ * item_bytes_ % 64 == 0 && (phase == 0 || kernels.weave_lines != nullptr);
  }

 private:
  const std::byte** at(const std::byte* const* bases, std::int64_t first, const std::byte** there) const;
  void periods(const RecordKernels& kernels, const std::byte* const* bases, std::int64_t first, std::int64_t n, std::byte* out,
               bool is_streaming) const;

  std::int64_t item_bytes_ = 0, items_ = 0;
  std::vector<std::int64_t> src_steps_;
  int width_ = 0;
  WeaveProgram program_;
};

}  // namespace crinkle::simd
