// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "tile/triangle_parts.hpp"
#include "triangle/triangle.hpp"

namespace crinkle {

namespace {

std::int64_t place_in(const PartList& parts, std::int64_t i, std::int64_t j) {
  for (const PartLines& p : parts)
    if (p.part.has(i, j)) return p.lines.place(i, j);
  return -1;
}

}  // namespace

void convert_reference(const TriangleLayout& from, const TriangleLayout& to, const std::byte* src, std::byte* dst) {
  const auto e = static_cast<std::size_t>(to.element_bytes);
  TriangleLayout mirrored = to;  // its rows are the columns of `to`
  mirrored.order = to.order == TriangleLayout::Order::columns ? TriangleLayout::Order::rows : TriangleLayout::Order::columns;
  const PartList source = parts_of(from);
  const PartList destinations[] = {parts_of(to), to.form == TriangleLayout::Form::symmetric ? parts_of(mirrored) : PartList{}};
  const auto at = [e](auto* data, std::int64_t place) { return data + static_cast<std::size_t>(place) * e; };
  for (std::int64_t i = 0; i < to.n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      const std::int64_t read = place_in(source, i, j);
      for (const PartList& destination : destinations) {
        const std::int64_t written = place_in(destination, i, j);
        if (written < 0) continue;
        if (read < 0) std::memset(at(dst, written), 0, e);
        else std::memcpy(at(dst, written), at(src, read), e);
      }
    }
  }
}

}  // namespace crinkle
