// The named stencils. Central differences of order 2p, points ±1 … ±p, h = 1:
//     second derivative   c_k = 2 (−1)^(k+1) (p!)² / (k² (p − k)! (p + k)!),   c_0 = −2 Σ c_k
//     first derivative    c_k =   (−1)^(k+1) (p!)² / (k  (p − k)! (p + k)!),   c_(−k) = −c_k
// Source: Fornberg, "Generation of finite difference formulas on arbitrarily spaced grids", 1988; orders 2 to 8 are I to IV of the paper
// named in sweeper.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "crinkle/error.hpp"
#include "crinkle/sweeper.hpp"
#include "stencil/check.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_points = std::int64_t{1} << 24;
constexpr std::int64_t widest_direct = 32;  // points of a list; beyond, a pass an axis is faster: docs/stencils.md

void check_rank(int rank, const std::string& what) {
  if (rank < 1 || rank > 8)
    throw Error(ErrorCode::bad_shape, "a stencil '" + what + "' of rank " + std::to_string(rank) + "; give 1 to 8 axes");
}

void check_axis(int axis, int rank, const std::string& what) {
  if (axis < 0 || axis >= rank)
    throw Error(ErrorCode::bad_shape, what + " along axis " + std::to_string(axis) + " of " + std::to_string(rank) + "; axes count from 0");
}

void add_point(PointList& list, const std::vector<std::int64_t>& offset, double coefficient) {
  list.offsets.insert(list.offsets.end(), offset.begin(), offset.end());
  list.coefficients.push_back(coefficient);
}

// c_1 … c_p of the first or the second derivative.
std::vector<double> differences(int order, int derivative) {
  if (order != 2 && order != 4 && order != 6 && order != 8)
    throw Error(ErrorCode::bad_notation, "differences of order " + std::to_string(order) + "; the orders are 2, 4, 6 and 8");
  const int p = order / 2;
  const auto factorial = [](int n) {
    std::int64_t f = 1;
    for (int i = 2; i <= n; ++i) f *= i;
    return f;
  };
  std::vector<double> c;
  for (int k = 1; k <= p; ++k) {
    const std::int64_t up = derivative * factorial(p) * factorial(p) * (k % 2 == 1 ? 1 : -1);
    const std::int64_t down = (derivative == 2 ? k * k : k) * factorial(p - k) * factorial(p + k);
    c.push_back(static_cast<double>(up) / static_cast<double>(down));
  }
  return c;
}

// Points of one pass along one axis, or of a product of rows.
PointList product(const std::vector<std::vector<double>>& rows) {
  PointList list;
  std::vector<std::int64_t> extents, offset(rows.size());
  for (const auto& row : rows) extents.push_back(std::ssize(row));
  for_each_index(extents, [&](const auto& index) {
    double c = 1;
    for (std::size_t a = 0; a < rows.size(); ++a) {
      c *= rows[a][static_cast<std::size_t>(index[a])];
      offset[a] = index[a] - extents[a] / 2;
    }
    if (c != 0) add_point(list, offset, c);
  });
  return list;
}

}  // namespace

LinearStencil separable(std::string name, const std::vector<std::vector<double>>& rows) {
  const int rank = static_cast<int>(rows.size());
  check_rank(rank, name);
  std::int64_t n_points = 1;
  for (const auto& row : rows) {
    if (row.empty()) throw Error(ErrorCode::bad_shape, "a stencil '" + name + "' with an axis of no weights; give 1 or more");
    n_points = std::min(most_points, n_points * std::ssize(row));
  }
  LinearStencil stencil{std::move(name), rank, {}};
  if (n_points <= widest_direct) {
    stencil.passes.push_back(product(rows));
    return stencil;
  }
  for (std::size_t a = 0; a < rows.size(); ++a) {
    if (rows[a].size() == 1 && rows[a][0] == 1) continue;
    std::vector<std::vector<double>> along(rows.size(), {1.0});
    along[a] = rows[a];
    stencil.passes.push_back(product(along));
  }
  return stencil;
}

LinearStencil average(int rank, std::int64_t radius, StencilShape shape) {
  check_rank(rank, "average");
  if (radius < 0 || radius > widest_offset)
    throw Error(ErrorCode::bad_shape, "an average of radius " + std::to_string(radius) + "; give 0 to " + std::to_string(widest_offset));
  const auto width = static_cast<std::size_t>(2 * radius + 1);
  if (shape == StencilShape::box || rank == 1)
    return separable("average", std::vector(static_cast<std::size_t>(rank), std::vector<double>(width, 1.0 / static_cast<double>(width))));
  LinearStencil stencil{"average", rank, {{}}};
  const std::int64_t n = 2 * radius * rank + 1;
  std::vector<std::int64_t> offset(static_cast<std::size_t>(rank), 0);
  add_point(stencil.passes[0], offset, 1 / static_cast<double>(n));
  for (std::int64_t& o : offset) {
    for (std::int64_t k = 1; k <= radius; ++k) {
      for (const std::int64_t to : {-k, k}) {
        o = to;
        add_point(stencil.passes[0], offset, 1 / static_cast<double>(n));
      }
    }
    o = 0;
  }
  return stencil;
}

LinearStencil laplacian(int rank, int order, const std::vector<double>& spacing) {
  check_rank(rank, "laplacian");
  const std::vector<double> c = differences(order, 2);
  if (!spacing.empty() && std::ssize(spacing) != rank)
    throw Error(ErrorCode::bad_shape, std::to_string(spacing.size()) + " spacings for " + std::to_string(rank) + " axes; give one an axis");
  LinearStencil stencil{"laplacian:" + std::to_string(order), rank, {{}}};
  std::vector<std::int64_t> offset(static_cast<std::size_t>(rank), 0);
  double centre = 0;
  add_point(stencil.passes[0], offset, 0);
  for (std::size_t a = 0; a < offset.size(); ++a) {
    const double h = spacing.empty() ? 1 : spacing[a];
    if (!(h > 0)) throw Error(ErrorCode::bad_shape, "a spacing of " + std::to_string(h) + "; spacings are above 0");
    for (std::size_t k = 0; k < c.size(); ++k) {
      for (const std::int64_t sign : {-1, 1}) {
        offset[a] = sign * static_cast<std::int64_t>(k + 1);
        add_point(stencil.passes[0], offset, c[k] / (h * h));
      }
      centre -= 2 * (c[k] / (h * h));
    }
    offset[a] = 0;
  }
  stencil.passes[0].coefficients[0] = centre;
  return stencil;
}

LinearStencil gradient(int rank, int axis, int order, double spacing) {
  check_rank(rank, "gradient");
  check_axis(axis, rank, "gradient");
  if (!(spacing > 0)) throw Error(ErrorCode::bad_shape, "a spacing of " + std::to_string(spacing) + "; spacings are above 0");
  const std::vector<double> c = differences(order, 1);
  LinearStencil stencil{"gradient:" + std::to_string(axis), rank, {{}}};
  std::vector<std::int64_t> offset(static_cast<std::size_t>(rank), 0);
  for (std::size_t k = 0; k < c.size(); ++k) {
    for (const std::int64_t sign : {-1, 1}) {
      offset[static_cast<std::size_t>(axis)] = sign * static_cast<std::int64_t>(k + 1);
      add_point(stencil.passes[0], offset, static_cast<double>(sign) * c[k] / spacing);
    }
  }
  return stencil;
}

LinearStencil gaussian(const std::vector<double>& sigmas, double truncate) {
  std::vector<std::vector<double>> rows;
  if (!(truncate >= 0)) throw Error(ErrorCode::bad_shape, "a gaussian cut off at " + std::to_string(truncate) + " sigma; give 0 or more");
  for (const double sigma : sigmas) {
    if (!(sigma >= 0) || !(truncate * sigma < static_cast<double>(widest_offset))) {
      throw Error(ErrorCode::bad_shape, "a gaussian of sigma " + std::to_string(sigma) + "; give 0 or more, and a radius of at most " +
                                            std::to_string(widest_offset) + " cells");
    }
    const auto radius = sigma == 0 ? 0 : static_cast<std::int64_t>(truncate * sigma + 0.5);
    std::vector<double> row;
    double sum = 0;
    for (std::int64_t d = -radius; d <= radius; ++d) {
      const auto x = static_cast<double>(d);
      row.push_back(d == 0 ? 1 : std::exp(-0.5 / (sigma * sigma) * x * x));
      sum += row.back();
    }
    for (double& w : row) w /= sum;
    rows.push_back(std::move(row));
  }
  return separable("gaussian", rows);
}

LinearStencil sobel(int rank, int axis) {
  check_rank(rank, "sobel");
  check_axis(axis, rank, "sobel");
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(rank), {1, 2, 1});
  rows[static_cast<std::size_t>(axis)] = {-1, 0, 1};
  return separable("sobel:" + std::to_string(axis), rows);
}

LinearStencil from_array(std::span<const double> weights, const Extents& extents, Orientation orientation) {
  const int rank = static_cast<int>(extents.size());
  check_rank(rank, "array");
  if (Layout::dense(extents, 1).n_elements() != std::ssize(weights) || weights.empty()) {
    throw Error(ErrorCode::bad_shape, std::to_string(weights.size()) + " weights for a stencil of " + print_shape(extents) +
                                          "; give one a point, and at least one");
  }
  LinearStencil stencil{"array", rank, {{}}};
  std::vector<std::int64_t> offset(extents.size());
  std::size_t i = 0;
  for_each_index(extents, [&](const Extents& index) {
    for (std::size_t a = 0; a < extents.size(); ++a) offset[a] = index[a] - extents[a] / 2;
    if (orientation == Orientation::convolution) {
      for (std::int64_t& o : offset) o = -o;
    }
    if (weights[i] != 0) add_point(stencil.passes[0], offset, weights[i]);
    ++i;
  });
  if (orientation == Orientation::convolution) {  // C order of the flipped weights, as if they had been given so
    PointList flipped;
    const PointList& list = stencil.passes[0];
    for (std::int64_t k = list.n_points(); k-- > 0;) {
      for (int a = 0; a < rank; ++a) flipped.offsets.push_back(list.offsets[static_cast<std::size_t>(k * rank + a)]);
      flipped.coefficients.push_back(list.coefficients[static_cast<std::size_t>(k)]);
    }
    stencil.passes[0] = std::move(flipped);
  }
  return stencil;
}

}  // namespace crinkle
