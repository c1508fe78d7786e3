// The Ising model (ising.hpp) on the threads of a CPU: exactly 4 × 4 spins beside the energies of all 65536 states; then one to four
// dimensions beside what is known of them; the same spins by any number of threads. example_ising [FOLDER]: where a picture of a lattice
// near its critical temperature goes.
// SPDX-License-Identifier: BSD-3-Clause
#include "ising.hpp"

#include <numeric>

#include "crinkle/stencil_loops.hpp"

namespace {
using namespace crinkle;
using ising::Spin;

const auto in_loops = [](const auto& stencil, const auto& out) { sweep(stencil, out); };

/// A lattice with memory of its own, all spins up at first.
template <int... radius>
class Lattice {
 public:
  static constexpr int rank = sizeof...(radius);
  explicit Lattice(const Array<std::int64_t, rank>& extents) : spins_(3 * n_cells(extents), 1), lattice_(spins_.data(), extents) {}
  void flip(double temperature) { lattice_.flip(temperature, in_loops); }
  const Spin* bonds() { return lattice_.bonds(in_loops).data; }
  double energy() { return -sum(bonds()) / static_cast<double>(2 * lattice_.spins_of_colour()); }
  double magnetisation() const { return (sum(spins(0)) + sum(spins(1))) / static_cast<double>(2 * lattice_.spins_of_colour()); }
  const Spin* spins(int colour) const { return lattice_.colour(colour).data; }

 private:
  static std::size_t n_cells(const Array<std::int64_t, rank>& extents) {
    std::int64_t n = 1;
    for (int a = 0; a < rank; ++a) n *= extents[a];
    return static_cast<std::size_t>(n);
  }
  double sum(const Spin* of) const { return static_cast<double>(std::accumulate(of, of + lattice_.spins_of_colour(), std::int64_t{0})); }

  std::vector<Spin> spins_;
  ising::Lattice<radius...> lattice_;
};

struct Means {
  ising::Mean energy, magnetisation;
};
template <class L>
Means measured(L&& lattice, double temperature, int n_before, int n_sweeps) {
  Means means;
  for (int s = -n_before; s < n_sweeps; ++s) {
    lattice.flip(temperature);
    if (s < 0) continue;
    means.energy.add(lattice.energy());
    means.magnetisation.add(lattice.magnetisation());
  }
  return means;
}

double exact_energy(double temperature) {  // of 4 × 4 spins, periodic
  double weights = 0, sum = 0;
  for (unsigned state = 0; state < 65536; ++state) {
    int energy = 0;
    for (unsigned i = 0; i < 16; ++i)
      for (const unsigned j : {i / 4 * 4 + (i + 1) % 4, (i + 4) % 16}) energy -= ((state >> i ^ state >> j) & 1) == 0 ? 1 : -1;
    weights += std::exp(-energy / temperature);
    sum += energy * std::exp(-energy / temperature);
  }
  return sum / weights;
}

int compare_small() {
  constexpr int n = 2048;
  Lattice<0, 1, 1> lattices({n, 4, 2});
  int failures = 0;
  for (const double temperature : {1.5, 2.269, 4.0}) {
    for (int s = 0; s < 100; ++s) lattices.flip(temperature);
    const Spin* const bonds = lattices.bonds();
    double mean = 0, square = 0;
    for (std::size_t l = 0; l < n; ++l) {
      double energy = 0;
      for (std::size_t i = 0; i < 8; ++i) energy -= bonds[8 * l + i];
      mean += energy / n;
      square += energy * energy / n;
    }
    failures += ising::compare("4 x 4, T = " + std::to_string(temperature) + ": energy", mean, std::sqrt((square - mean * mean) / n),
                               exact_energy(temperature));
  }
  return failures;
}
// Above the critical temperature there is no magnetisation: that of lattices which know nothing of each other is 0 but for chance.
int compare_hot_magnetisation() {
  constexpr std::size_t n = 64, half = 64 * 32;
  Lattice<0, 1, 1> lattices({n, 64, 32});
  for (int s = 0; s < 60; ++s) lattices.flip(3);
  double mean = 0, square = 0;
  for (std::size_t l = 0; l < n; ++l) {
    double all = 0;
    for (const int colour : {0, 1}) all += std::accumulate(lattices.spins(colour) + l * half, lattices.spins(colour) + (l + 1) * half, 0);
    mean += all / (2 * half) / n;
    square += all * all / (4. * half * half) / n;
  }
  return ising::compare("64 x 64, T = 3: magnetisation", mean, std::sqrt((square - mean * mean) / n), 0);
}

int compare_threads() {
  const auto spins = [](int n_threads) {
    const auto executor = make_executor(n_threads);
    constexpr std::int64_t half = 256 * 128;
    std::vector<Spin> memory(3 * half, 1);
    ising::Lattice<1, 1> lattice(memory.data(), {256, 128});
    for (int s = 0; s < 20; ++s) lattice.flip(2.3, [&](const auto& stencil, const auto& out) { sweep(stencil, out, *executor); });
    std::vector<Spin> all;
    for (const int colour : {0, 1})
      for (std::int64_t i = 0; i < half; ++i) all.push_back(lattice.colour(colour).data[i]);
    return all;
  };
  const std::vector<Spin> one = spins(1);
  for (const int n_threads : {2, 3, 7})
    if (spins(n_threads) != one) return std::printf("other spins by %d threads than by one\n", n_threads), 1;
  return 0;
}
}  // namespace

int main(int n_arguments, char** arguments) {
  int failures = compare_small() + compare_hot_magnetisation() + compare_threads();
  const auto compare = [&](const char* what, const ising::Mean& found, double exact) {
    failures += ising::compare(what, found.value(), found.error(), exact);
  };
  compare("a chain, T = 2: energy", measured(Lattice<1>({1 << 13}), 2, 4000, 2000).energy, ising::chain_energy(2));
  compare("64 x 64 x 64, T = 15: energy", measured(Lattice<1, 1, 1>({64, 64, 32}), 15, 20, 60).energy, ising::hot_energy(3, 15));
  compare("64 x 64 x 64, T = 2: magnetisation", measured(Lattice<1, 1, 1>({64, 64, 32}), 2, 40, 60).magnetisation,
          ising::cold_cubic_magnetisation(2));
  compare("24 x 24 x 24 x 24, T = 25: energy", measured(Lattice<1, 1, 1, 1>({24, 24, 24, 12}), 25, 20, 60).energy,
          ising::hot_energy(4, 25));
  for (const double temperature : {1.9, 3.0}) {
    const Means means = measured(Lattice<1, 1>({1024, 512}), temperature, 40, 40);
    compare(temperature < 2 ? "1024 x 1024, T = 1.9: energy" : "1024 x 1024, T = 3: energy", means.energy,
            ising::onsager_energy(temperature));
    if (temperature < 2) compare("1024 x 1024, T = 1.9: magnetisation", means.magnetisation, ising::onsager_magnetisation(temperature));
  }
  if (n_arguments > 1) {
    Lattice<1, 1> lattice({512, 256});
    for (int s = 0; s < 2000; ++s) lattice.flip(2.28);
    ising::write_picture(std::string(arguments[1]) + "/ising.pgm", lattice.spins(0), lattice.spins(1), 512, 256);
  }
  return failures;
}
