// The arrays of a tile: cells of a region and its halo, dense, as the numbers that are summed. Loaded from where the source's cells lie,
// filled in beyond the faces, stored where the destination's lie.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/number_lines.hpp"
#include "cpu/number_kernels.hpp"
#include "stencil/reach.hpp"

namespace crinkle {

/// The cells of such an array, by element.
template <class T>
class TileCells {
 public:
  TileCells(const SweepPlan& plan, const MemoryPass& pass, const Tiles& tiles, const Region& region)
      : plan_(plan), axes_(plan.shape.axes), n_(axes_.size()), pass_(pass), tiles_(tiles), region_(region) {}

  std::int64_t line_elements(const Region& r) const { return (r.high[n_ - 1] - r.low[n_ - 1]) * plan_.shape.width; }

  /// The element where a region begins.
  std::int64_t place(const Region& r) const {
    std::int64_t at = 0;
    for (std::size_t a = 0; a < n_; ++a) at += (r.low[a] - (region_.low[a] - pass_.halo[a])) * tiles_.pitches[a];
    return at;
  }
  /// Calls body(element, index) for the beginning of every line of a region.
  template <class Body>
  void for_each_row(const Region& r, const Body& body) const {
    for (std::size_t a = 0; a < n_; ++a)
      if (r.low[a] >= r.high[a]) return;
    AxisNumbers index = r.low;
    std::int64_t at = place(r);
    do body(at, index);
    while (step_in(r, n_ - 1, index, [&](std::size_t a, std::int64_t by) { at += by * tiles_.pitches[a]; }));
  }

  /// Cells of a region that is inside, but for open axes, where it goes on at the other end.
  void load(T* array, const Region& r, const std::byte* source) const {
    const std::size_t line = n_ - 1;
    const auto wrapped = [&](std::size_t a, std::int64_t i) {
      return is_open(axes_[a]) ? detail::bounded(Bound::periodic, Bound::periodic, i, axes_[a].extent) : i;
    };
    for_each_row(r, [&](std::int64_t row, const AxisNumbers& index) {
      std::int64_t bytes = pass_.source.offset;
      for (std::size_t a = 0; a < line; ++a) bytes += wrapped(a, index[a]) * pass_.source.strides[a];
      for (std::int64_t i = r.low[line]; i < r.high[line];) {
        const std::int64_t from = wrapped(line, i), count = std::min(r.high[line] - i, axes_[line].extent - from);
        move_line<true>(const_cast<std::byte*>(source) + bytes + from * pass_.source.strides[line], pass_.source,
                        array + row + (i - r.low[line]) * plan_.shape.width, count);
        i += count;
      }
    });
  }

  /// The cells of the tile.
  void store(T* array, std::byte* destination) const {
    const std::size_t line = n_ - 1;
    for_each_row(region_, [&](std::int64_t row, const AxisNumbers& index) {
      std::int64_t bytes = pass_.destination.offset + region_.low[line] * pass_.destination.strides[line];
      for (std::size_t a = 0; a < line; ++a) bytes += index[a] * pass_.destination.strides[a];
      move_line<false>(destination + bytes, pass_.destination, array + row, region_.high[line] - region_.low[line]);
    });
  }

  /// Cells of `read` beyond the faces, from those of `inside`; constants times a factor. Axes that came before are whole, those that come
  /// after are inside.
  void fill_outside(T* array, const Region& read, const Region& inside, double factor) const {
    std::array<std::size_t, most_axes> order = {};
    for (std::size_t a = 0; a < n_; ++a) order[a] = a;
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n_),
              [&](std::size_t a, std::size_t b) { return axes_[a].array_axis < axes_[b].array_axis; });
    Region range = inside;
    for (std::size_t k = 0; k < n_; ++k) {
      const std::size_t a = order[k];
      if (!is_open(axes_[a])) {
        for (std::int64_t i = read.low[a]; i < std::min<std::int64_t>(read.high[a], 0); ++i) fill_slab(array, range, a, i, factor);
        for (std::int64_t i = std::max(read.low[a], axes_[a].extent); i < read.high[a]; ++i) fill_slab(array, range, a, i, factor);
      }
      range.low[a] = read.low[a];
      range.high[a] = read.high[a];
    }
  }

 private:
  // n cells of the line, loaded or stored: one line of elements where they are the same distance apart, or one an element of the cell.
  template <bool is_loading>
  void move_line(std::byte* there, const SweepPlaces& places, T* here, std::int64_t n) const {
    const std::int64_t width = plan_.shape.width, stride = places.strides[n_ - 1];
    const auto move = [&](std::byte* p, std::int64_t step, T* q, std::int64_t q_step, std::int64_t count) {
      const simd::NumbersOf<T>* const numbers = simd::NumberKernels::best().of<T>(places.type);
      if (numbers != nullptr && q_step == 1 && step == bytes_of(places.type.number))
        return is_loading ? numbers->load(p, count, q) : numbers->store(q, count, p);
      if constexpr (is_loading) load_line(q, q_step, p, step, count, places.type);
      else store_line(p, step, q, q_step, count, places.type);
    };
    if (width == 1) return move(there, stride, here, 1, n);
    if (stride == width * places.element_stride) return move(there, places.element_stride, here, 1, n * width);
    for (std::int64_t e = 0; e < width; ++e) move(there + e * places.element_stride, stride, here + e, width, n);
  }

  void fill_slab(T* array, Region range, std::size_t a, std::int64_t i, double factor) const {
    const SweepAxis& axis = axes_[a];
    const std::int64_t from = detail::bounded(axis.faces.low.bound, axis.faces.high.bound, i, axis.extent);
    range.low[a] = i;
    range.high[a] = i + 1;
    const std::int64_t n = line_elements(range), back = (from - i) * tiles_.pitches[a];
    const auto value = static_cast<T>((from == detail::at_low_face ? axis.faces.low : axis.faces.high).value * factor);
    for_each_row(range, [&](std::int64_t row, const AxisNumbers&) {
      if (from < 0) std::fill_n(array + row, n, value);
      else std::copy_n(array + row + back, n, array + row);
    });
  }

  const SweepPlan& plan_;
  const std::vector<SweepAxis>& axes_;
  std::size_t n_;
  const MemoryPass& pass_;
  const Tiles& tiles_;
  const Region& region_;
};

}  // namespace crinkle
