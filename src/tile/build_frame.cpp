// The order of tiles: blocks that run at the same time should form a compact piece of both arrays, so that sectors cut by a tile's
// edge are completed in the cache and memory pages are reused.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/build_frame.hpp"

#include <algorithm>
#include <string>

#include "base/checked.hpp"

namespace crinkle::tile {
namespace {

struct Item {
  std::int64_t extent = 1;
  std::int64_t src = 0;
  std::int64_t dst = 0;
  std::int32_t src_slot = 0;
  std::int32_t dst_slot = 0;
  std::int32_t cut = no_cut;
  std::int64_t advance = 0;
};

struct Items {
  std::int32_t count = 0;
  Array<Item, max_grid_digits> item = {};
};

void append(Frame& frame, const Item& item) {
  GridDigit& digit = frame.grid[frame.n_grid++];
  digit.extent = Divisor<std::uint32_t>(static_cast<std::uint32_t>(item.extent));
  digit.src = item.src;
  digit.dst = item.dst;
  digit.src_slot = item.src_slot;
  digit.dst_slot = item.dst_slot;
  digit.cut = item.cut;
  digit.advance = item.advance;
}

/// Takes the faster part of an item, about `wanted` long, and leaves the slower one; takes it whole where that is short or where an
/// uncut axis has no divisor near. Only a cut axis may overshoot: its surplus blocks are empty.
Item take(Item& item, std::int64_t wanted) {
  Item fast = item;
  std::int64_t inner = item.extent;
  if (item.extent > 2 * wanted) {
    inner = ceil_divide(item.extent, ceil_divide(item.extent, wanted));
    if (item.cut == no_cut) {
      inner = wanted;
      while (inner <= 2 * wanted && item.extent % inner != 0) ++inner;
      if (inner > 2 * wanted) inner = item.extent;
    }
  }
  fast.extent = inner;
  item.extent = ceil_divide(item.extent, inner);
  item.src *= inner;
  item.dst *= inner;
  item.src_slot *= static_cast<std::int32_t>(inner);
  item.dst_slot *= static_cast<std::int32_t>(inner);
  item.advance *= inner;
  return fast;
}

/// Moves items from the list to the grid, nearest first by `distance`, until `wanted` tiles are taken.
template <class Distance>
void take_nearest(Frame& frame, Items& items, std::int64_t wanted, Distance distance) {
  std::int64_t taken = 1;
  while (taken < wanted) {
    Item* nearest = nullptr;
    for (std::int32_t i = 0; i < items.count; ++i) {
      Item& item = items.item[i];
      if (item.extent > 1 && distance(item) > 0 && (nearest == nullptr || distance(item) < distance(*nearest))) nearest = &item;
    }
    if (nearest == nullptr) return;
    const Item fast = take(*nearest, ceil_divide(wanted, taken));
    append(frame, fast);
    taken *= fast.extent;
  }
}

}  // namespace

Frame build_frame(const Box& box, const Inside& inside, std::int32_t reach, std::int32_t supertile) {
  Frame frame;
  frame.src_offset = box.src_offset;
  frame.dst_offset = box.dst_offset;
  frame.src_slot = box.src_slot;
  frame.dst_slot = box.dst_slot;
  frame.unit = box.unit;
  while ((1 << frame.unit_log2) < box.unit) ++frame.unit_log2;
  frame.reach = reach;
  Items items;
  std::int64_t n_blocks = 1;
  for (std::int32_t a = static_cast<std::int32_t>(box.axes.size()) - 1; a >= 0; --a) {
    const Axis& axis = box.axes[static_cast<std::size_t>(a)];
    const std::int32_t cut = inside.cut[a];
    const std::int64_t tile = std::min(inside.tile[a], axis.extent);
    Item item;
    item.extent = ceil_divide(axis.extent + (cut == 1 ? reach : 0), tile);
    if (cut != no_cut) {
      frame.cut[cut].extent = axis.extent;
      frame.cut[cut].tile = static_cast<std::int32_t>(tile);
      frame.cut[cut].src_stride = axis.src_counts == Counts::bytes ? axis.src_stride : 0;
    }
    if (item.extent == 1) continue;
    item.src = axis.src_counts == Counts::bytes ? axis.src_stride * tile : 0;
    item.dst = axis.dst_counts == Counts::bytes ? axis.dst_stride * tile : 0;
    item.src_slot = axis.src_counts == Counts::buffers ? static_cast<std::int32_t>(axis.src_stride * tile) : 0;
    item.dst_slot = axis.dst_counts == Counts::buffers ? static_cast<std::int32_t>(axis.dst_stride * tile) : 0;
    item.cut = cut;
    item.advance = tile;
    items.item[items.count++] = item;
    n_blocks = multiply(n_blocks, item.extent);
  }
  take_nearest(frame, items, supertile, [](const Item& item) { return item.src < 0 ? -item.src : item.src; });
  take_nearest(frame, items, supertile, [](const Item& item) { return item.dst; });
  for (std::int32_t i = 0; i < items.count; ++i)
    if (items.item[i].extent > 1) append(frame, items.item[i]);
  n_blocks = 1;
  for (std::int32_t a = 0; a < frame.n_grid; ++a) n_blocks = multiply(n_blocks, frame.grid[a].extent.value());
  if (n_blocks > 0x7FFFFFFF)
    throw Error(ErrorCode::too_large,
                "a move of " + std::to_string(n_blocks) + " tiles exceeds the 2147483647 blocks of one launch: move it in parts");
  frame.n_blocks = static_cast<std::uint32_t>(n_blocks);
  return frame;
}

}  // namespace crinkle::tile
