// How the planes of a sweep come into a block's rings (sweep_rings.hpp): all rows and columns inside the field at once, or, of a block at
// the faces, by a table, made before the first plane, of where everything in a plane lies, alike for all of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/sweep_rings.hpp"

namespace crinkle::detail {

template <class Tile, class Stencil>
class SweepPlanes : public SweepRings<Tile, Stencil> {
 protected:
  using Rings = SweepRings<Tile, Stencil>;
  using Rings::is_line_at_faces_, Rings::are_rows_at_faces_, Rings::are_outer_inside_, Rings::extent, Rings::begin, Rings::stride_of;
  using Rings::stencil_, Rings::grid_, Rings::memory_, Rings::begin_, Rings::left_x_, Rings::left_y_, Rings::n_cells_deep_;
  using typename Rings::Columns;
  template <int i>
  using Element = typename Rings::template Element<i>;
  template <class T, int n>
  using Part = typename Rings::template Part<T, n>;

 public:
  using Rings::Rings;

  /// A thread's part of what is known of every plane, before any is loaded; all wait for it.
  CRINKLE_HD void prepare(int thread) const { prepare_from<0>(thread); }
  CRINKLE_HD bool has_places() const { return Tile::march_axis >= 0 && (is_line_at_faces_ || are_rows_at_faces_); }

  /// A thread's part of the planes of a group, of all fields.
  CRINKLE_HD void load(int thread, int group) const { load_from<0>(thread, group); }

 private:
  template <int i>
  CRINKLE_HD void load_from(int thread, int group) const {
    if constexpr (i < Tile::n_inputs) {
      constexpr int n = Tile::template vector<Element<i>>;
      if ((grid_.has_vectors >> i & 1) != 0) load_planes<i, n>(thread, group);
      else load_planes<i, 1>(thread, group);
      load_from<i + 1>(thread, group);
    }
  }
  template <int i>
  CRINKLE_HD void prepare_from(int thread) const {
    if constexpr (i < Tile::n_inputs) {
      if constexpr (Tile::template most_ends<Element<i>> > 0)
        if ((grid_.has_vectors >> i & 1) != 0) note_places<i>(*this, thread);
      prepare_from<i + 1>(thread);
    }
  }
  // Of a block with faces: where the vectors and the ends of a plane lie in a plane of the field, alike for all that are inside the field;
  // or one of these.
  static constexpr std::int32_t unseen = -1, is_value = -2, is_far = -3;  // far: beyond 32 bits

  template <int i>
  CRINKLE_HD std::int32_t* places() const {
    return reinterpret_cast<std::int32_t*>(memory_ + Tile::ring_at(i) + Tile::template ring_bytes<Element<i>>);
  }
  /// Of column x in row y of a plane.
  template <int i>
  CRINKLE_HD std::int32_t place_of(int y, int x) const {
    if (y >= left_y_ + 2 * Tile::y_radius) return unseen;
    const int axes[] = {Tile::row_axis < 0 ? 0 : Tile::row_axis, Tile::line};
    const std::int64_t from_begin[] = {y - Tile::y_radius, x - Tile::template pad<Element<i>>};
    std::int64_t place = 0;
    CRINKLE_UNROLL_1
    for (int k = Tile::row_axis < 0 ? 1 : 0; k < 2; ++k) {
      const int a = axes[k];
      std::int64_t at = begin_[a] + from_begin[k];
      if (at < 0 || at >= extent(a)) at = bounded(stencil_.faces()[a].low.bound, stencil_.faces()[a].high.bound, at, extent(a));
      if (at < 0) return is_value;
      place += at * stencil_.inputs().template get<i>().strides[a];
    }
    return place >= 0 && place <= 0x7FFFFFFF ? static_cast<std::int32_t>(place) : is_far;
  }
  template <int i>
#if defined(__CUDA_ARCH__)
  __noinline__
#endif
      CRINKLE_HD static void
      note_places(const SweepPlanes block, int thread) {
    using T = Element<i>;
    constexpr int n = Tile::template vector<T>, n_vectors = Tile::template n_vectors<T>, most_ends = Tile::template most_ends<T>;
    const Columns of = block.template columns_of<i, n>();
    std::int32_t* const vectors = block.template places<i>();
    CRINKLE_UNROLL_1
    for (int k = thread; k < n_vectors; k += Tile::n_threads) {
      const Part<T, n> part(static_cast<unsigned>(k));
      vectors[k] = part.x >= of.whole.first && part.x < of.whole.last ? block.template place_of<i>(part.y, part.x) : unseen;
    }
    CRINKLE_UNROLL_1
    for (int e = thread; e < Tile::n_rows * most_ends; e += Tile::n_threads) {
      const int x = of.end(e % most_ends);
      vectors[n_vectors + e] = x < of.seen.last ? block.template place_of<i>(e / most_ends, x) : unseen;
    }
  }
  /// Where a group's first plane begins in the field.
  template <int i>
  CRINKLE_HD const Element<i>* plane_of(int group) const {
    const auto& field = stencil_.inputs().template get<i>();
    std::int64_t origin = (begin(Tile::march_axis) + group * Tile::deep - Tile::z_radius) * stride_of(field, Tile::march_axis);
    for (int a = 0; a < Tile::n_outer; ++a) origin += begin_[a] * field.strides[a];
    return field.data + origin;
  }
  /// A plane that lies in the field, of a block with faces. Requires three axes or more.
  template <int i>
  CRINKLE_HD void copy_by_places(int thread, int group, const Columns& of) const {
    using T = Element<i>;
    constexpr int n = Tile::template vector<T>, n_vectors = Tile::template n_vectors<T>, pitch = Tile::template pitch<T>;
    const T* const from = plane_of<i>(group);
    T* const to = this->template planes_of<i>(group);
    const std::int32_t* const vectors = places<i>();
    CRINKLE_UNROLL_4
    for (int k = 0; k < (n_vectors + Tile::n_threads - 1) / Tile::n_threads; ++k) {
      const int number = thread + k * Tile::n_threads;
      if (number >= n_vectors) break;
      const std::int32_t place = vectors[number];
      if (place >= 0) Rings::template copy<n>(to + number * n, from + place);
      else if (place != unseen) copy_slowly<i, n>(*this, to + number * n, group, 0, number * n / pitch, number * n % pitch);
    }
    copy_ends_by_places<i>(thread, group, of);
  }
  template <int i>
  CRINKLE_HD void copy_ends_by_places(int thread, int group, const Columns& of) const {
    using T = Element<i>;
    constexpr int most_ends = Tile::template most_ends<T>, pitch = Tile::template pitch<T>;
    const std::int32_t* const ends = places<i>() + Tile::template n_vectors<T>;
    const std::int64_t stride_z = stride_of(stencil_.inputs().template get<i>(), Tile::march_axis);
    const T* const from = plane_of<i>(group);
    T* const to = this->template planes_of<i>(group);
    for (int e = thread; e < Tile::deep * Tile::n_rows * most_ends; e += Tile::n_threads) {
      const int row = e / most_ends, plane = Tile::deep == 1 ? 0 : row / Tile::n_rows, y = Tile::deep == 1 ? row : row % Tile::n_rows;
      const std::int32_t place = ends[y * most_ends + e % most_ends];
      if (place == unseen) continue;
      const int x = of.end(e % most_ends);
      T* const cell = to + row * pitch + x;
      if (place >= 0) Rings::template copy<1>(cell, from + (plane * stride_z + place));
      else copy_slowly<i, 1>(*this, cell, group, plane, y, x);
    }
  }
  /// The same, where registers are short.
  template <int i>
#if defined(__CUDA_ARCH__)
  __noinline__
#endif
      CRINKLE_HD static void
      copy_few_ends(const SweepPlanes block, int thread, int group, const Columns of) {
    block.template copy_ends_by_places<i>(thread, group, of);
  }
  template <int i, int n>
#if defined(__CUDA_ARCH__)
  __noinline__
#endif
      CRINKLE_HD static void
      copy_slowly(const SweepPlanes block, Element<i>* to, int group, int plane, int y, int x) {
    block.template copy_cells<i, n>(to, group, plane, y, x);
  }

  /// A group of planes, n elements at once.
  template <int i, int n>
  CRINKLE_HD void load_planes(int thread, int group) const {
    using T = Element<i>;
    const std::int64_t z = begin(Tile::march_axis) + group * Tile::deep - Tile::z_radius;
    const Columns of = this->template columns_of<i, n>();
    const bool is_inside = z >= 0 && z + Tile::deep <= extent(Tile::march_axis);
    if constexpr (n > 1 && Tile::template n_vectors<T> > 0) {
      if (has_places() && is_inside) {
        copy_by_places<i>(thread, group, of);
        return;
      }
    }
    if (are_rows_at_faces_ || !is_inside) {
      Rings::template copy_at_faces<i, n>(*this, thread, group, of);
      return;
    }
    this->template copy_planes<i, n>(thread, group, of.whole);
    if (!is_line_at_faces_) return;
    if constexpr (n > 1 && Tile::template most_ends<T> > 0) {
      if (thread < Tile::deep * Tile::template most_ends<T>) copy_few_ends<i>(*this, thread, group, of);
    } else {
      const int left = of.whole.first - of.seen.first, right = of.seen.last - of.whole.last;
      if (thread < Tile::deep * Tile::n_rows * (left > right ? left : right)) Rings::template copy_ends<i>(*this, thread, group, of);
    }
  }
};

}  // namespace crinkle::detail
