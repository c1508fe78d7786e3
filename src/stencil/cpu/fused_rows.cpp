// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/fused_rows.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "cpu/scratch.hpp"
#include "stencil/fused.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t not_aside = 0;

template <class T>
class FusedRows {
 public:
  FusedRows(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const Coefficients<T>& coefficients, const T* source,
            T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space)
      : axes_(plan.shape.axes),
        line_(axes_.size() - 1),
        along_(axes_.size() - 2),
        width_(plan.shape.width),
        down_(plan.stages[pass.stages[0]]),
        across_(plan.stages[pass.stages[1]]),
        sight_(plan, pass.source, down_, source),
        region_(region),
        kernels_(kernels),
        space_(space),
        is_streaming_(pass.is_streaming),
        first_row_(down_.offsets[along_]) {
    const std::int64_t low = region.low[line_] - across_.below[line_], high = region.high[line_] + across_.above[line_];
    constexpr std::int64_t on_line = 64 / static_cast<std::int64_t>(sizeof(T));
    space.extended.set(axes_[line_], low, high);
    out_ = destination;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      to_[a] = pass.destination.strides[a] / static_cast<std::int64_t>(sizeof(T));
      out_ += region.low[a] * to_[a];
    }
    n_extended_ = multiply(high - low, width_);
    pitch_ = ceil_divide(n_extended_, on_line) * on_line;
    const std::int64_t n_elements = multiply(pitch_, simd::rows_fused_at_once + 2);
    made_ = static_cast<T*>(simd::Scratch::of_this_thread().get(static_cast<std::size_t>(multiply(n_elements, std::int64_t{sizeof(T)}))));
    for (const bool is_high : {false, true}) {
      const Face& face = is_high ? axes_[along_].faces.high : axes_[along_].faces.low;
      if (face.bound == Bound::constant)
        std::fill_n(constant_row(is_high), n_extended_, sight_.value_at(along_, is_high ? detail::at_high_face : detail::at_low_face));
    }
    space.from.resize(static_cast<std::size_t>(down_.n_points() + simd::rows_fused_at_once - 1 + across_.n_points()));
    seen_ = space.from.data() + across_.n_points();
    stacked_ = {.aside = &not_aside, .coefficients = coefficients[pass.stages[0]].data(), .n_down = down_.n_points(), .out_pitch = pitch_};
    const auto n_points = static_cast<std::size_t>(across_.n_points());
    space.pitches.assign(n_points, pitch_);
    for (std::size_t k = 0; k < n_points; ++k)
      space.from[k] = made_ + (across_.below[line_] + across_.offsets[k * axes_.size() + line_]) * width_;
    across_rows_ = {.from = space.from.data(),
                    .pitches = space.pitches.data(),
                    .coefficients = coefficients[pass.stages[1]].data(),
                    .n_points = across_.n_points(),
                    .n_columns = (region.high[line_] - region.low[line_]) * width_,
                    .out_pitch = to_[along_],
                    .is_streaming = is_streaming_};
  }

  void run() {
    AxisNumbers index = region_.low;
    do make_plane(index);
    while (step_in(region_, along_, index, [&](std::size_t a, std::int64_t by) { out_ += by * to_[a]; }));
    if (is_streaming_) kernels_.fence();
  }

 private:
  T* constant_row(bool is_high) const { return made_ + (simd::rows_fused_at_once + (is_high ? 1 : 0)) * pitch_; }

  // All rows of the region with these indices of the axes before the last two.
  void make_plane(const AxisNumbers& index) {
    const T* plane = sight_.source;
    for (std::size_t a = 0; a < along_; ++a) plane += index[a] * sight_.strides[a];
    for (std::int64_t y = region_.low[along_]; y < region_.high[along_]; y += simd::rows_fused_at_once) {
      stacked_.n_rows = across_rows_.n_rows = std::min<std::int64_t>(simd::rows_fused_at_once, region_.high[along_] - y);
      for (const ExtendedLine::Run& run : space_.extended.runs) sum_down(plane, y, run);
      for (std::int64_t r = 0; r < stacked_.n_rows; ++r)
        space_.extended.fill(made_ + r * pitch_, width_, value_beside(detail::at_low_face), value_beside(detail::at_high_face));
      across_rows_.out = out_ + (y - region_.low[along_]) * to_[along_];
      kernels_.sum(across_rows_);
    }
  }

  void sum_down(const T* plane, std::int64_t y, const ExtendedLine::Run& run) {
    for (std::int64_t r = 0; r < down_.n_points() + stacked_.n_rows - 1; ++r) {
      const std::int64_t i = sight_.found(along_, y + first_row_ + r);
      seen_[r] = i >= 0 ? plane + i * sight_.strides[along_] + run.from * width_ : constant_row(i == detail::at_high_face);
    }
    stacked_.rows = seen_;
    stacked_.out = made_ + run.to * width_;
    stacked_.n_columns = run.n * width_;
    kernels_.sum(stacked_);
  }

  // What the second stage sees beyond a constant face of the line.
  T value_beside(std::int64_t at) const {
    const SweepAxis& axis = axes_[line_];
    return static_cast<T>((at == detail::at_low_face ? axis.faces.low : axis.faces.high).value * across_.beyond);
  }

  const std::vector<SweepAxis>& axes_;
  std::size_t line_, along_;
  std::int64_t width_;
  const Stage &down_, &across_;
  Sight<T> sight_;
  const Region& region_;
  const simd::StencilKernels& kernels_;
  TileSpace<T>& space_;
  bool is_streaming_;
  std::int64_t first_row_;  // that the first row sees, from itself
  AxisNumbers to_ = {};     // strides in elements
  T* out_ = nullptr;
  std::int64_t n_extended_ = 0, pitch_ = 0;  // elements of a line with what lies beside it
  T* made_ = nullptr;                        // rows of the first stage, then those of its two constant faces
  const T** seen_ = nullptr;
  simd::StackedRows<T> stacked_;
  simd::WeightedRows<T> across_rows_;
};

}  // namespace

template <class T>
void run_fused(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const Coefficients<T>& coefficients, const T* source,
               T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space) {
  for (std::size_t a = 0; a < plan.shape.axes.size(); ++a)
    if (region.low[a] >= region.high[a]) return;
  FusedRows<T>(plan, pass, region, coefficients, source, destination, kernels, space).run();
}

template void run_fused(const SweepPlan&, const MemoryPass&, const Region&, const Coefficients<float>&, const float*, float*,
                        const simd::StencilKernels&, TileSpace<float>&);
template void run_fused(const SweepPlan&, const MemoryPass&, const Region&, const Coefficients<double>&, const double*, double*,
                        const simd::StencilKernels&, TileSpace<double>&);

}  // namespace crinkle
