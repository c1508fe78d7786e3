// An array's axes in the order of its memory, and a stencil's points along them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/number_lines.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

struct ShapedSweep {
  SweepShape shape;
  SweepPlaces source, destination;
  std::vector<Stage> stages;
  Region made;  // of all cells
};

/// Requires a checked sweep, and of `made`, the cells to make, a range of every axis of the array, all of those that no stencil reaches
/// along; empty: all cells. Throws unsupported where more than most_axes axes are left.
ShapedSweep shaped(const Sweep& sweep, const Ranges& made);
/// Cells in C order of the shape, nothing between them.
SweepPlaces dense_places(const SweepShape& shape, NumberType type);
/// Whether the elements of a line are numbers of type T, in which sums are computed, side by side.
template <class T>
bool is_plain_line(const SweepShape& shape, const SweepPlaces& places) {
  constexpr std::int64_t size = sizeof(T);
  const std::size_t line = shape.axes.size() - 1;
  for (std::size_t a = 0; a < line; ++a)
    if (places.strides[a] % size != 0) return false;
  return is_plain<T>(places.type) && (shape.axes[line].extent == 1 || places.strides[line] == shape.width * size) &&
         (shape.width == 1 || places.element_stride == size);
}

}  // namespace crinkle
