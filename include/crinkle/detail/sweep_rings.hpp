// A block's part of a sweep's fields: where it lies in them, its rings of planes (sweep_tile.hpp), and how its threads copy cells there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/sweep_memory.hpp"
#include "crinkle/detail/sweep_tile.hpp"

namespace crinkle::detail {

/// What lies at a place of field i; seldom called, so once in the code of a kernel.
template <int i, class T, class Stencil>
#if defined(__CUDA_ARCH__)
__noinline__
#endif
    CRINKLE_HD T
    value_beyond(const Stencil& stencil, const typename Stencil::Index& place) {
  return stencil.template value_at<i>(place);
}

/// First and one behind the last, of places in a tile.
struct Span {
  int first, last;
};

template <class Tile, class Stencil>
class SweepRings {
 public:
  static constexpr int rank = Tile::rank;
  using Index = Array<std::int64_t, rank>;

  CRINKLE_HD SweepRings(const Stencil& stencil, const SweepGrid& grid, unsigned char* memory, std::int64_t block)
      : stencil_(stencil), grid_(grid), memory_(memory), begin_{} {
    begin_[Tile::line] = take(block, grid.n_across) * Tile::width;
    if constexpr (Tile::row_axis >= 0) begin_[Tile::row_axis] = take(block, grid.n_down) * Tile::height;
    if constexpr (Tile::march_axis >= 0) begin_[Tile::march_axis] = take(block, grid.n_deep) * grid.chunk;
    for (int a = Tile::n_outer; a-- > 0;) begin_[a] = take(block, extent(a));
    left_x_ = nearby(extent(Tile::line) - begin_[Tile::line]);
    left_y_ = Tile::row_axis < 0 ? 1 : nearby(extent(Tile::row_axis) - begin(Tile::row_axis));
    const std::int64_t left = extent(Tile::march_axis) - begin(Tile::march_axis);
    n_cells_deep_ = static_cast<int>(left < grid.chunk ? left : grid.chunk);
    constexpr int x_reach = Tile::x_radius + 15;  // and what is left of a vector
    is_line_at_faces_ = begin_[Tile::line] < x_reach || left_x_ < Tile::width + x_reach;
    are_rows_at_faces_ = begin(Tile::row_axis) < Tile::y_radius || left_y_ < Tile::height + Tile::y_radius;
    are_outer_inside_ = true;
    for (int a = 0; a < Tile::n_outer; ++a)
      are_outer_inside_ = are_outer_inside_ && begin_[a] >= stencil.first_inside(a) && begin_[a] < stencil.last_inside(a);
  }
  CRINKLE_HD int n_turns() const { return (n_cells_deep_ + Tile::deep - 1) / Tile::deep; }

 protected:
  template <int i>
  using Element = typename WithoutConst<typename PointedTo<decltype(some<typename Stencil::Inputs>().template get<i>().data)>::Type>::Type;
  template <int i>
  CRINKLE_HD Element<i>* ring() const {
    return reinterpret_cast<Element<i>*>(memory_ + Tile::ring_at(i));
  }
  CRINKLE_HD std::int64_t extent(int axis) const { return axis < 0 ? 1 : stencil_.extents()[axis]; }
  CRINKLE_HD std::int64_t begin(int axis) const { return axis < 0 ? 0 : begin_[axis]; }
  CRINKLE_HD static std::int64_t take(std::int64_t& block, std::int64_t count) {
    const std::int64_t rest = block / count, taken = block - rest * count;
    block = rest;
    return taken;
  }
  CRINKLE_HD static int nearby(std::int64_t n) { return static_cast<int>(n < (1 << 24) ? n : 1 << 24); }
  CRINKLE_HD static int clamped(int i, int last) { return i < 0 ? 0 : i > last ? last : i; }

  template <int i>
  CRINKLE_HD Element<i>* planes_of(int group) const {
    return ring<i>() + group % Tile::n_groups * Tile::deep * Tile::template plane<Element<i>>;
  }
  template <class Field>
  CRINKLE_HD static std::int64_t stride_of(const Field& field, int axis) {
    return axis < 0 ? 0 : field.strides[axis];
  }
  /// Part k of a thread: n elements of a row of a group's planes.
  template <class T, int n>
  struct Part {
    static constexpr int n_parts = Tile::template pitch<T> / n, n_all = Tile::deep * Tile::n_rows * n_parts;
    int row, x, plane, y;  // the row among all planes, the column, the plane, the row in it
    CRINKLE_HD explicit Part(unsigned number)
        : row(static_cast<int>(number / n_parts)),
          x(static_cast<int>(number % n_parts) * n),
          plane(Tile::deep == 1 ? 0 : row / Tile::n_rows),
          y(Tile::n_rows == 1 ? 0
            : Tile::deep == 1 ? row
                              : row % Tile::n_rows) {}
  };

  /// Columns of a plane.
  struct Columns {
    Span seen, whole;  // what cells see; what n elements at once are copied to, all inside the field
    /// Column j of those that are seen beside the vectors; behind the seen ones where there are fewer.
    CRINKLE_HD int end(int j) const {
      const int left = whole.first > seen.first ? whole.first - seen.first : 0;
      return j < left ? seen.first + j : whole.last + j - left;
    }
  };
  template <class T, int n>
  CRINKLE_HD Columns columns() const {
    constexpr int pad = Tile::template pad<T>;
    if (!is_line_at_faces_) return {{pad - Tile::x_radius, pad + Tile::width + Tile::x_radius}, {0, Tile::template pitch<T>}};
    const std::int64_t before = begin_[Tile::line];
    const int first = before >= pad ? 0 : pad - static_cast<int>(before), last = clamped(left_x_ + pad, Tile::template pitch<T>);
    Columns columns{{pad - Tile::x_radius, clamped(left_x_ + pad + Tile::x_radius, pad + Tile::width + Tile::x_radius)},
                    {(first + n - 1) / n * n, last / n * n}};
    if (columns.whole.first >= columns.whole.last) columns.whole = {columns.seen.first, columns.seen.first};
    return columns;
  }

  template <int i, int n>
  CRINKLE_HD Columns columns_of() const {
    return columns<Element<i>, n>();
  }

  /// Copies the planes of a group that lie in the field with all their rows, these columns.
  template <int i, int n>
  CRINKLE_HD void copy_planes(int thread, int group, const Span& columns) const {
    using T = Element<i>;
    const auto& field = stencil_.inputs().template get<i>();
    const std::int64_t stride_x = n > 1 ? 1 : field.strides[Tile::line], stride_y = stride_of(field, Tile::row_axis),
                       stride_z = stride_of(field, Tile::march_axis);
    std::int64_t origin = (group * Tile::deep - Tile::z_radius) * stride_z - Tile::y_radius * stride_y - Tile::template pad<T> * stride_x;
    for (int a = 0; a < rank; ++a) origin += begin_[a] * (a == Tile::line ? stride_x : field.strides[a]);
    const T* const from = field.data + origin;
    T* const to = planes_of<i>(group);
    CRINKLE_UNROLL_4
    for (int k = 0; k < (Part<T, n>::n_all + Tile::n_threads - 1) / Tile::n_threads; ++k) {
      const auto number = static_cast<unsigned>(thread + k * Tile::n_threads);
      if (number >= Part<T, n>::n_all) break;
      const Part<T, n> part(number);
      if (part.x < columns.first || part.x >= columns.last) continue;
      copy<n>(to + part.row * Tile::template pitch<T> + part.x, from + (part.plane * stride_z + part.y * stride_y + part.x * stride_x));
    }
  }

  /// The same of any planes, with all columns that are seen: rows beyond a face are other rows or what the faces say.
  template <int i, int n>
#if defined(__CUDA_ARCH__)
  __noinline__
#endif
      CRINKLE_HD static void
      copy_at_faces(const SweepRings block, int thread, int group, const Columns of) {
    using T = Element<i>;
    T* const to = block.template planes_of<i>(group);
    for (int number = thread; number < Part<T, n>::n_all; number += Tile::n_threads) {
      const Part<T, n> part(static_cast<unsigned>(number));
      if (part.x >= of.whole.first && part.x < of.whole.last)
        block.template copy_cells<i, n>(to + part.row * Tile::template pitch<T> + part.x, group, part.plane, part.y, part.x);
    }
    copy_ends<i>(block, thread, group, of);
  }
  /// The cells at the ends of rows, which no vectors have.
  template <int i>
#if defined(__CUDA_ARCH__)
  __noinline__
#endif
      CRINKLE_HD static void
      copy_ends(const SweepRings block, int thread, int group, const Columns of) {
    using T = Element<i>;
    constexpr int pitch = Tile::template pitch<T>;
    T* const to = block.template planes_of<i>(group);
    CRINKLE_UNROLL_1
    for (int end = 0; end < 2; ++end) {
      const int first = end == 0 ? of.seen.first : of.whole.last, wide = (end == 0 ? of.whole.first : of.seen.last) - first;
      for (int e = thread; e < wide * Tile::deep * Tile::n_rows; e += Tile::n_threads) {
        const Part<T, pitch> row(static_cast<unsigned>(e / wide));
        const int x = first + e % wide;
        block.template copy_cells<i, 1>(to + row.row * pitch + x, group, row.plane, row.y, x);
      }
    }
  }
  /// n cells of a row, side by side: several at once are inside along the line. Cells that nobody sees are left out.
  template <int i, int n>
  CRINKLE_HD void copy_cells(Element<i>* to, int group, int plane, int y, int x) const {
    const int z = group * Tile::deep - Tile::z_radius + plane;
    if (z >= n_cells_deep_ + Tile::z_radius || y >= left_y_ + 2 * Tile::y_radius) return;
    Index place = begin_;
    place[Tile::line] += x - Tile::template pad<Element<i>>;
    if constexpr (Tile::row_axis >= 0) place[Tile::row_axis] += y - Tile::y_radius;
    if constexpr (Tile::march_axis >= 0) place[Tile::march_axis] += z;
    const auto& field = stencil_.inputs().template get<i>();
    std::int64_t from = 0;
    bool is_value = false;
    CRINKLE_UNROLL
    for (int a = 0; a < rank; ++a) {
      std::int64_t at = place[a];
      if (at < 0 || at >= extent(a)) at = bounded(stencil_.faces()[a].low.bound, stencil_.faces()[a].high.bound, at, extent(a));
      is_value = is_value || at < 0;
      from += at * field.strides[a];
    }
    if (!is_value) {
      copy<n>(to, field.data + from);
      return;
    }
    for (int k = 0; k < n; ++k, ++place[Tile::line]) to[k] = value_beyond<i, Element<i>>(stencil_, place);
  }
  template <int n, class T>
  CRINKLE_HD static void copy(T* to, const T* from) {
    constexpr int n_bytes = n * static_cast<int>(sizeof(T));
    copy_ahead<n_bytes, (n > 1 ? n_bytes : static_cast<int>(alignof(T)))>(reinterpret_cast<unsigned char*>(to),
                                                                          reinterpret_cast<const unsigned char*>(from));
  }

  const Stencil& stencil_;
  const SweepGrid& grid_;
  unsigned char* memory_;
  Index begin_;          // of the block's cells
  int left_x_, left_y_;  // cells from there to the end of the axis, as far as it matters
  int n_cells_deep_;     // of the block, along the march
  bool is_line_at_faces_, are_rows_at_faces_, are_outer_inside_;
};

}  // namespace crinkle::detail
