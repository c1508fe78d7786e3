// The chains grow from the two fast axes. An axis that could continue both goes down while destination runs are short, else along.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/schedule.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "form/check.hpp"
#include "plan/chains.hpp"

namespace crinkle::planning {
namespace {

constexpr std::int64_t most_unit = 16;         // bytes
constexpr std::int64_t shortest_gathered = 2;  // elements of a destination row
constexpr std::int64_t most_folded_segments = 64;
constexpr std::int64_t most_repeated = 32;  // bytes of a row of the source that comes several times, to be folded; longer ones are copied
constexpr std::int64_t down_wanted = 256;   // bytes of a destination run, before the source gets its turn
// Runs that end inside a line are wanted so long that their ends do not count, if the source keeps that much. Runs of whole lines are
// wanted somewhat longer, as the destination may begin inside one.
constexpr std::int64_t off_line_wanted = 4096, on_line_wanted = 1024, along_wanted = 256;
// Runs of records, one of many, that are taken apart have so many bytes of every field.
constexpr std::int64_t run_wanted = 256;

AxisList axes_of(const Box& box) {
  AxisList axes;
  for (const Axis& a : box.axes)
    if (a.extent != 1) axes.push_back(a);
  return axes;
}

// Turns an axis round so that the source runs forwards.
void face_forwards(Schedule& schedule, Axis& axis) {
  if (!is_src_bytes(axis) || axis.src_stride >= 0) return;
  schedule.src_offset += (axis.extent - 1) * axis.src_stride;
  if (is_dst_bytes(axis)) {
    schedule.dst_offset += (axis.extent - 1) * axis.dst_stride;
  } else {
    schedule.dst_slot += static_cast<std::int32_t>((axis.extent - 1) * axis.dst_stride);
  }
  axis.src_stride = -axis.src_stride;
  axis.dst_stride = -axis.dst_stride;
}

Schedule by_rows(const tile::Rows& rows, Schedule schedule) {
  schedule.rows = rows;
  schedule.outer.clear();
  for (std::size_t a = 0; a + 1 < rows.box.axes.size(); ++a)
    if (rows.box.axes[a].extent != 1) schedule.outer.push_back(rows.box.axes[a]);
  if (rows.segments.size() == 1) schedule.rows.box.axes.back().src_stride = rows.segments[0].src_step;
  const Axis& row = rows.box.axes.back();
  const bool is_contiguous = is_dst_bytes(row) && (row.dst_stride == rows.box.unit || row.extent == 1);
  schedule.regime = is_contiguous ? Regime::rows : Regime::scattered;
  return schedule;
}

// Items whose bytes run backwards through the source: byte swap of an array, in runs that are long on both sides, or on the way of a
// transposition.
std::optional<Schedule> swapped(const tile::Rows& rows, Schedule schedule, std::int64_t long_run) {
  tile::Rows items = rows;
  AxisList& axes = items.box.axes;
  if (items.box.unit != 1 || axes.size() < 2 || axes.back().extent > most_item || rows.segments[0].src_step != -1 ||
      axes.back().dst_stride != 1)
    return {};
  const std::int64_t item = axes.back().extent;
  axes.pop_back();
  const Axis& run = axes.back();
  items.box.unit = static_cast<std::int32_t>(item);
  items.box.src_offset -= item - 1;
  items.segments[0].src_step = run.src_stride;
  schedule.src_offset -= item - 1;
  schedule.swapped = item;
  if (run.src_stride == item && run.dst_stride == item && is_src_bytes(run) && is_dst_bytes(run) && run.extent * item >= cache_line)
    return by_rows(items, schedule);
  if (!is_src_bytes(run)) return {};
  Schedule blocks = choose_schedule(items, long_run);
  if (blocks.regime != Regime::blocks) return {};
  blocks.swapped = item;
  return blocks;
}

// Whole elements in reverse order: a mirrored picture of pixels.
std::optional<Schedule> reversed(const tile::Rows& rows) {
  tile::Rows items = rows;
  AxisList& axes = items.box.axes;
  const std::int64_t unit = items.box.unit;
  if (axes.size() < 2 || rows.segments[0].src_step != unit || axes.back().dst_stride != unit || axes.back().extent > most_unit / unit)
    return {};
  const std::int64_t item = axes.back().extent * unit;
  axes.pop_back();
  const Axis& run = axes.back();
  if (!is_src_bytes(run) || !is_dst_bytes(run) || run.src_stride != -item || run.dst_stride != item || run.extent * item < cache_line)
    return {};
  items.box.unit = static_cast<std::int32_t>(item);
  items.segments[0].src_step = -item;
  return by_rows(items, schedule_of(items.box));
}

// Turns an axis round so that the destination runs forwards, and the source backwards.
void face_backwards(Schedule& schedule, Axis& axis) {
  schedule.src_offset += (axis.extent - 1) * axis.src_stride;
  schedule.dst_offset += (axis.extent - 1) * axis.dst_stride;
  axis.src_stride = -axis.src_stride;
  axis.dst_stride = -axis.dst_stride;
}

}  // namespace

Schedule schedule_of(const Box& box) {
  Schedule schedule;
  schedule.src_offset = box.src_offset;
  schedule.dst_offset = box.dst_offset;
  schedule.src_slot = box.src_slot;
  schedule.dst_slot = box.dst_slot;
  schedule.n_bytes = n_bytes_of(box);
  schedule.element = box.unit;
  return schedule;
}

bool is_reversed(const Schedule& schedule) {
  if (schedule.regime == Regime::interlace) return schedule.along[0].src_stride < 0;
  return schedule.regime == Regime::deinterlace && schedule.down[0].src_stride < 0;
}

const char* name_of(Regime regime) noexcept {
  constexpr const char* names[] = {"rows", "blocks", "interlace", "deinterlace", "packed", "scattered"};
  return names[static_cast<std::size_t>(regime)];
}

Schedule choose_schedule(const tile::Rows& rows, std::int64_t long_run) {
  const Box& box = rows.box;
  Schedule schedule = schedule_of(box);
  const Schedule untouched = schedule;
  if (box.is_fill || rows.segments.size() > 1 || rows.segments[0].is_fill) return by_rows(rows, schedule);
  if (const std::optional<Schedule> of_items = swapped(rows, schedule, long_run)) return *of_items;
  if (const std::optional<Schedule> of_items = reversed(rows)) return *of_items;

  AxisList axes = axes_of(box);
  if (!axes.empty() && box.axes.back().extent != 1) axes.back().src_stride = rows.segments[0].src_step;
  while (!axes.empty() && is_src_bytes(axes.back()) && is_dst_bytes(axes.back()) && axes.back().src_stride == schedule.element &&
         axes.back().dst_stride == schedule.element) {
    schedule.element *= axes.back().extent;
    axes.pop_back();
  }
  const int d = find_destination(axes, schedule.element), s = find_source(axes, schedule.element);
  if (axes.empty() || schedule.element >= long_run || d < 0 || s < 0 || s == d) return by_rows(rows, schedule);
  if (is_src_bytes(axes[static_cast<std::size_t>(d)]) && axes[static_cast<std::size_t>(d)].src_stride == 0) return by_rows(rows, schedule);

  std::int64_t down_bytes = schedule.element, along_bytes = schedule.element;
  const auto grow_down = [&](int a) {
    const Axis axis = take(axes, a);
    down_bytes *= axis.extent;
    schedule.down.push_back(axis);
  };
  const auto grow_along = [&](int a) {
    Axis axis = take(axes, a);
    along_bytes *= axis.extent;
    face_forwards(schedule, axis);
    schedule.along.push_back(axis);
  };
  grow_down(d);
  grow_along(s > d ? s - 1 : s);
  while (down_bytes < (down_bytes % cache_line == 0 ? on_line_wanted : off_line_wanted)) {
    const int a = find_destination(axes, down_bytes);
    if (a < 0 || (down_bytes >= down_wanted && along_bytes < along_wanted && a == find_source(axes, along_bytes))) break;
    grow_down(a);
  }
  for (int a = find_source(axes, along_bytes); a >= 0; a = find_source(axes, along_bytes)) grow_along(a);
  for (int a = find_destination(axes, down_bytes); a >= 0; a = find_destination(axes, down_bytes)) grow_down(a);
  schedule.outer = axes;

  schedule.regime = Regime::blocks;
  Axis& first_along = schedule.along[0];
  const Axis& first_down = schedule.down[0];
  if (along_bytes < cache_line && is_src_bytes(first_down) && std::abs(first_down.src_stride) == along_bytes &&
      (schedule.down.size() == 1 || first_down.extent * schedule.element >= run_wanted)) {
    schedule.regime = Regime::deinterlace;
  } else if (down_bytes < cache_line && is_dst_bytes(first_along) && std::abs(first_along.dst_stride) == down_bytes) {
    schedule.regime = Regime::interlace;
    if (first_along.dst_stride < 0) face_backwards(schedule, first_along);
  }
  // Few columns of rows that lie close together: gathering each destination row reads the same lines, a row at a time.
  const bool is_close = is_src_bytes(first_down) && std::abs(first_down.src_stride) <= cache_line && first_down.extent >= shortest_gathered;
  if (schedule.regime == Regime::blocks && along_bytes < cache_line && is_close && schedule.element <= most_unit)
    return by_rows(rows, untouched);
  return schedule;
}

std::optional<Schedule> folded_schedule(tile::Rows rows, std::int64_t most_bytes) {
  AxisList& axes = rows.box.axes;
  const std::int64_t unit = rows.box.unit;
  if (rows.segments.size() != 1 || rows.segments[0].is_fill || axes.back().dst_stride != unit) return {};
  const bool is_plain = rows.segments[0].src_step == unit;
  bool is_folded = false;
  for (;;) {
    const std::int64_t row_units = axes.back().extent;
    AxisList outer(axes.begin(), axes.end() - 1);
    const int a = find_destination(outer, row_units * unit);
    if (a < 0 || !is_src_bytes(outer[static_cast<std::size_t>(a)])) break;
    const Axis next = outer[static_cast<std::size_t>(a)];
    if (is_plain && !is_folded && (next.src_stride != 0 || row_units * unit > most_repeated)) break;
    const auto n = static_cast<std::int64_t>(rows.segments.size());
    if (row_units * unit * next.extent > most_bytes || n * next.extent > most_folded_segments) break;
    for (std::int64_t i = 1; i < next.extent; ++i) {
      for (std::int64_t k = 0; k < n; ++k) {
        tile::Segment s = rows.segments[static_cast<std::size_t>(k)];
        s.first += i * row_units;
        s.src_offset += i * next.src_stride;
        rows.segments.push_back(s);
      }
    }
    axes.back().extent *= next.extent;
    axes.erase(axes.begin() + a);
    is_folded = true;
  }
  if (!is_folded) return {};
  return by_rows(rows, schedule_of(rows.box));
}

bool is_better_apart(const tile::Rows& rows) {
  if (rows.segments.size() < 2) return false;
  bool has_crossing = false;
  for (const tile::Segment& s : rows.segments)
    has_crossing = has_crossing || (!s.is_fill && std::abs(s.src_step) != rows.box.unit && s.src_step != 0);
  AxisList outer;
  for (std::size_t a = 0; a + 1 < rows.box.axes.size(); ++a) outer.push_back(rows.box.axes[a]);
  return has_crossing && find_source(outer, rows.box.unit) >= 0;
}

}  // namespace crinkle::planning
