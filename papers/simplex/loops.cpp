// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/simplex.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "harness/in_parts.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t cells_square = std::int64_t{block_side} * block_side, cells_cube = std::int64_t{cube_side} * cube_side * cube_side;

/// What one part of the blocks has added up.
struct Part {
  std::uint64_t count = 0, sum = 0;
  double energy = 0;
  volatile std::uint32_t place = 0;  // where a dummy writes: the thread's own, as threads would wait for each other at one

  void give(const WorkData& d) const {
    if (d.totals != nullptr) {
      std::atomic_ref(d.totals[0]).fetch_add(count);
      std::atomic_ref(d.totals[1]).fetch_add(sum);
    }
    if (d.energies != nullptr) std::atomic_ref(d.energies[0]).fetch_add(energy);
  }
};

// --- what is done with a block: square(part, i, j) of its row and column, or with a pair
// ---------------------------------------------------

// Functions of their own, so that for all maps a block is the same instructions.
template <class Body>
struct PairByPair {
  [[gnu::noinline]] void square(Part& part, std::uint32_t block_i, std::uint32_t block_j) const {
    for (std::uint32_t i = block_i * block_side; i < (block_i + 1) * block_side; ++i) {
      const std::uint32_t end = block_i == block_j ? i + 1 : (block_j + 1) * block_side;
      for (std::uint32_t j = block_j * block_side; j < end; ++j) static_cast<const Body*>(this)->pair(part, i, j);
    }
  }
};
struct DummyBody : PairByPair<DummyBody> {
  static void pair(Part& part, std::uint32_t i, std::uint32_t j) { part.place = i + j; }
};
/// A block is as little work as can be.
struct MapAloneBody {
  static void square(Part& part, std::uint32_t block_i, std::uint32_t block_j) { part.place = block_i + block_j; }
  static void pair(Part& part, std::uint32_t i, std::uint32_t j) { part.place = i + j; }
};
struct TallyBody : PairByPair<TallyBody> {
  static void pair(Part& part, std::uint32_t i, std::uint32_t j) {
    ++part.count;
    part.sum += number_of_cell(i, j);
  }
};

struct PackedRows {
  std::uint64_t place(std::uint32_t i, std::uint32_t j) const { return (std::uint64_t{i} * (i + 1) >> 1) + j; }
};
struct FullRows {
  std::uint32_t first, width;
  std::uint64_t place(std::uint32_t i, std::uint32_t j) const { return std::uint64_t{i - first} * width + j; }
};
template <class Place>
struct DistanceBody : PairByPair<DistanceBody<Place>> {
  const float* points;
  float* out;
  Place to;
  DistanceBody(const WorkData& d, const Place& place) : points(d.points), out(d.out), to(place) {}
  void pair(Part&, std::uint32_t i, std::uint32_t j) const {
    const float *a = points + std::size_t{4} * i, *b = points + std::size_t{4} * j;
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], w = a[3] - b[3];
    out[to.place(i, j)] = std::sqrt(x * x + y * y + z * z + w * w);
  }
};

/// Blocks bring their spheres together first, as those of a GPU do in shared memory.
template <int dimensions>
struct CollisionBody {
  const float *centres, *radii;

  struct Sphere {
    float centre[static_cast<std::size_t>(dimensions)];
    float radius;
  };
  Sphere sphere(std::uint32_t k) const {
    Sphere s;
    for (int f = 0; f < dimensions; ++f) s.centre[f] = centres[std::int64_t{k} * dimensions + f];
    s.radius = radii[k];
    return s;
  }
  static bool collide(const Sphere& a, const Sphere& b) {
    float sum = 0;
    for (int f = 0; f < dimensions; ++f) {
      const float d = a.centre[f] - b.centre[f], square = d * d;
      sum += square;
    }
    const float reach = a.radius + b.radius, square = reach * reach;
    return sum <= square;
  }
  [[gnu::noinline]] void square(Part& part, std::uint32_t block_i, std::uint32_t block_j) const {
    Sphere rows[block_side], columns[block_side];
    for (std::uint32_t t = 0; t < block_side; ++t) rows[t] = sphere(block_i * block_side + t);
    for (std::uint32_t t = 0; t < block_side; ++t) columns[t] = sphere(block_j * block_side + t);
    for (std::uint32_t y = 0; y < block_side; ++y) {
      const std::uint32_t end = block_i == block_j ? y : block_side;
      for (std::uint32_t x = 0; x < end; ++x) part.count += collide(rows[y], columns[x]) ? 1U : 0U;
    }
  }
  void pair(Part& part, std::uint32_t i, std::uint32_t j) const { part.count += i > j && collide(sphere(i), sphere(j)) ? 1U : 0U; }
};

template <class Place, class Take>
auto with_body(Work work, const WorkData& d, const Place& place, const Take& take) {
  switch (work) {
    case Work::dummy: return take(DummyBody{});
    case Work::map_alone: return take(MapAloneBody{});
    case Work::tally: return take(TallyBody{});
    case Work::distances: return take(DistanceBody<Place>(d, place));
    case Work::collisions_1d: return take(CollisionBody<1>{d.centres, d.radii});
    case Work::collisions_3d: return take(CollisionBody<3>{d.centres, d.radii});
    default: throw std::logic_error("not a test of pairs");
  }
}

// --- and with a cube of triplets
// -----------------------------------------------------------------------------------------------------------

/// body(i, j, k) for the triplets of a cube, those with equal indices only where `gap` is 0.
template <class Body>
void for_each_triplet_of(const TetrahedronCell<BlockIndex>& cube, std::uint32_t gap, const Body& body) {
  const std::uint32_t first_k = cube.k * cube_side;
  for (std::uint32_t i = cube.i * cube_side; i < (cube.i + 1) * cube_side; ++i) {
    const std::uint32_t end_j = std::min((cube.j + 1) * cube_side, i + 1 - gap);
    for (std::uint32_t j = cube.j * cube_side; j < end_j; ++j) {
      const std::uint32_t end_k = std::min(first_k + cube_side, j + 1 - gap);
      for (std::uint32_t k = first_k; k < end_k; ++k) body(i, j, k);
    }
  }
}

float square_of_distance(const float* x, const float* y) {
  const float d0 = x[0] - y[0], d1 = x[1] - y[1], d2 = x[2] - y[2];
  return d0 * d0 + d1 * d1 + d2 * d2;
}

[[gnu::noinline]] void visit_cube(Work work, const WorkData& d, Part& part, const TetrahedronCell<BlockIndex>& cube) {
  switch (work) {
    case Work::dummy_3d:
      return for_each_triplet_of(cube, 0, [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) { part.place = i + j + k; });
    case Work::tally_3d:
      return for_each_triplet_of(cube, 0, [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        ++part.count;
        part.sum += number_of_cell(i, j, k);
      });
    default:
      return for_each_triplet_of(cube, 1, [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        const float *x = d.centres + std::size_t{3} * i, *y = d.centres + std::size_t{3} * j, *z = d.centres + std::size_t{3} * k;
        const float a = square_of_distance(x, y), b = square_of_distance(x, z), c = square_of_distance(y, z);
        const float q = 1 / std::sqrt(a * b * c);
        const float cosines = (a + b - c) * q * q * (a + c - b) * (b + c - a);
        part.energy += static_cast<double>((1 + 0.375F * cosines) * (q * q * q));
      });
  }
}

// --- maps --------------------------------------------------------------------------------------------------------------------------------

/// visit(part, cell) for all of a map's parallel space, lines of a grid as a GPU has them.
template <class Map, class Visit>
void walk(const Map& map, const WorkData& data, Executor& executor, const Visit& visit) {
  using K = typename Map::Integer;
  const auto grid = map.grid();
  if constexpr (is_spatial<Map>) {
    in_parts(static_cast<std::int64_t>(grid[2]) * grid[1], executor, [&](std::int64_t first, std::int64_t last) {
      Part part;
      for (std::int64_t line = first; line < last; ++line)
        for (K x = 0; x < grid[0]; ++x) visit(part, map.at(x, static_cast<K>(line % grid[1]), static_cast<K>(line / grid[1])));
      part.give(data);
    });
  } else if constexpr (is_planar<Map>) {
    in_parts(static_cast<std::int64_t>(grid[1]), executor, [&](std::int64_t first, std::int64_t last) {
      Part part;
      for (auto y = static_cast<K>(first); y < static_cast<K>(last); ++y)
        for (K x = 0; x < grid[0]; ++x) visit(part, map.at(x, y));
      part.give(data);
    });
  } else {
    in_parts(static_cast<std::int64_t>(map.size()), executor, [&](std::int64_t first, std::int64_t last) {
      Part part;
      for (auto w = static_cast<K>(first); w < static_cast<K>(last); ++w) visit(part, map.at(w));
      part.give(data);
    });
  }
}

template <class Map, class Body>
MapWay way_of(const Map& map, const Body& body, const WorkData& data, Executor& executor) {
  const auto size = static_cast<std::int64_t>(map.size());
  MapWay way{Map::name, {}, size, size - static_cast<std::int64_t>(map.n_cells())};
  if constexpr (is_of_threads<Map>) way.n_blocks = (size + cells_square - 1) / cells_square;
  way.run = [=, &executor] {
    walk(map, data, executor, [&](Part& part, const auto& cell) {
      if constexpr (is_of_threads<Map>) body.pair(part, static_cast<std::uint32_t>(cell.i), static_cast<std::uint32_t>(cell.j));
      else if (cell.is_inside) body.square(part, cell.i, cell.j);
    });
  };
  return way;
}

template <class Map>
MapWay cube_way_of(const Map& map, Work work, const WorkData& data, Executor& executor) {
  const auto size = static_cast<std::int64_t>(map.size());
  const auto run = [=, &executor] {
    walk(map, data, executor, [&](Part& part, const auto& cell) {
      if (cell.is_inside) visit_cube(work, data, part, cell);
    });
  };
  return {Map::name, run, size, size - static_cast<std::int64_t>(map.n_cells())};
}

}  // namespace

std::vector<MapWay> ways_on_cpu(Work work, Maps maps, const WorkData& data, Executor& executor) {
  std::vector<MapWay> ways;
  if (is_of_triplets(work)) {
    for_each_tetrahedron(data.n, [&](const auto& map) { ways.push_back(cube_way_of(map, work, data, executor)); });
    return ways;
  }
  with_body(work, data, PackedRows{}, [&](const auto& body) {
    for_each_map(maps, data.n, [&](const auto& map) { ways.push_back(way_of(map, body, data, executor)); });
  });
  return ways;
}

Ceiling dense_on_cpu(Work work, const WorkData& data, Executor& executor) {
  const std::int64_t useful = useful_cells(work, data.n), of_one = is_of_triplets(work) ? cells_cube : cells_square;
  const auto n_blocks = static_cast<BlockIndex>((useful + of_one - 1) / of_one);
  MapWay way;
  if (is_of_triplets(work)) {
    way = cube_way_of(DenseCubes<BlockIndex>(static_cast<BlockIndex>(data.n) / cube_side, n_blocks), work, data, executor);
  } else {
    const DenseSquares<BlockIndex> map(static_cast<BlockIndex>(data.n) / block_side, n_blocks);
    const std::uint32_t first = map.first_row() * block_side;
    way = with_body(work, data, FullRows{first, first}, [&](const auto& body) { return way_of(map, body, data, executor); });
  }
  return {way.name, way.run, static_cast<double>(useful) / static_cast<double>(way.n_blocks * of_one)};
}

}  // namespace crinkle::bench
