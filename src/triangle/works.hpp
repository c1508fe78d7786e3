// A conversion's pieces as both executors do them: a symmetric destination is written both ways at once, from one reading.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace crinkle
