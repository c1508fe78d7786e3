// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/kernels.hpp"

#include <stdexcept>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "papers/simplex/kernels.cuh"

namespace crinkle::bench {
namespace {

constexpr unsigned many_blocks = 8192, threads = 256;

/// take(body) with what a test does with a pair, distances put where `place` says.
template <class Place, class Take>
auto with_body(Work work, const WorkData& d, const Place& place, const Take& take) {
  auto* const to_one_place = reinterpret_cast<std::uint32_t*>(d.totals);
  switch (work) {
    case Work::dummy: return take(DummyBody{to_one_place});
    case Work::map_alone: return take(MapAloneBody{to_one_place, ~0u});
    case Work::tally: return take(TallyBody{atomics(d.totals)});
    case Work::distances: return take(DistanceBody<Place>{reinterpret_cast<const float4*>(d.points), d.out, place});
    case Work::collisions_1d: return take(CollisionBody<1>{d.centres, d.radii, atomics(d.totals)});
    case Work::collisions_3d: return take(CollisionBody<3>{d.centres, d.radii, atomics(d.totals)});
    default: throw std::logic_error("not a test of pairs");
  }
}

__global__ void weigh(const std::uint32_t* words, std::int64_t n, unsigned long long* totals) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  std::uint64_t n_unwritten = 0, sum = 0;
  for (std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < n; k += step) {
    n_unwritten += words[k] == unwritten_word ? 1 : 0;
    sum += weighed_word(words[k], static_cast<std::uint64_t>(k));
  }
  atomicAdd(&totals[0], static_cast<unsigned long long>(n_unwritten));
  atomicAdd(&totals[1], static_cast<unsigned long long>(sum));
}

template <class Word>
__global__ void gather(const Word* from, const std::int64_t* places, std::int64_t n, Word* to) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < n; k += step) to[k] = from[places[k]];
}

}  // namespace

std::vector<MapWay> ways_on_gpu(Work work, Maps maps, const WorkData& data, CUstream_st* stream) {
  std::vector<MapWay> ways;
  with_body(work, data, PackedRows{},
            [&](const auto& body) { for_each_map(maps, data.n, [&](const auto& map) { ways.push_back(way_of(map, body, stream)); }); });
  return ways;
}

Ceiling dense_on_gpu(Work work, const WorkData& data, CUstream_st* stream) {
  const std::int64_t useful = useful_cells(work, data.n);
  const DenseSquares<BlockIndex> map(static_cast<BlockIndex>(data.n) / block_side,
                                     static_cast<BlockIndex>((useful + block_threads - 1) / block_threads));
  const auto first = map.first_row() * block_side;
  const MapWay way = with_body(work, data, FullRows{first, first}, [&](const auto& body) { return way_of(map, body, stream); });
  return {way.name, way.run, static_cast<double>(useful) / (static_cast<double>(way.n_blocks) * block_threads)};
}

Ceiling dense_collisions_on_gpu(const Spheres& spheres, std::int64_t n, std::uint64_t* total, CUstream_st* stream) {
  using Map = DenseSquares<std::uint64_t>;
  using Square = tile::PairSquare<Map>;
  static_assert(Square::side == collision_side);
  const std::int64_t useful = useful_cells(Work::collisions_3d, n);
  constexpr std::int64_t pairs_square = collision_side * collision_side;
  const Map map((static_cast<std::uint64_t>(n) + collision_side - 1) / collision_side,
                static_cast<std::uint64_t>((useful + pairs_square - 1) / pairs_square));
  const Square square{.map = map, .n = static_cast<std::int64_t>(map.end_row()) * collision_side};
  const auto* centres = static_cast<const float*>(spheres.centres.data.data);
  const auto* radii = static_cast<const float*>(spheres.radii.data);
  const bool is_line = spheres.centres.n_features == 1;
  const auto run = [=] {
    const kernel::CountHits hits{atomics(total)};
    gpu::for_each_grid(square.n_blocks(), [&](std::int64_t first, std::uint32_t n_blocks) {
      if (is_line) kernel::visit_spheres<float, 1, true><<<n_blocks, Square::threads, 0, stream>>>(square, centres, radii, hits, first);
      else kernel::visit_spheres<float, 3, true><<<n_blocks, Square::threads, 0, stream>>>(square, centres, radii, hits, first);
      check_launch();
    });
  };
  return {Map::name, run, static_cast<double>(useful) / (static_cast<double>(map.size()) * pairs_square)};
}

void weigh_on_gpu(const void* words, std::int64_t n_words, std::uint64_t* totals, CUstream_st* stream) {
  weigh<<<many_blocks, threads, 0, stream>>>(static_cast<const std::uint32_t*>(words), n_words, atomics(totals));
  check_launch();
}

void gather_on_gpu(const void* from, const std::int64_t* places, std::int64_t n_places, std::int64_t element_bytes, void* values,
                   CUstream_st* stream) {
  if (element_bytes == 4)
    gather<<<many_blocks, threads, 0, stream>>>(static_cast<const float*>(from), places, n_places, static_cast<float*>(values));
  else gather<<<many_blocks, threads, 0, stream>>>(static_cast<const double*>(from), places, n_places, static_cast<double*>(values));
  check_launch();
}

}  // namespace crinkle::bench
