// Which schedules repeat a short pattern, and the item that they repeat.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>

#include "move/cpu/parts.hpp"

namespace crinkle {
namespace {

using simd::Weave;

constexpr std::int64_t most_step = 8;          // elements: beyond, a vector takes too many windows
constexpr std::int64_t most_woven_fields = 8;  // of a record that is taken apart, likewise

bool is_plain(const tile::Segment& s, std::int64_t unit) { return s.is_fill || s.src_step == unit; }

// A short row; rows that follow each other in the destination are a run of them.
Weave weave_of_short_rows(const tile::Rows& rows, const AxisList& outer, int width) {
  const std::int64_t unit = rows.box.unit, row_bytes = rows.box.axes.back().extent * unit;
  Weave::Item item;
  item.unit = unit;
  for (std::size_t k = 0; k < rows.segments.size(); ++k) {
    const tile::Segment& s = rows.segments[k];
    if (s.src_slot != 0) return {};
    const std::int64_t end = k + 1 < rows.segments.size() ? rows.segments[k + 1].first : rows.box.axes.back().extent;
    const Weave::Origin pattern{-1, std::ssize(item.constants)};
    for (int b = 0; s.is_fill && b < unit; ++b) item.constants.push_back(s.pattern[b]);
    for (std::int64_t u = 0; u < end - s.first; ++u)
      item.units.push_back(s.is_fill ? pattern : Weave::Origin{0, s.src_offset + u * s.src_step});
  }
  const Axis* next = outer.empty() ? nullptr : &outer.back();
  const bool is_run = next != nullptr && next->dst_counts == Counts::bytes && next->dst_stride == row_bytes;
  if (is_run && next->src_counts == Counts::buffers) return {};
  item.src_steps = {is_run ? next->src_stride : 0};
  return {item, is_run ? next->extent : 1, width};
}

// Every step-th element of a run.
Weave weave_of_steps(std::int64_t unit, std::int64_t step, std::int64_t extent, int width) {
  Weave::Item item;
  item.unit = unit;
  item.units = {{0, 0}};
  item.src_steps = {step};
  return {item, extent, width};
}

// Items whose bytes are reversed.
Weave weave_of_swaps(std::int64_t item_bytes, std::int64_t extent, int width) {
  Weave::Item item;
  for (std::int64_t b = item_bytes; b-- > 0;) item.units.push_back({0, b});
  item.src_steps = {item_bytes};
  return {item, extent, width};
}

std::vector<Weave> weaves_of_rows(const planning::Schedule& schedule, int width) {
  const tile::Rows& rows = schedule.rows;
  const std::int64_t unit = rows.box.unit;
  if (rows.box.is_fill || rows.box.axes.empty()) return {};
  if (schedule.swapped != 0) return {weave_of_swaps(schedule.swapped, rows.box.axes.back().extent, width)};
  const auto stepped = std::find_if(rows.segments.begin(), rows.segments.end(), [&](const tile::Segment& s) {
    return !is_plain(s, unit) && s.src_step != -unit && s.src_step != 0 && std::abs(s.src_step) <= most_step * unit;
  });
  const bool is_plain_row = rows.segments.size() == 1 && is_plain(rows.segments[0], unit);
  if (rows.box.axes.back().extent * unit <= most_short_row) {
    if (is_plain_row) return {};
    return {weave_of_short_rows(rows, schedule.outer, width)};
  }
  if (stepped == rows.segments.end()) return {};
  std::int64_t extent = INT64_MAX;
  for (std::size_t k = 0; k < rows.segments.size(); ++k) {
    if (rows.segments[k].src_step != stepped->src_step || rows.segments[k].is_fill) continue;
    const std::int64_t end = k + 1 < rows.segments.size() ? rows.segments[k + 1].first : rows.box.axes.back().extent;
    extent = std::min(extent, end - rows.segments[k].first);
  }
  return {weave_of_steps(unit, stepped->src_step, extent, width)};
}

Weave weave_of_record(const planning::Schedule& schedule, int width) {
  const std::int64_t n = n_indices(schedule.down);
  if (n > Weave::most_bases) return {};
  Weave::Item item;
  item.unit = schedule.element;
  for (std::int64_t f = 0; f < n; ++f) item.units.push_back({static_cast<std::int32_t>(f), 0});
  item.src_steps.assign(item.units.size(), std::abs(schedule.along[0].src_stride));
  return {item, schedule.along[0].extent, width};
}

std::vector<Weave> weaves_of_fields(const planning::Schedule& schedule, int width) {
  const std::int64_t n = n_indices(schedule.along);
  if (n > most_woven_fields) return {};
  std::vector<Weave> weaves;
  for (std::int64_t f = 0; f < n; ++f) {
    Weave::Item item;
    item.unit = schedule.element;
    item.units = {{0, f * schedule.element}};
    item.src_steps = {std::abs(schedule.down[0].src_stride)};
    weaves.emplace_back(item, schedule.down[0].extent, width);
  }
  return weaves;
}

}  // namespace

std::vector<Weave> weaves_of(const planning::Schedule& schedule, int width) {
  switch (schedule.regime) {
    case planning::Regime::rows: return weaves_of_rows(schedule, width);
    case planning::Regime::interlace: return {weave_of_record(schedule, width)};
    case planning::Regime::deinterlace: return weaves_of_fields(schedule, width);
    default: return {};
  }
}

}  // namespace crinkle
