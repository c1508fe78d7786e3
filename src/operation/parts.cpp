// Parts: where they lie in arrays, and which ones to take for so much memory.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "operation/model.hpp"

namespace crinkle {
namespace {

void check_ranges(const Layout& array, const Ranges& ranges, bool may_go_round) {
  if (ranges.size() != array.extents.size())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} ranges of an array of {} axes; give one an axis", ranges.size(), array.extents.size()));
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    const std::int64_t extent = array.extents[a];
    const Range& range = ranges[a];
    const bool is_there = range.first >= 0 && range.n >= 0 && range.n <= extent && (range.n == 0 || range.first < extent) &&
                          (may_go_round || range.n == 0 || range.first <= extent - range.n);
    if (!is_there)
      throw Error(ErrorCode::bad_shape, fmt::format("{} elements from {} on of axis {}, which has {}", range.n, range.first, a, extent));
  }
}

// How a grid of parts cuts every axis: into pieces of so many, the last one shorter.
struct Grid {
  Extents pieces;  // elements

  Ranges part(const std::vector<Cut>& cuts, const Extents& number) const {
    Ranges part;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const std::int64_t first = number[c] * pieces[c];
      part.push_back({first, std::min(pieces[c], cuts[c].extent - first)});
    }
    return part;
  }
};

}  // namespace

Rearrangement window(const Layout& array, const Ranges& ranges) {
  check_ranges(array, ranges, true);
  Rearrangement r(array);
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    const auto [first, n] = ranges[a];
    const std::int64_t extent = array.extents[a];
    if (first == 0 && n == extent) continue;
    const std::string axis = "@" + std::to_string(a);
    if (n == 0 || first <= extent - n) r = r.slice(axis, n == 0 ? 0 : first, n == 0 ? 0 : first + n);
    else r = r.roll(axis, -first).slice(axis, 0, n);
  }
  return r;
}

Rearrangement unwindow(const Layout& array, const Ranges& ranges) {
  check_ranges(array, ranges, false);
  Layout there = array;
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    there.extents[a] = ranges[a].n;
    if (ranges[a].n > 0) there.offset = add_product(there.offset, ranges[a].first, array.strides[a]);
  }
  return Rearrangement(Layout::dense(there.extents, array.element_bytes)).into(there);
}

std::vector<Ranges> parts_of(const Operation& operation, std::int64_t bytes) {
  if (bytes < 1) throw Error(ErrorCode::bad_shape, fmt::format("parts of {} bytes; give 1 or more", bytes));
  const std::vector<Cut>& cuts = operation.cuts();
  Grid grid;
  Extents counts(cuts.size(), 1), zeros(cuts.size(), 0);
  for (const Cut& cut : cuts) grid.pieces.push_back(std::max<std::int64_t>(cut.extent, 1));
  if (cuts.empty()) return {Ranges{}};
  // A part in the middle, where halos are whole, and how many there are.
  const auto numbers = [&](const Grid& of) {
    Extents n;
    for (std::size_t c = 0; c < cuts.size(); ++c) n.push_back(std::max<std::int64_t>(1, ceil_divide(cuts[c].extent, of.pieces[c])));
    return n;
  };
  struct Load {
    std::int64_t together = 0;  // bytes of a part
    double read = 0;            // of all
  };
  const auto load_of = [&](const Grid& of) {
    Extents n = numbers(of), middle;
    double parts = 1;
    for (const std::int64_t k : n) {
      middle.push_back((k - 1) / 2);
      parts *= static_cast<double>(k);
    }
    const Ranges part = of.part(cuts, middle);
    const std::int64_t in = bytes_of(operation.inputs(), operation.needs(part)), out = bytes_of(operation.outputs(), operation.gives(part));
    const double own = static_cast<double>(operation.workspace_bytes()) / parts;
    return Load{add(add(in, out), static_cast<std::int64_t>(own)), static_cast<double>(in) * parts};
  };
  for (Load now = load_of(grid); now.together > bytes;) {
    Grid best;
    Load least;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      if (grid.pieces[c] <= 1) continue;
      Grid next = grid;
      next.pieces[c] = ceil_divide(grid.pieces[c], std::int64_t{2});
      const Load load = load_of(next);
      if (load.together >= now.together) continue;
      if (best.pieces.empty() || load.read < least.read) best = next, least = load;
    }
    if (best.pieces.empty()) break;
    grid = best;
    now = least;
  }
  const Extents n = numbers(grid);
  std::vector<Ranges> parts;
  for (Extents number = zeros;;) {
    parts.push_back(grid.part(cuts, number));
    std::size_t c = n.size();
    while (c > 0 && ++number[c - 1] == n[c - 1]) number[--c] = 0;
    if (c == 0) return parts;
  }
}

}  // namespace crinkle
