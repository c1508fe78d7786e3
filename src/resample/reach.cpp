// Coordinates rise or fall along every index, roundings included, since a product and a sum, rounded, do. So those of an affine map lie
// between the sums of what its corners give; what settles at a half (decimals.hpp) does so on either side of these.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/loops.hpp"
#include "resample/growing.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

struct Interval {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void take(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool is_empty() const { return low > high; }
  // Whatever lies so far beside it.
  Interval widened(double by) const { return {low - by, high + by}; }
};
constexpr Interval everything{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

Interval indices_of(const FormMap& map, const Ranges& p, int b) {
  const Range& range = p[static_cast<std::size_t>(b)];
  return {index_of(map, b, range.first), index_of(map, b, range.first + range.n - 1)};
}

// With the halves at which a coordinate may settle that was computed from numbers up to `size`.
Interval settled_around(const Interval& q, double size) {
  const double rounding = decimals::rounding_of(size);
  return {std::min(q.low, std::ceil(2 * (q.low - rounding)) / 2), std::max(q.high, std::floor(2 * (q.high + rounding)) / 2)};
}

Interval affine(const FormMap& map, int a, const Ranges& p) {
  Interval q{0, 0};
  double size = map.size[a];
  for (int b = 0; b < map.n_out; ++b) {
    const Interval index = indices_of(map, p, b);
    const double one = product(map.matrix[a][b], index.low), other = product(map.matrix[a][b], index.high);
    q = {sum(q.low, std::min(one, other)), sum(q.high, std::max(one, other))};
    size = std::max({size, std::abs(one), std::abs(other)});
  }
  q = {sum(q.low, map.offset[a]), sum(q.high, map.offset[a])};
  if (!std::isfinite(q.low) || !std::isfinite(q.high) || !std::isfinite(size)) return everything;
  return settled_around(q, size);
}

// Sines, exponentials and logarithms may be wrong by their last bits, and other ones on a GPU.
constexpr double of_last_bits = 0x1p-40;

Interval to_polar(const FormMap& map, int a, const Ranges& p) {
  const Interval index = indices_of(map, p, 1);
  Interval radii;
  for (const double i : {index.low, index.high}) radii.take(radius_of(map, i));
  const double farthest_radius = std::max(std::abs(radii.low), std::abs(radii.high));
  Interval q;
  double size = 0;
  for (std::int64_t j = p[0].first; j < p[0].first + p[0].n; ++j) {
    const double angle = sum(map.first[0], product(index_of(map, 0, j), map.step[0])),
                 direction = a == 0 ? std::sin(angle) : std::cos(angle);
    for (const double radius : {radii.low, radii.high}) q.take(sum(map.centre[a], product(radius, direction)));
    size = std::max(size, std::abs(angle));
  }
  size = std::max(std::abs(map.centre[a]), farthest_radius * std::max(1.0, size));
  if (!std::isfinite(q.low) || !std::isfinite(q.high) || !std::isfinite(size)) return everything;
  return q.widened(of_last_bits * size);
}

// Angles go round: any of them.
Interval from_polar(const FormMap& map, int a, const Ranges& p) {
  if (a == 0) return everything;
  double nearest = 0, farthest = 0;
  for (int b = 0; b < 2; ++b) {
    const Interval index = indices_of(map, p, b);
    const double low = index.low - map.centre[b], high = index.high - map.centre[b];
    nearest = std::hypot(nearest, low > 0 ? low : high < 0 ? high : 0.0);
    farthest = std::hypot(farthest, std::max(std::abs(low), std::abs(high)));
  }
  Interval q;
  double size = 0;
  for (const double radius : {nearest * (1 - of_last_bits), farthest * (1 + of_last_bits)}) {
    double at[2];
    polar_of(map, radius, 0, &at[0], &at[1]);
    q.take(at[1]);
    size = std::max(size, std::abs(map.is_logarithmic ? std::log(std::max(radius, 1e-300)) : radius));
  }
  size = std::max(size, std::abs(map.first[1])) / std::abs(map.step[1]);
  if (!std::isfinite(q.low) || !std::isfinite(q.high) || !std::isfinite(size)) return everything;
  return q.widened(of_last_bits * size);
}

Interval given(const FormMap& map, int a, const Ranges& p) {
  Interval q;
  std::int64_t index[most_form_axes] = {};
  const std::byte* at = map.field + a * map.field_stride;
  const auto n_out = static_cast<std::size_t>(map.n_out);
  for (std::size_t b = 0; b < n_out; ++b) at += p[b].first * map.field_strides[b];
  do {
    if (const double x = coordinate_at(map, at); is_near(x)) q.take(x);
  } while (step_index(
      index, n_out, [&](std::size_t b) { return p[b].n; }, [&](std::size_t b, std::int64_t by) { at += by * map.field_strides[b]; }));
  return q;
}

// Elements first … last of the axis and what is around it, as they are found in it.
struct Found {
  const FormAxis& axis;
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -1;

  void take(std::int64_t a, std::int64_t b) {
    low = std::min({low, a, b});
    high = std::max({high, a, b});
  }
  void take_all() { take(0, axis.extent - 1); }
  void take_beyond(Bound bound, bool is_low, std::int64_t a, std::int64_t b) {
    const std::int64_t n = axis.extent, end = is_low ? 0 : n - 1;
    if (bound == Bound::edge) return take(end, end);
    if (bound != Bound::reflect && bound != Bound::symmetric) return;
    const std::int64_t mirror = 2 * end + (bound == Bound::reflect ? 0 : is_low ? -1 : 1);
    const auto is_there = [&](std::int64_t i) { return i >= 0 && i < n; };
    if (is_there(mirror - a) && is_there(mirror - b)) take(mirror - a, mirror - b);
    else take_all();
  }
};

// The elements from `first` to `last` of a periodic axis, if they do not go round its end.
Range round(std::int64_t n, std::int64_t first, std::int64_t last) {
  const auto turn_of = [&](std::int64_t i) { return i >= 0 ? i / n : -((n - 1 - i) / n); };
  if (const std::int64_t turn = turn_of(first); turn == turn_of(last)) return {first - turn * n, last - first + 1};
  return {0, n};
}

Range read_by(const GrowingAxis& growing, const Interval& q) {
  const std::int64_t n = growing.axis().extent;
  if (!std::isfinite(q.low) || !std::isfinite(q.high)) return {0, n};
  const Window window = window_around(growing, q.low, q.high);
  if (growing.axis().low == Bound::periodic) return round(n, window.first, window.end - 1);
  if (window.is_empty()) return {std::clamp<std::int64_t>(window.first, 0, n - 1), 1};
  return {window.first, window.end - window.first};
}

Range read_around(const FormAxis& axis, int n_taps, const Interval& q) {
  const std::int64_t n = axis.extent;
  if (q.is_empty() || q.low >= farthest || q.high <= -farthest) return {0, 1};
  const auto first_of = [&](double x) {
    double fraction;
    return first_tap(n_taps, x, &fraction) + axis.before;
  };
  const std::int64_t first = first_of(std::max(q.low, -farthest)), last = first_of(std::min(q.high, farthest)) + n_taps - 1;
  Found found{axis};
  if (first < n && last >= 0) found.take(std::max<std::int64_t>(first, 0), std::min(last, n - 1));
  if (axis.low == Bound::periodic) return round(n, first, last);
  if (first < 0) found.take_beyond(axis.low, true, first, std::min<std::int64_t>(last, -1));
  if (last >= n) found.take_beyond(axis.high, false, std::max(first, n), last);
  if (found.high < 0) return {std::clamp<std::int64_t>(first, 0, n - 1), 1};  // a constant alone
  return {found.low, found.high - found.low + 1};
}

}  // namespace

std::array<Range, slots> reach_of(const Form& form, const Ranges& p, Given coordinates) {
  std::array<Range, slots> reach;
  const FormMap& map = form.map;
  for (int a = 0; a < map.n_in; ++a) {
    Interval q = everything;
    if (map.kind == MapKind::affine) q = affine(map, a, p);
    else if (map.kind == MapKind::to_polar) q = to_polar(map, a, p);
    else if (map.kind == MapKind::from_polar) q = from_polar(map, a, p);
    else if (coordinates == Given::seen) q = given(map, a, p);
    reach[static_cast<std::size_t>(a)] =
        form.growing == Growing::none ? read_around(form.in[slots - map.n_in + a], form.n_taps, q) : read_by(GrowingAxis(form, a), q);
  }
  return reach;
}

}  // namespace crinkle::resampling
