// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/left_out.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/checked.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::interpolation {
namespace {

CudaSubstitutes substitutes_of(const SamplePlanes& samples, const SharedPlaces& shared, CudaMemory& memory) {
  if (shared.n_members() == 0) return {};
  const SamplePlanes others = shared.others(samples);
  std::vector<std::int64_t> place_of(index(samples.n));
  std::vector<double> values;
  for (std::int64_t i = 0; i < samples.n; ++i) {
    place_of[index(i)] = shared.place_of(i);
    for (const std::vector<double>& column : others.values) values.push_back(column[index(i)]);
  }
  return {memory.upload(place_of), memory.upload(values), samples.weights.empty() ? nullptr : memory.upload(others.weights)};
}

DeviceMemory numbers_on(Device device, std::int64_t n, std::int64_t n_columns) {
  return {device, multiply(multiply(n, n_columns), std::int64_t{sizeof(double)})};
}

// A launch for every few columns, and their values brought to the host.
template <class Launch>
void predict_columns(std::int64_t n_columns, const DeviceMemory& there, std::span<double> predictions, const Launch& launch) {
  for (std::int64_t c = 0; c < n_columns; c += cuda_columns) {
    launch(CudaValues{
        .data = there.data(), .first_column = c, .n_columns = static_cast<int>(std::min<std::int64_t>(cuda_columns, n_columns - c))});
  }
  copy_bytes(there, {predictions.data(), static_cast<std::int64_t>(predictions.size_bytes())});
}

}  // namespace

CudaNearOthers::CudaNearOthers(const SamplePlanes& samples, const Interpolation& how, Device device, Executor& executor)
    : CudaNearOthers(samples, SharedPlaces(samples, executor), how, device, executor) {}

CudaNearOthers::CudaNearOthers(const SamplePlanes& samples, const SharedPlaces& shared, const Interpolation& how, Device device,
                               Executor& executor)
    : device_(device),
      n_dimensions_(samples.n_dimensions),
      memory_(device),
      substitutes_(substitutes_of(samples, shared, memory_)),
      near_(shared.merged(samples), how, device, executor),
      predictions_(numbers_on(device, samples.n, samples.n_columns())) {}

void CudaNearOthers::predict(double power, std::int64_t neighbours, std::span<double> predictions) const {
  const gpu::OnDevice on(device_.index);
  CudaTree tree = near_.tree();
  tree.power = power;
  tree.neighbours = neighbours;
  tree.nodata = std::numeric_limits<double>::quiet_NaN();
  predict_columns(tree.n_columns, predictions_, predictions,
                  [&](const CudaValues& values) { gpu::entry<&launch_near_others>(n_dimensions_, tree, substitutes_, values, nullptr); });
}

CudaAllOthers::CudaAllOthers(const SamplePlanes& samples, const Interpolation& how, Device device)
    : device_(device),
      n_dimensions_(samples.n_dimensions),
      n_columns_(samples.n_columns()),
      memory_(device),
      predictions_(numbers_on(device, samples.n, n_columns_)) {
  const gpu::OnDevice on(device.index);
  samples_.n = samples.n;
  samples_.smoothing = how.smoothing * how.smoothing;
  for (int a = 0; a < n_dimensions_; ++a) samples_.places[a] = memory_.upload(samples.places[index(a)]);
  std::vector<double> values;
  std::vector<CudaColumn> columns;
  for (std::size_t c = 0; c < samples.values.size(); ++c) {
    values.insert(values.end(), samples.values[c].begin(), samples.values[c].end());
    columns.push_back({0, 1, samples.least[c], samples.most[c]});
  }
  samples_.values = memory_.upload(values);
  columns_ = memory_.upload(columns);
  if (!samples.weights.empty()) samples_.weights = memory_.upload(samples.weights);
}

void CudaAllOthers::predict(double power, std::span<double> predictions) const {
  const gpu::OnDevice on(device_.index);
  CudaSamples samples = samples_;
  samples.power = power;
  predict_columns(n_columns_, predictions_, predictions,
                  [&](const CudaValues& values) { gpu::entry<&launch_all_others>(n_dimensions_, samples, columns_, values, nullptr); });
}

}  // namespace crinkle::interpolation
