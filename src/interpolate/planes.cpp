// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/checked.hpp"
#include "interpolate/bin_cells.hpp"

namespace crinkle::interpolation {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

// The number of samples or targets that `places` holds.
std::int64_t count_of(const Reals& places, int n_dimensions, const char* what) {
  if (n_dimensions != 2 && n_dimensions != 3) refuse(fmt::format("{} of {} dimensions; interpolation is in 2 or 3", what, n_dimensions));
  if (places.size() % n_dimensions != 0)
    refuse(fmt::format("{} coordinates are no whole number of {} of {} dimensions", places.size(), what, n_dimensions));
  return places.size() / n_dimensions;
}

constexpr double farthest = 1e150;  // squares of distances stay within float64

void check_places(const Reals& places, int n_dimensions, const char* what) {
  for (std::int64_t k = 0; k < places.size(); ++k) {
    if (!(std::abs(places[k]) <= farthest))
      refuse(fmt::format("{} {} has {} = {}, which is no place within ±{}", what, k / n_dimensions, "xyz"[k % n_dimensions], places[k],
                         farthest));
  }
}

void check_sizes(const Samples& s, std::int64_t n) {
  if (n == 0) refuse("there are no samples to interpolate");
  if (s.n_columns < 1) refuse(fmt::format("{} columns of values; give 1 or more", s.n_columns));
  if (s.values.size() != multiply(n, s.n_columns))
    refuse(fmt::format("{} samples in {} columns need {} values, not {}", n, s.n_columns, n * s.n_columns, s.values.size()));
  if (s.weights.size() != 0 && s.weights.size() != n)
    refuse(fmt::format("{} samples need {} weights or none, not {}", n, n, s.weights.size()));
}

}  // namespace

SamplePlanes planes_of(const Samples& s) {
  const std::int64_t n = count_of(s.places, s.n_dimensions, "samples");
  check_sizes(s, n);
  check_places(s.places, s.n_dimensions, "sample");
  SamplePlanes planes;
  planes.n_dimensions = s.n_dimensions;
  std::vector<std::int64_t> kept;
  for (std::int64_t i = 0; i < s.weights.size(); ++i) {
    const double weight = s.weights[i];
    if (!(weight >= 0) || !std::isfinite(weight)) refuse(fmt::format("sample {} has weight {}; weights are 0 or more", i, weight));
    if (weight > 0) kept.push_back(i);
  }
  const bool are_all = std::ssize(kept) == n || s.weights.size() == 0;
  planes.n = are_all ? n : std::ssize(kept);
  planes.n_left_out = n - planes.n;
  if (planes.n == 0) refuse(fmt::format("all {} samples have weight 0", n));
  const auto plane = [&](const Reals& of, std::int64_t pitch, std::int64_t column) {
    std::vector<double> numbers(index(planes.n));
    for (std::int64_t i = 0; i < planes.n; ++i) numbers[index(i)] = of[(are_all ? i : kept[index(i)]) * pitch + column];
    return numbers;
  };
  for (int a = 0; a < s.n_dimensions; ++a) planes.places[index(a)] = plane(s.places, s.n_dimensions, a);
  for (std::int64_t c = 0; c < s.n_columns; ++c) {
    planes.values.push_back(plane(s.values, s.n_columns, c));
    const std::vector<double>& column = planes.values.back();
    for (std::int64_t i = 0; i < planes.n; ++i) {
      if (!std::isfinite(column[index(i)]))
        refuse(fmt::format("sample {} has value {} in column {}; leave out what is missing", are_all ? i : kept[index(i)], column[index(i)],
                           c));
    }
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    planes.least.push_back(*least);
    planes.most.push_back(*most);
  }
  if (s.weights.size() != 0) planes.weights = plane(s.weights, 1, 0);
  return planes;
}

void check(const Interpolation& how, const SamplePlanes& samples) {
  constexpr double most_power = 1024;
  if (!(how.power > 0 && how.power <= most_power)) refuse(fmt::format("power {}; it is above 0 and at most {}", how.power, most_power));
  if (!(how.smoothing >= 0 && std::isfinite(how.smoothing)))
    refuse(fmt::format("smoothing {}; it is a distance, 0 or more", how.smoothing));
  if (!(how.tolerance >= 0 && std::isfinite(how.tolerance)))
    refuse(fmt::format("tolerance {}; it is a part of the values' range, 0 or more", how.tolerance));
  if (how.neighbours < 0) refuse(fmt::format("{} neighbours; give 1 or more, or 0 for all", how.neighbours));
  if (how.neighbours > samples.n)
    refuse(fmt::format("{} neighbours of {} samples{}; give at most {}, or 0 for all", how.neighbours, samples.n,
                       samples.n_left_out == 0 ? "" : fmt::format(", {} of weight 0 left out", samples.n_left_out), samples.n));
  if (!(how.radius > 0)) refuse(fmt::format("radius {}; it is above 0", how.radius));
  if (how.least_neighbours < 0) refuse(fmt::format("at least {} neighbours; give 0 or more", how.least_neighbours));
  if (how.sectors != 1 && how.sectors != 4 && how.sectors != 8) refuse(fmt::format("{} sectors; there are 1, 4 or 8", how.sectors));
  if (how.sectors != 1 && !how.is_local()) refuse("sectors are for a number of neighbours or a radius");
  if (how.sectors == 4 && samples.n_dimensions == 3) refuse("4 sectors are quadrants, in 2 dimensions; in 3 there are 8 octants");
  const Anisotropy& a = how.anisotropy;
  if (!(a.ratio >= 1 && std::isfinite(a.ratio))) refuse(fmt::format("a ratio of axes of {}; it is 1 or more", a.ratio));
  if (!std::isfinite(a.angle)) refuse(fmt::format("an angle of {} degrees", a.angle));
  if (a.ratio != 1 && samples.n_dimensions != 2) refuse("anisotropy is for 2 dimensions");
}

// Exact for right angles, so that equal distances on lattices stay equal.
static double cosine_of(double degrees) {
  const double away = std::abs(std::remainder(degrees, 360));
  return away == 90 ? 0 : std::cos(away * (std::numbers::pi / 180));
}

Frame::Frame(const Anisotropy& a, const SamplePlanes& samples)
    : ratio_(a.ratio), cosine_(cosine_of(a.angle)), sine_(cosine_of(a.angle - 90)), origin_{samples.places[0][0], samples.places[1][0]} {}

SamplePlanes Frame::of(SamplePlanes samples) const {
  samples.scale = scale();
  samples.size = size();
  for (std::int64_t i = 0; i < samples.n && ratio_ != 1; ++i) {
    const std::array<double, 3> x = of(samples.place(i));
    for (std::size_t a = 0; a < 2; ++a) samples.places[a][index(i)] = x[a];
  }
  return samples;
}

Targets::Targets(const Raster& raster, int n_dimensions, const Frame& frame)
    : n_dimensions_(n_dimensions), n_(raster.n_cells()), is_raster_(true), raster_(raster), frame_(frame) {
  if (n_dimensions == 2 && raster.extents[2] != 1)
    refuse(fmt::format("a raster of {} layers and samples of 2 dimensions", raster.extents[2]));
  for (std::size_t a = 0; a < index(n_dimensions); ++a) {
    const double last = raster.first[a] + static_cast<double>(std::max<std::int64_t>(0, raster.extents[a] - 1)) * raster.step[a];
    if (!(std::abs(raster.first[a]) <= farthest && std::abs(last) <= farthest))
      refuse(fmt::format("the raster's {} goes from {} to {}", "xyz"[a], raster.first[a], last));
  }
}

Targets::Targets(const Reals& places, int n_dimensions, const Frame& frame)
    : n_dimensions_(n_dimensions), n_(count_of(places, n_dimensions, "targets")), places_(places), frame_(frame) {
  check_places(places, n_dimensions, "target");
}

Targets Targets::unseen(const Reals& places, int n_dimensions, const Frame& frame) {
  Targets targets;
  targets.n_dimensions_ = n_dimensions;
  targets.n_ = count_of(places, n_dimensions, "targets");
  targets.places_ = places;
  targets.frame_ = frame;
  return targets;
}

Reach reach_of(double radius, const SamplePlanes& samples) {
  Reach reach{.radius = radius, .scale = samples.scale, .size = samples.size};
  for (const std::vector<double>& plane : samples.places)
    for (const double x : plane) reach.most = std::max(reach.most, std::abs(x));
  return reach.from(0);
}

Reach Targets::within(const Reach& reach) const {
  double first = 0;
  for (std::size_t a = 0; a < index(n_dimensions_) && is_raster_; ++a) first = std::max(first, std::abs(raster_.first[a]));
  return reach.from(first);
}

void Frame::tell(CudaTargets& targets) const {
  targets.ratio = ratio_;
  targets.cosine = cosine_;
  targets.sine = sine_;
  for (int a = 0; a < 2; ++a) targets.origin[a] = origin_[a];
}

CudaTargets Targets::on_device() const {
  CudaTargets to{.n = n_, .is_raster = is_raster_, .is_float = places_.is_float(), .places = places_.data()};
  for (std::size_t a = 0; a < 3; ++a) {
    to.first[a] = raster_.first[a];
    to.step[a] = raster_.step[a];
    to.extents[a] = raster_.extents[a];
  }
  frame_.tell(to);
  return to;
}

std::array<double, 3> Targets::at(std::int64_t t) const {
  std::array<double, 3> q{};
  if (is_raster_) {
    const std::int64_t nx = raster_.extents[0], ny = raster_.extents[1];
    const std::int64_t cell[3] = {t % nx, t / nx % ny, t / nx / ny};
    for (std::size_t a = 0; a < 3; ++a) q[a] = raster_.first[a] + static_cast<double>(cell[a]) * raster_.step[a];
  } else {
    for (int a = 0; a < n_dimensions_; ++a) q[static_cast<std::size_t>(a)] = places_[t * n_dimensions_ + a];
  }
  return frame_.of(q);
}

std::array<std::array<double, 3>, 2> Targets::bounds() const {
  auto least = at(0), most = least;
  const auto include = [&](std::int64_t t) {
    const std::array<double, 3> q = at(t);
    for (std::size_t a = 0; a < 3; ++a) {
      least[a] = std::min(least[a], q[a]);
      most[a] = std::max(most[a], q[a]);
    }
  };
  if (is_raster_) {  // its corners
    const std::int64_t nx = raster_.extents[0], layer = nx * raster_.extents[1];
    for (const std::int64_t row : {std::int64_t{0}, layer - nx})
      for (const std::int64_t t : {row, row + nx - 1, row + n_ - layer, row + n_ - layer + nx - 1}) include(t);
  } else {
    for (std::int64_t t = 1; t < n_; ++t) include(t);
  }
  return {least, most};
}

}  // namespace crinkle::interpolation

namespace crinkle {

std::int64_t Raster::n_cells() const {
  std::int64_t n = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0) throw Error(ErrorCode::bad_shape, fmt::format("a raster of {} × {} × {} cells", extents[0], extents[1], extents[2]));
    n = multiply(n, extent);
  }
  return n;
}

namespace {

// Cells that cover [low, high], from its lower end upwards or from its upper end down: those that bin() puts samples in.
enum class Way : std::uint8_t { up, down };
std::int64_t cells_along(double low, double high, double cell, char axis, Way way = Way::up) {
  constexpr double most = 0x1p53;
  if (!(std::isfinite(low) && std::isfinite(high) && low < high))
    throw Error(ErrorCode::bad_shape,
                fmt::format("an extent from {} to {} along {}; the first is to be less, and both finite", low, high, axis));
  if (!(cell > 0 && std::isfinite(cell))) throw Error(ErrorCode::bad_shape, fmt::format("a cell of {}; it is above 0", cell));
  const double n = (high - low) / cell;
  if (!(n < most))
    throw Error(ErrorCode::too_large, fmt::format("{} to {} along {} in cells of {} are {} cells", low, high, axis, cell, n));
  const double edges =
      way == Way::up ? interpolation::edges_before(high, low + cell / 2, cell) : interpolation::edges_before(low, high - cell / 2, -cell);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(edges)));
}

// Throws where 64 bits do not count the cells.
Raster countable(const Raster& raster) {
  const auto [nx, ny, nz] = raster.extents;
  try {
    raster.n_cells();
  } catch (const Error& e) {
    throw Error(e.code(), fmt::format("{} × {}{} cells of {} are more than fit 64 bits; take larger ones", nx, ny,
                                      nz == 1 ? "" : fmt::format(" × {}", nz), raster.step[0]));
  }
  return raster;
}

}  // namespace

Raster raster_over(double x0, double y0, double x1, double y1, double cell) {
  return countable({.first = {x0 + cell / 2, y1 - cell / 2, 0},
                    .step = {cell, -cell, 1},
                    .extents = {cells_along(x0, x1, cell, 'x'), cells_along(y0, y1, cell, 'y', Way::down), 1}});
}

Raster raster_over(double x0, double y0, double z0, double x1, double y1, double z1, double cell) {
  Raster raster = raster_over(x0, y0, x1, y1, cell);
  raster.extents[2] = cells_along(z0, z1, cell, 'z');
  raster.first[2] = z0 + cell / 2;
  raster.step[2] = cell;
  return countable(raster);
}

}  // namespace crinkle
