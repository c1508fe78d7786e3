// The general staged tile from its shape. The only choice made here is the layout of shared memory: of a few pitches and swizzles the
// one with the fewest bank conflicts in the first phase of a warp on either side.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "tile/banks.hpp"
#include "tile/build.hpp"
#include "tile/groups.hpp"

namespace crinkle::tile {
namespace {

constexpr std::int64_t long_run = 64;      // bytes: shorter runs are covered by narrower vectors, so as not to hold too much beside them
constexpr std::int32_t narrow_vector = 4;  // bytes: the narrowest that goes to shared memory by itself

struct Builder {
  const Box& box;
  const Shape& shape;
  Inside inside = inside_of(box, shape);
  Run in = run_of(shape.source, inside);
  Run out = run_of(shape.destination, inside);
  GatheredTile tile = {};

  const Axis& axis(std::int32_t a) const { return axis_of(box, a); }
  std::int32_t last_destination() const { return shape.destination.count == 0 ? -1 : shape.destination.axis[shape.destination.count - 1]; }
  /// A row axis of the read side: of the destination group, outside the source run, and the source moves along it.
  bool is_read_row(std::int32_t a) const { return !shape.source.holds(a) && axis(a).src_stride != 0; }
  bool runs_backwards(std::int32_t a) const { return src_bytes(axis(a)) < 0; }

  void source_side() {
    tile.reads_contiguous = is_contiguous_source(box, shape.source);
    const Box low = turned_forwards(box, shape.source);
    const std::int64_t alignment = source_alignment(low, shape.source, inside, std::min(16, shape.alignment));
    tile.load_bytes = tile.reads_contiguous ? std::max(box.unit, static_cast<std::int32_t>(alignment)) : box.unit;
    // Rows that begin anywhere in a vector are read as the vectors that cover them.
    const std::int64_t run_bytes = in.units * box.unit;
    const std::int32_t vector = run_bytes >= long_run ? 16 : narrow_vector;
    tile.is_superset = tile.reads_contiguous && tile.load_bytes < vector && box.unit < vector && shape.alignment >= vector;
    if (tile.is_superset) tile.load_bytes = vector;
    tile.load_log2 = 0;
    while ((1 << tile.load_log2) < tile.load_bytes) ++tile.load_log2;
    tile.read.n_pieces = static_cast<std::int32_t>(run_bytes / tile.load_bytes);
    if (tile.is_superset) {
      tile.read.n_pieces = static_cast<std::int32_t>((run_bytes + 2 * vector - 1 - box.unit) / vector);
      tile.src_begin = box.src_offset;
      tile.src_end = box.src_offset + box.unit;
      for (const Axis& a : box.axes) (src_bytes(a) < 0 ? tile.src_begin : tile.src_end) += src_bytes(a) * (a.extent - 1);
    }
    tile.read.run_units = static_cast<std::int32_t>(in.each);
    tile.read.run_cut = shape.source.count > 0 ? 0 : no_cut;
    for (std::int32_t i = 0; i < shape.source.count; ++i) {
      tile.read_run.append(inside.tile[shape.source.axis[i]], Place{length_of(src_bytes(axis(shape.source.axis[i]))), 0, 0});
    }
  }

  /// A leaning tile cuts a single destination axis that the source run does not hold.
  bool leans() const {
    const std::int32_t a = last_destination();
    return shape.lean > box.unit && !tile.is_aligned && tile.is_contiguous && shape.destination.count == 1 && is_read_row(a) &&
           axis(a).src_counts == Counts::bytes && inside.tile[a] < axis(a).extent && inside.tile[a] * box.unit % shape.lean == 0;
  }

  void destination_side() {
    tile.is_contiguous = is_contiguous_destination(box, shape.destination);
    tile.store_bytes = tile.is_contiguous ? std::max(box.unit, std::min(16, shape.alignment)) : box.unit;
    tile.vector = tile.store_bytes / box.unit;
    tile.is_aligned = destination_alignment(box, shape.destination, inside, tile.store_bytes) == tile.store_bytes;
    const bool is_leaning = leans();
    tile.window = is_leaning ? shape.lean : tile.store_bytes;
    tile.frame = build_frame(box, inside, is_leaning ? shape.lean / box.unit - 1 : 0);
    const bool is_exact = tile.is_aligned || is_leaning || !tile.is_contiguous;
    const std::int64_t pieces = is_exact ? out.units / tile.vector : (out.units + 2 * tile.vector - 2) / tile.vector;
    tile.write.n_pieces = static_cast<std::int32_t>(pieces);
    tile.write.run_units = static_cast<std::int32_t>(out.each);
    tile.write.run_cut = shape.destination.count == 0 ? no_cut : inside.cut[last_destination()];
  }

  void rows() {
    const auto add = [&](Walk& walk, std::int32_t a, std::int32_t cut, const Place& step) {
      const auto extent = static_cast<std::int32_t>(inside.tile[a]);
      const bool is_cut = inside.cut[a] == cut;
      if (is_cut) walk.rows_cut = cut;
      if (!is_cut) walk.rows_each *= extent;
      walk.n_rows *= is_cut && cut == 1 ? extent + tile.frame.reach : extent;
      walk.rows.append(extent, step);
    };
    for (std::int32_t i = 0; i < shape.destination.count; ++i) {
      const std::int32_t a = shape.destination.axis[i];
      if (is_read_row(a)) {
        add(tile.read, a, 1, source_step(axis(a)));
        const std::int64_t last = src_bytes(axis(a)) * (inside.tile[a] - 1 + (inside.cut[a] == 1 ? tile.frame.reach : 0));
        (last < 0 ? tile.rows_begin : tile.rows_end) += last;
      }
      tile.write_run.append(inside.tile[a], destination_step(axis(a)));
    }
    for (std::int32_t i = 0; i < shape.source.count; ++i)
      if (!shape.destination.holds(shape.source.axis[i]))
        add(tile.write, shape.source.axis[i], 0, destination_step(axis(shape.source.axis[i])));
  }

  /// Lanes and steps of both sides. A destination run of several axes is walked in whole multiples of its faster axes where that fits,
  /// so that a step moves all cells of a thread alike.
  void share() {
    tile.read.share_among(tile.threads, 8);
    const auto inner = static_cast<std::int32_t>(shape.destination.count > 1 ? out.each : 1);
    const std::int32_t whole = inner / std::gcd(inner, tile.vector);
    const std::int32_t grain = std::lcm(whole, 8) <= tile.threads ? std::lcm(whole, 8) : std::min(whole, tile.threads);
    tile.write.share_among(tile.threads, grain);
    const auto step = static_cast<std::int32_t>(tile.write.lanes_run.value()) * tile.vector;
    const bool is_whole = tile.write.steps_run.value() == 1 || step % inner == 0;
    tile.is_fixed = shape.destination.count == 1 || (is_whole && (tile.is_aligned || !tile.is_contiguous));
  }

  /// Source axes that run backwards are read from their last index up: a cut one block by block, a whole one once and for all.
  void turn() {
    std::int64_t step = box.unit;
    for (std::int32_t i = 0; i < shape.source.count; ++i) {
      const std::int32_t a = shape.source.axis[i];
      if (runs_backwards(a) && inside.cut[a] != no_cut) {
        tile.frame.cut[inside.cut[a]].cell = static_cast<std::int32_t>(step);
      } else if (runs_backwards(a)) {
        tile.frame.cell_offset += static_cast<std::int32_t>(step * (axis(a).extent - 1));
        tile.frame.src_offset += (axis(a).extent - 1) * axis(a).src_stride;
      }
      step *= inside.tile[a];
    }
  }

  /// The least step of shared memory from `least` on that has the phase of a step in the source.
  std::int32_t step_with_phase(std::int64_t least, std::int64_t source) const {
    if (!tile.is_superset) return static_cast<std::int32_t>(least);
    return static_cast<std::int32_t>(least + ((source - least) & (tile.load_bytes - 1)));
  }

  void lay_out(std::int32_t pitch, Swizzle swizzle) {
    tile.swizzle = swizzle;
    Array<std::int32_t, max_axes> cell = {};
    std::int64_t step = box.unit;
    for (std::int32_t i = 0; i < shape.source.count; ++i) {
      const std::int32_t a = shape.source.axis[i];
      cell[a] = static_cast<std::int32_t>(runs_backwards(a) ? -step : step);
      step *= inside.tile[a];
    }
    std::int64_t rows = pitch;
    tile.n_bytes = pitch + (tile.is_superset ? tile.load_bytes : 0);
    std::int32_t read_row = 0;
    for (std::int32_t i = 0; i < shape.destination.count; ++i) {
      const std::int32_t a = shape.destination.axis[i];
      if (is_read_row(a)) {
        cell[a] = step_with_phase(rows, src_bytes(axis(a)));
        const std::int64_t n = inside.tile[a] + (inside.cut[a] == 1 ? tile.frame.reach : 0);
        rows = cell[a] * n;
        tile.n_bytes += static_cast<std::int32_t>(cell[a] * (n - 1));
        tile.read.rows.digit[read_row++].step.cell = cell[a];
      }
      tile.write_run.digit[i].step.cell = cell[a];
    }
    if (shape.destination.count > 0) {
      const auto pieces = static_cast<std::int64_t>(tile.write.lanes_run.value());
      if (tile.is_fixed) tile.step_cell = static_cast<std::int32_t>(pieces * tile.vector / out.each) * cell[last_destination()];
    }
    // A piece that begins at a multiple of its length stays within the fastest axis where that is as even.
    const bool is_even = tile.is_aligned && shape.destination.count > 1 && inside.tile[shape.destination.axis[0]] % tile.vector == 0;
    tile.unit_cell = shape.destination.count == 1 || is_even ? cell[shape.destination.axis[0]] : 0;
    if (tile.frame.reach != 0) tile.frame.reach_cell = cell[last_destination()];
    std::int32_t row = 0;
    for (std::int32_t i = 0; i < shape.source.count; ++i)
      if (!shape.destination.holds(shape.source.axis[i])) tile.write.rows.digit[row++].step.cell = cell[shape.source.axis[i]];
  }

  /// Wavefronts of the first phases of both sides; a destination vector of several units collects as often.
  int conflicts() const {
    const Block block = tile.block(tile.frame.n_blocks / 2);
    std::int32_t cell[32];
    Place read_table[32] = {}, write_table[32] = {};  // a phase starts in the first 32 rows
    for (std::int32_t r = 0; r < std::min(32, tile.read.n_table()); ++r) read_table[r] = tile.read.rows.at(static_cast<std::uint32_t>(r));
    for (std::int32_t r = 0; r < std::min(32, tile.write.n_table()); ++r)
      write_table[r] = tile.write.rows.at(static_cast<std::uint32_t>(r));
    const int readers = std::min(phase_lanes(tile.load_bytes), tile.threads);
    for (int thread = 0; thread < readers; ++thread) {
      const Walk::Lane lane = tile.read.lane(thread);
      cell[thread] = tile.load(tile.source(block, lane, 0, read_table), lane, 0).cell;
    }
    const int in_front = wavefronts(cell, readers, tile.load_bytes);
    const int writers = std::min(phase_lanes(box.unit), tile.threads);
    const std::int32_t k = tile.vector - 1;
    for (int thread = 0; thread < writers; ++thread) {
      const Walk::Lane lane = tile.write.lane(thread);
      const GatheredTile::Row row = tile.row(block, lane, 0, write_table);
      const GatheredTile::Piece piece = tile.store(row, 0);
      cell[thread] = (piece.access.mask >> k & 1u) != 0 ? tile.cell_of(row, piece, tile.along(lane, k), k) : -1;
    }
    return in_front + wavefronts(cell, writers, box.unit) + (tile.swizzle.bits != 0 ? 1 : 0);  // a swizzle costs a few instructions
  }

  struct Layout {
    std::int32_t pitch = 0;
    Swizzle swizzle;
  };

  /// Whether half as many lanes along a destination run are worth a try: they meet other banks.
  bool can_halve_lanes() const {
    constexpr std::int32_t fewest = 4;  // 64 bytes
    const auto run = static_cast<std::int32_t>(tile.write.lanes_run.value());
    return shape.destination.count == 1 && tile.is_contiguous && run >= 2 * fewest && tile.write.n_pieces % (run / 2) == 0;
  }

  /// Chooses the layout with the fewest conflicts of these, and the lanes along a destination run of those that need as few steps.
  void choose(std::span<const Layout> layouts) {
    Layout best;
    const std::int32_t steps = tile.write.n_steps;
    std::int32_t lanes = 0;
    int fewest = INT32_MAX;
    do {
      for (const Layout& layout : layouts) {
        lay_out(layout.pitch, layout.swizzle);
        const int n = conflicts();
        if (n < fewest) best = layout, fewest = n, lanes = static_cast<std::int32_t>(tile.write.lanes_run.value());
        if (n <= 2) return;
      }
    } while (can_halve_lanes() && halve_lanes(steps));
    tile.write.arrange(tile.threads, lanes);
    lay_out(best.pitch, best.swizzle);
  }

  /// Twice the rows and half as many lanes along each, if a thread has no more than so many steps then.
  bool halve_lanes(std::int32_t steps) {
    tile.write.arrange(tile.threads, static_cast<std::int32_t>(tile.write.lanes_run.value()) / 2);
    return tile.write.n_steps <= steps;
  }

  void shared_memory() {
    const std::int32_t grain = std::max(4, tile.load_bytes);
    if (tile.is_superset) {  // whole vectors, a few more than are needed
      std::array<Layout, 12> layouts;
      std::size_t n = 0;
      for (std::int32_t more = 0; more < 4; ++more) {
        for (const Swizzle& s : {Swizzle{}, Swizzle{4, 0x70}, Swizzle{6, 0x70}}) {
          if (s.bits == 0 || tile.load_bytes == 16) layouts[n++] = {(tile.read.n_pieces + more) * tile.load_bytes, s};
        }
      }
      return choose({layouts.data(), n});
    }
    const std::int32_t cells = static_cast<std::int32_t>(in.units * box.unit + grain - 1) / grain;
    std::int32_t row = 3;  // a shift that brings down bits of the row's number
    while ((16 << row) < cells * grain) ++row;
    const std::int32_t odd = cells | 1;
    const Layout wide[] = {{cells * 16, {}}, {cells * 16, {3, 0x70}}, {cells * 16, {row, 0x70}}, {cells * 16, {row + 1, 0x70}},
                           {odd * 16, {}},   {(cells + 4) * 16, {}},  {odd * 16, {3, 0x70}}};
    const Layout narrow[] = {{odd * grain, {}}, {(odd + 2) * grain, {}}, {(odd + 4) * grain, {}}, {(odd + 6) * grain, {}}};
    if (tile.load_bytes == 16) choose(wide);
    else choose(narrow);
  }
};

}  // namespace

GatheredTile build_gathered(const Box& box, const Shape& shape) {
  Builder builder{box, shape};
  builder.tile.threads = shape.threads;
  builder.source_side();
  builder.destination_side();
  builder.rows();
  builder.share();
  builder.turn();
  builder.shared_memory();
  return builder.tile;
}

}  // namespace crinkle::tile
