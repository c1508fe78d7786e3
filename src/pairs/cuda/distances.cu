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
void launch_narrow(const DistanceTiles& tiles, const Points& points, T* out, const Stream& stream) {
  const auto* from = static_cast<const T*>(points.data.data);
  auto n = points.n;
  auto n_features = static_cast<int>(points.n_features);
  bool is_aligned = n_features == width && reinterpret_cast<std::uintptr_t>(from) % 16 == 0;
  for (tile::DistanceTile tile : tiles) {
    tile.phase = static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(out) / sizeof(T) % static_cast<std::uintptr_t>(tile.granule));
    gpu::for_each_grid(tile.n_blocks(), [&](std::int64_t first, std::uint32_t n_blocks) {
      void* arguments[] = {&tile, &from, &out, &n, &n_features, &is_aligned, &first};
      gpu::launch(reinterpret_cast<const void*>(&kernel::narrow_distances<metric, T, width>), {n_blocks, tile::DistanceTile::threads},
                  arguments, stream.get(), what);
    });
  }
}

template <Metric metric, class T>
void launch_wide(const DistanceTiles& tiles, const Points& points, T* out, const Stream& stream) {
  const auto* from = static_cast<const T*>(points.data.data);
  auto n = points.n, n_features = points.n_features;
  for (const tile::DistanceTile& tile : tiles) {
    tile::DistanceBlock block(tile);
    gpu::for_each_grid(block.n_blocks(), [&](std::int64_t first, std::uint32_t n_blocks) {
      void* arguments[] = {&block, &from, &out, &n, &n_features, &first};
      gpu::launch(reinterpret_cast<const void*>(&kernel::wide_distances<metric, T>), {n_blocks, tile::DistanceBlock::threads}, arguments,
                  stream.get(), what);
    });
  }
}

template <Metric metric, class T>
void launch(const DistanceTiles& tiles, const Points& points, T* out, const Stream& stream) {
  if (points.n_features <= 4) launch_narrow<metric, T, 4>(tiles, points, out, stream);
  else if (points.n_features <= 8) launch_narrow<metric, T, 8>(tiles, points, out, stream);
  else launch_wide<metric>(tiles, points, out, stream);
}

template <class T>
void launch(const DistanceTiles& tiles, const Points& points, Metric metric, T* out, const Stream& stream) {
  switch (metric) {
    case Metric::euclidean: return launch<Metric::euclidean>(tiles, points, out, stream);
    case Metric::sqeuclidean: return launch<Metric::sqeuclidean>(tiles, points, out, stream);
    case Metric::manhattan: return launch<Metric::manhattan>(tiles, points, out, stream);
    case Metric::chebyshev: return launch<Metric::chebyshev>(tiles, points, out, stream);
    case Metric::cosine: return launch<Metric::cosine>(tiles, points, out, stream);
  }
}

}  // namespace

void launch_distances(const DistanceTiles& tiles, const Points& points, Metric metric, void* out, const Stream& stream) {
  if (points.type == Real::float32) launch(tiles, points, metric, static_cast<float*>(out), stream);
  else launch(tiles, points, metric, static_cast<double*>(out), stream);
}

}  // namespace crinkle::simplex
