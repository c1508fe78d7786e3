// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/running.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stencil/plan.hpp"

namespace crinkle {
namespace {

constexpr double most_running_sum = 1 << 30, most_float32_sum = 1 << 22;  // products in float32 are wrong by 2^-23 of a quotient at most

bool is_short_integer(NumberType type) {
  return type.number == Number::uint8 || (!type.is_swapped && (type.number == Number::int16 || type.number == Number::uint16));
}

// The largest size of an element and of what lies beyond faces; nothing where that is no whole number.
std::optional<double> most_running_value(const SweepShape& shape, NumberType type) {
  double most = type.number == Number::uint8 ? 255 : type.number == Number::int16 ? 32768 : 65535;
  for (const SweepAxis& axis : shape.axes) {
    if (axis.stencil_axis < 0) continue;
    for (const Face& face : {axis.faces.low, axis.faces.high}) {
      if (face.bound == Bound::function) return {};
      if (face.bound != Bound::constant) continue;
      if (!(std::abs(face.value) <= 65536) || face.value != std::nearbyint(face.value)) return {};
      most = std::max(most, std::abs(face.value));
    }
  }
  return most;
}

// D, where all coefficients are 1 / D: exactly, or to within roundings where it is odd.
std::optional<double> divisor_of(const std::vector<double>& coefficients) {
  const double c = coefficients[0], divisor = std::nearbyint(1 / c);
  if (!std::all_of(coefficients.begin(), coefficients.end(), [&](double other) { return other == c; })) return {};
  if (!(divisor >= 1 && divisor <= most_running_sum) || !(std::abs(c * divisor - 1) <= 0x1p-50)) return {};
  const bool is_odd = std::fmod(divisor, 2) == 1;
  if (!is_odd && (std::exp2(std::nearbyint(std::log2(divisor))) != divisor || c * divisor != 1)) return {};
  return divisor;
}

// Whether the points of a list are all those of a box, whose ends they give.
bool is_box(const Stage& stage, std::size_t n, RunningSweep& made) {
  using Point = std::array<std::int64_t, 2>;
  std::vector<Point> points;
  for (std::size_t k = 0; k < stage.coefficients.size(); ++k) {
    for (std::size_t a = 0; a + 2 < n; ++a)
      if (stage.offsets[k * n + a] != 0) return false;
    points.push_back({n > 1 ? stage.offsets[k * n + n - 2] : 0, stage.offsets[k * n + n - 1]});
  }
  std::sort(points.begin(), points.end());
  made.first = points.front();
  made.last = points.back();
  if (made.n(1) < 1 || made.n(0) != std::ssize(points) / made.n(1) || std::ssize(points) % made.n(1) != 0) return false;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto at = static_cast<std::int64_t>(k);
    if (points[k] != Point{made.first[0] + at / made.n(1), made.first[1] + at % made.n(1)}) return false;
  }
  return true;
}

}  // namespace

// Of two lists each goes along one axis, the array's last axis last, so that corners beyond constant faces are those of one list.
std::optional<RunningSweep> running_sweep(const Sweep& sweep, const SweepPlan& plan, const SweepPlaces& source,
                                          const SweepPlaces& destination) {
  const std::vector<SweepAxis>& axes = plan.shape.axes;
  const std::size_t n = axes.size();
  if (sweep.steps != 1 || n == 0 || plan.stages.empty() || plan.stages.size() > 2) return {};
  if (!is_short_integer(sweep.source_type) || !is_short_integer(sweep.destination_type)) return {};
  if (!is_dense_line(plan.shape, source) || !is_dense_line(plan.shape, destination)) return {};
  const std::optional<double> most = most_running_value(plan.shape, sweep.source_type);
  if (!most) return {};
  RunningSweep made;
  double divisor = 1, n_summed = 1, n_points = 0;
  int last_axis = -1;
  for (const Stage& stage : plan.stages) {
    RunningSweep its;
    if (stage.n_points() == 0 || !is_box(stage, n, its)) return {};
    const std::optional<double> over = divisor_of(stage.coefficients);
    if (!over) return {};
    divisor *= *over;
    n_points += static_cast<double>(stage.n_points());
    n_summed *= static_cast<double>(stage.n_points());
    const auto stays = [&](std::size_t a) { return its.first[a] == 0 && its.last[a] == 0; };
    if (plan.stages.size() == 2) {
      if (stays(0) == stays(1)) return {};
      const int axis = axes[stays(0) ? n - 1 : n - 2].array_axis;
      if (axis <= last_axis) return {};
      last_axis = axis;
    }
    for (const std::size_t a : {0u, 1u}) {
      made.first[a] += its.first[a];
      made.last[a] += its.last[a];
    }
  }
  const double sum = *most * n_summed;
  if (sum > most_running_sum || divisor > most_running_sum) return {};
  const bool is_odd = std::fmod(divisor, 2) == 1;
  if (!is_odd && std::exp2(std::nearbyint(std::log2(divisor))) != divisor) return {};
  // Products and sums in float64 are wrong by 2^-53 of themselves at most, weights by 2^-50; times the divisor.
  if (divisor > 1 && is_odd && !(1.05 * (n_points + 24) * 0x1p-53 * sum < 0.45)) return {};
  made.factor = 1 / divisor;
  made.is_float32 = sum < most_float32_sum;
  return made;
}

}  // namespace crinkle
