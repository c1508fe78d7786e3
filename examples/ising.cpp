// The Ising model: spins ±1 that prefer to equal their neighbours, in any dimension, by Metropolis flips. The lattice is a checkerboard
// whose colours lie in arrays of their own, so that all spins of one colour can flip at once: site (…, y, x) of colour (… + y + x) mod 2 is
// element (…, y, x / 2) of that colour's array. Random numbers are Philox's, a function of place, sweep and seed: any number of threads
// gives the same. Checked against the exact energy of 4 × 4 spins, from all 65536 states. Source: Leist, Hawick and Playne's lattices;
// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "crinkle/stencil_loops.hpp"

namespace {
using namespace crinkle;
using Spin = std::int8_t;

std::uint32_t philox(std::array<std::uint32_t, 4> c, std::uint32_t seed) {
  for (std::uint32_t round = 0; round < 10; ++round) {
    const std::uint32_t key[] = {seed + round * 0x9E3779B9u, round * 0xBB67AE85u};
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0], b = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
  }
  return c[0];
}

// Radius 1 along an axis of the lattice, 0 along one that counts lattices. Field 0 is the other colour, field 1 this one.
template <int... radius>
struct Lattice {
  using Radius = crinkle::Radius<radius...>;
  static constexpr int last = Radius::rank - 1;
  std::uint32_t colour = 0;

  template <int axis, int step, class At, int... a>
  static int neighbour(const At& at, std::integer_sequence<int, a...>) {
    if constexpr (Radius::along(axis) == 0) return 0;
    else return at(Offset<(a == axis ? step : 0)...>{});
  }
  template <class At, int... a>
  int sum(const At& at, std::integer_sequence<int, a...> all) const {
    const int across = ((a == last ? 0 : neighbour<a, -1>(at, all) + neighbour<a, 1>(at, all)) + ...);
    const std::uint32_t row = colour + static_cast<std::uint32_t>(((a == last ? 0 : radius * at.index(a)) + ...));
    return across + neighbour<last, 0>(at, all) + (row % 2 == 0 ? neighbour<last, -1>(at, all) : neighbour<last, 1>(at, all));
  }
  // This spin times the sum of its neighbours.
  template <class At>
  int operator()(const At& at) const {
    return at(Offset<0 * radius...>{}, input<1>) * sum(at, std::make_integer_sequence<int, last + 1>());
  }
};

template <int... radius>
struct Flip {
  using Radius = crinkle::Radius<radius...>;
  Lattice<radius...> lattice;
  std::uint32_t sweep, seed;
  double temperature;

  template <class At>
  Spin operator()(const At& at) const {
    std::uint64_t site = 0;
    for (int a = 0; a < Radius::rank; ++a) site = site * static_cast<std::uint64_t>(at.extent(a)) + static_cast<std::uint64_t>(at.index(a));
    const std::uint32_t random =
        philox({static_cast<std::uint32_t>(site), static_cast<std::uint32_t>(site >> 32), sweep, lattice.colour}, seed);
    const int spin = at(Offset<0 * radius...>{}, input<1>);
    return static_cast<Spin>(random * 0x1p-32 < std::exp(-2 * lattice(at) / temperature) ? -spin : spin);
  }
};

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
}  // namespace

int main() {
  constexpr int n_lattices = 2048;
  const Array<std::int64_t, 3> extents{n_lattices, 4, 2};  // lattices of 4 × 4, one colour
  std::array<std::vector<Spin>, 3> spins;                  // both colours, and the next of one
  for (auto& s : spins) s.assign(n_lattices * 8, 1);
  const auto faces = filled<3>(Faces(Bound::periodic));
  std::uint32_t n_sweeps = 0;
  int failures = 0;
  for (const double temperature : {1.5, 2.269, 4.0}) {
    for (const std::uint32_t end = n_sweeps + 100; n_sweeps < end; ++n_sweeps) {
      for (const std::uint32_t c : {0u, 1u}) {
        const Flip<0, 1, 1> flip{{c}, n_sweeps, 42, temperature};
        sweep(stencil(flip, faces, dense_field(spins[1 - c].data(), extents), dense_field(spins[c].data(), extents)),
              dense_field(spins[2].data(), extents));
        spins[c].swap(spins[2]);
      }
    }
    std::vector<int> bonds(n_lattices * 8);
    sweep(stencil(Lattice<0, 1, 1>{0}, faces, dense_field(spins[1].data(), extents), dense_field(spins[0].data(), extents)),
          dense_field(bonds.data(), extents));
    double mean = 0, square = 0;
    for (std::size_t l = 0; l < n_lattices; ++l) {
      double energy = 0;
      for (std::size_t i = 0; i < 8; ++i) energy -= bonds[8 * l + i];
      mean += energy / n_lattices;
      square += energy * energy / n_lattices;
    }
    const double error = std::sqrt((square - mean * mean) / n_lattices), exact = exact_energy(temperature);
    std::printf("T = %.3f: energy %.3f ± %.3f, exactly %.3f\n", temperature, mean, error, exact);
    if (!(std::abs(mean - exact) < 4 * error)) ++failures;
  }
  return failures;
}
