// A line's cells and those beside it that are seen from them. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stencil/plan.hpp"

namespace crinkle {

/// Cells [low, high) of a line, also beyond its faces: what of them lies in the array, what repeats that, and what a face says.
struct ExtendedLine {
  struct Run {
    std::int64_t to, from, n;  // cells of the array
  };
  struct Copy {
    std::int64_t to, from;
  };
  struct Value {
    std::int64_t to;
    bool is_high;  // of which face
  };
  // `to`, and where a copy is from: counted from `low`. Cells of the array that no other repeats are runs.
  std::vector<Run> runs;
  std::vector<Copy> copies;
  std::vector<Value> values;

  /// Requires an axis that is not empty.
  void set(const SweepAxis& axis, std::int64_t low, std::int64_t high) {
    runs.clear();
    copies.clear();
    values.clear();
    const std::int64_t first = std::clamp<std::int64_t>(0, low, high), last = std::clamp(axis.extent, first, high);
    if (last > first) runs.push_back({first - low, first, last - first});
    const auto add = [&](std::int64_t x) {
      const std::int64_t i = detail::bounded(axis.faces.low.bound, axis.faces.high.bound, x, axis.extent);
      if (i < 0) values.push_back({x - low, i != detail::at_low_face});
      else if (i >= first && i < last) copies.push_back({x - low, i - low});
      else if (!runs.empty() && runs.back().to + runs.back().n == x - low && runs.back().from + runs.back().n == i) ++runs.back().n;
      else runs.push_back({x - low, i, 1});
    };
    for (std::int64_t x = low; x < first; ++x) add(x);
    for (std::int64_t x = last; x < high; ++x) add(x);
  }

  /// Fills in what repeats cells of `line` that are there; values: of the low face and the high one. `width` numbers a cell.
  template <class N>
  void fill(N* line, std::int64_t width, N low_value, N high_value) const {
    if (width == 1) {
      for (const Copy& copy : copies) line[copy.to] = line[copy.from];
      for (const Value& value : values) line[value.to] = value.is_high ? high_value : low_value;
      return;
    }
    for (const Copy& copy : copies) std::copy_n(line + copy.from * width, width, line + copy.to * width);
    for (const Value& value : values) std::fill_n(line + value.to * width, width, value.is_high ? high_value : low_value);
  }
};

}  // namespace crinkle
