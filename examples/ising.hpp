// The Ising model: spins ±1 that prefer to equal their neighbours, in 1 to 4 dimensions, by Metropolis flips, the same in loops and
// kernels. The lattice is a checkerboard whose colours lie in arrays of their own, so that all spins of one colour can flip at once: site
// (…, y, x) of colour (… + y + x) mod 2 is element (…, y, x / 2) of that colour's array. Random numbers are Philox's, four for four sites
// side by side, a function of place, sweep, colour and seed: any number of threads, and a GPU, gives the same spins. Sources: Leist, Hawick
// and Playne's lattices; Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011; Onsager, "A two-dimensional model with an
// order-disorder transition", 1944; Domb, "On the theory of cooperative phenomena in crystals", 1960.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/stencil.hpp"

namespace ising {

using Spin = std::int8_t;

struct Draw {
  std::uint32_t word[4];
};
CRINKLE_HD inline Draw philox(Draw c, std::uint32_t seed) {
  for (std::uint32_t round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c.word[0], b = std::uint64_t{0xCD9E8D57u} * c.word[2];
    c = {{static_cast<std::uint32_t>(b >> 32) ^ c.word[1] ^ (seed + round * 0x9E3779B9u), static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ c.word[3] ^ (round * 0xBB67AE85u), static_cast<std::uint32_t>(a)}};
  }
  return c;
}

/// A spin times the sum of its neighbours. Radius 1 along an axis of the lattice, 0 along one that counts lattices. Field 0 is the other
/// colour, field 1 this one.
template <int... radius>
struct Bonds {
  using Radius = crinkle::Radius<radius...>;
  static constexpr int last = Radius::rank - 1;
  std::uint32_t colour = 0;

  template <int axis, int step, class At, int... a>
  CRINKLE_HD static int neighbour(const At& at, std::integer_sequence<int, a...>) {
    if constexpr (Radius::along(axis) == 0) return 0;
    else return at(crinkle::Offset<(a == axis ? step : 0)...>{});
  }
  template <class At, int... a>
  CRINKLE_HD int sum(const At& at, std::integer_sequence<int, a...> all) const {
    const int across = ((a == last ? 0 : neighbour<a, -1>(at, all) + neighbour<a, 1>(at, all)) + ...);
    const std::uint32_t row = colour + static_cast<std::uint32_t>(((a == last ? 0 : radius * at.index(a)) + ...));
    return across + neighbour<last, 0>(at, all) + (row % 2 == 0 ? neighbour<last, -1>(at, all) : neighbour<last, 1>(at, all));
  }
  template <class At>
  CRINKLE_HD Spin operator()(const At& at) const {
    return static_cast<Spin>(at(crinkle::Offset<0 * radius...>{}, crinkle::input<1>) *
                             sum(at, std::make_integer_sequence<int, last + 1>()));
  }
};

/// The spin a sweep later: flipped with probability min(1, exp(−2 bonds / T)).
template <int... radius>
struct Flip {
  using Radius = crinkle::Radius<radius...>;
  Bonds<radius...> bonds;
  std::uint32_t sweep = 0, seed = 0;
  std::uint32_t odds[4] = {};  // of 2, 4, 6 and 8, in parts of 2^32

  Flip(std::uint32_t colour, std::uint32_t sweep_, std::uint32_t seed_, double temperature) : bonds{colour}, sweep(sweep_), seed(seed_) {
    for (int k = 0; k < 4; ++k) odds[k] = static_cast<std::uint32_t>(std::exp(-4 * (k + 1) / temperature) * 0x1p32);
  }
  template <class At>
  CRINKLE_HD Spin operator()(const At& at) const {
    constexpr int last = Radius::rank - 1;
    std::uint64_t row = 0;
    for (int a = 0; a < last; ++a) row = row * static_cast<std::uint64_t>(at.extent(a)) + static_cast<std::uint64_t>(at.index(a));
    const auto x = static_cast<std::uint32_t>(at.index(last));
    const Draw draw =
        philox({{x / 4, static_cast<std::uint32_t>(row), sweep, bonds.colour | static_cast<std::uint32_t>(row >> 32) << 1}}, seed);
    const std::uint32_t k = x % 4, random = k < 2 ? (k == 0 ? draw.word[0] : draw.word[1]) : k == 2 ? draw.word[2] : draw.word[3];
    const int spin = at(crinkle::Offset<0 * radius...>{}, crinkle::input<1>), cost = bonds(at);
    const std::uint32_t odds_of = cost < 6 ? (cost < 4 ? odds[0] : odds[1]) : cost < 8 ? odds[2] : odds[3];
    return static_cast<Spin>(cost <= 0 || random < odds_of ? -spin : spin);
  }
};

/// A lattice, or several along axes of radius 0, in memory of the caller's: that of both colours, and of the next of one. `extents` are
/// those of a colour, the last half the lattice's.
template <int... radius>
class Lattice {
 public:
  static constexpr int rank = sizeof...(radius);
  using Colour = crinkle::StencilField<Spin, rank>;
  /// Requires 3 · n spins behind `spins`, n the product of the extents: those of colour 0 and then of colour 1 are there.
  Lattice(Spin* spins, const crinkle::Array<std::int64_t, rank>& extents) {
    for (int c = 0; c < 3; ++c, spins += n_) {
      colours_[c] = {spins, extents, {}};
      n_ = 1;
      for (int a = rank; a-- > 0; n_ *= extents[a]) colours_[c].strides[a] = n_;
    }
  }
  /// Tries to flip all spins. sweep(stencil, out) makes all cells of a stencil.
  template <class Sweep>
  void flip(double temperature, const Sweep& sweep) {
    for (int c = 0; c < 2; ++c) {
      sweep(stencil(Flip<radius...>(static_cast<std::uint32_t>(c), n_sweeps_, seed, temperature), faces_, colours_[1 - c], colours_[c]),
            colours_[2]);
      std::swap(colours_[c], colours_[2]);
    }
    ++n_sweeps_;
  }
  /// Of every spin of colour 0, which has all bonds between them.
  template <class Sweep>
  const Colour& bonds(const Sweep& sweep) const {
    sweep(stencil(Bonds<radius...>{0}, faces_, colours_[1], colours_[0]), colours_[2]);
    return colours_[2];
  }
  const Colour& colour(int c) const { return colours_[c]; }
  std::int64_t spins_of_colour() const { return n_; }

  static constexpr std::uint32_t seed = 42;

 private:
  crinkle::Array<crinkle::Faces, rank> faces_ = crinkle::filled<rank>(crinkle::Faces(crinkle::Bound::periodic));
  std::int64_t n_ = 0;
  Colour colours_[3];  // and the next of one
  std::uint32_t n_sweeps_ = 0;
};

/// Means over many sweeps, and their errors from batches of sweeps.
class Mean {
 public:
  void add(double x) { all_.push_back(x); }
  double value() const {
    double sum = 0;
    for (const double x : all_) sum += x;
    return sum / static_cast<double>(all_.size());
  }
  double error() const {
    const std::size_t n = 20, length = all_.size() / n;
    double square = 0;
    for (std::size_t b = 0; b < n; ++b) {
      double mean = 0;
      for (std::size_t i = b * length; i < (b + 1) * length; ++i) mean += all_[i] / static_cast<double>(length);
      square += (mean - value()) * (mean - value());
    }
    return std::sqrt(square / (n * (n - 1)));
  }

 private:
  std::vector<double> all_;
};

/// Within four errors? Says so; 1 if not.
inline int compare(const std::string& what, double found, double error, double exact) {
  const bool is_near = std::abs(found - exact) < 4 * error;
  std::printf("%-44s %9.6f ± %.6f, exactly %9.6f%s\n", what.c_str(), found, error, exact, is_near ? "" : ": too far");
  return is_near ? 0 : 1;
}

/// Energy a spin in one dimension, of an endless chain.
inline double chain_energy(double temperature) { return -std::tanh(1 / temperature); }

/// Onsager's energy a spin in two dimensions: −coth 2K (1 + 2/π (2 tanh² 2K − 1) K₁(k)), k = 2 sinh 2K / cosh² 2K, K = 1 / T.
inline double onsager_energy(double temperature) {
  const double twice = 2 / temperature, k = 2 * std::sinh(twice) / (std::cosh(twice) * std::cosh(twice));
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 40; ++i) {  // their arithmetic-geometric mean gives the elliptic integral π / 2a
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return -(1 + (2 * std::tanh(twice) * std::tanh(twice) - 1) / a) / std::tanh(twice);
}
/// (1 − sinh⁻⁴ 2K)^(1/8) below the critical temperature 2 / ln(1 + √2).
inline double onsager_magnetisation(double temperature) { return std::pow(1 - std::pow(std::sinh(2 / temperature), -4), 0.125); }

/// Energy a spin in d dimensions far above the critical temperature, from closed paths of 4 and 6 bonds, v = tanh K:
/// ln Z / N = ln 2 + d ln cosh K + C(d,2) v⁴ + (2 C(d,2) + 16 C(d,3)) v⁶ + O(v⁸).
inline double hot_energy(int d, double temperature) {
  const double v = std::tanh(1 / temperature), fours = d * (d - 1) / 2., sixes = 2 * fours + 16 * (d * (d - 1) * (d - 2) / 6.);
  return -d * v - (1 - v * v) * (4 * fours * std::pow(v, 3) + 6 * sixes * std::pow(v, 5));
}
/// Magnetisation of the simple cubic lattice far below it, u = exp(−4K): 1 − 2u³ − 12u⁵ + 14u⁶ − 90u⁷ + 192u⁸.
inline double cold_cubic_magnetisation(double temperature) {
  const double u = std::exp(-4 / temperature);
  return 1 - 2 * std::pow(u, 3) - 12 * std::pow(u, 5) + 14 * std::pow(u, 6) - 90 * std::pow(u, 7) + 192 * std::pow(u, 8);
}

/// A grey picture, a pixel a spin: up to 1024² of a plane.
inline void write_picture(const std::string& name, const Spin* even, const Spin* odd, std::int64_t rows, std::int64_t half) {
  std::FILE* const file = std::fopen(name.c_str(), "wb");
  if (file == nullptr) return;
  std::fprintf(file, "P5\n%lld %lld\n255\n", static_cast<long long>(2 * half), static_cast<long long>(rows));
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < 2 * half; ++x) std::fputc(((y + x) % 2 == 0 ? even : odd)[y * half + x / 2] > 0 ? 230 : 40, file);
  std::fclose(file);
}

}  // namespace ising
