// SPDX-License-Identifier: BSD-3-Clause
#include "tile/build.hpp"
#include "tile/exchange_tile.hpp"
#include "tile/groups.hpp"

namespace crinkle::tile {
namespace {

bool are_mirrored(const Axis& a, const Axis& b) {
  return a.extent == b.extent && a.src_stride == b.dst_stride && a.dst_stride == b.src_stride && a.src_counts == b.dst_counts &&
         a.dst_counts == b.src_counts;
}

/// The axis that changes places with a, which may be a itself; −1 where there is none.
std::int32_t mirror_of(const Box& box, std::int32_t a) {
  const auto n = static_cast<std::int32_t>(box.axes.size());
  for (std::int32_t b = 0; b < n; ++b)
    if (are_mirrored(axis_of(box, a), axis_of(box, b))) return b;
  return -1;
}

bool is_cut_alike(const Box& box, const Inside& inside) {
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(box.axes.size()); ++a) {
    const std::int32_t b = mirror_of(box, a);
    if (b < 0 || axis_of(box, a).src_stride < 0 || inside.tile[a] != inside.tile[b]) return false;
    if ((inside.cut[a] == no_cut) != (inside.cut[b] == no_cut)) return false;
  }
  return true;
}

bool are_mirrored(const GridDigit& a, const GridDigit& b) {
  return a.extent == b.extent && a.src == b.dst && a.dst == b.src && a.src_slot == b.dst_slot && a.dst_slot == b.src_slot;
}

}  // namespace

std::optional<ExchangeTile> build_exchange(const Box& box, const Shape& shape) {
  if (box.is_fill || box.src_offset != box.dst_offset || box.src_slot != box.dst_slot || !is_cut_alike(box, inside_of(box, shape)))
    return {};
  ExchangeTile exchange;
  exchange.tile = build_gathered(box, shape);
  const Frame& frame = exchange.tile.frame;
  for (int a = 0; a < frame.n_grid; ++a) {
    std::uint32_t weight = 1;
    int b = 0;
    while (b < frame.n_grid && !are_mirrored(frame.grid[a], frame.grid[b])) weight *= frame.grid[b++].extent;
    if (b == frame.n_grid) return {};
    exchange.weight[a] = weight;
  }
  return exchange;
}

}  // namespace crinkle::tile
