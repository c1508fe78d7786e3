// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "form/array_check.hpp"
#include "form/check.hpp"

namespace crinkle {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

std::string counted(std::int64_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

void check_points(const LinearStencil& stencil) {
  if (stencil.rank < 1 || stencil.rank > 8) refuse(fmt::format("a stencil of rank {}; give 1 to 8 axes", stencil.rank));
  if (stencil.passes.empty()) refuse("a stencil without points; give one or more");
  for (const PointList& pass : stencil.passes) {
    if (pass.n_points() == 0) refuse("a stencil without points: all its weights are 0, or there are none; give one that is not 0");
    if (std::ssize(pass.offsets) != multiply(pass.n_points(), stencil.rank)) {
      refuse(fmt::format("{} offsets for {} in {}; give one a point and axis", pass.offsets.size(),
                         counted(pass.n_points(), "point", "points"), counted(stencil.rank, "axis", "axes")));
    }
    for (const double c : pass.coefficients)
      if (!std::isfinite(c)) refuse(fmt::format("a coefficient of {}; coefficients are finite", c));
    for (const std::int64_t o : pass.offsets) {
      if (o < -widest_offset || o > widest_offset)
        throw Error(ErrorCode::too_large, fmt::format("an offset of {} cells; give at most {}", o, widest_offset));
    }
  }
}

void check_axes(Sweep& sweep) {
  const auto rank = std::ssize(sweep.source.extents);
  const int wanted = sweep.stencil.rank;
  if (std::ssize(sweep.axes) != wanted) {
    refuse(fmt::format("a stencil of rank {} along {} of an array of rank {}; name as many axes as the stencil has", wanted,
                       counted(std::ssize(sweep.axes), "axis", "axes"), rank));
  }
  for (int& axis : sweep.axes) {
    const int named = axis;
    if (axis < 0) axis += static_cast<int>(rank);
    if (axis < 0 || axis >= rank) refuse(fmt::format("axis {} of an array of rank {}; give {} to {}", named, rank, -rank, rank - 1));
    if (std::count(sweep.axes.begin(), sweep.axes.end(), axis) > 1) refuse(fmt::format("axis {} is named twice", named));
  }
}

void check_faces(Sweep& sweep) {
  const auto rank = static_cast<std::size_t>(sweep.stencil.rank);
  if (sweep.boundary.empty()) sweep.boundary.resize(1);
  if (sweep.boundary.size() == 1) sweep.boundary.resize(rank, sweep.boundary[0]);
  if (sweep.boundary.size() != rank)
    refuse(fmt::format("boundaries of {} for a stencil of rank {}; give one an axis, or one for all",
                       counted(std::ssize(sweep.boundary), "axis", "axes"), rank));
  for (std::size_t a = 0; a < rank; ++a) {
    const Faces& faces = sweep.boundary[a];
    if (faces.low.bound == Bound::function || faces.high.bound == Bound::function)
      refuse(
          fmt::format("the axis {} of the stencil ends in a function, which only stencils of your own have (crinkle/stencil.hpp); give "
                      "periodic, edge, reflect, symmetric or constant",
                      a));
    if ((faces.low.bound == Bound::periodic) != (faces.high.bound == Bound::periodic))
      refuse(fmt::format("the axis {} of the stencil is periodic at one end and {} at the other; periodic joins both ends", a,
                         print(faces.low.bound == Bound::periodic ? faces.high : faces.low)));
  }
}

// The axis of the stencil that a list reaches along; −1 for none, the rank for several.
int only_axis(const PointList& list, int rank) {
  int found = -1;
  for (std::size_t i = 0; i < list.offsets.size(); ++i) {
    const int axis = static_cast<int>(i % static_cast<std::size_t>(rank));
    if (list.offsets[i] == 0 || axis == found) continue;
    if (found >= 0) return rank;
    found = axis;
  }
  return found;
}

}  // namespace

bool is_separable(const LinearStencil& stencil) {
  std::vector<bool> is_reached(static_cast<std::size_t>(stencil.rank), false);
  for (const PointList& pass : stencil.passes) {
    const int axis = only_axis(pass, stencil.rank);
    if (axis < 0) continue;
    if (axis == stencil.rank || is_reached[static_cast<std::size_t>(axis)]) return false;
    is_reached[static_cast<std::size_t>(axis)] = true;
  }
  return true;
}

std::vector<double> factors_beyond(const LinearStencil& stencil) {
  std::vector<double> factors(stencil.passes.size(), 1);
  if (!is_separable(stencil)) return factors;
  for (std::size_t p = 1; p < factors.size(); ++p) {
    const std::vector<double>& weights = stencil.passes[p - 1].coefficients;
    factors[p] = factors[p - 1] * std::accumulate(weights.begin(), weights.end(), 0.0);
  }
  return factors;
}

Sweep checked(Sweep sweep) {
  check_points(sweep.stencil);
  check_array(sweep.source, sweep.source_type, "source");
  check_array(sweep.destination, sweep.destination_type, "destination");
  if (sweep.source.extents != sweep.destination.extents) {
    refuse(fmt::format("the source is {}, the destination {}; a stencil keeps the shape", print_shape(sweep.source.extents),
                       print_shape(sweep.destination.extents)));
  }
  check_axes(sweep);
  check_faces(sweep);
  if (is_separable(sweep.stencil)) {
    std::stable_sort(sweep.stencil.passes.begin(), sweep.stencil.passes.end(), [&](const PointList& a, const PointList& b) {
      const auto axis = [&](const PointList& list) {
        const int along = only_axis(list, sweep.stencil.rank);
        return along < 0 ? -1 : sweep.axes[static_cast<std::size_t>(along)];
      };
      return axis(a) < axis(b);
    });
  }
  if (sweep.steps < 1) refuse(fmt::format("{} steps; give 1 or more", sweep.steps));
  if (sweep.steps_at_once < 0) refuse(fmt::format("{} steps at once; give 1 or more, or 0 for what is found best", sweep.steps_at_once));
  check_no_overlap(sweep.destination);
  return sweep;
}

}  // namespace crinkle
