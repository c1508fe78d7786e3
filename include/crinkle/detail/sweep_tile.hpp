// How a block of threads sweeps a stencil: it has a tile of the last axes, marches along the axis before them, and keeps the planes that
// its cells see in rings of shared memory, one for every field. What lies beyond the faces stands in the rings, too.
//
//     rank 1: a line of cells            rank 2: a line, marching along axis 0
//     rank 3 and more: rows and a line, marching along the third axis from the end; axes before it are blocks of their own, and neighbours
//     along them are read from memory
//
// A plane is what the tile and its halo have of a field; planes are asked for in groups, one group a turn, `ahead` turns before they are
// seen. A thread makes a column of a few cells at once, so that neighbours which they share are read once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/stencil_fields.hpp"

namespace crinkle::detail {

template <class R>
CRINKLE_HD constexpr int radius_along(int axis) {
  return axis < 0 ? 0 : R::along(axis);
}

/// The sizes of a tile: threads along the line, rows of threads, cells that a thread makes at once, groups that are asked for ahead.
template <class R, int width_, int rows_, int cells_, int ahead_, class... S>
struct SweepTile {
  static constexpr int rank = R::rank, n_inputs = sizeof...(S);
  static constexpr int line = rank - 1, row_axis = rank >= 3 ? rank - 2 : -1, march_axis = rank == 1 ? -1 : rank == 2 ? 0 : rank - 3;
  static constexpr int n_outer = rank > 3 ? rank - 3 : 0;  // axes of which a block has one index
  static constexpr int threads_wide = width_, n_threads = width_ * rows_, cells = cells_, ahead = ahead_;
  static constexpr int across = rank == 1 ? cells : 1, down = rank >= 3 ? cells : 1, deep = rank == 2 ? cells : 1;  // a thread's column
  static constexpr int width = width_ * across, height = rows_ * down;                                              // of the tile, in cells
  static constexpr int x_radius = radius_along<R>(line), y_radius = radius_along<R>(row_axis), z_radius = radius_along<R>(march_axis);
  static constexpr int n_rows = height + 2 * y_radius;                           // of a plane
  static constexpr int lead = (2 * z_radius + deep - 1) / deep;                  // groups behind the first that a turn sees
  static constexpr int n_groups = lead + ahead + 1, n_planes = n_groups * deep;  // of a ring
  static constexpr int window = deep + 2 * z_radius;                             // planes that a turn sees

  template <class T>
  static constexpr int vector = 16 % sizeof(T) == 0 ? static_cast<int>(16 / sizeof(T)) : 1;  // elements of 16 bytes
  template <class T>
  static constexpr int pad = (x_radius + vector<T> - 1) / vector<T> * vector<T>;  // halo of a row, whole vectors
  template <class T>
  static constexpr int pitch = width + 2 * pad<T>;
  template <class T>
  static constexpr int plane = pitch<T> * n_rows;
  template <class T>
  static constexpr int ring_bytes = (n_planes * plane<T> * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
  /// Vectors of a plane, and cells at the ends of its rows that no vectors have, at most: of each a block with faces keeps where it lies,
  /// but of vectors that follow each other in one row.
  template <class T>
  static constexpr int n_vectors = rank >= 3 && vector<T> > 1 ? plane<T> / vector<T> : 0;
  template <class T>
  static constexpr int most_ends = rank >= 2 && vector<T> > 1 ? 2 * x_radius + vector<T> - 1 : 0;  // of a row
  template <class T>
  static constexpr int places_bytes = (4 * (n_vectors<T> + n_rows * most_ends<T>)+15) / 16 * 16;
  static constexpr int n_bytes = ((ring_bytes<S> + places_bytes<S>)+...);
  /// So many of a multiprocessor's blocks have registers at least.
  static constexpr int blocks = n_bytes > (75 << 10) ? 1 : n_bytes > (40 << 10) ? 3 : 4;
  /// Where the ring of field i begins; behind it are the places.
  CRINKLE_HD static constexpr int ring_at(int i) {
    const int bytes[] = {(ring_bytes<S> + places_bytes<S>)...};
    int at = 0;
    for (int k = 0; k < i; ++k) at += bytes[k];
    return at;
  }
  /// Whether a neighbour lies in the rings.
  template <int... o>
  CRINKLE_HD static constexpr bool holds(Offset<o...>) {
    const int offsets[] = {o...};
    for (int a = 0; a < n_outer; ++a)
      if (offsets[a] != 0) return false;
    return true;
  }
};

/// The first tile of which a multiprocessor's memory holds the rings of three blocks; the last if there is none.
template <class R, class... S>
struct SweepTileOf {
  static constexpr int most_bytes = 75 << 10;  // of 228 KiB; tuning.md: tiles of your own stencils
  template <int w, int r, int c, int a>
  using Tile = SweepTile<R, w, r, c, a, S...>;
  template <class First, class... Rest>
  struct FirstThatFits {
    static constexpr auto pick() {
      if constexpr (First::n_bytes <= most_bytes || sizeof...(Rest) == 0) return First();
      else return FirstThatFits<Rest...>::pick();
    }
  };
  static constexpr auto pick() {
    if constexpr (R::rank == 1) return FirstThatFits<Tile<256, 1, 4, 1>, Tile<128, 1, 1, 1>>::pick();
    else if constexpr (R::rank == 2)
      return FirstThatFits<Tile<256, 1, 8, 1>, Tile<128, 1, 8, 1>, Tile<128, 1, 4, 1>, Tile<64, 1, 2, 1>>::pick();
    else return FirstThatFits<Tile<64, 4, 8, 2>, Tile<32, 8, 4, 1>, Tile<32, 4, 2, 1>, Tile<32, 4, 1, 1>>::pick();
  }
  using Type = decltype(pick());
};

/// How the cells of a field are cut into blocks: tiles along the line and the rows, chunks along the march.
struct SweepGrid {
  std::int64_t n_across = 1, n_down = 1, n_deep = 1, n_blocks = 0;
  std::int64_t chunk = 1;         // planes of a block
  std::uint32_t has_vectors = 0;  // bit i: rows of field i are read by vectors of 16 bytes

  /// For so many blocks that run at once: the chunks whose last ones end soonest.
  template <class Tile>
  CRINKLE_HD static SweepGrid of(const Array<std::int64_t, Tile::rank>& extents, std::int64_t n_at_once) {
    const auto up = [](std::int64_t n, std::int64_t d) { return (n + d - 1) / d; };
    SweepGrid grid;
    grid.n_across = up(extents[Tile::line], Tile::width);
    if constexpr (Tile::row_axis >= 0) grid.n_down = up(extents[Tile::row_axis], Tile::height);
    std::int64_t n_tiles = grid.n_across * grid.n_down;
    for (int a = 0; a < Tile::n_outer; ++a) n_tiles *= extents[a];
    if constexpr (Tile::march_axis >= 0) {
      constexpr std::int64_t longest = 1 << 24, begins = Tile::lead + Tile::ahead;  // turns
      const std::int64_t n_turns = up(extents[Tile::march_axis], Tile::deep), fewest = up(n_turns, longest);
      std::int64_t least = 0;
      for (std::int64_t waves = 1; waves <= 6; ++waves) {
        std::int64_t n = waves * n_at_once / (n_tiles > 0 ? n_tiles : 1);
        n = n < fewest ? fewest : n > n_turns ? n_turns : n;
        // The last blocks end while most multiprocessors have ended: those at the faces of lines, which take longer, most of all.
        const std::int64_t turns = n > 0 ? up(n_turns, n) : 1, late = Tile::row_axis < 0 ? 2 * turns : turns / 8;
        const std::int64_t cost = up(n_tiles * n, n_at_once) * (turns + begins) + late;
        if (waves > 1 && cost >= least) continue;
        least = cost;
        grid.chunk = turns * Tile::deep;
      }
      grid.n_deep = up(extents[Tile::march_axis], grid.chunk);
    }
    grid.n_blocks = n_tiles * grid.n_deep;
    return grid;
  }
};

}  // namespace crinkle::detail
