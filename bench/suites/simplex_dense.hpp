// The innermost loops of the library's calls on a CPU, on full rectangles and boxes: what no order of pairs or triplets can beat.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "crinkle/pairs.hpp"
#include "suites/simplex_work.hpp"

namespace crinkle::bench {

inline constexpr std::int64_t dense_rows = 64, dense_layers = 16;  // of a part of these

/// As many pairs as n spheres have: n columns, and rows from the spheres behind them. Requires numbers_needed(n, dense_rows, false)
/// spheres. The executor must outlive it.
Ceiling dense_count_on_cpu(const Spheres& spheres, std::int64_t n, Executor& executor);
/// As many triplets as n points have: (i, j, k) of three stretches. Requires n ≥ 16 and
/// numbers_needed(n, dense_layers, true) points.
Ceiling dense_energy_on_cpu(const std::vector<float>& points, std::int64_t n, Executor& executor);

}  // namespace crinkle::bench
