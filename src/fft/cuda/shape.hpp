// What a kernel that is compiled for one length is told besides the length: lines and threads of a block, where numbers lie in shared
// memory. None of it changes a bit of a result.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/cuda/known.hpp"
#include "fft/cuda/stages.hpp"

namespace crinkle::fft {

/// Lines that are asked for.
struct LinesWanted {
  Radices radices;
  bool reads = true, writes = true;                                    // butterflies read and write memory
  bool are_convolved = false, has_chirp = false, are_ordered = false;  // of Bluestein's algorithm, or Rader's
  bool folds_in = false, folds_out = false;                            // half of the columns mirrored to the others
  bool is_part = false;             // of a longer convolution (convolution.hpp): the second transform has the first one's radices
  std::int64_t shared_bytes = 0;    // that a block may have
  std::int64_t n = 1, n_lines = 1;  // numbers of a line; lines that may share a block
  std::int64_t number = 8;          // bytes of one
  bool are_columns = false;         // lines lie side by side
  bool may_come_ahead = false;      // rows of numbers one behind the other, as known_ahead.cuh wants them

  auto operator<=>(const LinesWanted&) const = default;
};

/// How a kernel goes about lines.
struct LinesShape {
  std::int64_t lanes = 1, threads = 32, group = 32, n_blocks = 1;  // n_blocks run at once on a multiprocessor
  std::int64_t held = 1;                                           // numbers of a thread
  double use = 0;                                                  // of the places of threads' butterflies, those that have one
  bool are_apart = false;
  std::vector<KnownPlaces> places;       // behind 0, 1 … all stages
  std::vector<KnownPlaces> places_back;  // of a convolution's second transform, where its radices are the others the other way round
  std::int64_t firsts = 0;               // where the first numbers of Rader's begin in shared memory
  std::int64_t landing = -1;             // of lines that come ahead (known_ahead.cuh)
  std::int64_t shared_bytes = 0;
  std::int64_t together = 1;  // blocks of a cluster
};

/// Registers that a thread may have where so many blocks run at once: of a multiprocessor's four parts each has 16384 and a quarter of the
/// warps; a thread has a multiple of eight.
std::int64_t registers_of(std::int64_t threads, std::int64_t n_blocks);

/// All that are worth a try, without places; and what is expected of one, more is better.
std::vector<LinesShape> shapes_to_try(const LinesWanted& wanted);
double expected(const LinesWanted& wanted, const LinesShape& shape);
/// With places and shared memory.
LinesShape placed(const LinesWanted& wanted, LinesShape shape);

/// The shape for lines; of no lanes where there is none. The last ones are kept, since finding one takes milliseconds. Thread-safe.
LinesShape shape_of(const LinesWanted& wanted);

/// Shapes that are worth measuring, so many at most: that one first, then the best of every way to go about lines, then other ones.
std::vector<LinesShape> shapes_of(const LinesWanted& wanted, std::size_t most);

}  // namespace crinkle::fft
