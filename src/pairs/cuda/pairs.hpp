// Work on pairs and triplets on a GPU: what is launched. All of it is given to the stream, none of it waited for, in memory of the device,
// which is the thread's own. Requires what pairs.hpp says of its arguments.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/small_vector.hpp"
#include "crinkle/pairs.hpp"
#include "pairs/lines.hpp"
#include "tile/distance_tile.hpp"

namespace crinkle::simplex {

/// The launches that give all pairs of a form once: triangles of tiles, and what of a trapezoid is a rectangle beside one.
using DistanceTiles = detail::SmallVector<tile::DistanceTile, 4>;
DistanceTiles distance_tiles(PairForm form, std::int64_t n, Real type);
/// The launches for some lines, from the first one's first element on. Requires is_of_lines().
DistanceTiles distance_tiles(PairForm form, std::int64_t n, Real type, const PairLines& lines);
/// One launch of n_lines × n_alongs pairs, lines `pitch` elements apart.
DistanceTiles rectangle_tiles(std::int64_t n_lines, std::int64_t n_alongs, std::int64_t pitch, Real type);

/// The points that pairs are made of: a tile's lines count those of one set, its alongs those of the other one.
struct PairSets {
  static constexpr std::int64_t none = -(std::int64_t{1} << 40);

  const void *lines = nullptr, *alongs = nullptr;
  std::int64_t n_alongs = 0, n_features = 0;
  Real type = Real::float32;
  std::int64_t same = none;  // line l and along l + same are one point
};
void launch_sets(const DistanceTiles& tiles, const PairSets& sets, Metric metric, void* out, const Stream& stream);
/// All pairs of one set.
void launch_distances(const DistanceTiles& tiles, const Points& points, Metric metric, void* out, const Stream& stream);

/// Adds the collisions to *total. `are_plain`: so are the squares of sums of radii (squares.hpp).
void launch_count(const Spheres& spheres, bool are_plain, std::uint64_t* total, const Stream& stream);

/// find_collisions() needs this much of a device's memory for a number of collisions. Its two passes: keys in no order, at most `capacity`
/// of them and how many there are in *total; then the first n_pairs keys sorted, and put into pairs.
struct CollisionMemory {
  std::int64_t keys_bytes = 0;  // of two arrays of keys, one behind the other
  std::int64_t sort_bytes = 0;
};
CollisionMemory collision_memory(std::int64_t n_pairs, std::int64_t n_spheres);
void launch_find(const Spheres& spheres, bool are_plain, std::int64_t capacity, std::uint64_t* total, std::uint64_t* keys,
                 const Stream& stream);
void launch_sort(std::int64_t n_pairs, std::int64_t n_spheres, std::uint64_t* keys, const DeviceMemory& sort, Collision* pairs,
                 const Stream& stream);

/// How many partial sums of float64 triplet_energy() needs, and the pass: the energy is sums[0], computed in `type`, of the points
/// multiplied by `scale`.
std::int64_t n_triplet_sums(std::int64_t n);
void launch_triplets(const Points& points, Real type, double scale, double* sums, const Stream& stream);
/// *most = the size of the largest of n numbers that are finite. Requires *most to be 0.
void launch_most(const void* numbers, std::int64_t n, Real type, double* most, const Stream& stream);

}  // namespace crinkle::simplex
