// The aligned tile: a source run X and a destination run Y without a common axis, both in whole 16-byte vectors of V = 16 / unit.
// A thread reads V vectors from V consecutive rows y, transposes the V × V block in its registers (transpose_vectors), and puts V
// vectors along y into 16-byte cells of shared memory: (x, chunk of y) at x · y_chunks + ⌊x/V⌋ · skew + chunk, where V · y_chunks + skew is
// odd, so that neighbouring squares lie in neighbouring banks. Writing reads the cells back along y. No bank conflicts where x and y have
// eight chunks or more, nothing narrower than 16 bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/frame.hpp"

namespace crinkle::tile {

struct TransposedTile {
  std::int32_t threads = 256;
  std::int32_t vector = 4;  // units in 16 bytes
  std::int32_t vector_log2 = 2;
  std::int32_t skew = 0;  // cells
  Frame frame;
  Walk read;    // rows are V rows y each, pieces are 16 bytes of x: squares
  Digits rows;  // y
  Walk write;   // rows are x, pieces are 16 bytes of y

  /// Shared memory: what is staged, then the places of rows of both sides.
  CRINKLE_HD constexpr std::int32_t staged_bytes() const { return ((read.n_rows << vector_log2) + skew) * read.n_pieces * 16; }
  CRINKLE_HD constexpr std::int32_t table_bytes() const { return table_bytes_of(n_table() + write.n_table()); }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return staged_bytes() + table_bytes(); }

  CRINKLE_HD constexpr Block block(std::uint32_t index) const {
    Origin o = frame.origin(index);  // cut 0 is of x, cut 1 of y
    o.block.read_pieces = read.run_units * o.length[0] >> vector_log2;
    o.block.read_rows = read.rows_each * o.length[1] >> vector_log2;
    o.block.write_units = write.run_units * o.length[1] >> vector_log2;  // in pieces: whole vectors only
    o.block.write_rows = write.rows_each * o.length[0];
    return o.block;
  }

  /// A thread reads, transposes and stages a square at once: V vectors of rows V · y … V · y + V − 1.
  struct Square {
    std::int32_t x = 0;  // in vectors
    std::int32_t y = 0;
    bool is_inside = false;
    Place place;  // of its first row where rows are evenly spaced
  };
  template <Known known = 0>
  CRINKLE_HD constexpr Square square(const Block& block, const Walk::Lane& lane, std::int32_t index) const {
    const Walk::Step step = read.step<known>(index);
    Square s;
    s.x = lane.piece + step.along * static_cast<std::int32_t>(read.lanes_run.value());
    s.y = lane.row + step.down * read.lanes_rows;
    s.is_inside = s.x < block.read_pieces && s.y < block.read_rows;
    s.place = {block.src + (s.x << 4), block.src_slot, 0};
    if ((known & even_rows) != 0 || rows.count == 1) s.place.add(s.y << vector_log2, rows.digit[0].step);
    return s;
  }
  /// Vector k of a square; `table` is of rows.at(y), used where there are several digits. Requires a square inside.
  template <Known known = 0>
  CRINKLE_HD constexpr Access load(const Square& s, std::int32_t k, const Place* table) const {
    Place place = s.place;
    place.add(k, rows.digit[0].step);
    if ((known & even_rows) == 0 && rows.count > 1) {
      const std::int32_t r = (s.y << vector_log2) + k;
      const Place row = n_table() > 0 && table != nullptr ? table[r] : rows.at(static_cast<std::uint32_t>(r));
      place = {s.place.address + row.address, s.place.slot + row.slot, 0};
    }
    return {place.address, place.slot, (1u << vector) - 1};
  }
  CRINKLE_HD constexpr std::int32_t n_table() const { return rows.count > most_computed_digits ? read.n_rows << vector_log2 : 0; }

  /// The cell of vector i of a square once it is transposed. Requires a square inside.
  CRINKLE_HD constexpr std::int32_t cell(const Square& s, std::int32_t i) const { return cell_of((s.x << vector_log2) + i, s.x, s.y); }

  struct Piece {
    Access access;
    std::int32_t cell = 0;
  };
  template <Known known = 0>
  CRINKLE_HD constexpr Piece store(const Block& block, const Walk::Lane& lane, std::int32_t index, const Place* table) const {
    const Walk::Step step = write.step<known>(index);
    const std::int32_t x = lane.row + step.down * write.lanes_rows;
    const std::int32_t chunk = lane.piece + step.along * static_cast<std::int32_t>(write.lanes_run.value());
    if (x >= block.write_rows || chunk >= block.write_units) return {};
    const Place row = write.row<known>(lane, step.down, table);
    return {{block.dst + row.address + (chunk << 4), block.dst_slot + row.slot, (1u << vector) - 1}, cell_of(x, x >> vector_log2, chunk)};
  }

  CRINKLE_HD constexpr Known known() const {
    Known k = contiguous | aligned;
    if (rows.count == 1 && write.rows.count == 1) k |= even_rows;
    if (read.steps_run.value() == 1 && write.steps_run.value() == 1) k |= one_run;
    return k;
  }

 private:
  CRINKLE_HD constexpr std::int32_t cell_of(std::int32_t x, std::int32_t x_vector, std::int32_t chunk) const {
    return (x * write.n_pieces + x_vector * skew + chunk) * 16;
  }
};

}  // namespace crinkle::tile
