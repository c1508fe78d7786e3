// Two groups of axes. Each grows from its fastest axis until the run is full; the groups then grow in turn until the tile holds enough
// bytes to keep memory busy. The sizes are those that reach the copy on the device named in machine.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/tiling.hpp"

#include <algorithm>
#include <numeric>

#include "plan/tiling_rows.hpp"

namespace crinkle {
namespace {

using tile::Group;
using tile::Kind;

constexpr std::int64_t shortest_run = 128;  // bytes: a line
constexpr std::int64_t transposed_tile_bytes = 16 << 10;
constexpr std::int64_t transposed_byte_tile_bytes = 64 << 10;  // single bytes: runs of 256
constexpr std::int64_t gathered_tile_bytes = 48 << 10;
// Tiles that cut two axes write whole vectors instead of whole sectors, of 4 bytes in larger tiles; narrower units are slower so.
constexpr std::int64_t least_vector_leaning_unit = 4;
constexpr std::int64_t leaning_tile_bytes = 64 << 10;
constexpr std::int64_t largest_tile_bytes = 96 << 10;
constexpr std::int64_t exchanged_tile_bytes = 16 << 10;  // each of two
// Small boxes have small tiles, so that every multiprocessor has some: a corner of 7 × 2665 words in one tile takes longer than all that it
// is a corner of.
constexpr std::int64_t least_tile_bytes = 2 << 10;
constexpr std::int64_t wanted_tiles_each = 2;

/// Axes of the box ordered by one side's stride, fastest first; axes that this side does not move along in bytes are left out.
struct Order {
  std::int32_t count = 0;
  Array<std::int32_t, max_axes> axis = {};
};

template <class Stride>
Order order_by(const Box& box, Stride stride) {
  Order order;
  for (std::int32_t a = static_cast<std::int32_t>(box.axes.size()) - 1; a >= 0; --a) {
    const std::int64_t s = length_of(stride(box.axes[static_cast<std::size_t>(a)]));
    if (s == 0) continue;
    std::int32_t i = order.count++;
    for (; i > 0 && length_of(stride(box.axes[static_cast<std::size_t>(order.axis[i - 1])])) > s; --i) order.axis[i] = order.axis[i - 1];
    order.axis[i] = a;
  }
  return order;
}

Order by_source_of(const Box& box) {
  return order_by(box, [](const Axis& axis) { return axis.src_counts == Counts::bytes ? axis.src_stride : 0; });
}
Order by_destination_of(const Box& box) {
  return order_by(box, [](const Axis& axis) { return axis.dst_counts == Counts::bytes ? axis.dst_stride : 0; });
}

std::int64_t room_of(const Machine& machine) {
  return machine.shared_bytes_block > 0 ? std::min(machine.shared_bytes_block, largest_tile_bytes) : largest_tile_bytes;
}

/// The bytes of a tile where there are not too few tiles.
std::int64_t share_of(const Box& box, const Machine& machine, std::int64_t n_alike) {
  std::int64_t n_bytes = box.unit;
  for (const Axis& axis : box.axes) n_bytes *= axis.extent;
  return std::max(least_tile_bytes, n_bytes / std::max<std::int64_t>(1, wanted_tiles_each * machine.workers / n_alike));
}

}  // namespace

bool fits(const tile::Tile& tile, const Machine& machine) { return tile::shared_bytes_of(tile) <= room_of(machine); }

namespace {

/// The fastest axes of an order, up to a run of `wanted` units: the last one cut evenly in multiples of `grain`, unless little is left.
Group grow(const Box& box, const Order& order, std::int64_t wanted, std::int64_t grain) {
  Group group;
  std::int64_t run = 1;
  for (std::int32_t i = 0; i < order.count && run < wanted && group.count < tile::max_group_digits; ++i) {
    const std::int64_t extent = box.axes[static_cast<std::size_t>(order.axis[i])].extent;
    const std::int64_t want = ceil_divide(wanted, run);
    group.axis[group.count++] = order.axis[i];
    group.tile = extent;
    if (2 * extent > 3 * want) {
      const std::int64_t even = evenly(extent, want);
      const std::int64_t whole = grain / std::gcd(grain, run);  // of so many a run is a multiple of the grain
      const std::int64_t step = even >= 4 * whole ? whole : std::max<std::int64_t>(1, grain / run);
      group.tile = std::min(extent, ceil_divide(even, step) * step);
    }
    run *= group.tile;
    if (group.tile < extent) break;
  }
  return group;
}

std::int32_t last_of(const Group& group) { return group.count == 0 ? -1 : group.axis[group.count - 1]; }

/// An axis in both groups is cut alike in both or in neither.
void agree(const Box& box, Group& source, Group& destination) {
  const std::int32_t s = last_of(source), d = last_of(destination);
  if (s >= 0 && s == d) source.tile = destination.tile = std::max(source.tile, destination.tile);
  if (s != d && s >= 0 && destination.holds(s)) source.tile = box.axes[static_cast<std::size_t>(s)].extent;
  if (s != d && d >= 0 && source.holds(d)) destination.tile = box.axes[static_cast<std::size_t>(d)].extent;
}

std::int64_t volume(const Box& box, const Group& source, const Group& destination) {
  std::int64_t units = 1;
  for (std::int32_t i = 0; i < source.count; ++i)
    units *= i + 1 == source.count ? source.tile : box.axes[static_cast<std::size_t>(source.axis[i])].extent;
  for (std::int32_t i = 0; i < destination.count; ++i)
    if (!source.holds(destination.axis[i]))
      units *= i + 1 == destination.count ? destination.tile : box.axes[static_cast<std::size_t>(destination.axis[i])].extent;
  return units * box.unit;
}

/// Both groups for runs of so many bytes.
void grow_both(const Box& box, const Order& by_source, const Order& by_destination, std::int64_t source_run, std::int64_t destination_run,
               tile::Shape& shape) {
  const std::int64_t sector = 32 / std::min(box.unit, 32);
  shape.source = grow(box, by_source, source_run / box.unit, sector);
  shape.destination = grow(box, by_destination, destination_run / box.unit, sector);
  agree(box, shape.source, shape.destination);
}

/// Lengthens the shorter run, as long as the tile stays within `bytes`.
void fill_tile(const Box& box, const Order& by_source, const Order& by_destination, std::int64_t bytes, tile::Shape& shape) {
  std::int64_t run = shortest_run;
  while (run > box.unit && run * run / box.unit > bytes) run /= 2;  // only where there is less shared memory than any GPU has
  std::int64_t source_run = run, destination_run = run;
  grow_both(box, by_source, by_destination, source_run, destination_run, shape);
  bool can_lengthen[2] = {true, true};
  while (can_lengthen[0] || can_lengthen[1]) {
    const bool is_source = can_lengthen[0] && (!can_lengthen[1] || source_run <= destination_run);
    std::int64_t& length = is_source ? source_run : destination_run;
    tile::Shape longer = shape;
    grow_both(box, by_source, by_destination, is_source ? 2 * length : source_run, is_source ? destination_run : 2 * length, longer);
    // A full run does not spread over an axis of the other group: groups without a common axis are the better tile.
    const Group& now = is_source ? shape.source : shape.destination;
    const Group& then = is_source ? longer.source : longer.destination;
    const Group& other = is_source ? shape.destination : shape.source;
    const bool overlaps = then.count > now.count && other.holds(last_of(then));
    if (length > bytes || overlaps || volume(box, longer.source, longer.destination) > bytes) {
      can_lengthen[is_source ? 0 : 1] = false;
      continue;
    }
    length *= 2;
    shape = longer;
  }
}

bool is_deep(const Box& box) { return box.axes.size() > 9; }

/// Whether destination rows begin at multiples of a vector, in tiles that are cut at multiples of one.
bool begins_in_vectors(const Box& box) {
  const auto fits = [](std::int64_t n) { return n % vector_bytes == 0; };
  return fits(box.dst_offset) && std::all_of(box.axes.begin(), box.axes.end(), [&](const Axis& a) {
           return a.dst_counts != Counts::bytes || a.dst_stride == box.unit || fits(a.dst_stride);
         });
}

/// Whether each run is a part of one axis, and the two axes differ.
bool cuts_two_axes(const Box& box, const tile::Shape& shape) {
  const auto is_cut = [&](const Group& g) { return g.count == 1 && g.tile < box.axes[static_cast<std::size_t>(g.axis[0])].extent; };
  return is_cut(shape.source) && is_cut(shape.destination) && last_of(shape.source) != last_of(shape.destination);
}

/// Whether, in a tile that cuts two axes, rows of the destination that begin anywhere in a vector can be cut where vectors begin.
bool can_lean_to_vectors(const Box& box, const tile::Shape& shape) {
  const Axis& row = box.axes[static_cast<std::size_t>(last_of(shape.destination))];
  const bool is_row = row.dst_stride == box.unit && row.src_counts == Counts::bytes && row.src_stride != 0;
  return is_row && shape.alignment >= vector_bytes && box.unit >= least_vector_leaning_unit && !begins_in_vectors(box);
}

}  // namespace

tile::Shape choose_shape(const Box& box, const Machine& machine, std::int32_t alignment, std::int64_t n_alike) {
  const Order by_source = by_source_of(box), by_destination = by_destination_of(box);
  if (box.is_fill || by_source.count == 0 || by_destination.count == 0) return row_shape(tile::rows_of(box).box, machine, alignment);
  const std::int32_t fastest = by_destination.axis[0];
  const Axis& row = box.axes[static_cast<std::size_t>(fastest)];
  const bool is_last = fastest + 1 == static_cast<std::int32_t>(box.axes.size());
  const bool is_common = by_source.axis[0] == fastest || row.src_stride == 0;
  if (is_last && is_common && row.src_counts == Counts::bytes && (row.extent * box.unit >= row_copy || by_destination.count == 1)) {
    const tile::Rows rows = tile::rows_of(box);
    const tile::Shape segmented = segmented_shape(rows, machine, alignment);
    const bool goes_alone =
        turns_whole_vectors(box) && row.extent * box.unit >= (box.unit < least_segmented_unit ? least_row_alone / 2 : least_row_alone);
    if (row.src_stride != box.unit && !goes_alone && box.unit >= least_segmented_unit && can_segment(rows, segmented, machine))
      return segmented;
    return row_shape(rows.box, machine, alignment, goes_alone ? InABlock::one_row : InABlock::some_rows);
  }

  tile::Shape shape;
  shape.alignment = alignment;
  shape.threads = std::min(256, machine.threads_block);
  // A larger tile shares among more elements the cost of finding where a block lies, which many axes make high.
  const std::int64_t wanted = box.unit == 1 ? transposed_byte_tile_bytes : is_deep(box) ? 2 * transposed_tile_bytes : transposed_tile_bytes;
  shape.kind = Kind::transposed;
  const auto is_transposed = [&](const tile::Shape& s) { return tile::can_transpose(box, s) && fits(tile::build(box, s), machine); };
  // Gaps between rows, and tables, come on top: if that is too much, a half or a quarter is tried.
  const std::int64_t most = std::min({room_of(machine), wanted, share_of(box, machine, n_alike)});
  for (std::int64_t bytes = most; bytes >= most / 4; bytes /= 2) {
    fill_tile(box, by_source, by_destination, bytes, shape);
    // Groups of one axis each need no table of rows: a tile a little smaller is worth it.
    tile::Shape smaller = shape;
    fill_tile(box, by_source, by_destination, bytes / 4 * 3, smaller);
    const bool is_simpler =
        smaller.source.count == 1 && smaller.destination.count == 1 && (shape.source.count > 1 || shape.destination.count > 1);
    if (is_simpler && is_transposed(smaller)) return smaller;
    if (is_transposed(shape)) return shape;
  }
  return gathered_shape(box, machine, alignment, n_alike);
}

tile::Shape gathered_shape(const Box& box, const Machine& machine, std::int32_t alignment, std::int64_t n_alike) {
  tile::Shape shape;
  shape.kind = Kind::gathered;
  shape.alignment = alignment;
  shape.threads = std::min(256, machine.threads_block);
  shape.lean = machine.sector_bytes;
  const Order by_source = by_source_of(box), by_destination = by_destination_of(box);
  const std::int64_t room = room_of(machine);
  std::int64_t bytes = std::min({room / 2, gathered_tile_bytes, share_of(box, machine, n_alike)});
  fill_tile(box, by_source, by_destination, bytes, shape);
  // Gaps between rows, and tables, come on top.
  while (bytes > shortest_run && !fits(tile::build(box, shape), machine)) fill_tile(box, by_source, by_destination, bytes /= 2, shape);
  if (!cuts_two_axes(box, shape) || !can_lean_to_vectors(box, shape)) return shape;
  shape.lean = vector_bytes;
  // All tiles of a launch take as much shared memory as the largest.
  if (box.unit != least_vector_leaning_unit || room < largest_tile_bytes || n_alike > 1) return shape;
  tile::Shape larger = shape;
  fill_tile(box, by_source, by_destination, leaning_tile_bytes, larger);
  return cuts_two_axes(box, larger) && fits(tile::build(box, larger), machine) ? larger : shape;
}

std::optional<tile::ExchangeTile> exchange_tile(const Box& box, const Machine& machine, std::int32_t alignment) {
  if (box.is_fill || box.axes.empty()) return {};
  const Order by_source = by_source_of(box), by_destination = by_destination_of(box);
  const std::int64_t room = std::min(room_of(machine) / 2, exchanged_tile_bytes);
  std::optional<tile::ExchangeTile> best;
  for (std::int64_t run = std::max<std::int64_t>(32, 2 * box.unit); run <= room; run *= 2) {
    tile::Shape shape;
    shape.alignment = alignment;
    shape.threads = std::min(256, machine.threads_block);
    grow_both(box, by_source, by_destination, run, run, shape);
    if (volume(box, shape.source, shape.destination) > room) break;
    auto exchange = tile::build_exchange(box, shape);
    if (exchange && exchange->shared_bytes() <= room_of(machine)) best = std::move(exchange);
  }
  return best;
}

Tiling choose_tile(const Box& box, const Machine& machine, std::int32_t alignment) {
  const tile::Shape shape = choose_shape(box, machine, alignment);
  return {shape, tile::build(box, shape)};
}

}  // namespace crinkle
