// Which stencils of bytes are summed in whole numbers. SPDX-License-Identifier: BSD-3-Clause
#include "stencil/integer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/number_lines.hpp"
#include "stencil/plan.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_sum = 32767, most_divisor = 4095;

// Coefficients as whole numbers over a divisor.
struct Fractions {
  std::vector<std::int64_t> numbers;
  std::int64_t divisor = 0;
};

// A power of two divides exactly; an odd divisor to within roundings of float64.
std::optional<Fractions> fractions_of(const std::vector<double>& coefficients) {
  const auto over = [&](std::int64_t divisor, double tolerance) -> std::optional<Fractions> {
    Fractions found{{}, divisor};
    for (const double c : coefficients) {
      const double times = c * static_cast<double>(divisor), nearest = std::nearbyint(times);
      if (!(std::abs(times) <= most_sum) || !(std::abs(times - nearest) <= tolerance * std::abs(nearest))) return {};
      found.numbers.push_back(static_cast<std::int64_t>(nearest));
    }
    return found;
  };
  for (std::int64_t divisor = 1; divisor <= most_divisor; divisor *= 2)
    if (auto found = over(divisor, 0)) return found;
  for (std::int64_t divisor = 3; divisor <= most_divisor; divisor += 2)
    if (auto found = over(divisor, 0x1p-48)) return found;
  return {};
}

std::int64_t sum_of_sizes(const std::vector<std::int64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}, [](auto sum, auto m) { return sum + std::abs(m); });
}

// Whole numbers that lie beyond faces, the largest size of any and of bytes; nothing where one is none.
struct Values {
  std::int64_t most = 255;
  bool are_positive = true;
};
std::optional<Values> values_of(const SweepShape& shape) {
  Values values;
  for (const SweepAxis& axis : shape.axes) {
    if (axis.stencil_axis < 0) continue;
    for (const Face& face : {axis.faces.low, axis.faces.high}) {
      if (face.bound == Bound::function) return {};
      if (face.bound != Bound::constant) continue;
      if (!(std::abs(face.value) <= most_sum) || face.value != std::nearbyint(face.value)) return {};
      values.most = std::max(values.most, static_cast<std::int64_t>(std::abs(face.value)));
      values.are_positive = values.are_positive && face.value >= 0;
    }
  }
  return values;
}

void add(IntegerList& list, std::int64_t row, std::int64_t column, std::int64_t weight) {
  list.rows.push_back(row);
  list.columns.push_back(column);
  list.weights.push_back(static_cast<std::int16_t>(weight));
  list.are_ones = list.are_ones && weight == 1;
}

using Grid = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;  // weights by row and column

// As sums of rows and then of columns, where the grid is a product of both; else as it is.
void split(const Grid& grid, IntegerSweep& made) {
  std::set<std::int64_t> rows, columns;
  for (const auto& [at, weight] : grid) {
    rows.insert(at.first);
    columns.insert(at.second);
  }
  const std::int64_t first_row = *rows.begin(), first_column = *columns.begin();
  bool is_product = rows.size() > 1 && grid.size() == rows.size() * columns.size();
  std::int64_t factor = 0;
  if (is_product) {
    for (const std::int64_t x : columns) factor = std::gcd(factor, grid.at({first_row, x}));
    const std::int64_t corner = grid.at({first_row, first_column});
    for (const auto& [at, weight] : grid) {
      const std::int64_t column = grid.at({first_row, at.second}), row = grid.at({at.first, first_column});
      is_product = is_product && weight * corner == column * row && row * factor % corner == 0;
    }
  }
  if (!is_product) {
    for (const auto& [at, weight] : grid) add(made.across, at.first, at.second, weight);
    return;
  }
  for (const std::int64_t y : rows) add(made.down, y, 0, grid.at({y, first_column}) * factor / grid.at({first_row, first_column}));
  for (const std::int64_t x : columns) add(made.across, 0, x, grid.at({first_row, x}) / factor);
}

std::optional<IntegerDivision> division_by(std::int64_t divisor) {
  IntegerDivision division;
  if (divisor % 2 == 1 && divisor > 1) {
    division.is_odd = true;
    while ((std::int64_t{2} << division.shift) < divisor) ++division.shift;
    division.half = static_cast<std::int16_t>(divisor / 2);
    division.magic = static_cast<std::uint16_t>(((std::int64_t{1} << (16 + division.shift)) + divisor - 1) / divisor);
    return division;
  }
  while ((std::int64_t{1} << division.shift) < divisor) ++division.shift;
  if (std::int64_t{1} << division.shift != divisor) return {};
  division.half = static_cast<std::int16_t>(divisor / 2);
  return division;
}

}  // namespace

bool is_dense_line(const SweepShape& shape, const SweepPlaces& places) {
  const std::int64_t size = bytes_of(places.type.number);
  const std::size_t line = shape.axes.size() - 1;
  return (shape.axes[line].extent == 1 || places.strides[line] == shape.width * size) &&
         (shape.width == 1 || places.element_stride == size);
}

std::optional<ByteReach> byte_reach(const SweepPlan& plan) {
  const std::size_t n = plan.shape.axes.size();
  ByteReach reach;
  for (const Stage& stage : plan.stages) {
    for (std::size_t a = 0; a + 2 < n; ++a)
      if (stage.below[a] != 0 || stage.above[a] != 0) return {};
    for (std::size_t a = 0; a < 2 && a < n; ++a) {
      reach.below[1 - a] += stage.below[n - 1 - a];
      reach.above[1 - a] += stage.above[n - 1 - a];
    }
  }
  return reach.is_short() ? std::optional(reach) : std::nullopt;
}

std::optional<IntegerSweep> integer_sweep(const Sweep& sweep, const SweepPlan& plan, const SweepPlaces& source,
                                          const SweepPlaces& destination) {
  const NumberType to = sweep.destination_type;
  const std::size_t n = plan.shape.axes.size();
  const auto is_one = [](NumberType type, Number number) { return type.number == number && !type.is_swapped; };
  if (sweep.steps != 1 || sweep.source_type.number != Number::uint8 || n == 0 || plan.stages.size() > 2) return {};
  if (!is_one(to, Number::int16) && to.number != Number::uint8) return {};
  if (!is_dense_line(plan.shape, source) || !is_dense_line(plan.shape, destination)) return {};
  const std::optional<Values> values = values_of(plan.shape);
  const std::optional<ByteReach> reach = byte_reach(plan);
  if (!values || !reach) return {};

  IntegerSweep made;
  made.reach = *reach;
  std::int64_t divisor = 1, bound = values->most, n_points = 0;
  bool are_positive = values->are_positive;
  Grid grid;
  int last_axis = -1;
  for (const Stage& stage : plan.stages) {
    const std::optional<Fractions> fractions = fractions_of(stage.coefficients);
    if (!fractions || stage.n_points() == 0) return {};
    divisor *= fractions->divisor;
    bound *= sum_of_sizes(fractions->numbers);
    if (divisor > most_divisor || bound + divisor > most_sum) return {};
    n_points += stage.n_points();
    std::size_t reaches = n;  // of several stages each goes along one axis, the array's last axis last
    for (std::size_t k = 0; k < fractions->numbers.size(); ++k) {
      const std::int64_t weight = fractions->numbers[k], column = stage.offsets[k * n + n - 1],
                         row = n > 1 ? stage.offsets[k * n + n - 2] : 0;
      are_positive = are_positive && weight >= 0;
      if (plan.stages.size() == 1) {
        grid[{row, column}] += weight;
        continue;
      }
      if (row != 0 && column != 0) return {};
      if (row == 0 && column == 0) continue;
      const std::size_t axis = row != 0 ? n - 2 : n - 1;
      if (reaches != n && reaches != axis) return {};
      reaches = axis;
    }
    if (plan.stages.size() == 1) continue;
    if (reaches == n || plan.shape.axes[reaches].array_axis <= last_axis) return {};
    last_axis = plan.shape.axes[reaches].array_axis;
    for (std::size_t k = 0; k < fractions->numbers.size(); ++k) {
      if (reaches == n - 2) add(made.down, stage.offsets[k * n + n - 2], 0, fractions->numbers[k]);
      else add(made.across, 0, stage.offsets[k * n + n - 1], fractions->numbers[k]);
    }
  }
  if (divisor > 1 && divisor % 2 == 1) {
    const double error = 1.01 * static_cast<double>(n_points + 6) * 0x1p-24 * static_cast<double>(bound);  // times the divisor, as below
    if (!are_positive || error >= 0.45) return {};
  }
  const std::optional<IntegerDivision> division = division_by(divisor);
  if (!division) return {};
  made.division = *division;
  if (plan.stages.size() == 1) {
    std::erase_if(grid, [](const auto& point) { return point.second == 0; });
    if (grid.empty()) return {};
    split(grid, made);
  }
  return made;
}

}  // namespace crinkle
