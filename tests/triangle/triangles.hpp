// What tests of triangles share: all layouts of a size, and where each keeps its pairs, counted out place by place.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crinkle/triangle.hpp"
#include "tile/triangle_parts.hpp"

namespace crinkle::testing {

inline std::vector<TriangleLayout> all_layouts(std::int64_t n, std::int64_t element_bytes, std::int64_t more_pitch = 3) {
  std::vector<TriangleLayout> all;
  for (const char* form : {"full", "symmetric", "packed", "rfp"})
    for (const char* triangle : {" lower", " upper"})
      for (const char* order : {" columns", " rows"}) {
        const std::string text = std::string(form) + triangle + order;
        all.push_back(TriangleLayout::parse(text, n, element_bytes));
        if (text.find("full") == 0 || text == "symmetric upper rows") {
          all.push_back(all.back());
          all.back().pitch = n + more_pitch;
        }
      }
  all.push_back(TriangleLayout::parse("condensed", n, element_bytes));
  return all;
}

/// "full lower rows of 5, 3 bytes, pitch 8".
inline std::string named(const TriangleLayout& layout) {
  return layout.print() + " of " + std::to_string(layout.n) + ", " + std::to_string(layout.element_bytes) + " bytes, pitch " +
         std::to_string(layout.pitch);
}

/// By the rules of the LAPACK Users' Guide, place by place: which entry of A lies there, row · 100000 + column, or −1.
inline std::vector<std::int64_t> entries_of(const TriangleLayout& layout) {
  using Form = TriangleLayout::Form;
  const std::int64_t n = layout.n, pitch = layout.pitch == 0 ? n : layout.pitch;
  const bool is_lower = layout.triangle == TriangleLayout::Triangle::lower, by_columns = layout.order == TriangleLayout::Order::columns;
  std::vector<std::int64_t> entries;
  const auto put = [&](std::int64_t row, std::int64_t column) { entries.push_back(row * 100000 + column); };
  if (layout.form == Form::condensed) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = i + 1; j < n; ++j) put(i, j);
    return entries;
  }
  if (layout.form == Form::rfp) {
    // LAPACK dtpttf: the picture of n + 1 (even n) or n (odd) rows and ⌈n/2⌉ columns is filled column by column for TRANSR = 'N'.
    const std::int64_t even = n % 2 == 0 ? 1 : 0, height = n == 0 ? 0 : n + even, width = (n + 1) / 2, half = n / 2;
    std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(height),
                                                std::vector<std::int64_t>(static_cast<std::size_t>(width)));
    for (std::int64_t r = 0; r < height; ++r) {
      for (std::int64_t c = 0; c < width; ++c) {
        std::int64_t row = 0, column = 0;
        if (is_lower) {  // below the upper corner, which holds the transpose of the last rows, lie the first columns
          if (r - even >= c) row = r - even, column = c;
          else row = c + half, column = r + width;
        } else {  // above the lower corner, which holds the transpose of the first columns, lie the last columns
          if (r <= c + half) row = r, column = c + half;
          else row = c, column = r - half - 1;
        }
        rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = row * 100000 + column;
      }
    }
    if (by_columns) {
      for (std::int64_t c = 0; c < width; ++c)
        for (std::int64_t r = 0; r < height; ++r) entries.push_back(rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]);
    } else {
      for (const auto& row : rows) entries.insert(entries.end(), row.begin(), row.end());
    }
    return entries;
  }
  for (std::int64_t line = 0; line < n; ++line) {
    for (std::int64_t along = 0; along < (line + 1 == n ? n : pitch); ++along) {
      const std::int64_t row = by_columns ? along : line, column = by_columns ? line : along;
      const bool is_kept = along < n && (layout.form == Form::symmetric || (is_lower ? row >= column : row <= column));
      if (is_kept) put(row, column);
      else if (layout.form != Form::packed) entries.push_back(-1);
    }
  }
  return entries;
}

}  // namespace crinkle::testing
