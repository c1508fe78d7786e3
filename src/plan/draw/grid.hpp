// An array on paper: axes alternate, the fastest to the right, the next downwards, the next to the right again as panels, and so on, so
// that every rank is a plane of panels and a cell's place is Σ i_a · pitch_a in the direction of each axis. Where the slowest axis runs to
// the right and is long, it is broken into rows like a text.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "crinkle/layout.hpp"
#include "plan/draw/svg.hpp"

namespace crinkle::planning {

/// An array's extents and its axes' names ("" where there is none), slowest first.
struct NamedExtents {
  Extents extents;
  std::vector<std::string> names;
};

class Grid {
 public:
  /// `columns`: indices of the slowest axis before the next row begins, where that axis runs to the right; 0: as many as read well, and for
  /// a single long axis `row` of them. Requires every extent ≥ 1.
  Grid(const NamedExtents& array, Extent2 cell, std::int64_t columns, std::int64_t row);

  Extent2 extent() const { return {left_ + inside_.width, top_ + inside_.height}; }
  /// Top left corner of element i in C order, from the grid's own corner.
  Point place(std::int64_t i) const;
  /// Names and extents along the two fastest axes, indices above and beside the panels.
  void label_axes(Svg& svg, Point at) const;

 private:
  enum class Direction : std::uint8_t { right, down };
  struct Level {  // one axis
    std::int64_t n = 1;
    std::int64_t pitch = 0;   // pixels from one index to the next
    std::int64_t inside = 0;  // pixels that one index takes in this direction
    Direction direction = Direction::right;
    std::string name;
    bool has_lane() const { return n > 1; }
  };
  void break_rows(std::int64_t columns, std::int64_t row);
  Point step(std::size_t l, std::int64_t i) const;
  void label_panels(Svg& svg, Point corner, std::size_t l, std::int64_t lane) const;

  std::vector<Level> levels_;  // fastest first
  Extent2 inside_;             // of the cells, without labels
  std::int64_t columns_ = 0;   // of the slowest axis, 0: not broken into rows
  std::int64_t row_pitch_ = 0;
  std::int64_t above_ = 0;  // pixels of panel labels above every such row
  std::int64_t left_ = 0;
  std::int64_t top_ = 0;
};

}  // namespace crinkle::planning
