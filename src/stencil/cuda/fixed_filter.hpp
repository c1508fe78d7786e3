// Filters that kernels compiled ahead of time make in one pass: two lists behind each other, whose weights come with the launch, so that
// nothing waits for a compiler. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "stencil/cuda/filters.hpp"
#include "stencil/cuda/fixed_plan.hpp"

namespace crinkle {

/// The least radius of a kernel that makes the filter, or none: of float32, two lists also of bytes to bytes, one element a cell, and lines
/// that fill a good part of a tile. Grids of 5 x 5 and fewer have other kernels (march.hpp).
std::optional<int> fixed_radius(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types);
FilterTile fixed_tile(int radius, const Filter& filter, const SweepShape& shape, const FilterTypes& types);

/// The plan of a filter of this radius.
template <class P>
P fixed_plan(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types) {
  P p;
  p.first_down = static_cast<std::int32_t>(filter.first_down);
  p.n_unused = P::n_weights - static_cast<std::int32_t>(filter.n_down());
  p.begin_across = static_cast<std::int32_t>(filter.first_across) + P::radius;
  p.end_across = p.begin_across + static_cast<std::int32_t>(filter.n_across());
  const auto set = [](const double* weights, std::int64_t n, std::int32_t begin, float* narrow, double* exact) {
    for (std::int64_t k = 0; k < n; ++k) {
      narrow[begin + k] = static_cast<float>(weights[k]);
      if (P::is_rounded) exact[begin + k] = weights[k];
    }
  };
  if (P::is_grid) {
    for (std::int32_t j = p.n_unused; j < P::n_weights; ++j)
      set(filter.across.data() + (j - p.n_unused) * filter.n_across(), filter.n_across(), j * P::n_weights + p.begin_across,
          p.weights_across, nullptr);
  } else {
    set(filter.down.data(), filter.n_down(), p.n_unused, p.weights_down, p.exact_weights_down);
    set(filter.across.data(), filter.n_across(), p.begin_across, p.weights_across, p.exact_weights_across);
  }
  p.certain = static_cast<float>(types.certain.value_or(0.5));
  const SweepAxis &rows = shaped.shape.axes[filter.rows], &line = shaped.shape.axes.back();
  p.rows_low = rows.faces.low.bound;
  p.rows_high = rows.faces.high.bound;
  p.line_low = line.faces.low.bound;
  p.line_high = line.faces.high.bound;
  p.line_wins = line.array_axis > rows.array_axis;
  return p;
}

/// Its launch, given to a stream. Requires what fixed_radius() said.
using FixedLaunch =
    std::function<void(const FilterTask& task, const FixedGrid& grid, const std::byte* in, std::byte* out, CUstream_st* stream)>;
FixedLaunch fixed_launch(int radius, const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types);

}  // namespace crinkle
