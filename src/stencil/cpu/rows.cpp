// Row by row. What a point sees is a row of the source, or, beyond a constant face, a row of that number, so rows at faces are made by the
// same loops as all others; only the few cells at the ends of a row ask for every neighbour. Rows that see no face are made many at once.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/rows.hpp"

#include <algorithm>
#include <array>

#include "cpu/scratch.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t bytes_at_once = 32 << 10;  // of rows, which their ends find in the first cache

template <class T>
class Rows {
 public:
  Rows(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const std::vector<T>& coefficients, const T* source,
       T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space)
      : axes_(plan.shape.axes),
        n_(axes_.size()),
        line_(n_ - 1),
        width_(plan.shape.width),
        stage_(plan.stages[pass.stages[0]]),
        sight_(plan, pass.source, stage_, source),
        from_(sight_.strides),
        region_(region),
        destination_(destination),
        kernels_(kernels),
        space_(space) {
    for (std::size_t a = 0; a < n_; ++a) to_[a] = pass.destination.strides[a] / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t extent = axes_[line_].extent, low = std::min(stage_.below[line_], extent);
    inner_low_ = std::clamp(low, region.low[line_], region.high[line_]);
    inner_high_ = std::clamp(std::max(extent - stage_.above[line_], low), inner_low_, region.high[line_]);
    const auto n_points = static_cast<std::size_t>(stage_.n_points());
    space.seen.resize(n_points);
    space.deltas.resize(n_points);
    space.from.resize(n_points);
    space.pitches.assign(n_points, n_ > 1 ? from_[n_ - 2] : 0);
    for (std::size_t k = 0; k < n_points; ++k) {
      space.deltas[k] = 0;
      for (std::size_t a = 0; a < line_; ++a) space.deltas[k] += offset(k, a) * from_[a];
    }
    rows_.from = space.from.data();
    rows_.pitches = space.pitches.data();
    rows_.coefficients = coefficients.data();
    rows_.n_points = stage_.n_points();
    rows_.n_down = stage_.n_down;
    rows_.n_across = stage_.n_across;
    rows_.n_columns = (inner_high_ - inner_low_) * width_;
    rows_.is_streaming = pass.is_streaming;
    const std::int64_t row_bytes = (region.high[line_] - region.low[line_]) * width_ * static_cast<std::int64_t>(sizeof(T));
    most_rows_ = std::clamp<std::int64_t>(bytes_at_once / row_bytes, stage_.n_down > 1 ? simd::rows_fused_at_once : 1, 64);
    if (n_ > 1) rows_.out_pitch = to_[n_ - 2];
  }

  void run() {
    AxisNumbers index = region_.low;
    do {
      if (n_ == 1) make(index, 1, true);
      else make_rows(index);
    } while (step_in(region_, n_ > 1 ? n_ - 2 : 0, index, [](std::size_t, std::int64_t) {}));
    if (rows_.is_streaming) kernels_.fence();
  }

 private:
  std::int64_t offset(std::size_t k, std::size_t a) const { return stage_.offsets[k * n_ + a]; }
  bool is_inside(std::size_t a, std::int64_t i) const { return i >= stage_.below[a] && i < axes_[a].extent - stage_.above[a]; }

  // All rows of the region with these indices of the axes before the last two.
  void make_rows(AxisNumbers& index) {
    const std::size_t along = n_ - 2;
    bool are_inside = true;
    for (std::size_t a = 0; a < along; ++a) are_inside = are_inside && is_inside(a, index[a]);
    for (std::int64_t i = region_.low[along]; i < region_.high[along];) {
      index[along] = i;
      const bool is_plain = are_inside && is_inside(along, i);
      const std::int64_t last = std::min(region_.high[along], axes_[along].extent - stage_.above[along]);
      const std::int64_t n_rows = is_plain ? std::min(last - i, most_rows_) : 1;
      make(index, n_rows, is_plain);
      i += n_rows;
    }
    index[along] = region_.low[along];
  }

  void make(const AxisNumbers& index, std::int64_t n_rows, bool is_plain) {
    const T* in = sight_.source;
    T* out = destination_;
    for (std::size_t a = 0; a < line_; ++a) {
      in += index[a] * from_[a];
      out += index[a] * to_[a];
    }
    for (std::size_t k = 0; k < space_.seen.size(); ++k) {
      space_.seen[k] = is_plain ? Seen<T>{.at = in + space_.deltas[k]} : seen(k, index);
      const bool is_moved = rows_.n_columns > 0 && !space_.seen[k].is_constant();
      space_.from[k] = space_.seen[k].at + (is_moved ? (inner_low_ + offset(k, line_)) * width_ : 0);
    }
    rows_.n_rows = n_rows;
    rows_.out = out + inner_low_ * width_;
    if (rows_.n_columns > 0) kernels_.sum(rows_);
    for (std::int64_t x = region_.low[line_]; x < inner_low_; ++x) make_end(x, out);
    for (std::int64_t x = inner_high_; x < region_.high[line_]; ++x) make_end(x, out);
  }

  // The row that point k sees from the row at an index; beyond a constant face one of that number.
  Seen<T> seen(std::size_t k, const AxisNumbers& index) {
    Seen<T> result{.at = sight_.source};
    for (std::size_t a = 0; a < line_; ++a) sight_.look(result, a, index[a] + offset(k, a));
    if (result.is_constant()) result.at = constant_row(result.face, result.value);
    return result;
  }

  // A row as long as the region's lines, filled with a face's number.
  const T* constant_row(std::size_t face, T value) {
    const std::int64_t n = (region_.high[line_] - region_.low[line_]) * width_;
    if (constants_ == nullptr)
      constants_ = static_cast<T*>(simd::Scratch::of_this_thread().get(2 * n_ * static_cast<std::size_t>(n) * sizeof(T)));
    T* const row = constants_ + static_cast<std::int64_t>(face) * n;
    if (!is_filled_[face]) std::fill_n(row, n, value);
    is_filled_[face] = true;
    return row;
  }

  // Cell x of the rows, which sees a face of the line.
  void make_end(std::int64_t x, T* out) {
    for (std::int64_t e = 0; e < width_; ++e) {
      space_.totals.assign(static_cast<std::size_t>(rows_.n_rows), T{0});
      for (std::size_t k = 0; k < space_.seen.size(); ++k) {
        const Seen<T>& row = space_.seen[k];
        const T c = rows_.coefficients[k];
        const std::int64_t i = sight_.found(line_, x + offset(k, line_));
        const bool is_here = i >= 0 && !row.is_constant();
        const T value = i < 0 && axes_[line_].array_axis > row.constant_axis ? sight_.value_at(line_, i) : row.value;
        for (std::int64_t j = 0; j < rows_.n_rows; ++j) {
          const T term = c * (is_here ? row.at[j * rows_.pitches[k] + i * width_ + e] : value);
          T& total = space_.totals[static_cast<std::size_t>(j)];
          total = k == 0 ? term : total + term;
        }
      }
      for (std::int64_t j = 0; j < rows_.n_rows; ++j)
        out[j * rows_.out_pitch + x * width_ + e] = space_.totals[static_cast<std::size_t>(j)];
    }
  }

  const std::vector<SweepAxis>& axes_;
  std::size_t n_, line_;
  std::int64_t width_;
  const Stage& stage_;
  Sight<T> sight_;
  const AxisNumbers& from_;  // strides in elements
  const Region& region_;
  T* destination_;
  const simd::StencilKernels& kernels_;
  TileSpace<T>& space_;
  AxisNumbers to_ = {};
  std::int64_t inner_low_ = 0, inner_high_ = 0, most_rows_ = 1;
  simd::WeightedRows<T> rows_;
  T* constants_ = nullptr;
  std::array<bool, 2 * most_axes> is_filled_ = {};
};

}  // namespace

template <class T>
void run_rows(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const std::vector<T>& coefficients, const T* source,
              T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space) {
  for (std::size_t a = 0; a < plan.shape.axes.size(); ++a)
    if (region.low[a] >= region.high[a]) return;
  Rows<T>(plan, pass, region, coefficients, source, destination, kernels, space).run();
}

template void run_rows(const SweepPlan&, const MemoryPass&, const Region&, const std::vector<float>&, const float*, float*,
                       const simd::StencilKernels&, TileSpace<float>&);
template void run_rows(const SweepPlan&, const MemoryPass&, const Region&, const std::vector<double>&, const double*, double*,
                       const simd::StencilKernels&, TileSpace<double>&);

}  // namespace crinkle
