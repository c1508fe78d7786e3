// Everything that a block of a packed schedule needs to know; made when a plan is.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "form/check.hpp"
#include "move/cpu/packed.hpp"
#include "move/cpu/parts.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_items = 4096;             // of a lane, one by one
constexpr std::int64_t least_transposed = 64;         // elements of a lane
constexpr std::size_t n_first = 64, n_second = 1024;  // sets of the first and the second cache
// A stage is quicker if more runs begin in one set of the first cache, or more lines in one set of the second, than these.
constexpr int most_in_first = 8, most_in_second = 4;

using Offsets = std::vector<std::int64_t>;

Offsets offsets_of(const AxisList& axes, Side side) {
  Offsets offsets;
  Counter counter(axes);
  counter.seek(0, {});
  for (std::int64_t n = n_indices(axes); n > 0; --n, counter.next())
    offsets.push_back(side == Side::source ? counter.spot().src : counter.spot().dst);
  return offsets;
}

// All sums, those of `inner` follow each other.
Offsets sums_of(const Offsets& inner, const Offsets& outer) {
  Offsets sums;
  for (const std::int64_t o : outer)
    for (const std::int64_t i : inner) sums.push_back(o + i);
  return sums;
}

template <std::size_t n>
int most_in_a_set(const Offsets& offsets) {
  std::array<int, n> in_set{};
  int most = 0;
  for (const std::int64_t at : offsets) most = std::max(most, ++in_set[static_cast<std::size_t>(modulo(floor_divide(at, cache_line), n))]);
  return most;
}

// An odd number of lines: runs fall into all sets of a cache.
std::int64_t pitch_of(std::int64_t run_bytes) { return ceil_divide(run_bytes, 2 * cache_line) * 2 * cache_line + cache_line; }

// The runs of a block's source, and where its first element lies in the stage. Returns the block's axes with their steps in the stage.
AxisList take_src_runs(PackTables& t, AxisList axes, std::int64_t element, std::int64_t& origin) {
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return std::abs(a.src_stride) < std::abs(b.src_stride); });
  AxisList outside;
  std::int64_t in_stage = 0;
  t.src_run_bytes = element;
  for (Axis& axis : axes) {
    if (outside.empty() && std::abs(axis.src_stride) == t.src_run_bytes) {
      if (axis.src_stride < 0) origin -= (axis.extent - 1) * axis.src_stride;
      t.src_run_bytes *= axis.extent;
      continue;
    }
    if (outside.empty()) in_stage = pitch_of(t.src_run_bytes);
    outside.push_back(axis);
    axis.src_stride = in_stage;
    in_stage *= axis.extent;
  }
  t.pitch = pitch_of(t.src_run_bytes);
  t.src_runs = offsets_of(outside, Side::source);
  for (std::int64_t& at : t.src_runs) {
    at -= origin;
    for (std::int64_t b = 0; b < t.src_run_bytes + cache_line - 1; b += cache_line)
      t.src_lines.push_back(at + std::min(b, t.src_run_bytes - 1));
  }
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.dst_stride < b.dst_stride; });
  return axes;
}

// The runs of its destination. Returns the axes with their steps in the buffer, where runs follow each other.
AxisList take_dst_runs(PackTables& t, AxisList axes, std::int64_t element) {
  AxisList outside;
  t.dst_run_bytes = element;
  std::int64_t in_buffer = element;
  for (Axis& axis : axes) {
    if (outside.empty() && axis.dst_stride == t.dst_run_bytes) {
      t.dst_run_bytes *= axis.extent;
    } else {
      outside.push_back(axis);
    }
    axis.dst_stride = in_buffer;
    in_buffer *= axis.extent;
  }
  t.dst_runs = offsets_of(outside, Side::destination);
  return axes;
}

// Lanes of items, as long as one table of them may be; the last lane along an axis that is cut does some items of the one before again.
void take_items(PackTables& t, const AxisList& axes) {
  AxisList items, outside;
  Offsets cut_in{0}, cut_out{0};
  std::int64_t room = most_items;
  for (const Axis& axis : axes) {
    if (!outside.empty() || room < 2) {
      outside.push_back(axis);
      continue;
    }
    items.push_back(axis);
    if (room < axis.extent) {
      const std::int64_t some = ceil_divide(axis.extent, ceil_divide(axis.extent, room));
      items.back().extent = some;
      cut_in.clear(), cut_out.clear();
      for (std::int64_t at = 0; at < axis.extent; at += some) {
        cut_in.push_back(std::min(at, axis.extent - some) * axis.src_stride);
        cut_out.push_back(std::min(at, axis.extent - some) * axis.dst_stride);
      }
      room = 0;
    }
    room /= axis.extent;
  }
  for (const std::int64_t at : offsets_of(items, Side::source)) t.items.push_back(static_cast<std::int32_t>(at));
  t.in_lanes = sums_of(cut_in, offsets_of(outside, Side::source));
  t.out_lanes = sums_of(cut_out, offsets_of(outside, Side::destination));
}

// Whether the axis that is fast in the buffer and the one that is fast in the source make a matrix large enough; takes it if so.
bool take_matrix(PackTables& t, AxisList axes, std::int64_t element) {
  std::size_t a = 1;
  while (a < axes.size() && axes[a].src_stride != element) ++a;
  if (!simd::is_unit(element) || a == axes.size() || axes[0].src_stride < 0 || axes[0].extent * axes[a].extent < least_transposed)
    return false;
  t.n_rows = axes[0].extent;
  t.in_stride = axes[0].src_stride;
  t.n_columns = axes[a].extent;
  t.out_stride = axes[a].dst_stride;
  axes.erase(axes.begin() + a);
  axes.erase(axes.begin());
  t.in_lanes = offsets_of(axes, Side::source);
  t.out_lanes = offsets_of(axes, Side::destination);
  return true;
}

// The bytes of the sources of some elements, from the first of them on.
ByteSpan span_of(const AxisList& axes, std::int64_t element) {
  Box box;
  box.axes = axes;
  box.unit = static_cast<std::int32_t>(element);
  return spans_of(Boxes{box}, Side::source, 1)[0];
}

}  // namespace

PackTables pack_tables_of(const planning::Schedule& schedule) {
  const std::int64_t e = schedule.element;
  PackTables t;
  std::int64_t origin = 0;
  AxisList axes = take_src_runs(t, schedule.block, e, origin);
  const ByteSpan block = span_of(schedule.block, e);
  AxisList all = schedule.block;
  all.append(schedule.outer.begin(), schedule.outer.end());
  t.block_end = block.last;
  t.src_end = span_of(all, e).last;
  t.is_staged = most_in_a_set<n_first>(t.src_runs) > most_in_first || most_in_a_set<n_second>(t.src_lines) > most_in_second ||
                std::max(block.last, -block.first) > std::numeric_limits<std::int32_t>::max();  // items would not fit
  if (!t.is_staged) axes = schedule.block;
  axes = take_dst_runs(t, axes, e);
  if (!take_matrix(t, axes, e)) take_items(t, axes);
  for (std::int64_t& at : t.in_lanes) at += t.is_staged ? origin : 0;
  return t;
}

}  // namespace crinkle
