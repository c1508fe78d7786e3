// Boxes that share an axis of records become one tile: what a record of each side holds is cut into runs, runs of one stride that lie
// within it are a region, and the places of a destination record are tabulated.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "base/checked.hpp"
#include "form/simplify.hpp"
#include "tile/banks.hpp"
#include "tile/build.hpp"
#include "tile/groups.hpp"

namespace crinkle::tile {
namespace {

constexpr std::int64_t most_record_bytes = 2 << 10;  // of all source regions together
constexpr std::int64_t most_written = 4;             // times as many bytes as are staged
constexpr std::int64_t most_entry_bytes = 16 << 10;  // of a tile's entries
constexpr std::int64_t grain = 16;                   // records: then a tile's stretches begin at the same phase as the first one's
constexpr std::int64_t line = 128;                   // bytes of shared memory in which a region begins

/// One side of a run of units: record 0's first unit, from unit to unit, from record to record.
struct Side {
  std::int64_t first = 0, step = 0, stride = 0;
  std::int32_t slot = 0;

  std::int64_t lowest(std::int64_t count) const { return std::min(first, first + (count - 1) * step); }
  std::int64_t highest(std::int64_t count) const { return std::max(first, first + (count - 1) * step); }
};
struct Stretch {
  std::int64_t count = 1;
  Side src, dst;
  bool is_zero = false;  // src means nothing
};

std::size_t record_axis_of(const Box& box) {
  const auto shorter = [](const Axis& a, const Axis& b) { return a.extent < b.extent; };
  return static_cast<std::size_t>(std::max_element(box.axes.begin(), box.axes.end(), shorter) - box.axes.begin());
}

void step(const Axis& axis, std::int64_t index, Stretch& run) {
  const auto move = [index](Side& side, Counts counts, std::int64_t stride) {
    if (counts == Counts::bytes) side.first += index * stride;
    else side.slot += static_cast<std::int32_t>(index * stride);
  };
  move(run.src, axis.src_counts, axis.src_stride);
  move(run.dst, axis.dst_counts, axis.dst_stride);
}

/// All runs of a box: along the axis whose units follow each other in the destination, one for every index of the other axes.
bool append_runs(const Box& box, std::size_t records, std::vector<Stretch>& runs) {
  Stretch first;
  const Axis& axis = box.axes[records];
  first.src = {box.src_offset, 0, axis.src_stride, box.src_slot};
  first.is_zero = box.is_fill;
  first.dst = {box.dst_offset, box.unit, axis.dst_stride, box.dst_slot};
  std::vector<Stretch> all;
  std::vector<std::size_t> others;
  for (std::size_t a = 0; a < box.axes.size(); ++a) {
    const Axis& other = box.axes[a];
    const bool is_within = box.is_fill || length_of(other.src_stride) * (other.extent - 1) + box.unit <= axis.src_stride;
    const bool is_run = a != records && other.dst_counts == Counts::bytes && other.src_counts == Counts::bytes &&
                        other.dst_stride == box.unit && first.count == 1 && is_within;
    if (is_run) first.count = other.extent, first.src.step = other.src_stride;
    else if (a != records) others.push_back(a);
  }
  all.push_back(first);
  for (const std::size_t a : others) {
    if (static_cast<std::int64_t>(all.size()) > RecordTile::max_parts / box.axes[a].extent) return false;
    std::vector<Stretch> more;
    for (const Stretch& r : all)
      for (std::int64_t i = 0; i < box.axes[a].extent; ++i) step(box.axes[a], i, more.emplace_back(r));
    all = std::move(more);
  }
  runs.insert(runs.end(), all.begin(), all.end());
  return runs.size() <= RecordTile::max_parts;
}

/// Runs of one stride and buffer that lie within a record of each other, as regions; `of_run` says which. False where they do not fit.
bool find_regions(const std::vector<Stretch>& runs, Side Stretch::* side, std::int64_t unit, std::vector<RecordTile::Region>& regions,
                  std::vector<std::size_t>& of_run) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t k) {
    const Side& s = runs[k].*side;
    return std::tuple(s.slot, s.stride, s.lowest(runs[k].count));
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  of_run.resize(runs.size());
  for (const std::size_t k : order) {
    if (runs[k].is_zero && side == &Stretch::src) continue;
    const Side& s = runs[k].*side;
    const std::int64_t low = s.lowest(runs[k].count), high = s.highest(runs[k].count) + unit;
    if (s.stride < unit || s.stride > most_record_bytes || high - low > s.stride) return false;
    const bool is_new =
        regions.empty() || regions.back().slot != s.slot || regions.back().stride != s.stride || high > regions.back().begin + s.stride;
    if (is_new) {
      if (!regions.empty() && regions.back().slot == s.slot && regions.back().stride == s.stride && low < regions.back().begin + s.stride)
        return false;  // it begins within the record before and ends behind it
      if (regions.size() == RecordTile::max_regions) return false;
      RecordTile::Region r;
      r.begin = low, r.end = high, r.stride = static_cast<std::int32_t>(s.stride), r.slot = s.slot;
      regions.push_back(r);
    }
    regions.back().end = std::max(regions.back().end, high);
    of_run[k] = regions.size() - 1;
  }
  return true;
}

std::int32_t unit_of(const Boxes& boxes, std::int32_t alignment) {
  std::int64_t g = alignment;
  for (const Box& box : boxes) {
    g = std::gcd(std::gcd(g, std::int64_t{box.unit}), std::gcd(box.is_fill ? 0 : box.src_offset, box.dst_offset));
    for (const Axis& a : box.axes) g = std::gcd(g, std::gcd(box.is_fill ? 0 : src_bytes(a), dst_bytes(a)));
  }
  return static_cast<std::int32_t>(g);
}

struct RecordBuilder {
  std::vector<Stretch> runs;
  std::vector<RecordTile::Region> sources, destinations;
  std::vector<std::size_t> source_of, destination_of;
  RecordTile tile = {};

  static std::int64_t record_bytes(const std::vector<RecordTile::Region>& regions) {
    std::int64_t n = 0;
    for (const RecordTile::Region& r : regions) n += r.stride;
    return n;
  }

  /// Pieces that cover a stretch of a whole chunk, from the region's phase on.
  std::int32_t pieces_of(const RecordTile::Region& r) const {
    const std::int64_t phase = modulo(r.begin, tile.piece_bytes), bytes = phase + std::int64_t{tile.chunk} * r.stride;
    return static_cast<std::int32_t>(ceil_divide(bytes, tile.piece_bytes));
  }

  /// A lane's next piece begins at the same place of a record: the lanes of a warp, or some less.
  void repeat_places(RecordTile::Region& r) const {
    const std::int64_t row_units = r.row_units.value(), period = std::lcm(row_units, std::int64_t{tile.vector}) / tile.vector;  // pieces
    if (period > RecordTile::lanes) return;
    r.lanes_used = static_cast<std::int32_t>(RecordTile::lanes / period * period);
    r.records_apart = static_cast<std::int32_t>(r.lanes_used * tile.vector / row_units);
  }

  void lay_out(std::int64_t n_records) {
    std::int64_t cell = 0;
    for (RecordTile::Region& r : sources) {
      r.end += (n_records - 1) * r.stride;
      r.at = static_cast<std::int32_t>(cell);
      r.first_piece = tile.read_pieces;
      tile.read_pieces += pieces_of(r);
      cell = ceil_divide(cell + modulo(r.begin, tile.piece_bytes) + std::int64_t{tile.chunk} * r.stride + tile.piece_bytes, line) * line;
      tile.source[tile.n_sources++] = r;
    }
    if (std::any_of(runs.begin(), runs.end(), [](const Stretch& r) { return r.is_zero; })) {
      tile.zeros_at = static_cast<std::int32_t>(cell);
      cell += line;  // what is swizzled stays within it
    }
    tile.n_bytes = static_cast<std::int32_t>(cell);
    std::int32_t entry = 0;
    for (RecordTile::Region& r : destinations) {
      r.end += (n_records - 1) * r.stride;
      r.at = entry;
      r.first_piece = tile.write_pieces;
      r.row_units = Divisor<std::uint32_t>(static_cast<std::uint32_t>(r.stride / tile.frame.unit));
      tile.write_pieces += pieces_of(r);
      repeat_places(r);
      entry += r.stride / tile.frame.unit;
      tile.destination[tile.n_destinations++] = r;
    }
    tile.n_entries = entry;
  }

  /// The parts of the table, gaps between them included. False where two runs are written to one place, or there are too many parts.
  bool tabulate() {
    std::vector<RecordTile::Part> parts;
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (runs[k].is_zero) {
        const RecordTile::Region& to = tile.destination[static_cast<int>(destination_of[k])];
        const std::int64_t first = to.at + (runs[k].dst.first - to.begin) / tile.frame.unit;
        parts.push_back({static_cast<std::int32_t>(first), tile.zeros_at, 0, 0});
        continue;
      }
      const RecordTile::Region &from = tile.source[static_cast<int>(source_of[k])],
                               &to = tile.destination[static_cast<int>(destination_of[k])];
      const std::int64_t cell = from.at + modulo(from.begin, tile.piece_bytes) + runs[k].src.first - from.begin;
      const std::int64_t first = to.at + (runs[k].dst.first - to.begin) / tile.frame.unit;
      parts.push_back(
          {static_cast<std::int32_t>(first), static_cast<std::int32_t>(cell), static_cast<std::int32_t>(runs[k].src.step), from.stride});
    }
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return parts[a].first < parts[b].first; });
    std::int32_t at = 0;
    const auto append = [&](const RecordTile::Part& part) {
      if (tile.n_parts < RecordTile::max_parts) tile.part[tile.n_parts] = part;
      ++tile.n_parts;
    };
    for (const std::size_t k : order) {
      if (parts[k].first < at) return false;
      if (parts[k].first > at) append({at, RecordTile::no_cell, 0, 0});
      append(parts[k]);
      at = parts[k].first + static_cast<std::int32_t>(runs[k].count);
    }
    if (at < tile.n_entries) append({at, RecordTile::no_cell, 0, 0});
    return tile.n_parts <= RecordTile::max_parts;
  }

  /// Wavefronts of the first lanes of some regions.
  int conflicts() const {
    struct Entries {
      const RecordTile& tile;
      RecordTile::Entry operator[](std::int32_t e) const { return tile.entry(e); }
    };
    const Block block = tile.block(0);
    int all = 0;
    for (std::int32_t r = 0; r < std::min(tile.n_destinations, 4); ++r) {
      const RecordTile::Destination d = tile.destination_of(block, r);
      for (const std::int32_t k : {0, tile.vector / 2}) {
        std::int32_t cells[RecordTile::lanes];
        for (std::int32_t lane = 0; lane < RecordTile::lanes; ++lane) {
          const std::int32_t first = tile.first_unit(d, lane);
          cells[lane] = -1;
          if ((tile.mask(d, first) >> k & 1) == 0) continue;
          RecordTile::Cell cell;
          tile.find_cells(d, first + k, 1, Entries{tile}, &cell);
          if (!tile.is_gap(cell)) cells[lane] = tile.swizzle.place(cell.at);
        }
        all += wavefronts(cells, std::min(RecordTile::lanes, phase_lanes(tile.frame.unit)), tile.frame.unit);
      }
    }
    return all;
  }

  void choose_swizzle() {
    Swizzle best;
    int fewest = INT32_MAX;
    for (const Swizzle& s : {Swizzle{}, Swizzle{3, 0x70}, Swizzle{4, 0x70}, Swizzle{5, 0x70}, Swizzle{6, 0x70}}) {
      if (s.bits != 0 && tile.piece_bytes != 16) continue;
      tile.swizzle = s;
      const int n = conflicts();
      if (n < fewest) best = s, fewest = n;
    }
    tile.swizzle = best;
  }
};

}  // namespace

std::optional<RecordTile> build_records(const Boxes& boxes, std::int32_t alignment, std::int64_t tile_bytes) {
  RecordBuilder b;
  const std::int32_t unit = unit_of(boxes, alignment);
  if (boxes.empty() || boxes[0].axes.empty()) return {};
  const std::int64_t n_records = boxes[0].axes[record_axis_of(boxes[0])].extent;
  for (Box box : boxes) {
    const bool is_zero = std::all_of(box.pattern.begin(), box.pattern.end(), [](std::byte p) { return p == std::byte{0}; });
    if ((box.is_fill && !is_zero) || box.axes.empty() || (box.unit != unit && (box.axes.size() == max_axes || !narrow(box, unit))))
      return {};
    const std::size_t records = record_axis_of(box);
    const Axis& axis = box.axes[records];
    if (axis.extent != n_records || axis.src_counts != Counts::bytes || axis.dst_counts != Counts::bytes) return {};
    if (!append_runs(box, records, b.runs)) return {};
  }
  if (!find_regions(b.runs, &Stretch::src, unit, b.sources, b.source_of) ||
      !find_regions(b.runs, &Stretch::dst, unit, b.destinations, b.destination_of))
    return {};
  const std::int64_t read = RecordBuilder::record_bytes(b.sources), written = RecordBuilder::record_bytes(b.destinations);
  if (b.sources.empty() || read > most_record_bytes || written / unit * 8 > most_entry_bytes) return {};
  RecordTile& tile = b.tile;
  tile.frame.unit = unit;
  tile.threads = RecordTile::threads_of(unit);
  if (unit == 1) tile_bytes = std::min(tile_bytes, RecordTile::most_byte_tile_bytes);
  while ((1 << tile.frame.unit_log2) < unit) ++tile.frame.unit_log2;
  tile.piece_bytes = alignment >= 16 ? 16 : unit;
  tile.vector = tile.piece_bytes / unit;
  tile.n_records = n_records;
  const std::int64_t fits = std::max(grain, std::min(tile_bytes / read, most_written * tile_bytes / written) / grain * grain);
  tile.chunk = static_cast<std::int32_t>(std::min(fits, ceil_divide(n_records, grain) * grain));
  const std::int64_t n_blocks = ceil_divide(n_records, tile.chunk);
  if (n_blocks > 0x7FFFFFFF) return {};
  tile.frame.n_blocks = static_cast<std::uint32_t>(n_blocks);
  b.lay_out(n_records);
  if (!b.tabulate()) return {};
  b.choose_swizzle();
  return tile;
}

}  // namespace crinkle::tile
