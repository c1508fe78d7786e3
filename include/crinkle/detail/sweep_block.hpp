// What every thread of a block does in a sweep (sweep_tile.hpp): load() asks for its part of a group of planes, make() makes its cells of a
// turn from the planes that are there. Between them the block waits (stencil_loops.cuh); a test may run the threads one after the other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/sweep_planes.hpp"

namespace crinkle::detail {

template <class Tile, class Stencil, class Outs, bool is_several>
class SweepBlock : public SweepPlanes<Tile, Stencil> {
  using Rings = SweepPlanes<Tile, Stencil>;
  using Rings::stencil_, Rings::begin_, Rings::left_x_, Rings::left_y_, Rings::n_cells_deep_, Rings::are_outer_inside_;

 public:
  static constexpr int rank = Tile::rank;
  using Index = Array<std::int64_t, rank>;

  CRINKLE_HD SweepBlock(const Stencil& stencil, const Outs& outs, const SweepGrid& grid, unsigned char* memory, std::int64_t block)
      : Rings(stencil, grid, memory, block), outs_(outs) {}

  /// A thread's cells of a turn.
  CRINKLE_HD void make(int thread, int turn) const {
    const int tx = thread % Tile::threads_wide, ty = thread / Tile::threads_wide * Tile::down, tz = turn * Tile::deep;
    if (tx >= left_x_ || ty >= left_y_) return;
    Window window{};
    int slot = turn % Tile::n_groups * Tile::deep;
    CRINKLE_UNROLL
    for (int j = 0; j < Tile::window; ++j) {
      window.slots[j] = slot;
      slot = slot + 1 == Tile::n_planes ? 0 : slot + 1;
    }
    window.x = tx, window.y = ty, window.z = tz;
    make_cells(window, Cells<Tile::cells>());
  }

 private:
  struct Window {
    int slots[Tile::window];  // places in the rings of the planes that are seen
    int x, y, z;              // the thread's first cell, from the block's on
  };
  template <int n, int... k>
  struct Numbers : Numbers<n - 1, n - 1, k...> {};
  template <int... k>
  struct Numbers<0, k...> {
    using Type = Numbers;
  };
  template <int n>
  using Cells = typename Numbers<n>::Type;

  /// Cell k of a thread's column.
  template <int k>
  class View {
   public:
    static constexpr int x = Tile::across > 1 ? k *Tile::threads_wide : 0, y = Tile::down > 1 ? k : 0, z = Tile::deep > 1 ? k : 0,
                         along = x + y + z;
    CRINKLE_HD View(const SweepBlock& block, const Window& window) : block_(block), window_(window) {}

    template <int... o, int i = 0>
    CRINKLE_HD auto operator()(Offset<o...> to, Input<i> = {}) const {
      static_assert(Stencil::Radius::holds(to), "the stencil looks further than its radius says, or along another number of axes");
      using T = typename Rings::template Element<i>;
      constexpr int offsets[] = {o...};
      if constexpr (Tile::holds(Offset<o...>())) {
        constexpr int dx = offsets[Tile::line] + x + Tile::template pad<T>,
                      dy = (Tile::row_axis < 0 ? 0 : offsets[Tile::row_axis < 0 ? 0 : Tile::row_axis]) + y + Tile::y_radius,
                      dz = (Tile::march_axis < 0 ? 0 : offsets[Tile::march_axis < 0 ? 0 : Tile::march_axis]) + z + Tile::z_radius;
        const T* const plane = block_.template ring<i>() + window_.slots[dz] * Tile::template plane<T>;
        return T(plane[window_.y * Tile::template pitch<T> + window_.x + (dy * Tile::template pitch<T> + dx)]);
      } else {
        Index there = place();
        bool is_inside = block_.are_outer_inside_;
        for (int a = 0; a < rank; ++a) {
          there[a] += offsets[a];
          if (a >= Tile::n_outer) is_inside = is_inside && there[a] >= 0 && there[a] < block_.extent(a);
        }
        return is_inside ? T(*block_.stencil_.inputs().template get<i>().at(there)) : value_beyond<i, T>(block_.stencil_, there);
      }
    }
    CRINKLE_HD std::int64_t index(int axis) const { return place()[axis]; }
    CRINKLE_HD std::int64_t extent(int axis) const { return block_.extent(axis); }
    CRINKLE_HD Index place() const {
      Index result = block_.begin_;
      result[Tile::line] += window_.x + x;
      if constexpr (Tile::row_axis >= 0) result[Tile::row_axis] += window_.y + y;
      if constexpr (Tile::march_axis >= 0) result[Tile::march_axis] += window_.z + z;
      return result;
    }
    CRINKLE_HD bool is_there() const {
      return window_.x + x < block_.left_x_ && window_.y + y < block_.left_y_ && window_.z + z < block_.n_cells_deep_;
    }

   private:
    using Block = SweepBlock;
    const SweepBlock& block_;
    const Window& window_;
  };

  template <int... k>
  CRINKLE_HD void make_cells(const Window& window, Numbers<0, k...>) const {
    const Outs to = moved(outs_, View<0>(*this, window).place());
    if (View<Tile::cells - 1>(*this, window).is_there()) {
      using Value = decltype(stencil_.seen_by(View<0>(*this, window)));
      const Value values[] = {stencil_.seen_by(View<k>(*this, window))...};
      (put_cell<is_several>(to, column_axis, View<k>::along, values[k]), ...);
    } else {
      (make_cell(to, View<k>(*this, window)), ...);
    }
  }
  template <class V>
  CRINKLE_HD void make_cell(const Outs& to, const V& view) const {
    if (view.is_there()) put_cell<is_several>(to, column_axis, V::along, stencil_.seen_by(view));
  }
  static constexpr int column_axis = Tile::rank == 1 ? 0 : Tile::rank == 2 ? 0 : Tile::row_axis;

  const Outs& outs_;
};

}  // namespace crinkle::detail
