// What the suite `simplex` does with the cells that a map gives, on either device: the paper's tests, and a tally by which every map is
// checked where it runs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "crinkle/executor.hpp"
#include "harness/ceiling.hpp"
#include "harness/random.hpp"
#include "papers/simplex/maps.hpp"

namespace crinkle::bench {

/// dummy writes i + j to one place; map_alone would write for a pair that does not exist, so that the map is all that takes time; tally
/// adds up how many cells there are, and a number of each.
enum class Work : std::uint8_t { dummy, map_alone, tally, distances, collisions_1d, collisions_3d, dummy_3d, tally_3d, triplets };

constexpr bool is_of_triplets(Work work) { return work >= Work::dummy_3d; }

/// Cells that the definition has: i ≥ j, of collisions i > j; i ≥ j ≥ k, of triplets i > j > k.
std::int64_t useful_cells(Work work, std::int64_t n);

CRINKLE_HD inline std::uint64_t number_of_cell(std::uint64_t i, std::uint64_t j, std::uint64_t k = 0) {
  std::uint64_t state = (i << 42) + (j << 21) + k;
  return next_random(state);
}

/// Points and spheres in the unit box; behind the n of a test there are more of them, for dense rectangles.
struct Numbers {
  std::vector<float> points;                   // [n_all][4]
  std::vector<float> line, space;              // [n_all], [n_all][3]: centres in one dimension and in three
  std::vector<float> line_radii, space_radii;  // [n_all]

  Numbers() = default;
  Numbers(std::int64_t n_all, std::uint64_t seed, Executor& executor);
  std::int64_t n_all() const { return std::ssize(line); }
};
/// How many a test of pairs or triplets needs for its rectangle, in blocks of `side`.
constexpr std::int64_t numbers_needed(std::int64_t n, std::int64_t side, bool is_triplets) { return (is_triplets ? 3 : 2) * n + 4 * side; }

/// Elements that a test of distances writes at most, of the triangle or of the rectangle.
constexpr std::int64_t elements_needed(std::int64_t n) { return n * (n + 1) / 2 + block_side * (n + block_side); }

/// Numbers of a test where it runs, and where its results go.
struct WorkData {
  std::int64_t n = 0;
  const float* points = nullptr;    // [n_all][4]
  const float* centres = nullptr;   // [n_all][1 or 3]
  const float* radii = nullptr;     // [n_all]
  float* out = nullptr;             // distances: i(i + 1)/2 + j
  std::uint64_t* totals = nullptr;  // [2]: how many, and the sum of their numbers
  double* energies = nullptr;       // [n_energies], whose sum is the energy
};
inline constexpr unsigned n_energies = 4096;

/// A map's run of a test.
struct MapWay {
  std::string name;
  std::function<void()> run;
  std::int64_t n_blocks = 0, n_outside = 0;  // started, and those of them that have nothing to do
};

/// What a run did.
struct Outcome {
  std::uint64_t count = 0;  // tally: cells; collisions; distances: words that were not written
  std::uint64_t sum = 0;    // tally, distances: of what is in which place
  double energy = 0;
};

/// By the definition, cell by cell in double precision. Of distances nothing is known but that all are written.
Outcome defined_outcome(Work work, std::int64_t n, const Numbers& numbers);

/// Word `place` of what a run of distances wrote, in Outcome::sum.
CRINKLE_HD inline std::uint64_t weighed_word(std::uint32_t word, std::uint64_t place) { return word * (2 * place + 1); }
inline constexpr std::uint32_t unwritten_word = 0xFFFFFFFF;  // a NaN: no distance

}  // namespace crinkle::bench
