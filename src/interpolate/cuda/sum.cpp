// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::interpolation {
namespace {

// Above it the logarithms of float32 no longer do.
constexpr double most_float_power = 16;

CudaRule rule_of(double power) {
  for (const int p : {1, 2, 3, 4})
    if (power == p) return static_cast<CudaRule>(p - 1);
  return CudaRule::any;
}

}  // namespace

CudaSum::CudaSum(int n_dimensions, std::int64_t n, std::int64_t n_columns, const Interpolation& how, Device device)
    : n_dimensions_(n_dimensions), n_columns_(n_columns), rule_(rule_of(how.power)), memory_(device) {
  samples_.n = n;
  samples_.smoothing = how.smoothing * how.smoothing;
  samples_.power = how.power;
}

CudaSum::CudaSum(const SamplePlanes& samples, const Interpolation& how, Device device)
    : CudaSum(samples.n_dimensions, samples.n, samples.n_columns(), how, device) {
  const gpu::OnDevice on(device.index);
  for (int a = 0; a < n_dimensions_; ++a) samples_.places[a] = memory_.upload(samples.places[index(a)]);
  std::vector<double> values;
  for (const std::vector<double>& column : samples.values) values.insert(values.end(), column.begin(), column.end());
  samples_.values = memory_.upload(values);
  if (!samples.weights.empty()) samples_.weights = memory_.upload(samples.weights);
  float32_ = scaled_of<float>(samples, how);
  float64_ = scaled_of<double>(samples, how);
}

CudaSum::CudaSum(const CudaPoints& points, const Interpolation& how, Device device)
    : CudaSum(points.n_dimensions(), points.planes().n, points.planes().n_columns(), how, device) {
  const gpu::OnDevice on(device.index);
  made_ = DeviceMemory(device, points.sum_arrays().bytes);
  const SumArrays made = points.sum_arrays(made_.data());
  const auto scale = [&](Real type) {
    return Scale(type, n_dimensions_, points.box().box, how.smoothing, points.planes().least, points.planes().most);
  };
  const Scale scales[] = {scale(Real::float32), scale(Real::float64)};
  points.make(made, scales);
  for (int a = 0; a < n_dimensions_; ++a) samples_.places[a] = made.places[a];
  samples_.values = made.values;
  samples_.weights = made.weights;
  const auto take = [&]<class T>(CudaScaled<T>& to, const ScaledArrays<T>& from, const Scale& of) {
    for (int a = 0; a < n_dimensions_; ++a) {
      to.place[a] = from.places.high[a];
      to.low[a] = from.places.low[a];
      to.run_origin[a] = from.places.origin[a];
      to.run_origin_low[a] = from.places.origin_low[a];
    }
    to.square_radius = from.places.square_radius;
    to.values = from.values;
    to.weights = from.weights;
    tell(to, of);
  };
  take(float32_, made.float32, scales[0]);
  take(float64_, made.float64, scales[1]);
}

template <class T>
void CudaSum::tell(CudaScaled<T>& to, const Scale& scale) {
  const double power = samples_.power;
  std::copy_n(scale.origin, 3, to.origin);
  to.columns = memory_.upload(scale.columns);
  // With weights or columns a sum does not tell how near its samples are.
  to.is_relative = rule_ == CudaRule::any && (is_full() || Rule(power).is_relative<T>());
  to.factor = scale.factor;
  to.smoothing = static_cast<T>(scale.smoothing);
  to.half_power = static_cast<T>(power / 2);
  constexpr double most = std::numeric_limits<double>::max() / 2, nearest = sizeof(T) == 4 ? 25 : 250;
  to.most_weight = to.is_relative ? most : std::min(most, 64.0 * static_cast<double>(samples_.n) + std::exp2(nearest * power));
}

template <class T>
CudaScaled<T> CudaSum::scaled_of(const SamplePlanes& samples, const Interpolation& how) {
  const std::array<double, 3> some = samples.place(0);
  const ScaledSamples<T> scaled(samples, how, {some, some});
  const simd::WeightRange<T> range = scaled.range();
  const std::size_t n = index(samples.n);
  CudaScaled<T> to;
  const auto upload = [&](const T* from, std::size_t count) { return memory_.upload(std::vector<T>(from, from + count)); };
  for (int a = 0; a < n_dimensions_; ++a) {
    to.place[a] = upload(range.place[a], n);
    if (sizeof(T) == 8) continue;
    const std::size_t n_runs = index(ceil_divide(samples.n, run_samples));
    to.low[a] = upload(range.low[a], n);
    to.run_origin[a] = upload(range.origin[a], n_runs);
    to.run_origin_low[a] = upload(range.origin_low[a], n_runs);
    if (a == 0) to.square_radius = upload(range.square_radius, n_runs);
  }
  std::vector<T> values;
  for (std::int64_t c = 0; c < n_columns_; ++c) values.insert(values.end(), scaled.column(c), scaled.column(c) + n);
  to.values = memory_.upload(values);
  if (scaled.has_weights()) to.weights = upload(scaled.column(n_columns_), n);
  else if (n_columns_ > 1) to.weights = memory_.upload(std::vector<T>(n, T{1}));
  tell(to, scaled.scale());
  return to;
}

template <class T>
void CudaSum::launch(const CudaScaled<T>& scaled, const CudaTargets& targets, CudaValues values, CUstream_st* stream) const {
  for (std::int64_t c = 0; c < n_columns_; c += cuda_columns) {
    values.first_column = c;
    values.n_columns = static_cast<int>(std::min<std::int64_t>(cuda_columns, n_columns_ - c));
    gpu::entry<&launch_sum<T>>(n_dimensions_, rule_, is_full(), samples_, scaled, targets, values, stream);
  }
}

template <class T>
void CudaSum::run(const Targets& targets, std::span<T> out, const Stream& stream) const {
  if (targets.n() == 0) return;
  const CudaTargets on_device = targets.on_device();
  const CudaValues values{.data = out.data(), .is_float = sizeof(T) == 4};
  if (sizeof(T) == 4 && (rule_ != CudaRule::any || samples_.power <= most_float_power)) launch(float32_, on_device, values, stream.get());
  else launch(float64_, on_device, values, stream.get());
}

template void CudaSum::run(const Targets&, std::span<float>, const Stream&) const;
template void CudaSum::run(const Targets&, std::span<double>, const Stream&) const;

}  // namespace crinkle::interpolation
