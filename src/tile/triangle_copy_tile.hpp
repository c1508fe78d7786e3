// Lines of a triangle that are copied on a GPU: a thread has 16 aligned bytes of a line; what it reads is shifted together from two vectors
// where source and destination begin at different phases, the same for a whole line.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/triangle_move.hpp"

namespace crinkle::tile {

struct TriangleCopyTile {
  static constexpr std::int32_t threads = 256, line_bytes = 128, most_lines = 8, vector = 16;

  TriangleMove move;
  TriangleBlocks blocks;
  std::int64_t n_pieces = 1;  // of 16 bytes, of a window

  constexpr TriangleCopyTile() = default;
  constexpr explicit TriangleCopyTile(const TriangleMove& m) : move(m) {
    const std::int64_t e = m.element, least = elements_in(line_bytes, e), wanted = threads * vector / e;
    const std::int64_t side = least * (wanted < least ? 1 : power_at_most(wanted / least));  // so that groups are halved evenly
    blocks = TriangleBlocks({m.part, m.to.are_columns}, side, side < most_lines ? side : most_lines, ceil_quotient(line_bytes - 1, e));
    n_pieces = side * e / vector;
  }

  /// A line's window: piece k is at dst + 16 k, bytes begin to end − 1 of the window are the line's.
  struct Window {
    std::int64_t dst = 0, begin = 0, end = 0;
    std::int64_t src = 0;    // the aligned vector that holds what piece 0 begins with
    std::int32_t shift = 0;  // bytes of it to drop; if not 0, the next vector follows
  };
  CRINKLE_HD constexpr Window window(const TriangleBlocks::Block& block, std::int64_t line) const {
    const LineWindow to = line_window(move, blocks, line, block.window, line_bytes);
    Window w{to.dst, to.begin, to.end, to.dst + (move.from.start(line) - move.to.start(line)) * move.element};
    w.shift = static_cast<std::int32_t>((w.src + move.src_phase) & (vector - 1));
    w.src -= w.shift;
    return w;
  }

  enum class How : std::uint8_t { nothing, whole, units };
  /// Whole: all of the piece, by whole vectors that lie in the source. Otherwise unit u is at dst + 16 k + u · unit and src + shift + the
  /// same, where holds() says so.
  CRINKLE_HD constexpr How how(const Window& w, std::int64_t k) const {
    const std::int64_t first = k * vector;
    if (first + vector <= w.begin || first >= w.end) return How::nothing;
    const std::int64_t src = w.src + first, reads = w.shift == 0 ? vector : 2 * vector;
    return first >= w.begin && first + vector <= w.end && src >= 0 && src + reads <= move.src_bytes ? How::whole : How::units;
  }
  CRINKLE_HD constexpr bool holds(const Window& w, std::int64_t k, std::int32_t u) const {
    const std::int64_t at = k * vector + u * move.unit;
    return at >= w.begin && at < w.end;
  }
};

}  // namespace crinkle::tile
