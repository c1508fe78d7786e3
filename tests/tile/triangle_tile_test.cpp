// The kernels of triangles walked block by block and thread by thread, without a GPU: every place of the destination written once, from the
// right source, in bounds, aligned, no sector by two blocks but at the ends of lines, columns read from shared memory without conflicts.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/triangle_copy_tile.hpp"
#include "tile/triangle_cross_tile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "tile/banks.hpp"
#include "triangle/triangles.hpp"
#include "triangle/works.hpp"

namespace crinkle::testing::triangle_tile_test {
namespace {

using tile::TriangleBlocks;
using tile::TriangleCopyTile;
using tile::TriangleCrossTile;
using tile::TriangleMove;

/// What a walk writes: for every byte of the destination the byte of the source, and the block.
class Written {
 public:
  Written(const TriangleLayout& from, const TriangleLayout& to, std::string what)
      : n_read_(from.bytes()), source_(static_cast<std::size_t>(to.bytes()), -1), block_(source_.size()), what_(std::move(what)) {}

  /// n bytes; both sides at a multiple of what the phases make them one of.
  void write(std::int64_t dst, std::int64_t src, std::int64_t n, std::uint64_t block) {
    ASSERT_TRUE(dst >= 0 && dst + n <= std::ssize(source_)) << what_ << ": writes " << n << " bytes at " << dst;
    ASSERT_TRUE(src >= 0 && src + n <= n_read_) << what_ << ": reads " << n << " bytes at " << src;
    for (std::int64_t k = 0; k < n; ++k) {
      ASSERT_EQ(source_[static_cast<std::size_t>(dst + k)], -1) << what_ << ": byte " << dst + k << " is written twice";
      source_[static_cast<std::size_t>(dst + k)] = src + k;
      block_[static_cast<std::size_t>(dst + k)] = block;
    }
  }
  void expect_place(std::int64_t dst, std::int64_t src, std::int64_t n) {
    for (std::int64_t k = 0; k < n; ++k) {
      ASSERT_EQ(source_[static_cast<std::size_t>(dst + k)], src + k) << what_ << ": byte " << dst + k;
      source_[static_cast<std::size_t>(dst + k)] = -1;
    }
  }
  void expect_nothing_else() const {
    for (std::size_t k = 0; k < source_.size(); ++k) ASSERT_EQ(source_[k], -1) << what_ << ": byte " << k << " is no place of a pair";
  }
  std::uint64_t block_of(std::int64_t byte) const { return block_[static_cast<std::size_t>(byte)]; }

 private:
  std::int64_t n_read_;
  std::vector<std::int64_t> source_;
  std::vector<std::uint64_t> block_;
  std::string what_;
};

void walk(const TriangleCopyTile& tile, Written& written) {
  const TriangleMove& m = tile.move;
  for (std::uint64_t b = 0; b < tile.blocks.n_blocks(); ++b) {
    const TriangleBlocks::Block block = tile.blocks.block(b);
    ASSERT_LE(block.last - block.first, TriangleCopyTile::most_lines);
    for (std::int64_t line = block.first; line < block.last; ++line) {
      const TriangleCopyTile::Window w = tile.window(block, line);
      for (std::int64_t k = 0; k < tile.n_pieces; ++k) {
        const auto how = tile.how(w, k);
        if (how == TriangleCopyTile::How::whole) {
          ASSERT_EQ((w.dst + 16 * k + m.dst_phase) % 16, 0);
          ASSERT_EQ((w.src + 16 * k + m.src_phase) % 16, 0);
          ASSERT_TRUE(w.src + 16 * k >= 0 && w.src + 16 * k + (w.shift == 0 ? 16 : 32) <= m.src_bytes);
          written.write(w.dst + 16 * k, w.src + w.shift + 16 * k, 16, b);
        }
        for (std::int32_t u = 0; how == TriangleCopyTile::How::units && u < 16 / m.unit; ++u) {
          const std::int64_t at = 16 * k + u * m.unit;
          if (tile.holds(w, k, u)) written.write(w.dst + at, w.src + w.shift + at, m.unit, b);
        }
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// Each lane of a warp reads unit u of its vector at a time. Where rows begin on vectors no lane waits; else a few may meet. Of elements of
// several units nothing is promised.
template <int unit>
void expect_few_conflicts(const TriangleCrossTile& tile, const TriangleBlocks::Block& block) {
  constexpr std::int32_t along = TriangleCrossTile::along, groups = TriangleCrossTile::threads / along, n = 16 / unit;
  const bool is_even = tile.move.from.bend == 0 && tile.move.from.step * tile.move.element % 16 == 0 && tile.phase(block, tile.early) == 0;
  for (std::int32_t c = 0; c + groups <= tile.blocks.n_lines; c += groups)
    for (std::int32_t group = 0; group < groups; group += 32 / along)
      for (std::int32_t u = 0; u < n; ++u) {
        Array<std::int32_t, 32> at = {};
        for (std::int32_t lane = 0; lane < 32; ++lane) {
          const std::int32_t column = c + TriangleCrossTile::column_of<unit>(group + lane / along);
          const auto first = static_cast<std::int32_t>(tile.column(block, column).first);
          at[lane] = tile.unit_cell(block, first + lane % along * n + u) + column * unit;
        }
        const int lanes = tile::phase_lanes(unit);
        for (int lane = 0; lane < 32; lane += lanes)
          ASSERT_LE(tile::wavefronts(at.begin() + lane, lanes, unit), is_even ? 1 : 6) << "units of " << unit;
      }
}

// What the cells of a block hold, as bytes of the source.
class Cells {
 public:
  Cells(const TriangleCrossTile& tile, const TriangleBlocks::Block& block)
      : tile_(tile), source_(static_cast<std::size_t>(tile.cell_bytes()), -1) {
    for (std::int32_t r = 0; r < tile.n_rows; ++r) bring(tile.row(block, r), tile.row_cell(r));
  }
  std::int64_t source(std::int32_t cell) const { return source_.at(static_cast<std::size_t>(cell)); }

 private:
  void bring(const TriangleCrossTile::Row& row, std::int32_t to) {
    ASSERT_TRUE(row.first >= 0 && row.last <= tile_.row_vectors && to % 16 == 0);
    ASSERT_TRUE(row.first == row.last || (row.src + tile_.move.src_phase) % 16 == 0);
    ASSERT_TRUE(row.first_byte >= 16 * row.first && row.last_byte <= 16 * row.last);
    for (std::int32_t at = 16 * row.first; at < 16 * row.last; ++at) {
      const bool is_own = at >= row.first_byte && at < row.last_byte;
      if (!row.is_whole && !is_own) continue;
      ASSERT_TRUE(row.src + at >= 0 && row.src + at < tile_.move.src_bytes);
      auto& cell = source_.at(static_cast<std::size_t>(to + at));
      ASSERT_EQ(cell, -1) << "two of a block's rows in a cell";
      cell = row.src + at;
    }
  }

  const TriangleCrossTile& tile_;
  std::vector<std::int64_t> source_;
};

void walk_columns(const TriangleCrossTile& tile, const TriangleBlocks::Block& block, const Cells& cells, Written& written,
                  std::uint64_t b) {
  const std::int32_t unit = tile.move.unit, n = 16 / unit;
  if (tile.n_units == 1) {
    if (unit == 1) expect_few_conflicts<1>(tile, block);
    if (unit == 2) expect_few_conflicts<2>(tile, block);
    if (unit == 4) expect_few_conflicts<4>(tile, block);
    if (unit == 8) expect_few_conflicts<8>(tile, block);
    if (unit == 16) expect_few_conflicts<16>(tile, block);
  }
  for (std::int32_t c = 0; c < tile.blocks.n_lines; ++c) {
    const TriangleCrossTile::Column column = tile.column(block, c);
    ASSERT_TRUE(column.begin >= column.end || (column.dst + tile.move.dst_phase) % 16 == 0);
    for (std::int32_t t = 0; t < tile.window_vectors() * n; ++t) {
      const std::int32_t f = static_cast<std::int32_t>(column.first) + t;
      ASSERT_LT(f, tile.column_units());
      const std::int32_t cell = tile.unit_cell(block, f) + c * static_cast<std::int32_t>(tile.move.element);
      ASSERT_TRUE(cell >= 0 && cell % unit == 0 && cell + unit <= tile.cell_bytes());
      if (t < column.begin || t >= column.end) continue;
      const std::int64_t source = tile.source(block, column, c, t);
      ASSERT_EQ(cells.source(cell), source);
      written.write(column.dst + t * unit, source, unit, b);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

void walk_units(const TriangleCrossTile& tile, const TriangleBlocks::Block& block, Written& written, std::uint64_t b) {
  for (std::int32_t c = 0; c < tile.blocks.n_lines; ++c) {
    const TriangleCrossTile::Column column = tile.column(block, c);
    for (std::int64_t t = column.begin; t < column.end; ++t)
      written.write(column.dst + t * tile.move.unit, tile.source(block, column, c, t), tile.move.unit, b);
  }
}

void walk_beside(const TriangleCrossTile& tile, const TriangleBlocks::Block& block, const Cells* cells, Written& written, std::uint64_t b) {
  const std::int32_t unit = tile.move.unit;
  for (std::int32_t r = tile.early; r < tile.n_rows; ++r) {
    const TriangleCrossTile::Beside row = tile.beside_row(block, r);
    ASSERT_TRUE(row.begin >= row.end || (row.x <= row.begin && (row.dst + tile.move.dst_phase) % 16 == 0));
    if (cells != nullptr) { ASSERT_LE(((row.cell & -16) + (row.end - row.x) * unit + 15) / 16 * 16 + 16, tile.cell_bytes()); }
    for (std::int64_t x = row.begin; x < row.end; ++x) {
      const std::int64_t source = (tile.move.from.start(tile.row_line(block, r)) + tile.first_column(block)) * tile.move.element + x * unit;
      if (cells != nullptr) { ASSERT_EQ(cells->source(row.cell + static_cast<std::int32_t>(x - row.x) * unit), source); }
      written.write(row.dst + (x - row.x) * unit, source, unit, b);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

void walk(const TriangleCrossTile& tile, Written& written) {
  ASSERT_LE(tile.shared_bytes(), 48 << 10) << "elements of " << tile.move.element;
  for (std::uint64_t b = 0; b < tile.blocks.n_blocks(); ++b) {
    const TriangleBlocks::Block block = tile.blocks.block(b);
    if (tile.is_staged) {
      const Cells cells(tile, block);
      walk_columns(tile, block, cells, written, b);
      if (tile.has_beside && !::testing::Test::HasFatalFailure()) walk_beside(tile, block, &cells, written, b);
    } else {
      walk_units(tile, block, written, b);
      if (tile.has_beside) walk_beside(tile, block, nullptr, written, b);
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// A sector that lies within one line is written by one block.
void expect_whole_sectors(const TriangleMove& m, const tile::PartByLines& lines, const TriangleLines& to, const Written& written) {
  for (std::int64_t line = lines.first_line(); line < lines.last_line(); ++line) {
    const std::int64_t begin = (to.start(line) + lines.begin(line)) * m.element, end = (to.start(line) + lines.end(line)) * m.element;
    for (std::int64_t at = begin + 1; at < end; ++at)
      if ((at + m.dst_phase) % 32 != 0) { ASSERT_EQ(written.block_of(at), written.block_of(at - 1)) << "a sector in two blocks at " << at; }
  }
}

/// Blocks that have nothing to do: at most three of a group of lines.
template <class Tile>
void expect_few_idle(const Tile& tile) {
  const TriangleBlocks& blocks = tile.blocks;
  const tile::PartByLines& lines = blocks.lines;
  std::uint64_t n_idle = 0;
  for (std::uint64_t b = 0; b < blocks.n_blocks(); ++b) {
    const TriangleBlocks::Block block = blocks.block(b);
    bool is_idle = true;
    for (std::int64_t line = block.first; line < block.last; ++line) {
      const std::int64_t from = blocks.origin + block.window * blocks.side;
      is_idle = is_idle && (lines.begin(line) >= from + blocks.side || lines.end(line) <= from - blocks.side);
    }
    n_idle += is_idle ? 1 : 0;
  }
  ASSERT_LE(n_idle, (3 * blocks.cells.n_rows) << blocks.parts_log2);
}

void expect_walked(const TriangleLayout& from, const TriangleLayout& to, std::int32_t src_phase, std::int32_t dst_phase) {
  const std::string what = named(from) + " to " + named(to) + ", phases " + std::to_string(src_phase) + " and " + std::to_string(dst_phase);
  SCOPED_TRACE(what);
  std::int32_t unit = 16;
  while ((from.element_bytes | src_phase | dst_phase) % unit != 0) unit /= 2;
  const std::int64_t e = to.element_bytes;
  Written all(from, to, what);
  for (const TriangleWork& work : works_of(from, to)) {
    const TriangleMove move{work.piece.part, work.piece.from, work.piece.to, e, unit, src_phase, dst_phase, from.bytes()};
    if (work.piece.is_crossing()) {
      const TriangleCrossTile tile(move, work.beside);
      walk(tile, all);
      if (!::testing::Test::HasFatalFailure()) expect_whole_sectors(move, tile.blocks.lines, move.to, all);
      if (tile.has_beside && !::testing::Test::HasFatalFailure()) expect_whole_sectors(move, tile.beside_rows, tile.beside, all);
      expect_few_idle(tile);
    } else {
      const TriangleCopyTile tile(move);
      walk(tile, all);
      if (!::testing::Test::HasFatalFailure()) expect_whole_sectors(move, tile.blocks.lines, move.to, all);
      expect_few_idle(tile);
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  for (const TrianglePiece& piece : pieces_of(from, to))
    for (std::int64_t i = piece.part.i_begin; i < piece.part.i_end; ++i)
      for (std::int64_t j = piece.part.j_begin; j < piece.part.j_end; ++j)
        if (piece.part.has(i, j)) all.expect_place(piece.to.place(i, j) * e, piece.from.place(i, j) * e, e);
  all.expect_nothing_else();
}

TEST(TriangleTile, every_place_is_written_once_from_the_right_source) {
  Draw draw{std::mt19937_64(20261209)};
  for (const std::int64_t n : {1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 65, 100, 129, 200, 257})
    for (const std::int64_t e : {1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 24, 27, 31, 32, 33, 40, 100}) {
      const auto layouts = all_layouts(n, e);
      for (int k = 0; k < 6; ++k) {
        const auto pick = [&] { return layouts[static_cast<std::size_t>(draw.pick(0, std::ssize(layouts) - 1))]; };
        const auto phase = [&] { return static_cast<std::int32_t>(draw.chance(2) ? draw.pick(0, 127) : draw.pick(0, 7) * 16); };
        const TriangleLayout from = pick(), to = pick();
        const std::int32_t src_phase = phase(), dst_phase = phase();
        expect_walked(from, to, src_phase, dst_phase);
        if (HasFatalFailure()) return;
      }
    }
}

TEST(TriangleTile, several_windows_are_walked_whole) {
  for (const std::int64_t e : {4, 8}) {
    const auto of = [&](const char* text) { return TriangleLayout::parse(text, 700, e); };
    expect_walked(of("full"), of("packed"), 0, 4);
    expect_walked(of("packed"), of("packed upper"), 4, 0);
    expect_walked(of("packed upper"), of("packed"), 0, 0);
    expect_walked(of("condensed"), of("symmetric"), 8, 16);
    expect_walked(of("rfp"), of("packed rows"), 0, 12);
    expect_walked(of("packed"), of("rfp upper"), 0, 0);
    expect_walked(of("full lower rows"), of("packed lower rows"), 0, 0);
  }
  expect_walked(TriangleLayout::parse("full", 2100, 2), TriangleLayout::parse("condensed", 2100, 2), 0, 2);
  expect_walked(TriangleLayout::parse("packed upper", 2300, 1), TriangleLayout::parse("full upper", 2300, 1), 1, 0);
}

template <int unit>
void expect_all_columns() {
  constexpr std::int32_t n = TriangleCrossTile::threads / TriangleCrossTile::along;
  std::vector<bool> seen(n);
  for (std::int32_t group = 0; group < n; ++group) seen.at(static_cast<std::size_t>(TriangleCrossTile::column_of<unit>(group))) = true;
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](bool is_there) { return is_there; })) << "units of " << unit;
}
TEST(TriangleTile, groups_of_threads_have_all_columns) {
  expect_all_columns<1>();
  expect_all_columns<2>();
  expect_all_columns<4>();
  expect_all_columns<8>();
  expect_all_columns<16>();
}

}  // namespace
}  // namespace crinkle::testing::triangle_tile_test
