// Distributed layouts of the five kinds, drawn, and arrays spread over ranks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "crinkle/distribute.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/operation.hpp"
#include "support/draw.hpp"

namespace crinkle::spread {

enum class Kind { block, cyclic, block_cyclic, irregular, copies };
inline constexpr Kind all_kinds[] = {Kind::block, Kind::cyclic, Kind::block_cyclic, Kind::irregular, Kind::copies};

/// An axis of n indices in so many parts; all owners have a cell, which may be empty.
inline AxisParts axis_of(Kind kind, std::int64_t n, std::int64_t parts, Draw& draw) {
  if (kind == Kind::block || kind == Kind::copies) return AxisParts::block(n, parts);
  if (kind == Kind::cyclic) return AxisParts::cyclic(n, parts);
  if (kind == Kind::block_cyclic) return AxisParts::cyclic(n, parts, draw.pick(1, 5), draw.pick(0, parts - 1));
  std::vector<std::int64_t> cuts{0, n}, owners;
  const std::int64_t n_cells = parts + draw.pick(0, 3);
  for (std::int64_t k = 1; k < n_cells; ++k) cuts.push_back(draw.pick(0, n));
  std::sort(cuts.begin(), cuts.end());
  for (std::int64_t k = 0; k < n_cells; ++k) owners.push_back(k < parts ? k : draw.pick(0, parts - 1));
  std::shuffle(owners.begin(), owners.end(), draw.random);
  return AxisParts::irregular(cuts, owners);
}

/// A layout of n_ranks ranks: the grid's factors fall on axes as they are drawn; one of them on copies, for that kind.
inline Distribution layout_of(Kind kind, const Extents& extents, std::int64_t n_ranks, Draw& draw) {
  std::vector<std::int64_t> parts(extents.size(), 1);
  std::int64_t copies = 1, left = n_ranks;
  for (std::int64_t f = 2; left > 1; ++f) {
    for (; left % f == 0; left /= f) {
      const bool is_copied = extents.empty() || (kind == Kind::copies && (copies == 1 || draw.chance(3)));
      (is_copied ? copies : parts[static_cast<std::size_t>(draw.pick(0, std::ssize(extents) - 1))]) *= f;
    }
  }
  std::vector<AxisParts> axes;
  std::vector<GridAxis> grid;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    axes.push_back(axis_of(kind, extents[a], parts[a], draw));
    grid.push_back({static_cast<int>(a), parts[a]});
  }
  if (copies > 1) grid.push_back({-1, copies});
  std::shuffle(grid.begin(), grid.end(), draw.random);
  const Distribution d(axes, grid);
  if (!draw.chance(3)) return d;
  std::vector<std::int64_t> ranks;
  for (std::int64_t r = 0; r < d.n_ranks(); ++r) ranks.push_back(r);
  std::shuffle(ranks.begin(), ranks.end(), draw.random);
  return d.on(ranks);
}

/// One of any kind.
inline Distribution drawn(const Extents& extents, std::int64_t n, Draw& draw) {
  return layout_of(all_kinds[draw.pick(0, 4)], extents, n, draw);
}

/// Calls body(redistribution, n) for all pairs of kinds, as they are and transposed, on n = 1 to 9 ranks, as long as it returns true.
template <class Body>
void for_all_pairs_of_kinds(Draw& draw, const Body& body) {
  for (std::int64_t n = 1; n <= 9; ++n)
    for (const Kind from : all_kinds)
      for (const Kind to : all_kinds)
        for (const char* spec : {"y x -> y x", "y x -> x y"}) {
          const Extents extents{draw.pick(1, 24), draw.pick(1, 24)};
          const Rearrangement move = parse(spec, Layout::dense(extents, 4));
          const Distribution source = layout_of(from, extents, n, draw);
          if (!body(Redistribution(source, layout_of(to, move.destination().extents, n, draw), move), n)) return;
        }
}

using Parts = std::vector<std::vector<std::byte>>;

/// Every rank's part of an array whose elements are all different, and alike in all copies.
inline Parts parts_of(const Distribution& d, std::int64_t n_ranks, std::int64_t bytes) {
  Parts parts;
  for (std::int64_t r = 0; r < n_ranks; ++r) {
    std::vector<std::byte>& part = parts.emplace_back(static_cast<std::size_t>(d.local(r, bytes).n_bytes()));
    if (part.empty()) continue;
    std::vector<std::vector<std::int64_t>> held(d.extents().size());
    for (std::size_t a = 0; a < held.size(); ++a)
      for (const Range& range : d.held(r, a))
        for (std::int64_t i = 0; i < range.n; ++i) held[a].push_back(range.first + i);
    std::vector<std::int64_t> local(held.size(), 0);
    for (std::size_t at = 0; at < part.size(); at += static_cast<std::size_t>(bytes)) {
      std::uint64_t number = 0;
      for (std::size_t a = 0; a < held.size(); ++a)
        number =
            number * static_cast<std::uint64_t>(d.extents()[a]) + static_cast<std::uint64_t>(held[a][static_cast<std::size_t>(local[a])]);
      for (std::int64_t b = 0; b < bytes; ++b)
        part[at + static_cast<std::size_t>(b)] = static_cast<std::byte>((number + 1) * 0x9E3779B97F4A7C15u >> (8 * (b % 8)));
      for (std::size_t a = held.size(); a-- > 0;) {
        if (++local[a] < std::ssize(held[a])) break;
        local[a] = 0;
      }
    }
  }
  return parts;
}

inline Parts poisoned(const Distribution& d, std::int64_t n_ranks, std::int64_t bytes) {
  Parts parts;
  for (std::int64_t r = 0; r < n_ranks; ++r) parts.emplace_back(static_cast<std::size_t>(d.local(r, bytes).n_bytes()), std::byte{0xA5});
  return parts;
}

/// Numbers that are no powers of two, so that sums in another order have other bits.
inline std::vector<std::byte> numbers(const Port& port, Draw& draw) {
  std::vector<std::byte> whole(static_cast<std::size_t>(port.layout.n_bytes()));
  const bool is_double = port.type && port.type->number.number == Number::float64;
  const std::size_t each = is_double ? 8 : 4;
  for (std::size_t at = 0; at + each <= whole.size(); at += each) {
    const double x = static_cast<double>(draw.pick(-1000, 1000)) / 37;
    const auto y = static_cast<float>(x);
    std::memcpy(&whole[at], is_double ? static_cast<const void*>(&x) : static_cast<const void*>(&y), each);
  }
  return whole;
}

/// The parts of a whole array.
inline Parts taken_apart(const Distribution& d, const std::vector<std::byte>& whole, std::int64_t n, std::int64_t bytes) {
  const Redistribution r(Distribution(d.extents(), {}, ""), d, bytes);
  Parts parts = poisoned(d, n, bytes);
  std::vector<ConstBuffer> sources(static_cast<std::size_t>(n));
  sources[0] = whole;
  define_redistribute(r, sources, std::vector<Buffer>(parts.begin(), parts.end()));
  return parts;
}

/// A move of some verbs on drawn axes, and a transpose.
inline Rearrangement move_of(const Extents& extents, std::int64_t bytes, int n_verbs, Draw& draw) {
  Rearrangement move = permute(Layout::dense(extents, bytes), [&] {
    std::vector<std::int64_t> order;
    for (std::int64_t a = 0; a < std::ssize(extents); ++a) order.push_back(a);
    std::shuffle(order.begin(), order.end(), draw.random);
    return order;
  }());
  for (int k = 0; k < n_verbs && !extents.empty(); ++k) {
    const std::string axis = "@" + std::to_string(draw.pick(0, std::ssize(extents) - 1));
    const std::int64_t n = move.extent(axis);
    const std::vector<std::byte> value(static_cast<std::size_t>(bytes), static_cast<std::byte>(draw.pick(1, 200)));
    switch (draw.pick(0, 8)) {
      case 0: move = move.flip(axis); break;
      case 1: move = move.roll(axis, draw.pick(-9, 9)); break;
      case 2: move = move.slice(axis, draw.pick(0, 2), n - draw.pick(0, 2), draw.pick(1, 3)); break;
      case 3: move = move.slice(axis, {}, {}, -draw.pick(1, 2)); break;
      case 4: move = move.pad(axis, draw.pick(0, 3), draw.pick(0, 3), PadMode::constant, value); break;
      case 5: move = n > 0 ? move.pad(axis, draw.pick(0, 2), draw.pick(0, 2), PadMode::wrap) : move; break;
      case 6:
        if (n > 0) move = move.pad(axis, draw.pick(0, n - 1), draw.pick(0, n - 1), draw.chance(2) ? PadMode::edge : PadMode::reflect);
        break;
      case 7:
        if (n > 0) move = move.take(axis, std::vector<std::int64_t>{draw.pick(0, n - 1), draw.pick(0, n - 1), draw.pick(0, n - 1)});
        break;
      default: move = move.dilate(axis, draw.pick(1, 3)); break;
    }
  }
  if (!extents.empty() && draw.chance(4) && move.extent("@0") > 0) move = move.at("@0", draw.pick(0, move.extent("@0") - 1));
  return move;
}

}  // namespace crinkle::spread
