// SPDX-License-Identifier: BSD-3-Clause
#include "pairs/cuda/collisions.cuh"

#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "crinkle/simplex.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "pairs/cuda/pairs.hpp"

namespace crinkle::simplex {
namespace {

using Map = TriangleMap<std::uint64_t>;
using Square = tile::PairSquare<Map>;

template <class T, int dimensions, bool are_plain, class Hits>
void visit(const Spheres& spheres, Hits hits, const Stream& stream) {
  const auto* centres = static_cast<const T*>(spheres.centres.data.data);
  const auto* radii = static_cast<const T*>(spheres.radii.data);
  Square square{.map = Map(tile::squares_of<Map>(spheres.centres.n)), .n = spheres.centres.n};
  gpu::for_each_grid(square.n_blocks(), [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {&square, &centres, &radii, &hits, &first};
    gpu::launch(reinterpret_cast<const void*>(&kernel::visit_spheres<T, dimensions, are_plain, Map, Hits>), {n_blocks, Square::threads},
                arguments, stream.get(), "collisions of spheres");
  });
}

template <class T, bool are_plain, class Hits>
void visit(const Spheres& spheres, Hits hits, const Stream& stream) {
  switch (spheres.centres.n_features) {
    case 1: return visit<T, 1, are_plain>(spheres, hits, stream);
    case 2: return visit<T, 2, are_plain>(spheres, hits, stream);
    default: return visit<T, 3, are_plain>(spheres, hits, stream);
  }
}

template <class Hits>
void visit(const Spheres& spheres, bool are_plain, Hits hits, const Stream& stream) {
  const auto of_type = [&]<class T>(T) {
    if (are_plain) visit<T, true>(spheres, hits, stream);
    else visit<T, false>(spheres, hits, stream);
  };
  if (spheres.centres.type == Real::float32) of_type(0.0F);
  else of_type(0.0);
}

int bits_of_keys(std::int64_t n_spheres) {
  return std::bit_width(static_cast<std::uint64_t>(n_spheres) * static_cast<std::uint64_t>(n_spheres));
}

constexpr unsigned threads = 256;
__global__ void __launch_bounds__(threads)
    put_pairs(const std::uint64_t* keys, Collision* pairs, std::int64_t n_pairs, Divisor<std::uint64_t> n, std::int64_t first) {
  const std::int64_t k = (first + blockIdx.x) * threads + threadIdx.x;
  if (k >= n_pairs) return;
  const auto at = n.divide(keys[k]);
  pairs[k].i = static_cast<std::int64_t>(at.quotient);
  pairs[k].j = static_cast<std::int64_t>(at.remainder);
}

}  // namespace

void launch_count(const Spheres& spheres, bool are_plain, std::uint64_t* total, const Stream& stream) {
  visit(spheres, are_plain, kernel::CountHits{reinterpret_cast<unsigned long long*>(total)}, stream);
}

CollisionMemory collision_memory(std::int64_t n_pairs, std::int64_t n_spheres) {
  std::size_t sort_bytes = 0;
  cub::DoubleBuffer<std::uint64_t> keys(nullptr, nullptr);
  gpu::check_status(cub::DeviceRadixSort::SortKeys(nullptr, sort_bytes, keys, n_pairs, 0, bits_of_keys(n_spheres)), "sorting collisions");
  return {2 * n_pairs * std::int64_t{sizeof(std::uint64_t)}, static_cast<std::int64_t>(sort_bytes)};
}

void launch_find(const Spheres& spheres, bool are_plain, std::int64_t capacity, std::uint64_t* total, std::uint64_t* keys,
                 const Stream& stream) {
  visit(spheres, are_plain,
        kernel::ListHits{reinterpret_cast<unsigned long long*>(total), keys, static_cast<std::uint64_t>(capacity), spheres.centres.n},
        stream);
}

void launch_sort(std::int64_t n_pairs, std::int64_t n_spheres, std::uint64_t* keys, const DeviceMemory& sort, Collision* pairs,
                 const Stream& stream) {
  cub::DoubleBuffer<std::uint64_t> both(keys, keys + n_pairs);
  auto sort_bytes = static_cast<std::size_t>(sort.bytes());
  gpu::check_status(cub::DeviceRadixSort::SortKeys(sort.data(), sort_bytes, both, n_pairs, 0, bits_of_keys(n_spheres), stream.get()),
                    "sorting collisions");
  const std::uint64_t* sorted = both.Current();
  Divisor<std::uint64_t> n(static_cast<std::uint64_t>(n_spheres));
  gpu::for_each_grid((n_pairs + threads - 1) / threads, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {&sorted, &pairs, &n_pairs, &n, &first};
    gpu::launch(reinterpret_cast<const void*>(&put_pairs), {n_blocks, threads}, arguments, stream.get(), "collisions of spheres");
  });
}

}  // namespace crinkle::simplex
