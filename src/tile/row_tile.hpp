// The tile that stages nothing in shared memory: destination rows that are long enough to be written whole, made of segments that run
// forwards, backwards, stand still, step or fill. A thread owns one aligned 16-byte piece of a row at a time. Where the piece lies in one
// segment it reads one aligned source vector, or two where the phases differ and the bytes are shifted together (the second is the
// neighbour's first and costs no memory traffic), turns the units round if the segment runs backwards, and stores once.
// At seams, at the ends of a row and of the source, it goes unit by unit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/frame.hpp"
#include "tile/segments.hpp"

namespace crinkle::tile {

struct RowTile {
  std::int32_t threads = 256;
  std::int32_t vector = 4;  // units in a piece
  std::int32_t vector_log2 = 2;
  std::int32_t piece_bytes = 16;  // vector · unit
  bool is_contiguous = true;      // destination rows are; otherwise a piece is one unit
  std::int64_t dst_step = 0;      // bytes per unit of a row
  std::int64_t row_units = 1;
  std::int32_t n_segments = 1;
  Place row_src;  // from one row of a block to the next, in the source

  static constexpr std::int64_t line = 128;  // pieces are counted from a multiple of it, so that blocks share no line

  enum class How : std::uint8_t { units, forwards, backwards, standing, pattern };

  struct Piece {
    Access access;             // of the destination
    std::int64_t first = 0;    // unit of the row in the lowest place
    std::int64_t row_src = 0;  // source origin of the row
    std::int32_t row_slot = 0;
    std::int32_t segment = 0;  // that holds the lowest unit of the mask
    How how = How::units;
    std::int64_t src = 0;    // forwards, backwards: the aligned vector to read; standing: the unit
    std::int32_t shift = 0;  // bytes of it to drop; if not 0, the next vector follows
  };

  /// Most pieces of a block of one row go alike, which is decided once per block: pieces begin … end − 1 of the block lie whole in one
  /// segment, piece i goes to dst + i · 16 and comes from src + i · 16 (or − i · 16), shifted alike. The others ask piece().
  struct Stretch {
    std::int32_t begin = 0;
    std::int32_t end = 0;
    How how = How::units;
    std::int32_t shift = 0;
    std::int32_t each = 16;  // bytes from one piece's source to the next one's
    std::int32_t src_slot = 0;
    std::int64_t src = 0;
    std::int64_t dst = 0;

    CRINKLE_HD constexpr bool holds(std::int32_t i) const { return i >= begin && i < end; }
    /// From src and dst on: the aligned vector that piece i reads first, and where it goes.
    CRINKLE_HD constexpr std::int32_t source(std::int32_t i) const { return each * i; }
    CRINKLE_HD constexpr std::int32_t destination(std::int32_t i) const { return 16 * i; }
  };

  Frame frame;  // cut 0: rows; cut 1: pieces of a row
  Array<Segment, max_segments> segments = {};
  Array<std::int64_t, max_segments> src_begin = {};  // what a segment reads over all rows, in bytes: aligned vectors stay inside it
  Array<std::int64_t, max_segments> src_end = {};
  Walk walk;                          // destination rows, pieces
  Divisor<std::uint32_t> row_pieces;  // of a block
  std::int32_t pace_bytes = 0;        // of shared memory that nothing uses, of plain rows: it limits how many blocks run at once

  CRINKLE_HD static constexpr std::int32_t shared_bytes() { return 0; }

  CRINKLE_HD constexpr Block block(std::uint32_t index) const {
    Origin o = frame.origin(index);
    o.block.write_rows = walk.rows_limit(o);
    return o.block;
  }

  CRINKLE_HD constexpr Piece piece(const Block& block, const Walk::Lane& lane, std::int32_t index) const {
    const Walk::Step step = walk.step(index);
    const std::int32_t r = lane.row + step.down * walk.lanes_rows;
    const std::int32_t piece = lane.piece + step.along * static_cast<std::int32_t>(walk.lanes_run.value());
    if (r >= block.write_rows || piece >= walk.n_pieces) return {};
    return piece_at(block, r, piece, walk.row(lane, step.down, nullptr));
  }

  /// Piece `piece` of row r of a block, whose place is `row`.
  CRINKLE_HD constexpr Piece piece_at(const Block& block, std::int32_t r, std::int32_t piece, const Place& row) const {
    Piece p;
    const std::int64_t start = block.dst + row.address;
    p.first = (block.first + piece) << vector_log2;
    p.row_src = block.src + r * row_src.address;
    p.row_slot = block.src_slot + r * row_src.slot;
    if (is_contiguous) p.first -= (start & (line - 1)) >> frame.unit_log2;
    const std::int64_t left = row_units - p.first;
    if (left <= 0 || p.first + vector <= 0) return p;
    const std::uint32_t all = (1u << vector) - 1;
    p.access = {is_contiguous ? start + (p.first << frame.unit_log2) : start + p.first * dst_step, block.dst_slot + row.slot,
                left >= vector ? all : (1u << left) - 1};
    if (p.first < 0) p.access.mask &= ~((1u << -p.first) - 1);
    p.segment = segment_of(p.first < 0 ? 0 : p.first);
    choose(p, all);
    return p;
  }

  /// Rows that one segment copies forwards in whole vectors that are units: nothing to shift, to turn or to mask.
  CRINKLE_HD constexpr bool is_plain() const {
    return n_segments == 1 && vector == 1 && frame.unit == piece_bytes && piece_bytes == 16 && is_contiguous && !segments[0].is_fill &&
           segments[0].src_step == frame.unit;
  }
  struct Plain {
    Access access;  // of the destination
    std::int64_t src = 0;
    std::int32_t src_slot = 0;
  };
  /// Piece i of all the rows of a block, counted through.
  CRINKLE_HD constexpr Plain plain(const Block& block, std::int32_t i) const {
    Plain p;
    const Division<std::uint32_t> at = row_pieces.divide(static_cast<std::uint32_t>(i));
    const auto r = static_cast<std::int32_t>(at.quotient);
    if (r >= block.write_rows) return p;
    const Place& step = walk.rows.digit[0].step;
    const std::int64_t start = block.dst + r * step.address;
    const std::int64_t first = block.first + at.remainder - ((start & (line - 1)) >> 4);
    if (first < 0 || first >= row_units) return p;
    p.access = {start + (first << 4), block.dst_slot + r * step.slot, 1u};
    p.src = block.src + r * row_src.address + segments[0].src_offset + (first << 4);
    p.src_slot = block.src_slot + r * row_src.slot + segments[0].src_slot;
    return p;
  }
  CRINKLE_HD constexpr std::int32_t n_plain() const { return walk.n_rows * walk.n_pieces; }
  /// The stretch of a block of one plain row: all of it.
  CRINKLE_HD constexpr Stretch plain_stretch(const Block& block) const {
    Stretch s;
    const std::int64_t first = block.first - ((block.dst & (line - 1)) >> 4), left = row_units - first;
    s.begin = first < 0 ? static_cast<std::int32_t>(-first) : 0;
    s.end = left < walk.n_pieces ? static_cast<std::int32_t>(left) : walk.n_pieces;
    s.how = How::forwards;
    s.src_slot = block.src_slot + segments[0].src_slot;
    s.src = block.src + segments[0].src_offset + (first << 4);
    s.dst = block.dst + (first << 4);
    return s;
  }

  CRINKLE_HD constexpr Stretch stretch(const Block& block) const {
    Stretch s;
    if (walk.n_rows != 1 || !is_contiguous || piece_bytes != 16) return s;
    const std::int64_t late = (block.dst & (line - 1)) >> frame.unit_log2;
    const std::int64_t first = (block.first << vector_log2) - late;  // unit of the row where the block begins
    const std::int64_t last = first + (static_cast<std::int64_t>(walk.n_pieces) << vector_log2);
    const std::int64_t from = first < 0 ? 0 : first, to = last < row_units ? last : row_units;
    if (from >= to) return s;
    const std::int32_t g = segment_of((from + to) / 2);
    const Segment& segment = segments[g];
    const bool backwards = segment.src_step == -frame.unit;
    if (segment.is_fill || (!backwards && segment.src_step != frame.unit)) return s;
    // Units of the segment inside the block, narrowed to whole pieces whose vectors stay inside the segment's source.
    const std::int64_t end_of = g + 1 < n_segments ? segments[g + 1].first : row_units;
    const std::int64_t u = (from > segment.first ? from : segment.first) - first, v = (to < end_of ? to : end_of) - first;
    s.begin = static_cast<std::int32_t>((u + vector - 1) >> vector_log2);
    s.end = static_cast<std::int32_t>(v >> vector_log2);
    const std::int64_t origin = block.src + segment.src_offset + (first - segment.first) * segment.src_step;
    const std::int64_t low = backwards ? origin - (vector - 1) * frame.unit : origin;
    s.shift = static_cast<std::int32_t>(low & (piece_bytes - 1));
    s.src = low - s.shift;
    s.dst = block.dst + (first << frame.unit_log2);
    s.src_slot = block.src_slot + segment.src_slot;
    s.how = backwards ? How::backwards : How::forwards;
    s.each = backwards ? -piece_bytes : piece_bytes;
    const std::int32_t reads = s.shift == 0 ? piece_bytes : 2 * piece_bytes;
    const auto is_inside = [&](std::int32_t i) { return s.src + s.source(i) >= src_begin[g] && s.src + s.source(i) + reads <= src_end[g]; };
    if (s.begin < s.end && !is_inside(s.begin)) ++s.begin;
    if (s.begin < s.end && !is_inside(s.end - 1)) --s.end;
    return s;
  }

  /// Blocks with a stretch are walked twice: its pieces, `threads` side by side, and then those beside it.
  CRINKLE_HD constexpr std::int32_t n_stretch_steps() const { return (walk.n_pieces + threads - 1) / threads; }
  CRINKLE_HD constexpr std::int32_t stretch_piece(std::int32_t thread, std::int32_t step) const { return thread + step * threads; }
  CRINKLE_HD constexpr std::int32_t n_beside(const Stretch& s) const { return walk.n_pieces - (s.end - s.begin); }
  CRINKLE_HD constexpr Piece beside(const Block& block, const Stretch& s, std::int32_t i) const {
    return piece_at(block, 0, i < s.begin ? i : i - s.begin + s.end, {});
  }

  /// The segment of a unit of the row.
  CRINKLE_HD constexpr std::int32_t segment_of(std::int64_t u) const {
    std::int32_t s = 0;
    while (s + 1 < n_segments && segments[s + 1].first <= u) ++s;
    return s;
  }

  /// The source of unit k of a piece, by way of its segment (which may be a fill).
  CRINKLE_HD constexpr Access source(const Piece& p, std::int32_t k) const {
    const std::int64_t u = p.first + k;
    const Segment& s = segments[segment_of(u)];
    return {p.row_src + s.src_offset + (u - s.first) * s.src_step, p.row_slot + s.src_slot, s.is_fill ? 0u : 1u};
  }

 private:
  CRINKLE_HD constexpr void choose(Piece& p, std::uint32_t all) const {
    const Segment& s = segments[p.segment];
    const bool whole = p.access.mask == all && (p.segment + 1 == n_segments || segments[p.segment + 1].first >= p.first + vector);
    if (!whole || !is_contiguous) return;
    if (s.is_fill) {
      p.how = How::pattern;
      return;
    }
    const std::int64_t further = p.first - s.first;
    const std::int64_t src = p.row_src + s.src_offset + (s.src_step == frame.unit ? further << frame.unit_log2 : further * s.src_step);
    if (s.src_step == 0) {
      p.how = How::standing;
      p.src = src;
      return;
    }
    const bool backwards = s.src_step == -frame.unit;
    if (!backwards && s.src_step != frame.unit) return;
    const std::int64_t low = backwards ? src - (vector - 1) * frame.unit : src;
    p.shift = static_cast<std::int32_t>(low & (piece_bytes - 1));
    p.src = low - p.shift;
    if (p.src < src_begin[p.segment] || p.src + (p.shift == 0 ? piece_bytes : 2 * piece_bytes) > src_end[p.segment]) return;
    p.how = backwards ? How::backwards : How::forwards;
  }
};

}  // namespace crinkle::tile
