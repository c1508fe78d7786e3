// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/small_tiles.hpp"

#include <algorithm>
#include <cstdlib>

namespace crinkle {
namespace {

using tile::SmallTile;

constexpr std::int64_t most_units = 1 << 20;
constexpr std::int64_t one_each = 1 << 18;    // up to so many units a thread has one: more blocks wait for memory together
constexpr std::int64_t farthest_source = 32;  // bytes between what two threads beside each other read

/// Every box in units that all of them can be moved in.
std::optional<Boxes> alike(const Boxes& boxes, std::int32_t alignment, const Machine& machine) {
  for (;;) {
    Boxes all;
    std::int32_t narrowest = 16;
    for (const Box& box : boxes) {
      all.push_back(planning::box_for(tile::rows_of(box), alignment, machine));
      narrowest = std::min(narrowest, all.back().unit);
    }
    const auto is_wider = [narrowest](const Box& box) { return box.unit > narrowest; };
    if (std::none_of(all.begin(), all.end(), is_wider)) return all;
    if (narrowest >= alignment) return {};
    alignment = narrowest;
  }
}

bool suits(const Box& box) {
  if (box.is_fill || box.src_slot != 0 || box.dst_slot != 0 || box.axes.size() > SmallTile::most_digits) return false;
  const auto fits = [](const Axis& a, std::int64_t stride) { return std::abs(stride) <= INT32_MAX / a.extent; };
  for (const Axis& a : box.axes)
    if (a.src_counts != Counts::bytes || a.dst_counts != Counts::bytes || !fits(a, a.src_stride) || !fits(a, a.dst_stride)) return false;
  return box.axes.empty() || (box.axes.back().dst_stride == box.unit && std::abs(box.axes.back().src_stride) <= farthest_source);
}

std::int64_t units_of(const Box& box) {
  std::int64_t n = 1;
  for (const Axis& a : box.axes) n = std::min(n * a.extent, most_units + 1);
  return n;
}

SmallTile::Part part_of(const Box& box) {
  SmallTile::Part part;
  part.src_offset = box.src_offset;
  part.dst_offset = box.dst_offset;
  for (std::size_t a = box.axes.size(); a-- > 0;) {
    const Axis& axis = box.axes[a];
    part.digit[part.n_digits++] = {Divisor<std::uint32_t>(static_cast<std::uint32_t>(axis.extent)),
                                   static_cast<std::int32_t>(axis.src_stride), static_cast<std::int32_t>(axis.dst_stride)};
  }
  return part;
}

}  // namespace

std::optional<SmallTile> small_tile(const planning::Pass& pass, std::int32_t alignment, const Machine& machine, std::int64_t most_bytes) {
  if (pass.bytes_written > most_bytes) return {};
  Boxes boxes = planning::all_boxes(pass);
  if (boxes.empty() || boxes.size() > SmallTile::most_parts) return {};
  std::optional<Boxes> all = alike(boxes, alignment, machine);
  if (!all || !std::all_of(all->begin(), all->end(), suits)) return {};
  SmallTile tile;
  tile.unit = all->front().unit;
  for (const Box& box : *all) {
    if (tile.n_units + units_of(box) > most_units) return {};
    tile.n_units += static_cast<std::uint32_t>(units_of(box));
    tile.end[tile.n_parts] = tile.n_units;
    tile.part[tile.n_parts++] = part_of(box);
  }
  tile.each = tile.n_units > one_each ? SmallTile::most_each : 1;
  const auto of_a_block = static_cast<std::uint32_t>(SmallTile::threads * tile.each);
  tile.n_blocks = (tile.n_units + of_a_block - 1) / of_a_block;
  return tile;
}

}  // namespace crinkle
