// In how many blocks a sweep stays in shared memory: few of them wait for less, many have less to make.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/resident.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace crinkle {
namespace {

// Guesses, not yet measured (docs/tuning.md). A multiprocessor issues four instructions of a warp a cycle.
constexpr double issues_per_second = 4 * 1.7e9, of_point = 4, of_cell = 10, of_rim_cell = 12, barriers_seconds = 0.3e-6,
                 neighbours_seconds = 0.9e-6;
/// A step by itself: a launch of a graph, and the latency of its loads.
constexpr double launch_seconds = 3e-6;
/// So that a first step, which fills shared memory, is one of several.
constexpr std::int64_t fewest_steps = 4;

}  // namespace

template <class T>
double seconds_of_step(const ResidentSweep<T>& s) {
  const double words = sizeof(T) / 4, made = static_cast<double>(s.kept(0) - s.axes[0].below - s.axes[0].above) * s.kept(1) * s.kept(2);
  const double issued = (made * (of_cell + of_point * words * s.n_points) + of_rim_cell * static_cast<double>(s.n_rim())) / 32;
  return issued / issues_per_second + barriers_seconds + (s.n_blocks > 1 ? neighbours_seconds : 0);
}

template <class T>
std::optional<ResidentSweep<T>> resident_in(std::int64_t n_blocks, const CudaStage<T>& stage, const Stage& list, std::int64_t steps,
                                            const ResidentLimits& limits) {
  const auto n_axes = static_cast<std::size_t>(stage.n_axes);
  if (stage.width != 1 || !stage.is_aligned || stage.n_points > most_cuda_points || stage.n_points == 0) return {};
  std::size_t order[3] = {n_axes - 3, n_axes - 2, n_axes - 1};
  for (std::size_t a = 0; a < n_axes - 3; ++a)
    if (stage.axes[a].extent != 1 || list.below[a] + list.above[a] > 0) return {};
  if (stage.axes[order[0]].extent == 1 && list.below[order[0]] + list.above[order[0]] == 0) std::swap(order[0], order[1]);
  ResidentSweep<T> s;
  s.steps = steps;
  s.n_blocks = static_cast<std::int32_t>(n_blocks);
  s.n_points = stage.n_points;
  constexpr std::int64_t most_extent = 1 << 20;
  for (int a = 0; a < 3; ++a) {
    s.axes[a] = stage.axes[order[a]];
    if (s.axes[a].extent > most_extent || s.axes[a].below > most_extent || s.axes[a].above > most_extent) return {};
  }
  const std::int64_t reach = std::max(s.axes[0].below, s.axes[0].above);
  if (n_blocks > 1 && s.axes[0].extent / n_blocks <= reach) return {};  // what a block needs lies in its neighbours' rows
  if (n_blocks > 1 && reach > 0)                                        // each block waits for both neighbours
    for (std::int32_t* const side : {&s.axes[0].below, &s.axes[0].above}) *side = std::max(*side, 1);
  constexpr std::int64_t most_cells = 32 * resident_threads;  // a bit of a thread's each
  if (s.kept(0) > most_extent / s.kept(1) || s.kept(0) * s.kept(1) > most_cells / s.kept(2) || s.shared_bytes() > limits.shared_bytes)
    return {};
  for (std::int32_t p = 0; p < s.n_points; ++p) {
    const auto offset = [&](int a) { return list.offsets[static_cast<std::size_t>(p) * n_axes + order[a]]; };
    s.deltas[p] = static_cast<std::int32_t>((offset(0) * s.kept(1) + offset(1)) * s.kept(2) + offset(2));
    s.coefficients[p] = static_cast<T>(list.coefficients[static_cast<std::size_t>(p)]);
  }
  return s;
}

template <class T>
std::optional<ResidentSweep<T>> resident_of(const CudaStage<T>& stage, const Stage& list, std::int64_t steps,
                                            const ResidentLimits& limits) {
  std::optional<ResidentSweep<T>> best;
  if (steps < fewest_steps) return best;
  double least = launch_seconds;
  const auto is_faster = [&](std::int64_t n_blocks) {
    const auto s = resident_in(n_blocks, stage, list, steps, limits);
    if (!s || seconds_of_step(*s) >= least) return;
    least = seconds_of_step(*s);
    best = s;
  };
  for (std::int64_t n_blocks = 1; n_blocks < limits.workers; n_blocks *= 2) is_faster(n_blocks);
  is_faster(limits.workers);
  return best;
}

template double seconds_of_step(const ResidentSweep<float>&);
template double seconds_of_step(const ResidentSweep<double>&);
template std::optional<ResidentSweep<float>> resident_in(std::int64_t, const CudaStage<float>&, const Stage&, std::int64_t,
                                                         const ResidentLimits&);
template std::optional<ResidentSweep<double>> resident_in(std::int64_t, const CudaStage<double>&, const Stage&, std::int64_t,
                                                          const ResidentLimits&);
template std::optional<ResidentSweep<float>> resident_of(const CudaStage<float>&, const Stage&, std::int64_t, const ResidentLimits&);
template std::optional<ResidentSweep<double>> resident_of(const CudaStage<double>&, const Stage&, std::int64_t, const ResidentLimits&);

}  // namespace crinkle
