// The suite `simplex`: the tests of Navarro, Bustos and Hitschfeld on this machine, a CPU or a GPU. Figure 3: what the root costs; figure
// 5: a dummy, Euclidean distances of four features, collisions of spheres in 1-D and 3-D, by every map; section 6, whose factor the paper
// only predicts: tetrahedra; and the library's own calls. Beside each stands what no map can beat: the same work on a full rectangle of
// blocks with as many cells, and of what is written, a plain fill.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/timing.hpp"
#include "crinkle/pairs.hpp"
#include "suites/permute.hpp"
#include "suites/report.hpp"
#include "suites/simplex_work.hpp"

namespace crinkle::bench {

struct SimplexSizes {
  std::vector<std::int64_t> pairs;      // n of figures 3 and 5, multiples of 16
  std::vector<std::int64_t> triplets;   // of section 6, multiples of 8
  std::vector<std::int64_t> distances;  // of the calls: the first in all forms and metrics, the others condensed
  std::vector<std::int64_t> collisions;
  std::int64_t energy = 0;
};
SimplexSizes simplex_sizes(Device::Kind kind);

/// What takes turns, and what is kept of it.
struct Contest {
  std::string name;  // of rows, before the way's
  std::int64_t n = 0;
  std::int64_t element_bytes = 4, bytes = 0;  // read and written at least
  std::int64_t useful = 0;                    // pairs or triplets
  bool is_of_triplets = false;
  std::vector<Way> ways;          // of figures the bounding box first
  std::vector<Ceiling> ceilings;  // the row's copies
  std::vector<Ceiling> fills;     // besides, of what writes
  std::string checked;
};

/// A call of the library, made ready and checked when its turn comes.
struct Call {
  std::string name;
  std::int64_t bytes = 0;  // of its result
  std::function<Contest()> make;
};
struct DistanceCall {
  Metric metric = Metric::euclidean;
  PairForm form = PairForm::condensed;
  Real type = Real::float32;
  std::int64_t n = 0;
  std::int64_t bytes() const { return distance_bytes(n, form, type); }
};
std::vector<Call> named_calls(const SimplexSizes& sizes, const std::function<Contest(const DistanceCall&)>& distances,
                              const std::function<Contest(int dimensions, std::int64_t)>& collisions,
                              const std::function<Contest(std::int64_t)>& energy);

/// Where the tests run.
class SimplexSite {
 public:
  virtual ~SimplexSite() = default;

  virtual const Numbers& numbers() const = 0;
  virtual std::vector<Way> ways(Work work, Maps maps, std::int64_t n) = 0;
  virtual Ceiling dense(Work work, std::int64_t n) = 0;
  virtual std::vector<Ceiling> fills(std::int64_t n_bytes) = 0;
  /// Results cleared, one run, waited for.
  virtual Outcome outcome(Work work, std::int64_t n, const std::function<void()>& run) = 0;
  /// Distances at these places of the last run's result.
  virtual std::vector<float> sample(const std::vector<std::int64_t>& places) = 0;
  virtual std::vector<Call> calls() = 0;
  virtual void take_turns(std::vector<Contender>& contenders, const Effort& effort) = 0;
  virtual int threads() const = 0;  // of the CPU; 0: a GPU
};

/// The ceilings' meanings and what the paper says, for the document.
nlohmann::ordered_json simplex_facts();

/// The largest array that a test of distances, or a call, writes within the memory of `effort`; others are left out, and said so. Throws
/// bad_notation where no name has one of `filters` in it.
std::int64_t simplex_bytes(const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort);
/// How many points and spheres all of it needs: calls have rectangles and boxes in blocks of these sides.
std::int64_t numbers_needed(const SimplexSizes& sizes, std::int64_t collision_side, std::int64_t energy_side);

/// Tables go to the report's table, a row for each test, n and map to its document; only those with one of `filters` in their name, as in
/// edm_4096. Throws std::runtime_error, naming the map, where a result is wrong, and what simplex_bytes() throws.
void run_simplex(SimplexSite& site, const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort, Report& report);

void run_simplex(const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort, std::uint64_t seed,
                 Executor& executor, Report& report);
/// Unsupported in a build without CUDA.
void run_simplex_on_gpu(const SimplexSizes& sizes, std::span<const std::string> filters, const Effort& effort, std::uint64_t seed,
                        Device device, Report& report);

}  // namespace crinkle::bench
