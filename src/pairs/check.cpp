// SPDX-License-Identifier: BSD-3-Clause
#include "pairs/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "base/checked.hpp"
#include "base/values.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_triplet_points = std::int64_t{1} << 21;  // n³/6 fits 64 bits

std::string counted(std::int64_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }
const char* name_of_type(Real type) { return type == Real::float32 ? "float32" : "float64"; }
std::int64_t bytes_there(ConstBuffer buffer) { return buffer.data == nullptr ? 0 : buffer.bytes; }

void check_points(const Points& points) {
  if (points.n < 0) throw Error(ErrorCode::bad_shape, std::to_string(points.n) + " points; give 0 or more");
  if (points.n_features < 1) throw Error(ErrorCode::bad_shape, std::to_string(points.n_features) + " features of a point; give 1 or more");
  constexpr std::int64_t most_points = std::int64_t{1} << 32;  // n(n + 1)/2 below 2^63, as the diagonal may be kept
  if (points.n >= most_points) {
    throw Error(ErrorCode::too_large,
                std::to_string(points.n) + " points have more pairs than 64 bits count; give at most " + std::to_string(most_points - 1));
  }
  const std::int64_t number = bytes_of(points.type), point = multiply(points.n_features, number);
  check_values(points.data, {point, number, true}, "array of points", "the points");
  const std::int64_t needed = multiply(points.n, point);
  if (needed > bytes_there(points.data)) {
    throw Error(ErrorCode::bad_shape, "the points have " + counted(bytes_there(points.data), "byte") + "; " + counted(points.n, "point") +
                                          " of " + counted(points.n_features, "feature") + " in " + name_of_type(points.type) + " need " +
                                          std::to_string(needed));
  }
}

// How many bytes two spans share.
std::int64_t n_shared(const void* a, std::int64_t a_bytes, const void* b, std::int64_t b_bytes) {
  const auto a0 = reinterpret_cast<std::uintptr_t>(a), b0 = reinterpret_cast<std::uintptr_t>(b);
  const std::uintptr_t a1 = a0 + static_cast<std::uintptr_t>(a_bytes), b1 = b0 + static_cast<std::uintptr_t>(b_bytes);
  return a0 < b1 && b0 < a1 && a_bytes > 0 && b_bytes > 0 ? static_cast<std::int64_t>(std::min(a1, b1) - std::max(a0, b0)) : 0;
}

template <class T>
void check_each(const std::byte* radii, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    T radius;
    std::memcpy(&radius, radii + i * static_cast<std::int64_t>(sizeof(T)), sizeof radius);
    if (!(radius >= 0) || !std::isfinite(radius))
      throw Error(ErrorCode::bad_shape, fmt::format("radius {} is {}; radii are 0 or more, and finite", i, radius));
    if (std::isfinite(2 * radius)) continue;
    throw Error(ErrorCode::too_large, fmt::format("radius {} is {}, whose sum with another one may be beyond {}; give larger units", i,
                                                  radius, name_of_type(sizeof(T) == 4 ? Real::float32 : Real::float64)));
  }
}

}  // namespace

void check_distances(const Points& points, PairForm form, ConstBuffer out) {
  check_points(points);
  check_values(out, ValueForm::numbers(bytes_of(points.type)), "destination", "the distances");
  const std::int64_t needed = distance_bytes(points.n, form, points.type);
  if (needed > bytes_there(out)) {
    throw Error(ErrorCode::bad_shape, "the destination has " + counted(bytes_there(out), "byte") + "; the distances of " +
                                          counted(points.n, "point") + ", " + name_of(form) + ", in " + name_of_type(points.type) +
                                          " need " + std::to_string(needed));
  }
  const std::int64_t n = n_shared(points.data.data, points.n * points.n_features * bytes_of(points.type), out.data, needed);
  if (n > 0)
    throw Error(ErrorCode::overlap, "the points and their distances share " + counted(n, "byte") + "; give distances memory of their own");
}

void check_spheres(const Spheres& spheres) {
  const Points& centres = spheres.centres;
  if (centres.n_features > 3) {
    throw Error(ErrorCode::bad_shape,
                "spheres in " + std::to_string(centres.n_features) + " dimensions; collisions are found in 1, 2 and 3");
  }
  check_points(centres);
  check_values(spheres.radii, ValueForm::numbers(bytes_of(centres.type)), "array of radii", "the spheres");
  const std::int64_t needed = centres.n * bytes_of(centres.type);
  if (needed > bytes_there(spheres.radii)) {
    throw Error(ErrorCode::bad_shape, "the radii have " + counted(bytes_there(spheres.radii), "byte") + "; " + std::to_string(centres.n) +
                                          (centres.n == 1 ? " radius" : " radii") + " in " + name_of_type(centres.type) + " need " +
                                          std::to_string(needed));
  }
}

void check_radii(ConstBuffer radii, std::int64_t n, Real type) {
  const auto* from = static_cast<const std::byte*>(radii.data);
  if (type == Real::float32) check_each<float>(from, n);
  else check_each<double>(from, n);
}

void check_triplets(const Points& points) {
  if (points.n_features != 3) {
    throw Error(ErrorCode::bad_shape,
                counted(points.n_features, "feature") + " of a point; the energy of triplets is of points in 3 dimensions");
  }
  if (points.n > most_triplet_points) {
    throw Error(ErrorCode::too_large,
                "the triplets of " + std::to_string(points.n) + " points; give at most " + std::to_string(most_triplet_points));
  }
  check_points(points);
}

void check_room(std::int64_t n_room, std::int64_t n_found) {
  if (n_found <= n_room) return;
  throw Error(ErrorCode::bad_shape, counted(n_found, "pair") + (n_found == 1 ? " collides" : " collide") + ", and the list has room for " +
                                        std::to_string(n_room) + "; give it room for " + std::to_string(n_found));
}

}  // namespace crinkle
