// What a kernel that takes two axes at once (known_plane.cuh) is told of a block: threads, lines of either axis at once, where a plane's
// numbers lie. None of it changes a bit of a result.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/cuda/shape.hpp"

namespace crinkle::fft {

/// Lines of one axis of a plane.
struct PlaneLines {
  Radices radices;
  std::int64_t n = 1, n_lines = 1;  // numbers of a line; lines of the plane
};
struct PlaneWanted {
  PlaneLines first, second;
  bool is_first_rows = true;      // lines of the first axis are rows of the plane, those of the second columns; else the other way round
  std::int64_t number = 8;        // bytes of a number
  std::int64_t shared_bytes = 0;  // that a block may have
  std::int64_t shared_bytes_worker = 0;  // of a multiprocessor
  bool has_clusters = false;             // of blocks (cluster.cuh)
  bool are_rows_turned = false;          // rows lie side by side where they are written
};
struct PlaneShape {
  LinesShape first, second;                    // with places; of both the same threads, n_blocks and together
  std::int64_t own_rows = 0, own_columns = 0;  // lines of a block
  std::int64_t shared_bytes = 0;
};

/// Of no lanes where no block holds the plane.
PlaneShape plane_shape(const PlaneWanted& wanted);
/// Shapes that are worth measuring, so many at most: that one first, then other ones by what is expected of them.
std::vector<PlaneShape> plane_shapes(const PlaneWanted& wanted, std::size_t most);

/// The places of rows in a plane behind 0, 1 … all stages, and the pitch, from `least` to `most`, that lets the fewest accesses of a warp
/// wait for others.
std::int64_t place_rows(const LinesWanted& wanted, LinesShape& shape, std::int64_t least, std::int64_t most);

}  // namespace crinkle::fft
