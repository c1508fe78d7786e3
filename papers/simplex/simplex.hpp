// The suite `simplex`: the tests of Navarro, Bustos and Hitschfeld on this machine, a CPU or a GPU. Figure 3: what the root costs; figure
// 5: a dummy, Euclidean distances of four features, collisions of spheres in 1-D and 3-D, by every map; section 6, whose factor the paper
// only predicts: tetrahedra; and the library's own calls. Beside each stands what no map can beat: the same work on a full rectangle of
// blocks with as many cells, and of what is written, a plain fill.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crinkle/pairs.hpp"
#include "papers/simplex/work.hpp"
#include "papers/suites.hpp"
#include "suites/distance_check.hpp"

namespace crinkle::bench {

struct SimplexSizes {
  std::vector<std::int64_t> pairs;      // n of figures 3 and 5, multiples of 16
  std::vector<std::int64_t> triplets;   // of section 6, multiples of 8
  std::vector<std::int64_t> distances;  // of the calls: the first in all forms and metrics, the others condensed
  std::vector<std::int64_t> collisions;
  std::int64_t energy = 0;
};

/// A call of the library with one number as its result, made ready.
struct NumberCall {
  std::function<void()> run;
  std::function<double()> result;  // of a run of its own
  Ceiling ceiling;
};

/// Numbers where the tests run, and what runs there. Distances go to the site's destination.
class SimplexBackend {
 public:
  virtual ~SimplexBackend() = default;

  virtual const Numbers& numbers() const = 0;
  virtual std::vector<MapWay> ways(Work work, Maps maps, std::int64_t n) = 0;
  virtual Ceiling dense(Work work, std::int64_t n) = 0;
  /// Results cleared, one run, waited for.
  virtual Outcome outcome(Work work, std::int64_t n, const std::function<void()>& run) = 0;
  /// Distances at these places of the last run's result.
  virtual std::vector<double> sample(const std::vector<std::int64_t>& places, Real type) = 0;
  /// Of the first call.n numbers; the calls below likewise.
  virtual std::function<void()> distances(const DistanceCall& call) = 0;
  virtual NumberCall collisions(int dimensions, std::int64_t n) = 0;
  virtual NumberCall energy(std::int64_t n) = 0;
};
std::unique_ptr<SimplexBackend> simplex_on_cpu(const SimplexSizes& sizes, std::uint64_t seed, Site& site);
std::unique_ptr<SimplexBackend> simplex_on_gpu(const SimplexSizes& sizes, std::uint64_t seed, Site& site);

/// How many points and spheres all of it needs: calls have rectangles and boxes in blocks of these sides.
std::int64_t numbers_needed(const SimplexSizes& sizes, std::int64_t collision_side, std::int64_t energy_side);

std::vector<Entry> simplex_entries(const SimplexSizes& sizes);

// On a CPU:

/// A test by every map: blocks in the order of the map, in parts on all workers, as a GPU's multiprocessors take them.
std::vector<MapWay> ways_on_cpu(Work work, Maps maps, const WorkData& data, Executor& executor);
/// The same on a full rectangle or box.
Ceiling dense_on_cpu(Work work, const WorkData& data, Executor& executor);

// The innermost loops of the library's calls on full rectangles and boxes: what no order of pairs or triplets can beat.
inline constexpr std::int64_t dense_rows = 64, dense_layers = 16;  // of a part of these

/// As many pairs as n spheres have: n columns, and rows from the spheres behind them. Requires numbers_needed(n, dense_rows, false)
/// spheres. The executor must outlive it.
Ceiling dense_count_on_cpu(const Spheres& spheres, std::int64_t n, Executor& executor);
/// As many triplets as n points have: (i, j, k) of three stretches. Requires n ≥ 16 and numbers_needed(n, dense_layers, true) points.
Ceiling dense_energy_on_cpu(const std::vector<float>& points, std::int64_t n, Executor& executor);

}  // namespace crinkle::bench
