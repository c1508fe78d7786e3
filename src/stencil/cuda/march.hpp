// Which lists of points have a kernel of their own on a GPU: stars and boxes around a cell, one step or several at once, and rows of
// weights along one axis.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "stencil/cuda/form.hpp"
#include "stencil/plan.hpp"

struct CUstream_st;

namespace crinkle {

/// Radii along the marching axis, the axis of a block's rows and the line; steps in one pass. Or planes that stream past a block; or a row
/// of any length, or a star of any axes, the line among them; as a box, of the line alone.
struct March {
  enum class Row : std::uint8_t { none, stream, across, along_line, star_of_axes };

  int along = 0, rows = 0, line = 0, steps = 1;
  bool is_box = false;
  Row row = Row::none;

  constexpr bool has_rows() const { return rows > 0; }
  constexpr bool is_stream() const { return row == Row::stream; }
  /// Its kernel is there for vectors of 8 bytes and for elements, too.
  constexpr bool is_of_any_line() const { return row == Row::star_of_axes && !is_box; }
  friend bool operator==(const March&, const March&) = default;
};

/// The marches that are compiled.
inline constexpr std::array marches = {March{1, 0, 1},
                                       March{2, 0, 2},
                                       March{3, 0, 3},
                                       March{4, 0, 4},
                                       March{1, 1, 1, 1, false, March::Row::stream},
                                       March{2, 2, 2, 1, false, March::Row::stream},
                                       March{3, 3, 3, 1, false, March::Row::stream},
                                       March{4, 4, 4, 1, false, March::Row::stream},
                                       March{1, 1, 1, 1, true, March::Row::stream},
                                       March{2, 2, 2, 1, true, March::Row::stream},
                                       March{1, 1, 1},
                                       March{1, 0, 1, 1, true},
                                       March{2, 0, 2, 1, true},
                                       March{1, 0, 1, 4},
                                       March{1, 0, 1, 2},
                                       March{1, 0, 1, 4, true},
                                       March{1, 0, 1, 2, true},
                                       March{1, 1, 1, 1, false, March::Row::star_of_axes},
                                       March{2, 2, 2, 1, false, March::Row::star_of_axes},
                                       March{3, 3, 3, 1, false, March::Row::star_of_axes},
                                       March{4, 4, 4, 1, false, March::Row::star_of_axes},
                                       March{1, 1, 1, 1, true, March::Row::star_of_axes},
                                       March{2, 2, 2, 1, true, March::Row::star_of_axes},
                                       March{3, 3, 3, 1, true, March::Row::star_of_axes},
                                       March{4, 4, 4, 1, true, March::Row::star_of_axes},
                                       March{0, 0, 0, 1, true, March::Row::across},
                                       March{0, 0, 0, 1, true, March::Row::along_line}};
inline constexpr int most_steps_at_once = 4;

/// Bits that count n things.
inline int bits_for(std::int64_t n) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1) - 1)));
}

/// The march of a list, or nullptr. Requires three axes or more.
const March* march_of(const Stage& stage, const SweepShape& shape);
/// The march of `steps` steps like it, or nullptr.
const March* march_of_steps(const March& one, int steps);

/// Whether the device has the shared memory that the march takes; lets its kernel have it.
template <class T>
bool allow_march(const March& march, int device);

/// Sets the tile of a stage for it, whose `vector` is set. `workers`: multiprocessors.
template <class T>
void set_march(CudaStage<T>& stage, const March& march, std::int64_t workers);

/// Given to the stream. Requires lines of whole vectors that begin at multiples of their bytes, on both sides.
template <class T>
void launch_march(const CudaStage<T>& stage, const March& march, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle
