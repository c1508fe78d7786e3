// The order of tiles: along the destination, so that blocks that run at the same time complete each other's sectors and lines.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/build_frame.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/checked.hpp"

namespace crinkle::tile {
namespace {

/// A step along an axis as bytes and buffers.
std::pair<std::int64_t, std::int32_t> split(Counts counts, std::int64_t step) {
  if (counts == Counts::bytes) return {step, 0};
  return {0, static_cast<std::int32_t>(step)};
}

}  // namespace

Frame build_frame(const Box& box, const Inside& inside, std::int32_t reach) {
  Frame frame;
  frame.src_offset = box.src_offset;
  frame.dst_offset = box.dst_offset;
  frame.src_slot = box.src_slot;
  frame.dst_slot = box.dst_slot;
  frame.unit = box.unit;
  while ((1 << frame.unit_log2) < box.unit) ++frame.unit_log2;
  frame.reach = reach;
  std::int64_t n_blocks = 1;
  for (std::int32_t a = static_cast<std::int32_t>(box.axes.size()) - 1; a >= 0; --a) {
    const Axis& axis = box.axes[static_cast<std::size_t>(a)];
    const std::int32_t cut = inside.cut[a];
    const std::int64_t tile = std::min(inside.tile[a], axis.extent);
    if (cut != no_cut) {
      frame.cut[cut].extent = axis.extent;
      frame.cut[cut].tile = static_cast<std::int32_t>(tile);
      frame.cut[cut].src_stride = axis.src_counts == Counts::bytes ? axis.src_stride : 0;
    }
    const std::int64_t n = ceil_divide(axis.extent + (cut == 1 ? reach : 0), tile);
    if (n == 1) continue;
    n_blocks = multiply(n_blocks, n);
    if (n_blocks > 0x7FFFFFFF) continue;
    GridDigit& digit = frame.grid[frame.n_grid++];
    digit.extent = static_cast<std::uint32_t>(n);
    digit.through = Divisor<std::uint32_t>(static_cast<std::uint32_t>(n_blocks));
    const auto [src, src_slot] = split(axis.src_counts, axis.src_stride * tile);
    const auto [dst, dst_slot] = split(axis.dst_counts, axis.dst_stride * tile);
    digit.src = src, digit.src_slot = src_slot;
    digit.dst = dst, digit.dst_slot = dst_slot;
    digit.cut = cut;
    if (cut != no_cut) digit.rest = static_cast<std::int32_t>(axis.extent - (n - 1) * tile);
  }
  if (n_blocks > 0x7FFFFFFF)
    throw Error(ErrorCode::too_large,
                "a move of " + std::to_string(n_blocks) + " tiles exceeds the 2147483647 blocks of one launch: move it in parts");
  frame.n_blocks = static_cast<std::uint32_t>(n_blocks);
  return frame;
}

}  // namespace crinkle::tile
