// One averaging and one Ising update, written once, run in 1, 2, 3 and 5 dimensions: only the index' type names the number of axes.
// The average keeps the mean; the sum of the updates' energy changes is the energy's change; and since no two neighbours share a
// colour, the order of a half sweep does not matter: it is ready for as many threads as there are cells.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>
#include <vector>

#include "crinkle/kindex.hpp"

template <class Index>
void average(const Index& index, const std::vector<double>& before, std::vector<double>& after) {
  for (std::size_t k = 0; k < index.total(); ++k) {
    double sum = before[k];
    for (int axis = 0; axis < Index::rank; ++axis) sum += before[index.neighbour(k, axis, -1)] + before[index.neighbour(k, axis, +1)];
    after[k] = sum / (2 * Index::rank + 1);
  }
}

// A number in [0, 1) for every cell and sweep, the same on every machine.
double uniform(std::uint64_t k, std::uint64_t sweep) {
  std::uint64_t bits = (k + 1) * 0x9E3779B97F4A7C15u + (sweep + 1) * 0xD1B54A32D192ED03u;
  for (int round = 0; round < 3; ++round) bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9u;
  return static_cast<double>(bits >> 11) / 9007199254740992.0;
}

// Metropolis on the cells of one colour; returns the change of energy. Every extent is even, so colours fit round the ends.
template <class Index>
long update(const Index& index, std::vector<int>& spins, unsigned colour, std::uint64_t sweep, bool backwards) {
  long change = 0;
  for (std::size_t step = 0; step < index.total(); ++step) {
    const std::size_t k = backwards ? index.total() - 1 - step : step;
    std::uint64_t parity = 0;
    for (const std::uint64_t i : index.decompose(k)) parity += i;
    if (parity % 2 != colour) continue;
    int field = 0;
    for (int axis = 0; axis < Index::rank; ++axis) field += spins[index.neighbour(k, axis, -1)] + spins[index.neighbour(k, axis, +1)];
    const int cost = 2 * spins[k] * field;
    if (cost > 0 && uniform(k, sweep) >= std::exp(-cost / 2.5)) continue;
    spins[k] = -spins[k];
    change += cost;
  }
  return change;
}

template <class Index>
long energy(const Index& index, const std::vector<int>& spins) {
  long sum = 0;
  for (std::size_t k = 0; k < index.total(); ++k)
    for (int axis = 0; axis < Index::rank; ++axis) sum -= spins[k] * spins[index.neighbour(k, axis, +1)];
  return sum;
}

template <class Index>
bool run(const Index& index) {
  std::vector<double> field(index.total()), smooth(index.total());
  std::vector<int> spins(index.total(), 1), other = spins;
  double mean = 0, mean_after = 0;
  for (std::size_t k = 0; k < index.total(); ++k) mean += field[k] = uniform(k, 99);
  average(index, field, smooth);
  for (const double value : smooth) mean_after += value;

  const long start = energy(index, spins);
  long change = 0;
  for (unsigned half_sweep = 0; half_sweep < 20; ++half_sweep) {
    change += update(index, spins, half_sweep % 2, half_sweep, false);
    update(index, other, half_sweep % 2, half_sweep, true);
  }
  std::printf("%d dimensions: mean %.6f, energy per cell %+.4f\n", Index::rank, mean_after / static_cast<double>(index.total()),
              static_cast<double>(start + change) / static_cast<double>(index.total()));
  return std::abs(mean - mean_after) < 1e-9 * mean && change > 0 && energy(index, spins) == start + change && spins == other;
}

int main() {
  using namespace crinkle;
  return run(AnyIndex<1>({1000})) && run(PowerOfTwoIndex<2>({64, 32})) && run(AnyIndex<3>({10, 12, 6})) && run(AnyIndex<5>({4, 6, 2, 4, 6}))
             ? 0
             : 1;
}
