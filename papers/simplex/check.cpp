// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace crinkle::bench {
namespace {

constexpr std::int64_t most_defined_pairs = 4096, most_defined_triplets = 256;  // points: up to there the definition takes little time

bool is_defined(Work work, std::int64_t n) { return n <= (is_of_triplets(work) ? most_defined_triplets : most_defined_pairs); }

/// What a map is checked by.
Work checker_of(Work work) {
  switch (work) {
    case Work::dummy:
    case Work::map_alone: return Work::tally;
    case Work::dummy_3d: return Work::tally_3d;
    default: return work;
  }
}

}  // namespace

std::string checked_by(Work work, std::int64_t n) { return is_defined(work, n) ? "definition" : "bounding box"; }

void check_count(const std::string& what, std::uint64_t count, std::uint64_t expected) {
  if (count != expected) throw std::runtime_error(fmt::format("{}: counts {}, not {}", what, count, expected));
}

void check_energy(const std::string& what, double energy, double expected, double error) {
  if (!(std::abs(energy - expected) <= error * std::abs(expected)))
    throw std::runtime_error(fmt::format("{}: the energy is {}, not {}", what, energy, expected));
}

void check_ways(SimplexBackend& backend, Work work, Maps maps, std::int64_t n, const std::vector<MapWay>& ways) {
  const Work checker = checker_of(work);
  const std::vector<MapWay> checked = checker == work ? ways : backend.ways(checker, maps, n);
  const bool is_by_definition = is_defined(work, n);
  Outcome expected, first;
  if (is_by_definition) expected = defined_outcome(checker, n, backend.numbers());
  for (std::size_t k = 0; k < checked.size(); ++k) {
    const std::string what = fmt::format("{} of {} points", checked[k].name, n);
    const Outcome is = backend.outcome(checker, n, checked[k].run);
    if (k == 0) first = is;
    if (checker == Work::distances) {
      check_count(what + ", places that are not written", is.count, 0);
      if (k == 0)
        check_distances(what, backend.numbers().points, {Metric::euclidean, PairForm::packed_upper, Real::float32, n},
                        [&](const auto& places) {
                          return backend.sample(places, Real::float32);  // LAPACK's upper triangle by columns: j(j + 1)/2 + i
                        });
    } else if (checker == Work::triplets) {
      if (is_by_definition) check_energy(what, is.energy, expected.energy, 1e-4);  // terms in float
      check_energy(what, is.energy, first.energy, 1e-9);                           // the same terms, in another order
    } else {
      check_count(what, is.count, is_by_definition ? expected.count : first.count);
    }
    if (checker == Work::tally || checker == Work::tally_3d) {
      check_count(what, is.count, static_cast<std::uint64_t>(useful_cells(checker, n)));
      if (is_by_definition) check_count(what + ", numbers of cells", is.sum, expected.sum);
    }
    check_count(what + ", what lies in which place", is.sum, first.sum);
  }
}

}  // namespace crinkle::bench
