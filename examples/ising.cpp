// The Ising model (ising.hpp) on the threads of a CPU: exactly 4 × 4 spins beside the energies of all 65536 states; then one to four
// dimensions beside what is known of them. example_ising [FOLDER]: where a picture of a lattice near its critical temperature goes.
// SPDX-License-Identifier: BSD-3-Clause
#include "ising.hpp"

#include <algorithm>
#include <array>

#include "crinkle/stencil_loops.hpp"

namespace {
using namespace crinkle;
using ising::Spin;

/// A lattice, or several along axes of radius 0. `extents` are those of a colour: the last is half the lattice's.
template <int... radius>
class Lattice {
 public:
  static constexpr int rank = sizeof...(radius);
  explicit Lattice(const Array<std::int64_t, rank>& extents) : extents_(extents) {
    for (int a = 0; a < rank; ++a) n_ *= extents[a];
    for (auto& s : spins_) s.assign(static_cast<std::size_t>(n_), 1);
  }
  void flip(double temperature) {
    for (const std::uint32_t c : {0u, 1u}) {
      sweep(stencil(ising::Flip<radius...>(c, n_sweeps_, 42, temperature), faces_, field(1 - c), field(c)), field(2));
      spins_[c].swap(spins_[2]);
    }
    ++n_sweeps_;
  }
  /// Of every spin of one colour, which has all bonds between them.
  const std::vector<Spin>& bonds() {
    sweep(stencil(ising::Bonds<radius...>{0}, faces_, field(1), field(0)), field(2));
    return spins_[2];
  }
  double energy() { return -sum(bonds()) / static_cast<double>(2 * n_); }
  double magnetisation() const { return (sum(spins_[0]) + sum(spins_[1])) / static_cast<double>(2 * n_); }
  const std::vector<Spin>& spins(std::size_t colour) const { return spins_[colour]; }

 private:
  Field<Spin, rank> field(std::size_t k) { return dense_field(spins_[k].data(), extents_); }
  static double sum(const std::vector<Spin>& of) {
    std::int64_t total = 0;
    for (const Spin s : of) total += s;
    return static_cast<double>(total);
  }

  Array<std::int64_t, rank> extents_;
  Array<Faces, rank> faces_ = filled<rank>(Faces(Bound::periodic));
  std::int64_t n_ = 1;
  std::array<std::vector<Spin>, 3> spins_;  // both colours, and the next of one
  std::uint32_t n_sweeps_ = 0;
};

struct Means {
  ising::Mean energy, magnetisation;
};
template <class L>
Means measured(L lattice, double temperature, int n_before, int n_sweeps) {
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
    const std::vector<Spin>& bonds = lattices.bonds();
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
}  // namespace

int main(int n_arguments, char** arguments) {
  int failures = compare_small();
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
    ising::write_picture(std::string(arguments[1]) + "/ising.pgm", lattice.spins(0).data(), lattice.spins(1).data(), 512, 256);
  }
  return failures;
}
