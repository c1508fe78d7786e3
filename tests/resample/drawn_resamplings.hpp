// Resamplings of any kind, drawn: types, layouts, axes, maps, faces, ways.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"
#include "support/operations.hpp"

namespace crinkle::drawn_resamplings {

using namespace crinkle::testing;

inline std::int64_t below(std::mt19937_64& random, std::int64_t n) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
}
inline double between(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

inline Face random_face(std::mt19937_64& random) {
  return {static_cast<Bound>(1 + below(random, 4)), static_cast<double>(below(random, 15) - 7) / 2};
}
inline Faces random_faces(std::mt19937_64& random) {
  if (random() % 4 == 0) return Faces(Bound::periodic);
  return {random_face(random), random_face(random)};
}

inline NumberType random_type(std::mt19937_64& random) {
  constexpr Number direct[] = {Number::uint8, Number::uint16, Number::int16, Number::float32, Number::float64};
  if (random() % 2 == 0) return {direct[random() % 5]};
  return {static_cast<Number>(random() % 11), random() % 4 == 0};
}

// Turned and stretched, or of halves, whole numbers, tenths, huge ones.
inline AffineMap random_affine(std::size_t rank, std::mt19937_64& random) {
  AffineMap map;
  map.rank = static_cast<int>(rank);
  const auto kind = random() % 6;
  for (std::size_t a = 0; a < rank; ++a) {
    for (std::size_t b = 0; b < rank; ++b)
      map.matrix[a][b] = kind == 0   ? between(random, -1.5, 1.5)
                         : kind == 1 ? static_cast<double>(below(random, 5) - 2) / 2
                         : kind == 2 ? (a == b ? between(random, 0.2, 2) : 0)
                         : kind == 3 ? (a == (b + 1) % rank ? 1 : 0)
                         : kind == 4 ? static_cast<double>(below(random, 31) - 10) / 10
                                     : (random() % 3 == 0 ? 1e3 * between(random, -1, 1) : 0.1);
    map.offset[a] = kind == 1 || kind == 3 ? static_cast<double>(below(random, 30) - 10) / 2
                    : kind == 4            ? static_cast<double>(below(random, 100) - 30) / 10
                                           : between(random, -9, 9);
    if (random() % 20 == 0) map.offset[a] *= 1e15;
    map.size[a] = random() % 8 == 0 ? 1e9 : 0;
  }
  return map;
}

inline PolarMap random_polar(std::mt19937_64& random) {
  PolarMap map;
  map.direction = static_cast<PolarMap::Direction>(random() % 2);
  map.centre = {between(random, -4, 14), between(random, -4, 14)};
  if (random() % 4 == 0) map.centre = {5, 6};
  map.first_angle = between(random, -7, 7);
  map.angle_step = random() % 2 == 0 ? 2 * std::numbers::pi / static_cast<double>(1 + below(random, 20)) : between(random, -1, 1);
  map.is_logarithmic = random() % 3 == 0;
  map.first_radius = map.is_logarithmic ? between(random, -1, 1) : between(random, -3, 3);
  map.radius_step = map.is_logarithmic ? between(random, 0.02, 0.3) : between(random, -1, 1.5);
  if (random() % 4 == 0) {  // places that roundings leave beside halves
    map.centre = {static_cast<double>(below(random, 20)) / 2, static_cast<double>(below(random, 20)) / 2};
    map.first_angle = 0;
    map.angle_step = 2 * std::numbers::pi / 12;
    map.first_radius = 0;
    map.radius_step = 1;
    map.is_logarithmic = false;
  }
  return map;
}

struct Drawn {
  Resampling request;
  Bytes coordinates;  // of its map
};

// Mostly near the source, some far away and some nowhere.
inline CoordinateField random_field(const Extents& made, const Extents& resampled, std::mt19937_64& random, Bytes& bytes) {
  CoordinateField field;
  field.type = random() % 2 == 0 ? Real::float32 : Real::float64;
  Extents extents = {static_cast<std::int64_t>(resampled.size())};
  extents.insert(extents.end(), made.begin(), made.end());
  const std::int64_t size = field.type == Real::float32 ? 4 : 8;
  field.layout = random_layout(extents, size, random);
  std::int64_t last = field.layout.offset + size;
  for (std::size_t a = 0; a < extents.size(); ++a) last += std::max<std::int64_t>(0, field.layout.strides[a]) * (extents[a] - 1);
  bytes.assign(size_of(last), std::byte{0});
  const std::int64_t n = field.layout.n_elements();
  const bool is_local = random() % 2 == 0;
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t at = field.layout.offset, rest = k, slowest = 0, first = 0;
    for (std::size_t a = extents.size(); a-- > 0; rest /= extents[a]) {
      at += rest % extents[a] * field.layout.strides[a];
      if (a == 0) slowest = rest % extents[a];
      if (a == 1) first = rest % extents[a];
    }
    const auto extent = static_cast<double>(resampled[static_cast<std::size_t>(slowest)]);
    double q = is_local ? static_cast<double>(first) + between(random, -2, 2) : between(random, -0.3 * extent, 1.3 * extent);
    if (random() % 40 == 0) q = std::numeric_limits<double>::quiet_NaN();
    else if (random() % 40 == 0) q = between(random, -1e16, 1e16);
    else if (random() % 6 == 0) q = std::floor(q);
    put_number(bytes.data() + at, {field.type == Real::float32 ? Number::float32 : Number::float64}, q);
  }
  return field;
}

// A kernel that grows with the scales of an affine map, smaller or larger, up or down, round periodic axes.
inline void make_growing(Resampling& r, std::mt19937_64& random) {
  constexpr ResampleBy growing[] = {ResampleBy::area, ResampleBy::mode, ResampleBy::lanczos, ResampleBy::linear, ResampleBy::cubic};
  r.by = growing[random() % 5];
  r.is_antialiased = r.by == ResampleBy::linear || r.by == ResampleBy::cubic;
  AffineMap& map = std::get<AffineMap>(r.map);
  const bool is_whole = random() % 2 == 0;
  r.boundary.clear();
  const bool is_periodic = random() % 4 == 0;
  for (std::size_t a = 0; a < r.axes.size(); ++a) {
    const auto in = static_cast<double>(r.source.extents[size_of(r.axes[a])]),
               out = static_cast<double>(r.destination.extents[size_of(r.destination_axes[a])]);
    map.matrix[a] = {};
    double& scale = map.matrix[a][a];
    scale = random() % 3 == 0 ? in / out : is_whole ? static_cast<double>(1 + below(random, 12)) / 2 : between(random, 0.2, 7);
    scale = std::min(scale, 6 * in);
    map.offset[a] = random() % 3 == 0 ? scale / 2 - 0.5
                    : is_whole        ? static_cast<double>(below(random, 30) - 10) / 2
                                      : between(random, -9, 9);
    if (random() % 4 == 0) {
      scale = -scale;
      map.offset[a] = in - 1 - map.offset[a];
    }
    if (is_periodic) r.boundary.emplace_back(random() % 2 == 0 ? Bound::periodic : Bound::edge);
  }
}

inline Drawn random_resampling(std::mt19937_64& random) {
  Drawn made;
  Resampling& r = made.request;
  const std::size_t kind = random() % 4;  // affine twice, polar, given
  const std::size_t n_in = kind == 2 ? 2 : 1 + random() % 3, n_out = kind == 3 ? 1 + random() % 3 : n_in, n_beside = random() % 3;
  const std::int64_t most = n_in + n_beside > 3 ? 9 : n_in == 1 ? 60 : 24;
  const Extents in = random_extents(n_in, most, random), out = random_extents(n_out, most, random),
                beside = random_extents(n_beside, 4, random);
  // The axes of each in any order among those beside them.
  const auto mix = [&](const Extents& of, std::vector<int>& axes) {
    std::vector<std::size_t> order(of.size() + n_beside);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i < of.size() ? i : of.size();
    std::shuffle(order.begin(), order.end(), random);
    Extents extents;
    axes.assign(of.size(), 0);
    std::size_t b = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i] < of.size()) axes[order[i]] = static_cast<int>(i);
      extents.push_back(order[i] < of.size() ? of[order[i]] : beside[b++]);
    }
    return extents;
  };
  const Extents source = mix(in, r.axes), destination = mix(out, r.destination_axes);
  r.by = static_cast<ResampleBy>(random() % 4);
  r.source_type = random_type(random);
  r.destination_type = random() % 2 == 0 ? r.source_type : random_type(random);
  r.source = random_layout(source, bytes_of(r.source_type.number), random);
  r.destination = random_layout(destination, bytes_of(r.destination_type.number), random, false);
  if (random() % 4 != 0)
    for (std::size_t a = 0; a < n_in; ++a) r.boundary.push_back(random_faces(random));
  if (random() % 2 == 0) r.nodata = -3;
  if (kind < 2) {
    r.map = random_affine(n_in, random);
    if (random() % 2 == 0) make_growing(r, random);
  }
  if (kind == 2) r.map = random_polar(random);
  if (kind == 3) r.map = random_field(out, in, random, made.coordinates);
  return made;
}

// Its coordinates lie in the drawn one.
inline Resampling request_of(const Drawn& drawn) {
  Resampling r = drawn.request;
  if (auto* field = std::get_if<CoordinateField>(&r.map)) field->data = ConstBuffer(drawn.coordinates);
  return r;
}

inline std::string text_of(const Resampling& r) {
  std::string text =
      fmt::format("{} {} to {} {} by {}{} map {} axes [{}] to [{}]:", name_of(r.source_type.number), print_shape(r.source.extents),
                  name_of(r.destination_type.number), print_shape(r.destination.extents), r.is_antialiased ? "antialiased " : "",
                  name_of(r.by), r.map.index(), fmt::join(r.axes, ","), fmt::join(r.destination_axes, ","));
  if (const auto* map = std::get_if<AffineMap>(&r.map))
    for (std::size_t a = 0; a < r.axes.size(); ++a) text += fmt::format(" {}p{:+}", map->matrix[a][a], map->offset[a]);
  for (const Faces& f : r.boundary) text += " " + print(f.low) + "|" + print(f.high);
  return text;
}

}  // namespace crinkle::drawn_resamplings
