// The cells that a stage computes are those that the next one reads, as far as they are in the array: what lies beyond a face is filled in
// from them before that stage, axis by axis as numpy.pad does. Beyond a periodic face the cells are computed like any others. Arrays of a
// tile are dense and hold the halo of all stages; a tile that reads nothing beyond a face takes plain numbers from where they lie.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/tile.hpp"

#include <algorithm>
#include <cstdint>

#include "base/ensure.hpp"
#include "cpu/scratch.hpp"
#include "stencil/shape.hpp"

namespace crinkle {
namespace {

bool is_open(const SweepAxis& axis) { return axis.stencil_axis < 0 || axis.faces.low.bound == Bound::periodic; }  // no face counts

// The cells of an axis that reading [low, high) takes.
void bring_inside(const SweepAxis& axis, std::int64_t& low, std::int64_t& high) {
  if (is_open(axis)) return;
  const std::int64_t n = axis.extent, first = low, last = high;
  low = std::clamp<std::int64_t>(first, 0, n);
  high = std::clamp<std::int64_t>(last, low, n);
  const auto take = [&](std::int64_t i) {
    const std::int64_t at = detail::bounded(axis.faces.low.bound, axis.faces.high.bound, i, n);
    if (at < 0) return;
    const bool is_empty = low == high;
    low = is_empty ? at : std::min(low, at);
    high = is_empty ? at + 1 : std::max(high, at + 1);
  };
  for (std::int64_t i = first; i < std::min<std::int64_t>(last, 0); ++i) take(i);
  for (std::int64_t i = std::max(first, n); i < last; ++i) take(i);
}

template <class T>
class Tile {
 public:
  Tile(const SweepPlan& plan, const MemoryPass& pass, const Tiles& tiles, const Region& region, TileSpace& space)
      : plan_(plan), axes_(plan.shape.axes), n_(axes_.size()), pass_(pass), tiles_(tiles), region_(region), space_(space) {
    const std::size_t n_stages = pass.stages.size();
    space.computed.resize(n_stages);
    space.read.resize(n_stages);
    Region next = region;
    for (std::size_t s = n_stages; s-- > 0;) {
      const Stage& stage = plan.stages[pass.stages[s]];
      space.computed[s] = next;
      for (std::size_t a = 0; a < n_; ++a) {
        next.low[a] -= stage.below[a];
        next.high[a] += stage.above[a];
      }
      space.read[s] = next;
      for (std::size_t a = 0; a < n_; ++a) bring_inside(axes_[a], next.low[a], next.high[a]);
    }
    loaded_ = next;
  }

  void run(const Coefficients<T>& coefficients, const std::byte* source, std::byte* destination, const simd::StencilKernels& kernels) {
    const std::size_t n_stages = pass_.stages.size();
    const bool reads_there = is_inside(space_.read[0]) && is_there(pass_.source, source);
    const bool writes_there = is_there(pass_.destination, destination);
    const std::size_t n_arrays = n_stages > 1 ? 2 : std::size_t{!reads_there} + std::size_t{!writes_there};
    T* in = nullptr;
    T* out = nullptr;
    if (n_arrays > 0) {
      in = static_cast<T*>(simd::Scratch::of_this_thread().get(n_arrays * static_cast<std::size_t>(tiles_.n_elements) * sizeof(T)));
      out = in + (n_arrays > 1 ? tiles_.n_elements : 0);
    }
    if (!reads_there) load(in, source);
    for (std::size_t s = 0; s < n_stages; ++s) {
      const Stage& stage = plan_.stages[pass_.stages[s]];
      const Region& made = space_.computed[s];
      if (s > 0 || !reads_there) fill_outside(in, space_.read[s], s == 0 ? loaded_ : space_.computed[s - 1]);
      const bool is_first = s == 0 && reads_there, is_last = s + 1 == n_stages;
      simd::WeightedRows<T> rows;
      AxisNumbers from = tiles_.pitches, to = tiles_.pitches;
      if (is_first) {
        rows.in = reinterpret_cast<const T*>(at(source, pass_.source, made));
        from = elements_of(pass_.source);
      } else {
        rows.in = in + place(made, tiles_.pitches);
      }
      if (is_last && writes_there) {
        rows.out = reinterpret_cast<T*>(at(destination, pass_.destination, made));
        to = elements_of(pass_.destination);
        rows.is_streaming = pass_.is_streaming;
      } else {
        rows.out = out + place(made, tiles_.pitches);
      }
      set_points(rows, stage, coefficients[pass_.stages[s]], from);
      sum(rows, made, from, to, kernels);
      if (is_last) {
        if (!writes_there) store(out, destination);
        else if (rows.is_streaming) kernels.fence();
      } else if (stage.ends_step && !is_plain<T>(plan_.settled)) {
        for_each_row(made, tiles_.pitches, [&](std::int64_t row) { settle_line(out + row, line_elements(made), plan_.settled); });
      }
      std::swap(in, out);
    }
  }

 private:
  std::int64_t line_elements(const Region& r) const { return (r.high[n_ - 1] - r.low[n_ - 1]) * plan_.shape.width; }

  // Element of a tile's array where the region begins.
  std::int64_t place(const Region& r, const AxisNumbers& pitches) const {
    std::int64_t at = 0;
    for (std::size_t a = 0; a < n_; ++a) at += (r.low[a] - (region_.low[a] - pass_.halo[a])) * pitches[a];
    return at;
  }
  template <class B>
  B* at(B* begin, const SweepPlaces& places, const Region& r) const {
    std::int64_t bytes = places.offset;
    for (std::size_t a = 0; a < n_; ++a) bytes += r.low[a] * places.strides[a];
    return begin + bytes;
  }
  AxisNumbers elements_of(const SweepPlaces& places) const {
    AxisNumbers elements = {};
    for (std::size_t a = 0; a < n_; ++a) elements[a] = places.strides[a] / static_cast<std::int64_t>(sizeof(T));
    return elements;
  }
  bool is_there(const SweepPlaces& places, const std::byte* begin) const {
    return is_plain_line<T>(plan_.shape, places) && reinterpret_cast<std::uintptr_t>(begin + places.offset) % sizeof(T) == 0;
  }
  bool is_inside(const Region& r) const {
    for (std::size_t a = 0; a < n_; ++a)
      if (r.low[a] < 0 || r.high[a] > axes_[a].extent) return false;
    return true;
  }

  // Calls body(element of a tile's array) for the beginning of every line of a region.
  template <class Body>
  void for_each_row(const Region& r, const AxisNumbers& pitches, const Body& body) const {
    for (std::size_t a = 0; a < n_; ++a)
      if (r.low[a] >= r.high[a]) return;
    AxisNumbers index = r.low;
    std::int64_t at = place(r, pitches);
    for (;;) {
      body(at);
      std::size_t a = n_ - 1;
      for (; a-- > 0;) {
        at += pitches[a];
        if (++index[a] < r.high[a]) break;
        at -= (r.high[a] - r.low[a]) * pitches[a];
        index[a] = r.low[a];
      }
      if (a == SIZE_MAX) return;
    }
  }

  void load(T* array, const std::byte* source) const {
    const std::size_t line = n_ - 1;
    Region r = loaded_;
    for (std::size_t a = 0; a < n_; ++a)
      if (r.low[a] >= r.high[a]) return;
    AxisNumbers index = r.low;
    const auto wrapped = [&](std::size_t a, std::int64_t i) {
      return is_open(axes_[a]) ? detail::bounded(Bound::periodic, Bound::periodic, i, axes_[a].extent) : i;
    };
    for_each_row(r, tiles_.pitches, [&](std::int64_t row) {
      std::int64_t bytes = pass_.source.offset;
      for (std::size_t a = 0; a < line; ++a) bytes += wrapped(a, index[a]) * pass_.source.strides[a];
      for (std::int64_t i = r.low[line]; i < r.high[line];) {
        const std::int64_t from = wrapped(line, i), count = std::min(r.high[line] - i, axes_[line].extent - from);
        move_line<true>(const_cast<std::byte*>(source) + bytes + from * pass_.source.strides[line], pass_.source,
                        array + row + (i - r.low[line]) * plan_.shape.width, count);
        i += count;
      }
      for (std::size_t a = line; a-- > 0;) {
        if (++index[a] < r.high[a]) break;
        index[a] = r.low[a];
      }
    });
  }

  void store(T* array, std::byte* destination) const {
    const std::size_t line = n_ - 1;
    AxisNumbers index = region_.low;
    for_each_row(region_, tiles_.pitches, [&](std::int64_t row) {
      std::int64_t bytes = pass_.destination.offset + region_.low[line] * pass_.destination.strides[line];
      for (std::size_t a = 0; a < line; ++a) bytes += index[a] * pass_.destination.strides[a];
      move_line<false>(destination + bytes, pass_.destination, array + row, region_.high[line] - region_.low[line]);
      for (std::size_t a = line; a-- > 0;) {
        if (++index[a] < region_.high[a]) break;
        index[a] = region_.low[a];
      }
    });
  }

  // n cells of the line, loaded or stored: one line of elements where they are the same distance apart, or one an element of the cell.
  template <bool is_loading>
  void move_line(std::byte* there, const SweepPlaces& places, T* here, std::int64_t n) const {
    const std::int64_t width = plan_.shape.width, stride = places.strides[n_ - 1];
    const auto move = [&](std::byte* p, std::int64_t step, T* q, std::int64_t q_step, std::int64_t count) {
      if constexpr (is_loading) load_line(q, q_step, p, step, count, places.type);
      else store_line(p, step, q, q_step, count, places.type);
    };
    if (width == 1) return move(there, stride, here, 1, n);
    if (stride == width * places.element_stride) return move(there, places.element_stride, here, 1, n * width);
    for (std::int64_t e = 0; e < width; ++e) move(there + e * places.element_stride, stride, here + e, width, n);
  }

  // Cells of `read` beyond the faces, from those of `inside`. Axes that came before are whole, those that come after are inside.
  void fill_outside(T* array, const Region& read, const Region& inside) const {
    std::array<std::size_t, most_axes> order = {};
    for (std::size_t a = 0; a < n_; ++a) order[a] = a;
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n_),
              [&](std::size_t a, std::size_t b) { return axes_[a].array_axis < axes_[b].array_axis; });
    Region range = inside;
    for (std::size_t k = 0; k < n_; ++k) {
      const std::size_t a = order[k];
      if (!is_open(axes_[a])) {
        for (std::int64_t i = read.low[a]; i < std::min<std::int64_t>(read.high[a], 0); ++i) fill_slab(array, range, a, i);
        for (std::int64_t i = std::max(read.low[a], axes_[a].extent); i < read.high[a]; ++i) fill_slab(array, range, a, i);
      }
      range.low[a] = read.low[a];
      range.high[a] = read.high[a];
    }
  }

  void fill_slab(T* array, Region range, std::size_t a, std::int64_t i) const {
    const SweepAxis& axis = axes_[a];
    const std::int64_t from = detail::bounded(axis.faces.low.bound, axis.faces.high.bound, i, axis.extent);
    range.low[a] = i;
    range.high[a] = i + 1;
    const std::int64_t n = line_elements(range), back = (from - i) * tiles_.pitches[a];
    const auto value = static_cast<T>((from == detail::low_constant ? axis.faces.low : axis.faces.high).value);
    for_each_row(range, tiles_.pitches, [&](std::int64_t row) {
      if (from < 0) std::fill_n(array + row, n, value);
      else std::copy_n(array + row + back, n, array + row);
    });
  }

  void set_points(simd::WeightedRows<T>& rows, const Stage& stage, const std::vector<T>& coefficients, const AxisNumbers& pitches) const {
    space_.deltas.clear();
    for (std::int64_t k = 0; k < stage.n_points(); ++k) {
      std::int64_t delta = 0;
      for (std::size_t a = 0; a < n_; ++a) delta += stage.offsets[static_cast<std::size_t>(k) * n_ + a] * pitches[a];
      space_.deltas.push_back(delta);
    }
    rows.deltas = space_.deltas.data();
    rows.coefficients = coefficients.data();
    rows.n_points = stage.n_points();
  }

  // All lines of a region, as many at once as lie along one axis.
  void sum(simd::WeightedRows<T>& rows, const Region& made, const AxisNumbers& from, const AxisNumbers& to,
           const simd::StencilKernels& kernels) const {
    for (std::size_t a = 0; a < n_; ++a)
      if (made.low[a] >= made.high[a]) return;
    rows.n_columns = line_elements(made);
    rows.n_rows = 1;
    if (n_ < 2) return kernels.sum(rows);
    const std::size_t along = n_ - 2;
    rows.n_rows = made.high[along] - made.low[along];
    rows.in_pitch = from[along];
    rows.out_pitch = to[along];
    AxisNumbers index = made.low;
    for (;;) {
      kernels.sum(rows);
      std::size_t a = along;
      for (; a-- > 0;) {
        rows.in += from[a];
        rows.out += to[a];
        if (++index[a] < made.high[a]) break;
        rows.in -= (made.high[a] - made.low[a]) * from[a];
        rows.out -= (made.high[a] - made.low[a]) * to[a];
        index[a] = made.low[a];
      }
      if (a == SIZE_MAX) return;
    }
  }

  const SweepPlan& plan_;
  const std::vector<SweepAxis>& axes_;
  std::size_t n_;
  const MemoryPass& pass_;
  const Tiles& tiles_;
  const Region& region_;
  TileSpace& space_;
  Region loaded_;  // of the source, in a tile's array
};

}  // namespace

template <class T>
void run_tile(const SweepPlan& plan, const MemoryPass& pass, const Tiles& tiles, const Region& region, const Coefficients<T>& coefficients,
              const std::byte* source, std::byte* destination, const simd::StencilKernels& kernels, TileSpace& space) {
  Tile<T>(plan, pass, tiles, region, space).run(coefficients, source, destination, kernels);
}

template void run_tile(const SweepPlan&, const MemoryPass&, const Tiles&, const Region&, const Coefficients<float>&, const std::byte*,
                       std::byte*, const simd::StencilKernels&, TileSpace&);
template void run_tile(const SweepPlan&, const MemoryPass&, const Tiles&, const Region&, const Coefficients<double>&, const std::byte*,
                       std::byte*, const simd::StencilKernels&, TileSpace&);

}  // namespace crinkle
