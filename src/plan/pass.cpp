// All of planning in a page: simplify, stitch, then a unit and a tile per entry and alignment.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pass.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/checked.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"
#include "plan/bundle.hpp"
#include "plan/phases.hpp"
#include "plan/tiling_rows.hpp"
#include "plan/widen.hpp"

namespace crinkle::planning {
namespace {

Choice choose(const tile::Rows& rows, const Machine& machine, std::int32_t alignment, std::int64_t n_alike) {
  Choice choice;
  if (machine.kind == MachineKind::cpu) {  // a CPU walks boxes in rows and blocks of its own: only the unit is decided here
    choice.unit = widened(rows, alignment).unit;
    choice.shape.kind = tile::Kind::rows;
    choice.shape.threads = 1;
    return choice;
  }
  const Box box = box_for(rows, alignment, machine);
  choice.unit = box.unit;
  choice.shape = rows.segments.size() == 1 ? choose_shape(box, machine, alignment, n_alike) : choose_shape(rows, machine, alignment);
  return choice;
}

/// Rows of one unit of each segment: phases of a ragged uncrinkle.
bool has_units(const tile::Rows& rows) {
  return rows.box.axes.back().extent == std::ssize(rows.segments) &&
         std::none_of(rows.segments.begin(), rows.segments.end(), [](const tile::Segment& s) { return s.is_fill || s.src_slot != 0; });
}

/// Neighbouring segments that lie evenly apart in the source are an axis.
Boxes boxes_of_units(const tile::Rows& rows) {
  Boxes boxes;
  const auto& s = rows.segments;
  for (std::size_t first = 0; first < s.size();) {
    std::size_t last = first + 1;
    const std::int64_t step = last < s.size() ? s[last].src_offset - s[first].src_offset : 0;
    while (last < s.size() && s[last].src_offset - s[last - 1].src_offset == step) ++last;
    Box box = rows.box;
    box.axes.back().extent = static_cast<std::int64_t>(last - first);
    box.axes.back().src_stride = step;
    box.src_offset += s[first].src_offset;
    box.dst_offset += static_cast<std::int64_t>(first) * box.unit;
    if (box.axes.back().extent == 1) box.axes.pop_back();
    boxes.push_back(box);
    first = last;
  }
  return boxes;
}

/// Stitched rows as a GPU moves them: phases of ragged crinkles together; apart where units or segments do not suit it.
RowsList for_gpu(const RowsList& stitched, const Machine& machine) {
  RowsList list;
  for (const tile::Rows& rows : with_phases_together(stitched)) {
    if (rows.segments.size() == 1 || (keeps_unit(rows, alignments.back()) && goes_in_rows(rows, machine) && !has_units(rows))) {
      list.push_back(rows);
      continue;
    }
    for (const Box& box : has_units(rows) ? boxes_of_units(rows) : boxes_of(rows)) list.push_back(tile::rows_of(box));
  }
  return list;
}

bool moves_on_both_sides(const Box& box) {
  const auto moves = [&](auto stride, auto counts) {
    return std::any_of(box.axes.begin(), box.axes.end(), [&](const Axis& a) { return a.*counts == Counts::bytes && a.*stride != 0; });
  };
  return !box.is_fill && moves(&Axis::src_stride, &Axis::src_counts) && moves(&Axis::dst_stride, &Axis::dst_counts);
}

/// An entry in units of so many bytes, where it can be moved in them: its box as the machine moves it, or as it is.
tile::Rows rows_in(std::int32_t unit, const tile::Rows& rows, std::int64_t alignment, const Machine& machine) {
  if (rows.segments.size() > 1) return rows;
  const Box box = box_for(rows, alignment, machine);
  return box.unit == unit ? tile::rows_of(box) : rows;
}

constexpr std::int64_t times_smaller = 8;  // than the largest entry, and little beside it

/// Entries that are not little beside the largest; at least 1.
std::int64_t count_alike(const RowsList& entries) {
  std::int64_t largest = 0;
  for (const tile::Rows& rows : entries) largest = std::max(largest, n_bytes_of(rows.box));
  const auto is_alike = [largest](const tile::Rows& rows) { return n_bytes_of(rows.box) > largest / times_smaller; };
  return std::max<std::int64_t>(1, std::count_if(entries.begin(), entries.end(), is_alike));
}

/// Gathers entries that are little beside the largest one into its launch, where it can: as short rows, or as a gathered box.
void gather_small(const RowsList& entries, const Machine& machine, std::int32_t alignment, std::int64_t n_alike, Variant& variant) {
  if (entries.size() < 2) return;
  std::size_t largest = 0;
  for (std::size_t e = 1; e < entries.size(); ++e)
    if (n_bytes_of(entries[e].box) > n_bytes_of(entries[largest].box)) largest = e;
  const Choice main = variant.choices[largest];
  const std::int64_t most = n_bytes_of(entries[largest].box) / times_smaller;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const tile::Rows& rows = entries[e];
    if (n_bytes_of(rows.box) > most) continue;
    if (main.shape.kind == tile::Kind::segmented) {
      const tile::Rows short_rows = rows_in(main.unit, rows, alignment, machine);
      const tile::Shape shape = segmented_shape(short_rows, machine, alignment);
      if (short_rows.box.unit == main.unit && keeps_unit(short_rows, alignment) && can_segment(short_rows, shape, machine))
        variant.choices[e] = {main.unit, shape};
    }
    if (main.shape.kind == tile::Kind::gathered && rows.segments.size() == 1) {
      const Box box = box_for(rows, alignment, machine);
      if (box.unit == main.unit && moves_on_both_sides(box))
        variant.choices[e] = {main.unit, gathered_shape(box, machine, alignment, n_alike + 1)};
    }
  }
}

}  // namespace

const Variant& Pass::variant(std::int64_t alignment) const {
  return variants[static_cast<std::size_t>(std::min(4, std::countr_zero(static_cast<std::uint64_t>(alignment))))];
}

Box widened(const tile::Rows& rows, std::int64_t alignment) {
  Box box = rows.box;
  if (rows.segments.size() == 1) {
    if (box.axes.back().extent == 1) box.axes.pop_back();
    widen(box, alignment);
  }
  return box;
}

bool keeps_unit(const tile::Rows& rows, std::int64_t alignment) {
  const std::int64_t unit = rows.box.unit;
  const auto fits = [unit](std::int64_t n) { return n % unit == 0; };
  if (!fits(alignment) || !fits(rows.box.dst_offset) || !fits(rows.box.src_offset)) return false;
  for (const Axis& a : rows.box.axes)
    if ((a.dst_counts == Counts::bytes && !fits(a.dst_stride)) || (a.src_counts == Counts::bytes && !fits(a.src_stride))) return false;
  return std::all_of(rows.segments.begin(), rows.segments.end(),
                     [&](const tile::Segment& s) { return s.is_fill || (fits(s.src_offset) && fits(s.src_step)); });
}

Box box_for(const tile::Rows& rows, std::int64_t alignment, const Machine& machine) {
  Box box = widened(rows, alignment);
  if (machine.kind == MachineKind::cpu || rows.segments.size() > 1) return box;
  std::int64_t g = std::gcd(std::gcd(std::int64_t{box.unit}, alignment), std::gcd(box.dst_offset, box.is_fill ? 0 : box.src_offset));
  for (const Axis& a : box.axes) {
    if (a.dst_counts == Counts::bytes) g = std::gcd(g, a.dst_stride);
    if (a.src_counts == Counts::bytes) g = std::gcd(g, a.src_stride);
  }
  if (g < box.unit && box.axes.size() < max_axes) narrow(box, static_cast<std::int32_t>(g));
  return box;
}

tile::Tile tile_of(const tile::Rows& rows, const Choice& choice, std::int64_t alignment, const Machine& machine) {
  if (rows.segments.size() > 1 || choice.shape.kind == tile::Kind::segmented)
    return tile::build(rows_in(choice.unit, rows, alignment, machine), choice.shape);
  return tile::build(box_for(rows, alignment, machine), choice.shape);
}

std::optional<tile::RecordTile> tile_of(const Boxes& bundle, std::int64_t alignment, const Machine& machine) {
  constexpr std::int64_t most = 48 << 10, least = 4 << 10;
  for (std::int64_t bytes = most; bytes >= least; bytes /= 2) {
    auto tile = tile::build_records(bundle, static_cast<std::int32_t>(alignment), bytes);
    if (!tile || fits(*tile, machine)) return tile;
  }
  return {};
}

Boxes all_boxes(const Pass& pass) {
  Boxes all;
  for (const tile::Rows& rows : pass.entries)
    for (Box& box : boxes_of(rows)) all.push_back(std::move(box));
  for (const Boxes& bundle : pass.bundles)
    for (const Box& box : bundle) all.push_back(box);
  return all;
}

Pass plan_pass(Boxes boxes, const Machine& machine, bool is_gathered) {
  simplify(boxes);
  Pass pass;
  for (const Box& b : boxes) {
    const std::int64_t n = n_bytes_of(b);
    pass.bytes_written = add(pass.bytes_written, n);
    if (!b.is_fill) pass.bytes_read = add(pass.bytes_read, n);
  }
  pass.entries = machine.kind == MachineKind::gpu ? for_gpu(stitch(boxes), machine) : stitch(boxes);
  if (!is_gathered) pass.bundles = take_bundles(pass.entries, machine);
  const std::int64_t n_alike = count_alike(pass.entries);
  for (std::size_t v = 0; v < alignments.size(); ++v) {
    for (const tile::Rows& entry : pass.entries) pass.variants[v].choices.push_back(choose(entry, machine, alignments[v], n_alike));
    if (machine.kind == MachineKind::gpu) gather_small(pass.entries, machine, alignments[v], n_alike, pass.variants[v]);
  }
  return pass;
}

}  // namespace crinkle::planning
