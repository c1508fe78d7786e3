// SPDX-License-Identifier: BSD-3-Clause
#include "pairs/cuda/distances.cuh"

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "pairs/cuda/pairs.hpp"
#include "pairs/cuda/wide_distances.cuh"

namespace crinkle::simplex {
namespace {

constexpr const char* what = "distances of pairs";

template <Metric metric, class T, int width>
void launch_narrow(const DistanceTiles& tiles, const PairSets& sets, T* out, const Stream& stream) {
  const auto *lines = static_cast<const T*>(sets.lines), *alongs = static_cast<const T*>(sets.alongs);
  auto n_alongs = sets.n_alongs, same = sets.same;
  auto n_features = static_cast<int>(sets.n_features);
  const auto address = reinterpret_cast<std::uintptr_t>(lines) | reinterpret_cast<std::uintptr_t>(alongs);
  bool is_aligned = n_features == width && address % 16 == 0;
  for (tile::DistanceTile tile : tiles) {
    tile.phase = static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(out) / sizeof(T) % static_cast<std::uintptr_t>(tile.granule));
    gpu::for_each_grid(tile.n_blocks(), [&](std::int64_t first, std::uint32_t n_blocks) {
      void* arguments[] = {&tile, &lines, &alongs, &out, &n_alongs, &n_features, &is_aligned, &same, &first};
      gpu::launch(reinterpret_cast<const void*>(&kernel::narrow_distances<metric, T, width>), {n_blocks, tile::DistanceTile::threads},
                  arguments, stream.get(), what);
    });
  }
}

template <Metric metric, class T>
void launch_wide(const DistanceTiles& tiles, const PairSets& sets, T* out, const Stream& stream) {
  const auto *lines = static_cast<const T*>(sets.lines), *alongs = static_cast<const T*>(sets.alongs);
  auto n_alongs = sets.n_alongs, n_features = sets.n_features, same = sets.same;
  for (const tile::DistanceTile& tile : tiles) {
    tile::DistanceBlock block(tile);
    gpu::for_each_grid(block.n_blocks(), [&](std::int64_t first, std::uint32_t n_blocks) {
      void* arguments[] = {&block, &lines, &alongs, &out, &n_alongs, &n_features, &same, &first};
      gpu::launch(reinterpret_cast<const void*>(&kernel::wide_distances<metric, T>), {n_blocks, tile::DistanceBlock::threads}, arguments,
                  stream.get(), what);
    });
  }
}

template <Metric metric, class T>
void launch(const DistanceTiles& tiles, const PairSets& sets, T* out, const Stream& stream) {
  if (sets.n_features <= 4) launch_narrow<metric, T, 4>(tiles, sets, out, stream);
  else if (sets.n_features <= 8) launch_narrow<metric, T, 8>(tiles, sets, out, stream);
  else launch_wide<metric>(tiles, sets, out, stream);
}

template <class T>
void launch(const DistanceTiles& tiles, const PairSets& sets, Metric metric, T* out, const Stream& stream) {
  switch (metric) {
    case Metric::euclidean: return launch<Metric::euclidean>(tiles, sets, out, stream);
    case Metric::sqeuclidean: return launch<Metric::sqeuclidean>(tiles, sets, out, stream);
    case Metric::manhattan: return launch<Metric::manhattan>(tiles, sets, out, stream);
    case Metric::chebyshev: return launch<Metric::chebyshev>(tiles, sets, out, stream);
    case Metric::cosine: return launch<Metric::cosine>(tiles, sets, out, stream);
  }
}

}  // namespace

void launch_sets(const DistanceTiles& tiles, const PairSets& sets, Metric metric, void* out, const Stream& stream) {
  if (sets.type == Real::float32) launch(tiles, sets, metric, static_cast<float*>(out), stream);
  else launch(tiles, sets, metric, static_cast<double*>(out), stream);
}

void launch_distances(const DistanceTiles& tiles, const Points& points, Metric metric, void* out, const Stream& stream) {
  launch_sets(tiles, {points.data.data, points.data.data, points.n, points.n_features, points.type, 0}, metric, out, stream);
}

}  // namespace crinkle::simplex
