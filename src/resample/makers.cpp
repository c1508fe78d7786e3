// Maps that people ask for by name. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "base/caret.hpp"
#include "crinkle/error.hpp"
#include "resample/check.hpp"

namespace crinkle {
namespace {

constexpr std::array resample_words = {"nearest", "linear", "cubic", "spline", "area", "mode", "lanczos"};

[[noreturn]] void refuse_map(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

void check_extents_of_map(const Extents& extents, std::size_t n, const char* what) {
  if (extents.size() != n) refuse_map(fmt::format("{} of {} axes; give {}", what, extents.size(), n));
  for (const std::int64_t extent : extents)
    if (extent < 1) refuse_map(fmt::format("{} of {}; give extents of 1 or more", what, print_shape(extents)));
}

struct Turn {
  double cosine, sine;
};
// Multiples of 90° are exact.
Turn turn_of(double degrees) {
  if (!std::isfinite(degrees)) refuse_map(fmt::format("a rotation by {} degrees; give a finite angle", degrees));
  double rest = std::remainder(degrees, 360.0);
  if (rest == 0) return {1, 0};
  if (std::abs(rest) == 180) return {-1, 0};
  if (std::abs(rest) == 90) return {0, rest / 90};
  rest *= std::numbers::pi / 180;
  return {std::cos(rest), std::sin(rest)};
}

double middle(std::int64_t n) { return (static_cast<double>(n) - 1) / 2; }

}  // namespace

ResampleBy parse_resample_by(std::string_view text) {
  for (std::size_t w = 0; w < resample_words.size(); ++w)
    if (text == resample_words[w]) return static_cast<ResampleBy>(w);
  if (text == "average") return ResampleBy::area;
  throw Error(ErrorCode::bad_notation, fmt::format("nothing is resampled by '{}'; there are {} and average, which is area", shown(text),
                                                   fmt::join(resample_words, ", ")));
}

const char* name_of(ResampleBy by) { return resample_words[static_cast<std::size_t>(by)]; }

double skipping_scale(const Resampling& r) {
  const auto* const affine = std::get_if<AffineMap>(&r.map);
  if (affine == nullptr || r.is_antialiased || r.by > ResampleBy::spline) return 0;
  const double reach = r.by == ResampleBy::nearest ? 1 : r.by == ResampleBy::linear ? 2 : 4;
  constexpr double rounding = 1e-9;
  double largest = 0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(affine->rank); ++a) {
    for (std::size_t b = 0; b < static_cast<std::size_t>(affine->rank); ++b)
      if (a != b && affine->matrix[a][b] != 0) return 0;
    largest = std::max(largest, std::abs(affine->matrix[a][a]));
  }
  return largest > reach * (1 + rounding) ? largest : 0;
}

AffineMap zoom_map(const Extents& source, const Extents& destination, ZoomKeeps keeps) {
  if (source.empty() || source.size() > 3) refuse_map(fmt::format("a zoom of {} axes; give 1 to 3", source.size()));
  check_extents_of_map(source, source.size(), "a source");
  check_extents_of_map(destination, source.size(), "a result");
  AffineMap map;
  map.rank = static_cast<int>(source.size());
  map.usual = Bound::edge;
  for (std::size_t a = 0; a < source.size(); ++a) {
    const auto in = static_cast<double>(source[a]), out = static_cast<double>(destination[a]);
    double& scale = map.matrix[a][a];
    if (keeps == ZoomKeeps::centres) {
      scale = destination[a] > 1 ? (in - 1) / (out - 1) : 1;
    } else {
      scale = in / out;
      map.offset[a] = 0.5 * scale - 0.5;
    }
  }
  return map;
}

AffineMap rotation_map(double degrees, const Extents& source, const Extents& destination) {
  check_extents_of_map(source, 2, "a source that is turned");
  check_extents_of_map(destination, 2, "a turned result");
  const auto [cosine, sine] = turn_of(degrees);
  AffineMap map;
  map.rank = 2;
  map.matrix = {{{cosine, sine, 0}, {-sine, cosine, 0}, {0, 0, 1}}};
  const double y = middle(destination[0]), x = middle(destination[1]);
  map.offset = {middle(source[0]) - (cosine * y + sine * x), middle(source[1]) - (cosine * x - sine * y), 0};
  map.size = {std::max({middle(source[0]), y, x}), std::max({middle(source[1]), y, x}), 0};
  return map;
}

Extents rotated_extents(double degrees, const Extents& source) {
  check_extents_of_map(source, 2, "a source that is turned");
  const auto [cosine, sine] = turn_of(degrees);
  const auto y = static_cast<double>(source[0]), x = static_cast<double>(source[1]);
  const auto whole = [](double extent) { return static_cast<std::int64_t>(extent + 0.5); };
  return {whole(std::abs(cosine) * y + std::abs(sine) * x), whole(std::abs(sine) * y + std::abs(cosine) * x)};
}

PolarMap polar_map(PolarMap::Direction direction, const Extents& polar, std::array<double, 2> centre, double radius, PolarScale scale) {
  check_extents_of_map(polar, 2, "a polar array");
  const bool is_logarithmic = scale == PolarScale::logarithmic;
  if (!std::isfinite(radius) || radius <= (is_logarithmic ? 1 : 0))
    refuse_map(fmt::format("a radius of {}; give one above {}", radius, is_logarithmic ? 1 : 0));
  if (!std::isfinite(centre[0]) || !std::isfinite(centre[1]))
    refuse_map(fmt::format("a centre at {}, {}; give finite coordinates", centre[0], centre[1]));
  const double steps = static_cast<double>(polar[1]), reach = is_logarithmic ? std::log(radius) : radius;
  return {direction, centre, 0, 2 * std::numbers::pi / static_cast<double>(polar[0]), 0, reach / steps, is_logarithmic};
}

double farthest_corner(const Extents& plane, std::array<double, 2> centre) {
  check_extents_of_map(plane, 2, "a plane");
  double reach[2] = {};
  for (std::size_t a = 0; a < 2; ++a) reach[a] = std::max(std::abs(centre[a]), std::abs(static_cast<double>(plane[a]) - 1 - centre[a]));
  return std::hypot(reach[0], reach[1]);
}

std::vector<Faces> usual_boundary(const Resampling& r) {
  std::vector<Faces> faces(r.axes.size(), Faces(Bound::constant));
  if (const auto* affine = std::get_if<AffineMap>(&r.map)) faces.assign(r.axes.size(), affine->usual);
  const auto* polar = std::get_if<PolarMap>(&r.map);
  if (polar == nullptr || polar->direction == PolarMap::Direction::to_polar || r.axes.size() != 2) return faces;
  const auto rank = static_cast<int>(r.source.extents.size());
  const int axis = r.axes[0] < 0 ? r.axes[0] + rank : r.axes[0];
  if (axis < 0 || axis >= rank) return faces;
  const double all = static_cast<double>(r.source.extents[static_cast<std::size_t>(axis)]) * std::abs(polar->angle_step);
  if (std::abs(all - 2 * std::numbers::pi) < 1e-9) faces[0] = Faces(Bound::periodic);
  return faces;
}

}  // namespace crinkle
