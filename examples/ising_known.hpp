// What is known of the Ising model, and lattices (ising.hpp) beside it: a small one whose states are all counted, a chain, two dimensions
// by Onsager, three and four by series. A Place says where spins lie and who sweeps: threads (ising.cpp) or a GPU (ising.cu).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "ising.hpp"

namespace ising {

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

/// Energy of 4 × 8 spins on a torus: all states of a ring of 4, from ring to ring, eight times around.
inline double small_energy(double temperature) {
  using Matrix = std::array<std::array<double, 16>, 16>;
  const auto log_of_weights = [](double coupling) {
    Matrix step{}, all{};
    for (unsigned a = 0; a < 16; ++a)
      for (unsigned b = 0; b < 16; ++b) {
        int bonds = 0;
        for (unsigned i = 0; i < 4; ++i) {
          bonds += (a >> i & 1) == (b >> i & 1) ? 1 : -1;
          bonds += (a >> i & 1) == (a >> (i + 1) % 4 & 1) ? 1 : -1;
        }
        step[a][b] = std::exp(coupling * bonds);
        all[a][b] = a == b ? 1 : 0;
      }
    for (int ring = 0; ring < 8; ++ring) {
      Matrix next{};
      for (std::size_t a = 0; a < 16; ++a)
        for (std::size_t b = 0; b < 16; ++b)
          for (std::size_t c = 0; c < 16; ++c) next[a][b] += all[a][c] * step[c][b];
      all = next;
    }
    double sum = 0;
    for (std::size_t a = 0; a < 16; ++a) sum += all[a][a];
    return std::log(sum);
  };
  constexpr double little = 1e-5;
  return -(log_of_weights(1 / temperature + little) - log_of_weights(1 / temperature - little)) / (2 * little);
}

/// A lattice with memory of its own in a Place, all spins up at first.
template <class Place, int... radius>
class Sample {
 public:
  static constexpr int rank = sizeof...(radius);
  Sample(Place& place, const crinkle::Array<std::int64_t, rank>& extents)
      : place_(&place), n_(n_fours(extents)), memory_(place.memory(3 * n_)), lattice_(memory_.get(), extents) {
    place.put(memory_.get(), std::vector<Four>(3 * n_, ones));
  }
  void flip(double temperature) { lattice_.flip(temperature, place_->sweeps()); }
  std::vector<Four> spins(int colour) const { return place_->get(lattice_.colour(colour).data, n_); }
  /// How many neighbours are like each spin of colour 0.
  std::vector<Four> alike() const { return place_->get(lattice_.alike(place_->sweeps()).data, n_); }
  double energy() const { return energy_of(alike()) / n_spins(); }
  double magnetisation() const { return (sum_of(spins(0)) + sum_of(spins(1))) / n_spins(); }
  double n_spins() const { return 8 * static_cast<double>(n_); }
  const Lattice<radius...>& lattice() const { return lattice_; }

  static double energy_of(const std::vector<Four>& alike) {
    return 4 * static_cast<double>(alike.size()) * Alike<radius...>::n_neighbours - 2 * sum_of(alike);
  }
  static double sum_of(const std::vector<Four>& fours) {
    const Spin* const first = spins_of(fours.data());
    return static_cast<double>(std::accumulate(first, first + 4 * fours.size(), std::int64_t{0}));
  }

 private:
  static std::size_t n_fours(const crinkle::Array<std::int64_t, rank>& extents) {
    std::int64_t n = 1;
    for (int a = 0; a < rank; ++a) n *= extents[a];
    return static_cast<std::size_t>(n / 4);
  }
  Place* place_;
  std::size_t n_;
  typename Place::Memory memory_;
  Lattice<radius...> lattice_;
};

struct Means {
  Mean energy, magnetisation;
};
template <class S>
Means measured(S&& sample, double temperature, int n_before, int n_sweeps, int each = 1) {
  Means means;
  for (int s = -n_before; s < n_sweeps; ++s) {
    sample.flip(temperature);
    if (s < 0 || s % each != 0) continue;
    means.energy.add(sample.energy());
    means.magnetisation.add(sample.magnetisation());
  }
  return means;
}

template <class Place>
int compare_small(Place& place) {
  constexpr std::int64_t n = 2048;
  Sample<Place, 0, 1, 1> samples(place, {n, 4, 4});
  int failures = 0;
  for (const double temperature : {1.5, 2.269, 4.0}) {
    for (int s = 0; s < 100; ++s) samples.flip(temperature);
    const std::vector<Four> alike = samples.alike();
    double mean = 0, square = 0;
    for (std::size_t l = 0; l < n; ++l) {
      const double energy = Sample<Place, 0, 1, 1>::energy_of({alike.data() + 4 * l, alike.data() + 4 * (l + 1)});
      mean += energy / n;
      square += energy * energy / n;
    }
    failures += compare("4 x 8, T = " + std::to_string(temperature) + ": energy", mean, std::sqrt((square - mean * mean) / n),
                        small_energy(temperature));
  }
  return failures;
}

/// Above the critical temperature there is no magnetisation: that of lattices which know nothing of each other is 0 but for chance.
template <class Place>
int compare_hot_magnetisation(Place& place) {
  constexpr std::size_t n = 64, half = 64 * 32;
  Sample<Place, 0, 1, 1> samples(place, {n, 64, 32});
  for (int s = 0; s < 60; ++s) samples.flip(3);
  double mean = 0, square = 0;
  const std::array<std::vector<Four>, 2> spins{samples.spins(0), samples.spins(1)};
  for (std::size_t l = 0; l < n; ++l) {
    double all = 0;
    for (const std::vector<Four>& colour : spins)
      all += Sample<Place, 0, 1, 1>::sum_of({colour.data() + l * half / 4, colour.data() + (l + 1) * half / 4});
    mean += all / (2 * half) / n;
    square += all * all / (4. * half * half) / n;
  }
  return compare("64 x 64, T = 3: magnetisation", mean, std::sqrt((square - mean * mean) / n), 0);
}

/// A raster of n × n spins goes to its colours by a crinkle, is flipped so many times three sweeps, and goes back; its energy, bond by
/// bond, has to be that of the colours. `picture`, if it is there, is the raster.
template <class Place>
int compare_raster(Place& place, std::int64_t n, int n_threes, std::vector<Spin>* picture = nullptr) {
  const crinkle::Rearrangement to_colours = crinkle::checkerboard(crinkle::Layout::dense({n, n}, 1));
  Sample<Place, 1, 1> sample(place, {n, n / 2});
  const auto n_fours = static_cast<std::size_t>(n * n / 4);
  std::vector<Four> raster(n_fours, ones);
  for (std::size_t k = 0; k < n_fours; ++k) raster[k] ^= k % 3 == 0 ? 0x00FE00FEu : k % 5 == 0 ? 0xFE00u : 0u;
  const auto memory = place.memory(n_fours);
  place.put(memory.get(), raster);
  place.move(to_colours, memory.get(), sample.lattice().colour(0).data, n * n);
  double of_colours = sample.energy();
  const auto bonds = [&] {
    const std::vector<Four> fours = place.get(memory.get(), n_fours);
    const Spin* const spins = spins_of(fours.data());
    if (picture != nullptr) picture->assign(spins, spins + n * n);
    std::int64_t sum = 0;
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) sum += spins[y * n + x] * (spins[(y + 1) % n * n + x] + spins[y * n + (x + 1) % n]);
    return static_cast<double>(sum);
  };
  bool are_equal = of_colours * sample.n_spins() == -bonds();
  for (int s = 0; s < 3 * n_threes; ++s) sample.flip(2.28);  // after three the colours are where they were
  of_colours = sample.energy();
  place.move(to_colours.inverse(), sample.lattice().colour(0).data, memory.get(), n * n);
  are_equal = are_equal && of_colours * sample.n_spins() == -bonds();
  std::printf("%lld x %lld from a raster to colours and back: the energy is %s\n", static_cast<long long>(n), static_cast<long long>(n),
              are_equal ? "the same" : "another one");
  return are_equal ? 0 : 1;
}

/// One to four dimensions beside what is known of them.
template <class Place>
int compare_all(Place& place) {
  int failures = compare_small(place) + compare_hot_magnetisation(place) + compare_raster(place, 128, 2);
  const auto compare_to = [&](const std::string& what, const Mean& found, double exact) {
    failures += compare(what, found.value(), found.error(), exact);
  };
  compare_to("a chain, T = 2: energy", measured(Sample<Place, 1>(place, {1 << 13}), 2, 4000, 2000).energy, chain_energy(2));
  compare_to("64 x 64 x 64, T = 15: energy", measured(Sample<Place, 1, 1, 1>(place, {64, 64, 32}), 15, 20, 60).energy, hot_energy(3, 15));
  compare_to("64 x 64 x 64, T = 2: magnetisation", measured(Sample<Place, 1, 1, 1>(place, {64, 64, 32}), 2, 40, 60).magnetisation,
             cold_cubic_magnetisation(2));
  compare_to("24 x 24 x 24 x 24, T = 25: energy", measured(Sample<Place, 1, 1, 1, 1>(place, {24, 24, 24, 12}), 25, 20, 60).energy,
             hot_energy(4, 25));
  for (const double temperature : {1.9, 3.0}) {
    const Means means = measured(Sample<Place, 1, 1>(place, {1024, 512}), temperature, 40, 40);
    const std::string at = "1024 x 1024, T = " + std::to_string(temperature).substr(0, 3);
    compare_to(at + ": energy", means.energy, onsager_energy(temperature));
    if (temperature < 2) compare_to(at + ": magnetisation", means.magnetisation, onsager_magnetisation(temperature));
  }
  return failures;
}

/// Flips tried in a nanosecond, of 16 sweeps.
template <class Place, int... radius>
double flips_a_nanosecond(Place& place, const crinkle::Array<std::int64_t, sizeof...(radius)>& extents) {
  Sample<Place, radius...> sample(place, extents);
  constexpr int n_sweeps = 16;
  double seconds = 0;
  for (int turn = 0; turn < 2; ++turn) {  // once to warm up
    place.wait();
    const auto start = std::chrono::steady_clock::now();
    for (int s = 0; s < n_sweeps; ++s) sample.flip(2.269);
    place.wait();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return n_sweeps * sample.n_spins() / (1e9 * seconds);
}
template <class Place>
void tell_speeds(Place& place, std::int64_t n) {  // of lattices of n² spins
  const std::int64_t n_all = n * n;
  std::printf("flips tried a nanosecond: %.3g in one dimension, ", flips_a_nanosecond<Place, 1>(place, {n_all / 2}));
  std::printf("%.3g in two, ", flips_a_nanosecond<Place, 1, 1>(place, {n, n / 2}));
  std::printf("%.3g in three, ", flips_a_nanosecond<Place, 1, 1, 1>(place, {n_all >> 16, 256, 128}));
  std::printf("%.3g in four\n", flips_a_nanosecond<Place, 1, 1, 1, 1>(place, {n_all >> 18, 64, 64, 32}));
}

}  // namespace ising
