// The sum's order is that of the points, so axes may be walked in any order and direction: an axis with a negative stride in the source is
// turned around (its points and faces with it), the axes are sorted by the source's strides, and neighbours that no stencil reaches along
// are joined where both arrays allow it. A short last axis of that kind, channels of a picture, becomes the width of a cell.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/shape.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "stencil/check.hpp"
#include "stencil/cpu/stencil_kernels.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t least_of_grid = 14;  // points in a plane; shorter lists are made as quickly row by row
constexpr std::int64_t widest_cell = 64;    // elements; a longer axis is a line of its own

struct Walked {
  SweepAxis axis;
  std::int64_t from = 0, to = 0;  // strides in source and destination
  bool is_turned = false;
};

std::vector<Walked> walked(const Sweep& sweep, std::int64_t& from_offset, std::int64_t& to_offset) {
  std::vector<Walked> axes;
  for (std::size_t a = 0; a < sweep.source.extents.size(); ++a) {
    Walked w{{sweep.source.extents[a], static_cast<int>(a), -1, {}}, sweep.source.strides[a], sweep.destination.strides[a]};
    const auto named = std::find(sweep.axes.begin(), sweep.axes.end(), static_cast<int>(a));
    if (named != sweep.axes.end()) {
      w.axis.stencil_axis = static_cast<int>(named - sweep.axes.begin());
      w.axis.faces = sweep.boundary[static_cast<std::size_t>(w.axis.stencil_axis)];
    } else if (w.axis.extent == 1) {
      continue;
    }
    if (w.from < 0) {
      from_offset += (w.axis.extent - 1) * w.from;
      to_offset += (w.axis.extent - 1) * w.to;
      w.from = -w.from;
      w.to = -w.to;
      std::swap(w.axis.faces.low, w.axis.faces.high);
      w.is_turned = true;
    }
    axes.push_back(w);
  }
  // An axis of stride 0 repeats what is read: the slowest.
  std::stable_sort(axes.begin(), axes.end(), [](const Walked& a, const Walked& b) {
    return (a.from == 0 ? INT64_MAX : a.from) > (b.from == 0 ? INT64_MAX : b.from);
  });
  return axes;
}

void join_independent(std::vector<Walked>& axes) {
  for (std::size_t a = 1; a < axes.size();) {
    Walked &slow = axes[a - 1], &fast = axes[a];
    const bool are_independent = slow.axis.stencil_axis < 0 && fast.axis.stencil_axis < 0;
    if (are_independent && slow.from == fast.from * fast.axis.extent && slow.to == fast.to * fast.axis.extent) {
      fast.axis.extent *= slow.axis.extent;
      axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(a) - 1);
    } else {
      ++a;
    }
  }
}

void find_grid(Stage& stage, std::size_t n) {
  const std::int64_t n_points = stage.n_points();
  if (n < 2 || n_points == 0) return;
  const auto at = [&](std::int64_t k) { return stage.offsets.begin() + k * static_cast<std::int64_t>(n); };
  const auto row = static_cast<std::ptrdiff_t>(n - 2), column = static_cast<std::ptrdiff_t>(n - 1);
  const auto is_row = [&](std::int64_t k, std::int64_t first, std::int64_t y) {  // y rows behind point `first`, in its plane
    return std::equal(at(k), at(k) + row, at(first)) && at(k)[row] == at(first)[row] + y;
  };
  std::int64_t n_across = 1, n_down = 1;
  while (n_across < n_points && is_row(n_across, 0, 0)) ++n_across;
  while (n_down * n_across < n_points && is_row(n_down * n_across, 0, n_down)) ++n_down;
  const std::int64_t of_plane = n_down * n_across, n_planes = n_points / of_plane;
  if (of_plane < least_of_grid || n_down < 2 || n_points % of_plane != 0 || n_across > simd::most_stacked) return;
  if (n_planes * (n_down + simd::rows_fused_at_once - 1) > simd::most_stacked) return;
  for (std::int64_t k = 0; k < n_points; ++k)
    if (!is_row(k, k / of_plane * of_plane, k % of_plane / n_across) || at(k)[column] != at(k % n_across)[column]) return;
  stage.n_down = n_down;
  stage.n_across = n_across;
}

Stage stage_of(const PointList& list, int rank, const std::vector<Walked>& axes) {
  Stage stage;
  stage.coefficients = list.coefficients;
  for (std::int64_t k = 0; k < list.n_points(); ++k) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const int along = axes[a].axis.stencil_axis;
      std::int64_t o = along < 0 ? 0 : list.offsets[static_cast<std::size_t>(k * rank + along)];
      if (axes[a].is_turned) o = -o;
      stage.offsets.push_back(o);
      stage.below[a] = std::max(stage.below[a], -o);
      stage.above[a] = std::max(stage.above[a], o);
    }
  }
  find_grid(stage, axes.size());
  return stage;
}

}  // namespace

std::int64_t SweepShape::n_cells() const {
  std::int64_t n = 1;
  for (const SweepAxis& axis : axes) n = multiply(n, axis.extent);
  return n;
}

ShapedSweep shaped(const Sweep& sweep, const Ranges& made) {
  ShapedSweep result;
  result.source = {sweep.source.offset, {}, sweep.source.element_bytes, sweep.source_type};
  result.destination = {sweep.destination.offset, {}, sweep.destination.element_bytes, sweep.destination_type};
  std::vector<Walked> axes = walked(sweep, result.source.offset, result.destination.offset);
  join_independent(axes);
  const auto is_cell = [](std::int64_t extent) { return extent > 0 && extent < widest_cell; };
  if (axes.size() > 1 && axes.back().axis.stencil_axis < 0 && is_cell(axes.back().axis.extent) &&
      axes[axes.size() - 2].axis.stencil_axis >= 0) {
    result.shape.width = axes.back().axis.extent;
    result.source.element_stride = axes.back().from;
    result.destination.element_stride = axes.back().to;
    axes.pop_back();
  }
  if (axes.size() > most_axes) {
    throw Error(ErrorCode::unsupported, "a stencil over an array of " + std::to_string(axes.size()) +
                                            " axes that cannot be joined; give at most " + std::to_string(most_axes));
  }
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const SweepAxis& axis = axes[a].axis;
    result.shape.axes.push_back(axis);
    result.source.strides[a] = axes[a].from;
    result.destination.strides[a] = axes[a].to;
    result.made.high[a] = axis.extent;
    if (made.empty() || axis.stencil_axis < 0) continue;
    const Range range = made[static_cast<std::size_t>(axis.array_axis)];
    result.made.low[a] = axes[a].is_turned ? axis.extent - range.first - range.n : range.first;
    result.made.high[a] = result.made.low[a] + range.n;
  }
  const std::vector<double> factors = factors_beyond(sweep.stencil);
  for (std::size_t p = 0; p < factors.size(); ++p) {
    result.stages.push_back(stage_of(sweep.stencil.passes[p], sweep.stencil.rank, axes));
    result.stages.back().beyond = factors[p];
  }
  result.stages.back().ends_step = true;
  return result;
}

SweepPlaces dense_places(const SweepShape& shape, NumberType type) {
  SweepPlaces places;
  places.type = type;
  places.element_stride = bytes_of(type.number);
  std::int64_t stride = places.element_stride * shape.width;
  for (std::size_t a = shape.axes.size(); a-- > 0;) {
    places.strides[a] = stride;
    stride = multiply(stride, shape.axes[a].extent);
  }
  return places;
}

}  // namespace crinkle
