// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/checked.hpp"

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

Fingerprint fingerprint_of(const SamplePlanes& samples) {
  Fingerprint all;
  const auto add_list = [&](const std::vector<double>& list) { all.numbers(std::span<const double>(list)); };
  all.of(samples.n_dimensions, samples.n, std::ssize(samples.values), samples.scale, samples.size);
  for (const std::vector<double>& list : samples.places) add_list(list);
  for (const std::vector<double>& list : samples.values) add_list(list);
  add_list(samples.weights);
  return all;
}

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

Frame::Frame(const Anisotropy& a, const std::array<double, 2>& origin)
    : ratio_(a.ratio), cosine_(cosine_of(a.angle)), sine_(cosine_of(a.angle - 90)), origin_{origin[0], origin[1]} {}

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
    : n_dimensions_(n_dimensions),
      n_(raster.n_cells()),
      n_whole_(n_),
      is_raster_(true),
      raster_(raster),
      extents_(raster.extents),
      frame_(frame) {
  if (n_dimensions == 2 && raster.extents[2] != 1)
    refuse(fmt::format("a raster of {} layers and samples of 2 dimensions", raster.extents[2]));
  for (std::size_t a = 0; a < index(n_dimensions); ++a) {
    const double last = raster.first[a] + static_cast<double>(std::max<std::int64_t>(0, raster.extents[a] - 1)) * raster.step[a];
    if (!(std::abs(raster.first[a]) <= farthest && std::abs(last) <= farthest))
      refuse(fmt::format("the raster's {} goes from {} to {}", "xyz"[a], raster.first[a], last));
  }
}

Targets::Targets(const Reals& places, int n_dimensions, const Frame& frame)
    : n_dimensions_(n_dimensions), n_(count_of(places, n_dimensions, "targets")), n_whole_(n_), places_(places), frame_(frame) {
  check_places(places, n_dimensions, "target");
}

Targets Targets::unseen(const Reals& places, int n_dimensions, const Frame& frame) {
  Targets targets;
  targets.n_dimensions_ = n_dimensions;
  targets.n_ = targets.n_whole_ = count_of(places, n_dimensions, "targets");
  targets.places_ = places;
  targets.frame_ = frame;
  return targets;
}

Targets Targets::part(const std::array<std::int64_t, 3>& begin, const std::array<std::int64_t, 3>& extents) const {
  Targets some = *this;
  some.n_ = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    some.begin_[a] += begin[a];
    some.extents_[a] = extents[a];
    if (a == 0 || is_raster_) some.n_ *= extents[a];
  }
  return some;
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
  if (!is_raster_ && places_.data() != nullptr)
    to.places = static_cast<const std::byte*>(places_.data()) + begin_[0] * n_dimensions_ * (places_.is_float() ? 4 : 8);
  for (std::size_t a = 0; a < 3 && is_raster_; ++a) {
    to.first[a] = raster_.first[a];
    to.step[a] = raster_.step[a];
    to.begin[a] = begin_[a];
    to.extents[a] = extents_[a];
  }
  frame_.tell(to);
  return to;
}

std::array<double, 3> Targets::at(std::int64_t t) const {
  if (!is_raster_) return at_number(begin_[0] + t);
  const std::int64_t nx = extents_[0], ny = extents_[1];
  return at_cell({begin_[0] + t % nx, begin_[1] + t / nx % ny, begin_[2] + t / nx / ny});
}

std::int64_t Targets::number(std::int64_t t) const {
  if (!is_raster_) return begin_[0] + t;
  const std::int64_t nx = extents_[0], ny = extents_[1];
  return ((begin_[2] + t / nx / ny) * raster_.extents[1] + begin_[1] + t / nx % ny) * raster_.extents[0] + begin_[0] + t % nx;
}

std::array<double, 3> Targets::at_number(std::int64_t k) const {
  const std::int64_t nx = raster_.extents[0], ny = raster_.extents[1];
  if (is_raster_) return at_cell({k % nx, k / nx % ny, k / nx / ny});
  std::array<double, 3> q{};
  for (int a = 0; a < n_dimensions_; ++a) q[static_cast<std::size_t>(a)] = places_[k * n_dimensions_ + a];
  return frame_.of(q);
}

std::array<double, 3> Targets::at_cell(const std::array<std::int64_t, 3>& cell) const {
  std::array<double, 3> q{};
  for (std::size_t a = 0; a < 3; ++a) q[a] = raster_.first[a] + static_cast<double>(cell[a]) * raster_.step[a];
  return frame_.of(q);
}

void Targets::keep_bounds() {
  if (n_whole_ > 0) bounds_ = bounds();
}

Targets::Bounds Targets::bounds() const {
  if (bounds_) return *bounds_;
  auto least = at_number(0), most = least;
  const auto include = [&](std::int64_t number) {
    const std::array<double, 3> q = at_number(number);
    for (std::size_t a = 0; a < 3; ++a) {
      least[a] = std::min(least[a], q[a]);
      most[a] = std::max(most[a], q[a]);
    }
  };
  if (is_raster_) {  // its corners
    const std::int64_t nx = raster_.extents[0], layer = nx * raster_.extents[1];
    for (const std::int64_t row : {std::int64_t{0}, layer - nx})
      for (const std::int64_t t : {row, row + nx - 1, row + n_whole_ - layer, row + n_whole_ - layer + nx - 1}) include(t);
  } else {
    for (std::int64_t t = 1; t < n_whole_; ++t) include(t);
  }
  return {least, most};
}

}  // namespace crinkle::interpolation
