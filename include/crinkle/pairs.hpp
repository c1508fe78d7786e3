// Work on all pairs and triplets of n points: distances, collisions of spheres, and the energy of triplets. Each pair is visited once, by
// the maps of simplex.hpp, on a CPU or a GPU.
//
//     const Points points{.data = {p, n * 4 * 4}, .type = Real::float32, .n = n, .n_features = 4};
//     distances(points, Metric::euclidean, PairForm::condensed, {d, distance_bytes(n, PairForm::condensed, Real::float32)});
//     cross_distances(points, others, Metric::euclidean, {m, n * n_others * 4});  // SciPy's cdist
//
// Each is an operation, too (operation.hpp): plan(DistanceRequest{…}) and so on; the functions plan one and run it.
//
// Source: Navarro, Bustos and Hitschfeld, "A non-linear GPU thread map for triangular domains", 2016, section 5, whose tests these are.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/points.hpp"
#include "crinkle/triangle_layout.hpp"

namespace crinkle {

/// A distance, by direct differences of the features x_f − y_f: √Σ d², Σ d², Σ |d|, max |d|; cosine: 1 − x·y / (|x| |y|).
enum class Metric : std::uint8_t { euclidean, sqeuclidean, manhattan, chebyshev, cosine };
/// "euclidean" …, also "cityblock" for manhattan. Throws bad_notation that names them all.
Metric parse_metric(std::string_view name);
const char* name_of(Metric metric) noexcept;

/// How the distance of every pair is kept: condensed as in SciPy, LAPACK's packed triangles by columns, rfp (lower, TRANSR = 'N'), square.
enum class PairForm : std::uint8_t { condensed, packed_lower, packed_upper, rfp, square };
/// "condensed", "packed-lower", "packed-upper", "rfp", "square". Throws bad_notation that names them all.
PairForm parse_pair_form(std::string_view name);
const char* name_of(PairForm form) noexcept;
/// The layout of a form. Throws too_large.
TriangleLayout layout_of(PairForm form, std::int64_t n, Real type);
std::int64_t distance_bytes(std::int64_t n, PairForm form, Real type);  // throws too_large, bad_shape for a negative n

/// out = the distance of every pair, of the points' own type. The diagonal, where there is one, is the distance of a point to itself: 0,
/// for cosine NaN where the point is zero. Points may have any size: a distance that the type has is right though its square is beyond the
/// type, and one that is beyond it is infinite or, of squares, 0; where a sum of squares would leave the range, Euclidean differences are
/// multiplied by a power of two first. Ensures: an error of at most n_features / 2 + 3 units in the last place of the distance: each of
/// n_features − 1 sums is rounded by half a unit of no more than the result, a term by three halves of its own, and a root halves it all.
/// Cosine: within (n_features + 16) · 2⁻⁵³ from sums in float64, less than 2⁻⁵⁰ being 0, then rounded to the type. Never negative; NaN
/// only from NaN or infinities, and cosine of a zero vector. Points that coincide are 0 apart. The same on every CPU, but for the payloads
/// of NaNs; a GPU rounds otherwise. Throws, before anything is written, bad_shape for a negative n, n_features < 1, a buffer that is too
/// small; overlap; too_large. Aliasing: none. Cost: n(n − 1)/2 distances, of a square n²; a pair whose squares leave the range twice; on a
/// CPU the points once more, transposed, for cosine in float64. Deterministic for any number of threads.
void distances(const Points& points, Metric metric, PairForm form, Buffer out, Executor& executor = default_executor());

/// The same in a device's memory: given to the stream, not waited for; no memory of the device is allocated. Throws also what cuda()
/// throws, and device for memory that the device cannot reach and a stream of another one.
void distances(const Points& points, Metric metric, PairForm form, Buffer out, Device device, const Stream& stream);

/// The distances of n points. The input "points" is [n][n_features]; the output "distances" is [n][n] of a square, else the elements of the
/// form one after the other.
struct DistanceRequest {
  std::int64_t n = 0, n_features = 0;
  Real type = Real::float32;
  Metric metric = Metric::euclidean;
  PairForm form = PairForm::condensed;
};

/// Cuts: of a square its rows and its columns, of which a part reads the points from the first to the last that either has; of condensed
/// and packed forms the lines that lie in them one after the other, of which a part gives all elements: line l of condensed and
/// packed_lower has the pairs of point l and those behind it, of packed_upper those of point l and those before it. rfp is not cut. Throws
/// bad_shape for a negative n and n_features < 1, too_large. Errors and cost are those of distances(); a CPU's workspace has the points
/// once more.
Operation plan(const DistanceRequest& request, Device device = cpu());

/// out[i, j] = the distance of point i of n rows and point j of m columns. The inputs "rows" and "columns" are [n][n_features] and
/// [m][n_features].
struct CrossDistanceRequest {
  std::int64_t n = 0, m = 0, n_features = 0;  // any of the first two may be 0
  Real type = Real::float32;
  Metric metric = Metric::euclidean;
  Layout out{};  // [n][m] of the type, in any order, no two elements at the same bytes; without axes: C order
};

/// Cuts: rows and columns. Throws as plan(DistanceRequest) does, bad_shape for an `out` of other extents or elements, overlap for one whose
/// elements share bytes. Cost: n m distances; a workspace of both sets on a CPU, and of the result where no axis of `out` has
/// neighbours next to each other. Distances of two points have the bits that distances() gives them on the same device.
Operation plan(const CrossDistanceRequest& request, Device device = cpu());

/// The same of two sets of points, which have as many features of one type, in C order: SciPy's cdist. Throws bad_shape where features or
/// types differ, and what Operation::run throws.
void cross_distances(const Points& rows, const Points& columns, Metric metric, Buffer out, Executor& executor = default_executor());
/// The same in a device's memory: given to the stream, not waited for.
void cross_distances(const Points& rows, const Points& columns, Metric metric, Buffer out, Device device, const Stream& stream);

/// A pair of spheres i < j.
struct Collision {
  std::int64_t i = 0, j = 0;
  friend bool operator==(const Collision&, const Collision&) = default;
  friend auto operator<=>(const Collision&, const Collision&) = default;
};

/// n spheres in 1, 2 or 3 dimensions: centres one after the other, and n radii of the same type. Spheres i and j collide where
/// Σ (x_f − y_f)² ≤ (r_i + r_j)², in the type's own arithmetic: differences, products and sums rounded one by one, features in order.
/// If the right side is infinite or less than 2⁻¹⁰³ (float64: 2⁻⁹⁷⁰), differences and r_i + r_j are multiplied by a power of two first.
struct Spheres {
  Points centres{};
  ConstBuffer radii{};
};

/// The collisions of n spheres. The inputs are "centres", [n][n_dimensions], and "radii", [n]; the output "pairs", [pairs][2] of int64, is
/// counted: count() says how many there are, and the list has room for as many or more.
struct CollisionRequest {
  std::int64_t n = 0;
  int n_dimensions = 3;
  Real type = Real::float32;
};

/// Not cut. Throws bad_shape, too_large; running it, and counting, throw what count_collisions() and find_collisions() say, and on a device
/// wait for it and allocate what they need there.
Operation plan(const CollisionRequest& request, Device device = cpu());

/// How many pairs collide. Throws bad_shape for what is wrong with the centres, more than 3 dimensions, too few radii, a radius that is
/// negative, infinite or NaN (naming its number and value); too_large also for one whose double is beyond the type.
std::int64_t count_collisions(const Spheres& spheres, Executor& executor = default_executor());
/// The pairs that collide, sorted; returns how many. Throws also bad_shape, saying how many there are, where `pairs` is too small, before
/// anything is written. Cost: all pairs, twice.
std::int64_t find_collisions(const Spheres& spheres, std::span<Collision> pairs, Executor& executor = default_executor());

/// The same of spheres in a device's memory; wait for the device, allocate there what they need and free it again. `pairs` is a buffer of
/// Collision in the device's memory. Throws also out_of_memory and what distances() throws of devices.
std::int64_t count_collisions(const Spheres& spheres, Device device);
std::int64_t find_collisions(const Spheres& spheres, Buffer pairs, Device device);

/// The energy of all triplets of n points. The input "points" is [n][3], the output "energy" one number of float64.
struct TripletRequest {
  std::int64_t n = 0;
  Real type = Real::float32;
};

/// Not cut. Throws bad_shape, too_large for n above 2^21. Running it on a device waits for it.
Operation plan(const TripletRequest& request, Device device = cpu());

/// Axilrod and Teller's energy of all triplets i < j < k of points in three dimensions, of strength 1:
///     Σ (1 + 3 cos a cos b cos c) / (r_ij r_ik r_jk)³,
/// a, b, c the angles of the triangle. Terms in the points' own type, their sum in float64, the same for any number of threads; points are
/// multiplied by a power of two first, so that they may have any size that gives an energy in float64's range. Where float32 has no room
/// for points much nearer to each other than the largest coordinate, terms are in float64, too. Points that coincide give an infinity or
/// NaN, and so may triplets 10⁻⁶⁰ times the largest coordinate apart. Cost: n(n − 1)(n − 2)/6 terms, twice where float64 is needed. Throws
/// bad_shape for n_features ≠ 3 and what distances() throws; too_large for n above 2^21.
double triplet_energy(const Points& points, Executor& executor = default_executor());
/// The same of points in a device's memory; waits for it. The sum is the same from run to run, another than on a CPU by rounding.
/// Cost: up to 512 KiB of the device's memory for partial sums.
double triplet_energy(const Points& points, Device device);

}  // namespace crinkle
