// What the cells of a stage see at and beyond an array's faces, axis by axis.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stencil/plan.hpp"

namespace crinkle {

/// A place of the array, its first cell along axes that were not looked along, or the number that stands for it beyond a constant face.
template <class T>
struct Seen {
  const T* at = nullptr;
  std::size_t face = 0;    // of the last constant face that is passed: 2 · axis, and 1 more at its high end
  int constant_axis = -1;  // that axis, of the array
  T value = 0;

  bool is_constant() const { return constant_axis >= 0; }
};

/// Requires lines of numbers of type T side by side.
template <class T>
struct Sight {
  const std::vector<SweepAxis>& axes;
  AxisNumbers strides = {};  // elements
  const T* source = nullptr;
  double beyond = 1;  // times the value of a constant face

  Sight(const SweepPlan& plan, const SweepPlaces& places, const Stage& stage, const T* of_source)
      : axes(plan.shape.axes), source(of_source), beyond(stage.beyond) {
    for (std::size_t a = 0; a < axes.size(); ++a) strides[a] = places.strides[a] / static_cast<std::int64_t>(sizeof(T));
  }

  /// The index that i stands for, or detail::at_low_face or at_high_face.
  std::int64_t found(std::size_t a, std::int64_t i) const {
    const SweepAxis& axis = axes[a];
    if (i >= 0 && i < axis.extent) return i;
    return detail::bounded(axis.faces.low.bound, axis.faces.high.bound, i, axis.extent);
  }
  T value_at(std::size_t a, std::int64_t face) const {
    return static_cast<T>((face == detail::at_low_face ? axes[a].faces.low : axes[a].faces.high).value * beyond);
  }
  /// Goes to index i along axis a, inside or outside.
  void look(Seen<T>& seen, std::size_t a, std::int64_t i) const {
    const std::int64_t at = found(a, i);
    if (at >= 0) {
      seen.at += at * strides[a];
    } else if (axes[a].array_axis > seen.constant_axis) {
      seen.constant_axis = axes[a].array_axis;
      seen.value = value_at(a, at);
      seen.face = 2 * a + (at == detail::at_low_face ? 0 : 1);
    }
  }
};

}  // namespace crinkle
