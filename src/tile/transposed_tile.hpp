// The aligned tile: a source run X and a destination run Y without a common axis, both in whole 16-byte vectors of V = 16 / unit.
// A thread reads V vectors from V consecutive rows y, transposes the V × V block in its registers (transpose_vectors), and puts V
// vectors along y into 16-byte cells of shared memory: (x, chunk of y) at x · y_chunks + (chunk xor (⌊x/V⌋ and mask)).
// Writing reads the cells back along y. No bank conflicts where x and y have eight chunks or more, nothing narrower than 16 bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/frame.hpp"

namespace crinkle::tile {

struct TransposedTile {
  Frame frame;
  std::int32_t threads = 256;
  std::int32_t vector = 4;       // units in 16 bytes
  std::int32_t vector_log2 = 2;
  Walk read;                     // rows are V rows y each, pieces are 16 bytes of x: squares
  Digits rows;                   // y
  Walk write;                    // rows are x, pieces are 16 bytes of y
  std::int32_t mask = 0;         // 2^k − 1 ≤ 7 with y_chunks divisible by 2^k

  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return (read.n_rows * read.n_pieces << vector_log2) * 16; }
  CRINKLE_HD constexpr std::int32_t read_steps() const { return read.n_steps; }
  CRINKLE_HD constexpr std::int32_t write_steps() const { return write.n_steps; }

  /// What a thread reads, transposes and stages at once: V vectors of rows V · y … V · y + V − 1.
  struct Square {
    std::int32_t x = 0;       // in vectors
    std::int32_t y = 0;
    std::int64_t address = 0; // of its first vector where rows are evenly spaced
    std::int32_t slot = 0;
    bool is_inside = false;
  };
  CRINKLE_HD constexpr Walk::Lane read_lane(std::int32_t thread) const {
    Walk::Lane lane = read.lane(thread);
    if (rows.count == 1) lane.place = rows.at(static_cast<std::uint32_t>(lane.row << vector_log2));
    return lane;
  }
  CRINKLE_HD constexpr Square square(const Block& block, const Walk::Lane& lane, std::int32_t index) const {
    const Walk::Step step = read.step(index);
    Square s;
    s.x = lane.piece + step.pieces;
    s.y = lane.row + step.rows;
    s.is_inside = s.x << vector_log2 < read.run_limit(block) && s.y << vector_log2 < read.rows_limit(block) && s.x < read.n_pieces;
    s.address = block.src + (s.x << 4);
    s.slot = block.src_slot;
    if (rows.count > 1) return s;
    Place place = lane.place;
    place.add(step.rows << vector_log2, rows.digit[0].step);
    s.address += place.src;
    s.slot += place.src_slot;
    return s;
  }
  /// Vector k of a square. Requires a square inside.
  CRINKLE_HD constexpr Access load(const Square& s, std::int32_t k) const {
    const Place row = rows.count > 1 ? rows.at(static_cast<std::uint32_t>((s.y << vector_log2) + k)) : times(k, rows.digit[0].step);
    return {s.address + row.src, s.slot + row.src_slot, (1u << vector) - 1};
  }
  /// The cell of vector i of a square once it is transposed. Requires a square inside.
  CRINKLE_HD constexpr std::int32_t cell(const Square& s, std::int32_t i) const { return cell_of((s.x << vector_log2) + i, s.x, s.y); }

  struct Piece {
    Access access;
    std::int32_t cell = 0;
  };
  CRINKLE_HD constexpr Walk::Lane write_lane(std::int32_t thread) const { return write.lane(thread); }
  CRINKLE_HD constexpr Piece store(const Block& block, const Walk::Lane& lane, std::int32_t index) const {
    const Walk::Step step = write.step(index);
    const std::int32_t x = lane.row + step.rows, chunk = lane.piece + step.pieces;
    if (x >= write.rows_limit(block) || chunk << vector_log2 >= write.run_limit(block) || chunk >= write.n_pieces) return {};
    const Place row = write.row(lane, step.rows);
    return {{block.dst + row.dst + (chunk << 4), block.dst_slot + row.dst_slot, (1u << vector) - 1}, cell_of(x, x >> vector_log2, chunk)};
  }

 private:
  CRINKLE_HD static constexpr Place times(std::int32_t n, const Place& step) {
    Place place;
    place.add(n, step);
    return place;
  }
  CRINKLE_HD constexpr std::int32_t cell_of(std::int32_t x, std::int32_t x_vector, std::int32_t chunk) const {
    return (x * write.n_pieces + (chunk ^ (x_vector & mask))) * 16;
  }
};

}  // namespace crinkle::tile
