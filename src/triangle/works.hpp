// A conversion's pieces as both executors do them: a symmetric destination is written both ways at once, from one reading.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "tile/triangle_parts.hpp"

namespace crinkle {

struct TriangleWork {
  TrianglePiece piece;
  std::optional<TriangleLines> beside;  // of a crossing: each element off the diagonal goes there, too, in lines as the source's
};

using TriangleWorks = detail::SmallVector<TriangleWork, 4>;
inline TriangleWorks works_of(const TriangleLayout& from, const TriangleLayout& to) {
  TriangleWorks works;
  if (to.form != TriangleLayout::Form::symmetric) {
    for (const TrianglePiece& piece : pieces_of(from, to)) works.push_back({piece, std::nullopt});
    return works;
  }
  for (const PartLines& source : parts_of(from)) {
    TriangleLines one = parts_of(to)[0].lines, other = one;
    other.are_columns = !one.are_columns;
    const bool crosses_one = one.are_columns != source.lines.are_columns;
    works.push_back({{source.part, source.lines, crosses_one ? one : other}, crosses_one ? other : one});
  }
  return works;
}

/// A conversion between two buffers: all of it, or a part, whose places count from the part's first elements on.
struct Conversion {
  TriangleWorks works;
  DiagonalList zeros;
  std::int64_t element = 1;    // bytes
  std::int64_t src_bytes = 0;  // that may be read
};
inline Conversion conversion_of(const TriangleLayout& from, const TriangleLayout& to) {
  return {works_of(from, to), zeros_of(from, to), to.element_bytes, from.bytes()};
}

/// Elements [first, last) of an array.
struct Elements {
  std::int64_t first = 0, last = 0;
};

/// Lines [begin, end) of a destination that lie one after the other: of any form but rfp.
class TriangleSlab {
 public:
  TriangleSlab(const TriangleLayout& from, const TriangleLayout& to, std::int64_t begin, std::int64_t end);

  Elements reads() const { return reads_; }
  Elements writes() const { return writes_; }
  /// The conversion between buffers that begin with what it reads, or more, and with what it writes.
  Conversion conversion(const Elements& source, const Elements& destination) const;

 private:
  PieceList pieces_;
  DiagonalList zeros_;
  std::int64_t element_;
  Elements reads_, writes_;
};

}  // namespace crinkle
