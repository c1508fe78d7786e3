// SPDX-License-Identifier: BSD-3-Clause
#include "plan/bundle.hpp"

#include <algorithm>
#include <bit>

#include "plan/pass.hpp"

namespace crinkle::planning {
namespace {

constexpr std::int64_t fewest_records = 1024;
constexpr std::size_t most_entries = 256;         // in which records are looked for
constexpr std::int64_t longest_record = 2 << 10;  // bytes
constexpr std::int64_t short_row = 64;            // bytes
constexpr std::int64_t long_row = 512;            // bytes
constexpr std::int64_t sector = 32;               // bytes: what is read in any case

bool is_zero(const tile::Segment& s) {
  return std::all_of(s.pattern.begin(), s.pattern.end(), [](std::uint8_t b) { return b == 0; });
}

/// Whether segments go well as rows: long runs, or all of a row through shared memory. Not if rows do not follow each other, nor with fills
/// in the shortest ones.
bool are_good_rows(const tile::Rows& rows, const Machine& machine) {
  if (rows.segments.size() == 1) return false;
  const auto fills_zeros = [](const tile::Segment& s) { return s.is_fill && is_zero(s); };
  const auto fills_else = [](const tile::Segment& s) { return s.is_fill && !is_zero(s); };
  const std::int64_t row_bytes = rows.box.axes.back().extent * rows.box.unit;
  if (row_bytes >= long_row || std::any_of(rows.segments.begin(), rows.segments.end(), fills_else)) return true;
  const bool is_dense = rows.box.axes.size() < 2 || rows.box.axes[rows.box.axes.size() - 2].dst_stride == row_bytes;
  const bool has_zeros = std::any_of(rows.segments.begin(), rows.segments.end(), fills_zeros);
  if (!is_dense || (has_zeros && row_bytes < short_row && machine.kind == MachineKind::gpu)) return false;
  return can_segment(rows, segmented_shape(rows, machine, alignments.back()), machine);
}

/// The extent of the axis that could count records; 0 where none could.
std::int64_t n_records_of(const tile::Rows& rows, const Machine& machine) {
  const bool is_fill = rows.segments.size() == 1 && rows.box.is_fill;
  if (rows.box.axes.empty() || (is_fill && !is_zero(rows.segments.front()))) return 0;
  const auto shorter = [](const Axis& x, const Axis& y) { return x.extent < y.extent; };
  const Axis& axis = *std::max_element(rows.box.axes.begin(), rows.box.axes.end(), shorter);
  const auto is_short = [](std::int64_t stride, Counts counts) {
    return counts == Counts::bytes && stride > 0 && stride <= longest_record;
  };
  const bool is_copy = axis.src_stride == rows.box.unit && axis.dst_stride == rows.box.unit;
  const bool is_read = is_fill || is_short(axis.src_stride, axis.src_counts);
  const bool is_of_records = !is_copy && is_read && is_short(axis.dst_stride, axis.dst_counts);
  return is_of_records && axis.extent >= fewest_records && !are_good_rows(rows, machine) ? axis.extent : 0;
}

/// Bytes of a record that are staged, and that are moved.
struct Bytes {
  std::int64_t staged = 0, moved = 0;
};
Bytes bytes_of(const tile::RecordTile& tile) {
  Bytes bytes;
  for (std::int32_t r = 0; r < tile.n_sources; ++r) bytes.staged += tile.source[r].stride;
  for (std::int32_t p = 0; p < tile.n_parts; ++p) {
    const std::int32_t end = p + 1 < tile.n_parts ? tile.part[p + 1].first : tile.n_entries;
    if (tile.part[p].stride != 0) bytes.moved += (end - tile.part[p].first) * tile.frame.unit;
  }
  return bytes;
}

bool begin_in_vectors(const tile::RecordTile& tile) {
  const auto begin = [](const auto& regions, std::int32_t n) {
    return std::all_of(regions.begin(), regions.begin() + n, [](const tile::RecordTile::Region& r) { return r.begin % 16 == 0; });
  };
  return begin(tile.source, tile.n_sources) && begin(tile.destination, tile.n_destinations);
}

/// Whether a CPU puts records together faster row by row than it weaves them: powers of two bytes are joined in registers, many fields are
/// too many windows.
bool is_better_joined(const tile::RecordTile& tile) {
  const std::int64_t record = tile.n_entries * tile.frame.unit;
  return (std::has_single_bit(static_cast<std::uint64_t>(record)) && record <= 32) || tile.n_parts > 10;
}

/// Whether the boxes are better together: some of them lie between each other on one side, and most of what is staged is moved. One box
/// alone suits other tiles as well, unless there are gaps in its records, several buffers, or fields that begin anywhere in a vector.
bool is_worth(const Boxes& boxes, const Machine& machine) {
  const auto tile = tile_of(boxes, alignments.back(), machine);
  if (!tile) return false;
  const Bytes bytes = bytes_of(*tile);
  if (bytes.staged > std::max(sector, 2 * bytes.moved)) return false;
  const auto n = static_cast<std::int32_t>(boxes.size());
  if (n > 1) return tile->n_sources < n || tile->n_destinations < n;
  const bool has_slots = tile->source[tile->n_sources - 1].slot != tile->source[0].slot ||
                         tile->destination[tile->n_destinations - 1].slot != tile->destination[0].slot;
  const bool has_gaps = bytes.moved < bytes.staged || tile->n_entries * tile->frame.unit > bytes.moved;
  if (machine.kind == MachineKind::cpu) return has_gaps || tile->n_destinations > 1 || !is_better_joined(*tile);
  return tile->frame.unit >= 4 && (has_slots || has_gaps || !begin_in_vectors(*tile));
}

}  // namespace

std::vector<Boxes> take_bundles(RowsList& entries, const Machine& machine) {
  std::vector<Boxes> bundles;
  if (entries.size() > most_entries) return bundles;
  for (std::size_t first = 0; first < entries.size(); ++first) {
    const std::int64_t n = n_records_of(entries[first], machine);
    if (n == 0) continue;
    const auto is_of_bundle = [&](const tile::Rows& rows) { return n_records_of(rows, machine) == n; };
    const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::any_of(entries.begin(), begin, is_of_bundle)) continue;  // was not worth it
    Boxes boxes;
    for (const tile::Rows& rows : entries)
      if (is_of_bundle(rows))
        for (const Box& box : crinkle::boxes_of(rows)) boxes.push_back(box);
    if (!is_worth(boxes, machine)) continue;
    bundles.push_back(std::move(boxes));
    RowsList left;
    for (tile::Rows& rows : entries)
      if (!is_of_bundle(rows)) left.push_back(std::move(rows));
    entries = std::move(left);
    --first;
  }
  return bundles;
}

}  // namespace crinkle::planning
