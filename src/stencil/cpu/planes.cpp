// A plane is the rows of the last two axes at one index of the others. Points at one distance in those others see one plane. Where they
// see nothing else of it than its own rows, it is read where it lies; where they look aside in it, it is copied to a place with what lies
// beyond its rows' ends and beyond its first and last rows, so that no loop asks for a face. Copies are kept in a ring as long as planes
// behind them see them, and made a few rows ahead of the sums, so that those find them in the first cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/planes.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "cpu/scratch.hpp"
#include "stencil/tiles.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t few_points = 13;
constexpr std::int64_t few_bytes_at_once = 8 << 10, many_bytes_at_once = 32 << 10;  // of rows, by the points of a list
constexpr std::int64_t plane_line_bytes = 64;

template <class T>
class Planes {
 public:
  Planes(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const std::vector<T>& coefficients, const T* source,
         T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space)
      : axes_(plan.shape.axes),
        n_(axes_.size()),
        line_(n_ - 1),
        along_(n_ - 2),
        width_(plan.shape.width),
        stage_(plan.stages[pass.stages[0]]),
        sight_(plan, pass.source, stage_, source),
        region_(region),
        kernels_(kernels),
        space_(space),
        first_row_(region.low[along_] - stage_.below[along_]),
        n_columns_((region.high[line_] - region.low[line_]) * width_) {
    rows_.out = destination;
    for (std::size_t a = 0; a < n_; ++a) {
      to_[a] = pass.destination.strides[a] / static_cast<std::int64_t>(sizeof(T));
      rows_.out += region.low[a] * to_[a];
    }
    rows_.coefficients = coefficients.data();
    rows_.n_points = stage_.n_points();
    rows_.n_down = stage_.n_down;
    rows_.n_across = stage_.n_across;
    rows_.n_columns = n_columns_;
    rows_.out_pitch = to_[along_];
    rows_.is_streaming = pass.is_streaming;
    const std::int64_t bytes = rows_.n_points > few_points ? many_bytes_at_once : few_bytes_at_once;
    rows_at_once_ = std::max<std::int64_t>(1, bytes / (n_columns_ * static_cast<std::int64_t>(sizeof(T))));
    find_groups();
    find_ends();
    make_ring();
    for (std::size_t k = 0; k < space.deltas.size(); ++k)
      space.deltas[k] =
          space.groups[space.group_of[k]].is_copied ? (offset(k, along_) + stage_.below[along_]) * pitch_ + offset(k, line_) * width_ : 0;
    rows_.from = space.from.data();
    rows_.pitches = space.pitches.data();
  }

  void run() {
    AxisNumbers index = region_.low;
    look_before(index);
    bool is_before_moved = false;
    const auto moved = [&](std::size_t a, std::int64_t by) {
      rows_.out += by * to_[a];
      is_before_moved = is_before_moved || a + 1 < along_;
    };
    do {
      if (std::exchange(is_before_moved, false)) look_before(index);
      make_plane(index);
    } while (step_in(region_, along_, index, moved));
    if (rows_.is_streaming) kernels_.fence();
  }

 private:
  std::int64_t offset(std::size_t k, std::size_t a) const { return stage_.offsets[k * n_ + a]; }

  // The planes that points see, and whether any point looks aside in them.
  void find_groups() {
    const auto n_points = static_cast<std::size_t>(stage_.n_points());
    space_.groups.clear();
    space_.group_of.resize(n_points);
    space_.deltas.resize(n_points);
    space_.from.resize(n_points);
    space_.pitches.resize(n_points);
    for (std::size_t k = 0; k < n_points; ++k) {
      const auto has_it = [&](const PlaneGroup<T>& g) {
        for (std::size_t a = 0; a < along_; ++a)
          if (g.offset[a] != offset(k, a)) return false;
        return true;
      };
      const auto found = std::find_if(space_.groups.begin(), space_.groups.end(), has_it);
      space_.group_of[k] = static_cast<std::size_t>(found - space_.groups.begin());
      if (found == space_.groups.end()) {
        space_.groups.emplace_back();
        for (std::size_t a = 0; a < along_; ++a) space_.groups.back().offset[a] = offset(k, a);
      }
      PlaneGroup<T>& its = space_.groups[space_.group_of[k]];
      its.is_copied = its.is_copied || offset(k, along_) != 0 || offset(k, line_) != 0;
    }
    if (copies_near_planes(stage_, n_)) {
      for (PlaneGroup<T>& g : space_.groups) g.is_copied = g.is_copied || is_near(g.offset.data(), n_);
    }
  }

  // Of a copied row: what of it lies in the array, and where the elements of its ends come from.
  void find_ends() {
    const std::int64_t low = region_.low[line_] - stage_.below[line_], high = region_.high[line_] + stage_.above[line_];
    inside_low_ = std::clamp<std::int64_t>(low, 0, axes_[line_].extent);
    inside_high_ = std::clamp<std::int64_t>(high, inside_low_, axes_[line_].extent);
    space_.ends.clear();
    const auto add = [&](std::int64_t x) {
      const std::int64_t i = sight_.found(line_, x);
      for (std::int64_t e = 0; e < width_; ++e)
        space_.ends.push_back(
            {(x - region_.low[line_]) * width_ + e, i >= 0 ? i * width_ + e : -1, i >= 0 ? T{0} : sight_.value_at(line_, i)});
    };
    for (std::int64_t x = low; x < inside_low_; ++x) add(x);
    for (std::int64_t x = inside_high_; x < high; ++x) add(x);
  }

  // Planes along the first axis in which copies are seen again pass through a ring; of the axes behind it all are kept that the region
  // and its halo have.
  void make_ring() {
    AxisNumbers low = {}, high = {};
    bool is_first = true;
    for (const PlaneGroup<T>& g : space_.groups) {
      if (!g.is_copied) continue;
      for (std::size_t a = 0; a < along_; ++a) {
        low[a] = is_first ? g.offset[a] : std::min(low[a], g.offset[a]);
        high[a] = is_first ? g.offset[a] : std::max(high[a], g.offset[a]);
      }
      is_first = false;
    }
    while (ring_axis_ < along_ && low[ring_axis_] == high[ring_axis_]) ++ring_axis_;
    std::int64_t n_slots = 1, n_keys = 1;
    for (std::size_t a = along_; a-- > 0;) {
      const std::int64_t reach = high[a] - low[a], all = region_.high[a] - region_.low[a] + reach;
      slot_first_[a] = region_.low[a] + low[a];
      key_pitches_[a] = n_keys;
      n_keys = multiply(n_keys, all);
      slot_counts_[a] = a < ring_axis_ ? 1 : a == ring_axis_ ? reach + 1 : all;
      slot_pitches_[a] = n_slots;
      n_slots = multiply(n_slots, slot_counts_[a]);
    }
    constexpr std::int64_t line = plane_line_bytes / static_cast<std::int64_t>(sizeof(T));
    const auto to_lines = [](std::int64_t n) { return ceil_divide(n, line) * line; };
    margin_ = to_lines(multiply(stage_.below[line_], width_));
    pitch_ = to_lines(add_product(add(margin_, n_columns_), stage_.above[line_], width_));
    n_rows_ = region_.high[along_] - region_.low[along_] + stage_.below[along_] + stage_.above[along_];
    slot_elements_ = multiply(pitch_, n_rows_);
    const std::int64_t n_constants = static_cast<std::int64_t>(2 * along_);
    const std::int64_t n_elements = add_product(multiply(n_slots, slot_elements_), n_constants, to_lines(n_columns_));
    copies_ = static_cast<T*>(simd::Scratch::of_this_thread().get(static_cast<std::size_t>(multiply(n_elements, std::int64_t{sizeof(T)}))));
    constants_ = copies_ + n_slots * slot_elements_;
    constant_pitch_ = to_lines(n_columns_);
    space_.slots.assign(static_cast<std::size_t>(n_slots), PlaneSlot{});
  }

  // What every group sees at these indices of the axes before the last three.
  void look_before(const AxisNumbers& index) {
    for (PlaneGroup<T>& g : space_.groups) {
      g.before = Seen<T>{.at = sight_.source};
      for (std::size_t a = 0; a + 1 < along_; ++a) sight_.look(g.before, a, index[a] + g.offset[a]);
    }
  }

  // All rows of the region with these indices of the axes before the last two.
  void make_plane(const AxisNumbers& index) {
    for (PlaneGroup<T>& g : space_.groups) {
      g.seen = g.before;
      if (along_ > 0) sight_.look(g.seen, along_ - 1, index[along_ - 1] + g.offset[along_ - 1]);
      if (g.is_copied) {
        set_slot(g, index);
      } else if (g.seen.is_constant()) {
        T* const row = constants_ + static_cast<std::int64_t>(g.seen.face) * constant_pitch_;
        std::fill_n(row, n_columns_, g.seen.value);
        g.at = row;
        g.pitch = 0;
      } else {
        g.at = g.seen.at + region_.low[along_] * sight_.strides[along_] + region_.low[line_] * width_;
        g.pitch = sight_.strides[along_];
      }
    }
    for (std::size_t k = 0; k < space_.from.size(); ++k) {
      const PlaneGroup<T>& its = space_.groups[space_.group_of[k]];
      space_.from[k] = its.at + space_.deltas[k];
      space_.pitches[k] = its.pitch;
    }
    const std::int64_t n_rows = region_.high[along_] - region_.low[along_];
    T* const out = rows_.out;
    for (std::int64_t row = 0; row < n_rows;) {
      rows_.n_rows = std::min(rows_at_once_, n_rows - row);
      for (const PlaneGroup<T>& g : space_.groups)
        if (g.is_copied) copy_rows(g, row + rows_.n_rows + stage_.below[along_] + stage_.above[along_]);
      kernels_.sum(rows_);
      row += rows_.n_rows;
      if (row == n_rows) break;
      rows_.out += rows_.n_rows * rows_.out_pitch;
      for (std::size_t k = 0; k < space_.from.size(); ++k) space_.from[k] += rows_.n_rows * space_.pitches[k];
    }
    rows_.out = out;
  }

  void set_slot(PlaneGroup<T>& g, const AxisNumbers& index) {
    std::int64_t slot = 0, key = 0;
    for (std::size_t a = 0; a < along_; ++a) {
      const std::int64_t i = index[a] + g.offset[a] - slot_first_[a];
      key += i * key_pitches_[a];
      slot += (a == ring_axis_ ? i % slot_counts_[a] : a < ring_axis_ ? 0 : i) * slot_pitches_[a];
    }
    g.slot = &space_.slots[static_cast<std::size_t>(slot)];
    if (g.slot->key != key) *g.slot = {key, 0};
    g.at = copies_ + slot * slot_elements_ + margin_;
    g.pitch = pitch_;
  }

  // The first `n` rows of a copy, as far as they are not there.
  void copy_rows(const PlaneGroup<T>& group, std::int64_t n) const {
    for (std::int64_t& row = group.slot->n_rows; row < n;) {
      const std::int64_t y = first_row_ + row, extent = axes_[along_].extent;
      T* const to = copies_ + (group.at - copies_) + row * pitch_;
      Seen<T> seen = group.seen;
      sight_.look(seen, along_, y);
      const std::int64_t n_inside = y >= 0 && y < extent ? std::min(n - row, extent - y) : 1;
      copy_alike(seen, n_inside, to);
      row += n_inside;
    }
  }
  // Rows that lie behind each other in the array, or are constant.
  void copy_alike(const Seen<T>& row, std::int64_t n_rows, T* to) const {
    T* const inside = to + (inside_low_ - region_.low[line_]) * width_;
    const std::int64_t n = (inside_high_ - inside_low_) * width_, in_pitch = sight_.strides[along_];
    if (!row.is_constant())
      kernels_.copy({.from = row.at + inside_low_ * width_,
                     .to = inside,
                     .n_rows = n_rows,
                     .n_columns = n,
                     .in_pitch = in_pitch,
                     .out_pitch = pitch_});
    else
      for (std::int64_t j = 0; j < n_rows; ++j) std::fill_n(inside + j * pitch_, n, row.value);
    const bool is_last = axes_[line_].array_axis > row.constant_axis;
    for (const RowEnd<T>& end : space_.ends) {
      if (end.from >= 0 && !row.is_constant()) {
        for (std::int64_t j = 0; j < n_rows; ++j) to[j * pitch_ + end.to] = row.at[j * in_pitch + end.from];
      } else {
        for (std::int64_t j = 0; j < n_rows; ++j) to[j * pitch_ + end.to] = end.from < 0 && is_last ? end.value : row.value;
      }
    }
  }

  const std::vector<SweepAxis>& axes_;
  std::size_t n_, line_, along_;
  std::int64_t width_;
  const Stage& stage_;
  Sight<T> sight_;
  const Region& region_;
  const simd::StencilKernels& kernels_;
  TileSpace<T>& space_;
  std::int64_t first_row_;  // of a copy
  std::int64_t n_columns_;  // elements
  AxisNumbers to_ = {};     // strides in elements
  simd::WeightedRows<T> rows_;
  std::int64_t rows_at_once_ = 1, inside_low_ = 0, inside_high_ = 0;
  std::size_t ring_axis_ = 0;
  AxisNumbers slot_first_ = {}, slot_counts_ = {}, slot_pitches_ = {}, key_pitches_ = {};
  std::int64_t margin_ = 0, pitch_ = 0, n_rows_ = 0, slot_elements_ = 0, constant_pitch_ = 0;
  T *copies_ = nullptr, *constants_ = nullptr;
};

}  // namespace

template <class T>
void run_planes(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const std::vector<T>& coefficients, const T* source,
                T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space) {
  for (std::size_t a = 0; a < plan.shape.axes.size(); ++a)
    if (region.low[a] >= region.high[a]) return;
  Planes<T>(plan, pass, region, coefficients, source, destination, kernels, space).run();
}

template void run_planes(const SweepPlan&, const MemoryPass&, const Region&, const std::vector<float>&, const float*, float*,
                         const simd::StencilKernels&, TileSpace<float>&);
template void run_planes(const SweepPlan&, const MemoryPass&, const Region&, const std::vector<double>&, const double*, double*,
                         const simd::StencilKernels&, TileSpace<double>&);

}  // namespace crinkle
