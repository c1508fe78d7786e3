// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/rounded.hpp"

#include <algorithm>
#include <cmath>

#include "stencil/plan.hpp"

namespace crinkle {
namespace {

constexpr double most_value = 1 << 20, most_error = 0.02;  // beyond, too many sums would be made anew

}  // namespace

// Of two stages the first one goes down the rows and the second one along the line, as in the definition; then no face is constant, whose
// number the definition takes times the sum of the first weights.
std::optional<RoundedSweep> rounded_sweep(const Sweep& sweep, const SweepPlan& plan, const SweepPlaces& source,
                                          const SweepPlaces& destination) {
  const NumberType to = sweep.destination_type;
  const std::size_t n = plan.shape.axes.size(), n_stages = plan.stages.size();
  if (sweep.steps != 1 || sweep.source_type.number != Number::uint8 || n == 0 || n_stages > 2 || n < n_stages) return {};
  if (to.number != Number::uint8 && (to.number != Number::int16 || to.is_swapped)) return {};
  if (!is_dense_line(plan.shape, source) || !is_dense_line(plan.shape, destination)) return {};
  double most = 255, n_points = 0;
  for (const SweepAxis& axis : plan.shape.axes) {
    if (axis.stencil_axis < 0) continue;
    for (const Face& face : {axis.faces.low, axis.faces.high}) {
      if (face.bound == Bound::function) return {};
      if (face.bound != Bound::constant) continue;
      if (n_stages > 1 || !(std::abs(face.value) <= most_value) || static_cast<double>(static_cast<float>(face.value)) != face.value)
        return {};
      most = std::max(most, std::abs(face.value));
    }
  }
  const std::optional<ByteReach> reach = byte_reach(plan);
  if (!reach) return {};
  RoundedSweep made;
  made.reach = *reach;
  for (std::size_t s = 0; s < n_stages; ++s) {
    const Stage& stage = plan.stages[s];
    const bool is_down = s + 1 < n_stages;
    double weights = 0;
    for (std::size_t k = 0; k < stage.coefficients.size(); ++k) {
      const std::int64_t column = stage.offsets[k * n + n - 1], row = n > 1 ? stage.offsets[k * n + n - 2] : 0;
      if (n_stages == 2 && (is_down ? column : row) != 0) return {};
      RoundedList& list = is_down ? made.down : made.across;
      list.rows.push_back(row);
      list.columns.push_back(column);
      list.exact.push_back(stage.coefficients[k]);
      list.weights.push_back(static_cast<float>(stage.coefficients[k]));
      weights += std::abs(stage.coefficients[k]);
    }
    n_points += static_cast<double>(stage.n_points());
    most *= weights;
  }
  // Every weight, product and sum in float32 is wrong by 2^-24 of itself at most.
  const double error = 1.05 * (n_points + 6) * 0x1p-24 * most + 0x1p-140 * n_points;
  if (n_points == 0 || !(most <= most_value) || !(error <= most_error)) return {};
  made.certain = static_cast<float>(0.4999 - error);
  return made;
}

}  // namespace crinkle
