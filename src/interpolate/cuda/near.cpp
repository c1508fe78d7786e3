// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/near.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "interpolate/kd_tree.hpp"
#include "interpolate/tiles.hpp"

namespace crinkle::interpolation {

CudaNear::CudaNear(const SamplePlanes& samples, const Interpolation& how, Device device, Executor& executor)
    : device_(device), n_dimensions_(samples.n_dimensions), memory_(device) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  if (samples.n >= most)
    throw Error(ErrorCode::too_large,
                fmt::format("{} samples; a GPU finds neighbours among fewer than {}: interpolate on the CPU", samples.n, most));
  const gpu::OnDevice on(device.index);
  if (n_dimensions_ == 2) upload_tree<2>(samples, executor);
  else upload_tree<3>(samples, executor);
  std::vector<CudaColumn> columns;
  for (std::size_t c = 0; c < samples.values.size(); ++c) columns.push_back({0, 1, samples.least[c], samples.most[c]});
  tree_.columns = memory_.upload(columns);
  ask(how, samples, reach_of(how.radius, samples));
}

CudaNear::CudaNear(const CudaPoints& points, const Interpolation& how, Device device)
    : device_(device), n_dimensions_(points.n_dimensions()), memory_(device), made_(device, points.arrays().bytes) {
  const gpu::OnDevice on(device.index);
  const TreeArrays made = points.arrays(made_.data());
  points.make(made);
  tree_.places = made.places;
  tree_.values = made.values;
  tree_.weights = made.weights;
  tree_.indices = made.indices;
  tree_.bounds = made.bounds;
  tree_.boxes = made.boxes;
  tree_.columns = made.columns;
  tree_.first_leaf = static_cast<std::uint32_t>(made.n_leaves - 1);
  const SamplePlanes& samples = points.planes();
  Reach reach{.radius = how.radius, .scale = samples.scale, .size = samples.size, .most = points.most()};
  ask(how, samples, reach.from(0));
}

void CudaNear::ask(const Interpolation& how, const SamplePlanes& samples, const Reach& reach) {
  tree_.n = samples.n;
  tree_.n_columns = samples.n_columns();
  tree_.sectors = how.sectors;
  tree_.neighbours = how.neighbours;
  tree_.least_neighbours = how.least_neighbours;
  tree_.power = how.power;
  tree_.smoothing = how.smoothing * how.smoothing;
  tree_.reach = reach;
  tree_.nodata = how.nodata;
}

template <int n_dimensions>
void CudaNear::upload_tree(const SamplePlanes& samples, Executor& executor) {
  using Tree = KdTree<n_dimensions>;
  static_assert(sizeof(typename Tree::Box) == 2 * std::size_t{n_dimensions} * sizeof(double), "boxes are read as numbers");
  const Tree tree(samples, executor);
  const std::int64_t n = samples.n, n_columns = samples.n_columns();
  std::vector<double> places(index(n * n_dimensions)), values(index(multiply(n, n_columns))), weights(samples.weights.size());
  std::vector<std::int64_t> indices(index(n));
  constexpr std::int64_t part = 1 << 16;
  executor.parallel_for(ceil_divide(n, part), [&](std::int64_t k) {
    for (std::int64_t p = k * part; p < std::min(n, (k + 1) * part); ++p) {
      const std::int64_t i = indices[index(p)] = tree.place(p).index;
      for (int a = 0; a < n_dimensions; ++a) places[index(p * n_dimensions + a)] = tree.place(p).x[a];
      for (std::int64_t c = 0; c < n_columns; ++c) values[index(p * n_columns + c)] = samples.values[index(c)][index(i)];
      if (!weights.empty()) weights[index(p)] = samples.weights[index(i)];
    }
  });
  tree_.places = memory_.upload(places);
  tree_.values = memory_.upload(values);
  if (!weights.empty()) tree_.weights = memory_.upload(weights);
  tree_.indices = memory_.upload(indices);
  tree_.bounds = memory_.upload(tree.bounds());
  tree_.boxes = reinterpret_cast<const double*>(memory_.upload(tree.boxes()));
  tree_.first_leaf = static_cast<std::uint32_t>(tree.first_leaf());
}

std::int64_t CudaNear::workspace_bytes(std::int64_t n_targets) const {
  constexpr std::int64_t least = 1 << 14;  // fewer are found in the time of a few launches
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  if (n_targets < least || n_targets > most) return 0;
  const gpu::OnDevice on(device_.index);
  return gpu::entry<&order_bytes>(n_targets);
}

template <class T>
void CudaNear::run(const Targets& targets, std::span<T> out, std::byte* workspace, const Stream& stream) const {
  if (targets.n() == 0) return;
  const CudaTargets on_device = targets.on_device();
  CudaTiles tiles = tiles_of(on_device);
  CudaTree tree = tree_;
  tree.reach = targets.within(tree.reach);
  if (workspace != nullptr && !targets.is_raster() && workspace_bytes(targets.n()) > 0)
    tiles.order = gpu::entry<&put_in_order>(n_dimensions_, tree, on_device, workspace, stream.get());
  for (std::int64_t c = 0; c < tree_.n_columns; c += cuda_columns) {
    const CudaValues values{.data = out.data(),
                            .is_float = sizeof(T) == 4,
                            .first_column = c,
                            .n_columns = static_cast<int>(std::min<std::int64_t>(cuda_columns, tree_.n_columns - c))};
    gpu::entry<&launch_near>(n_dimensions_, tree, on_device, tiles, values, stream.get());
  }
}
template void CudaNear::run(const Targets&, std::span<float>, std::byte*, const Stream&) const;
template void CudaNear::run(const Targets&, std::span<double>, std::byte*, const Stream&) const;

// Every bit goes to the axis along which the tile is shortest; threads of a bit without one have no cell.
CudaTiles tiles_of(const CudaTargets& targets) {
  CudaTiles tiles;
  const double lengths[3] = {std::abs(targets.step[0]), std::abs(targets.step[1]), std::abs(targets.step[2])};
  for (std::uint8_t& axis : tiles.axis) {
    axis = static_cast<std::uint8_t>(shortest_axis(tiles.size, targets.extents, lengths));
    if (axis < 3) tiles.size[axis] *= 2;
  }
  for (std::size_t a = 0; a < 3; ++a) tiles.n[a] = ceil_divide(targets.extents[a], tiles.size[a]);
  return tiles;
}

}  // namespace crinkle::interpolation
