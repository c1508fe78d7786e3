// A k-d tree over samples in a GPU's memory, as steps for each of n things, between sorts and scans (make_tree.hpp has their order). The
// same functions run on a CPU, where tests compare the tree with kd_tree.hpp's.
//
// Every axis has a list of the samples in its order. A node's samples lie at the same places of all lists, so that its box is the first and
// the last of each; to split it, the first half of the list along the longest side is marked, and the other lists are divided by the marks,
// which keeps their order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_form.hpp"
#include "crinkle/detail/record_words.hpp"
#include "interpolate/form.hpp"
#include "interpolate/scale.hpp"

namespace crinkle::interpolation::tree_steps {

using Position = std::uint32_t;
inline constexpr std::uint64_t none = ~std::uint64_t{0};
inline constexpr std::int64_t samples_a_thread = 16;  // of steps that end in one number for all
inline constexpr double farthest = 1e150;             // squares of distances stay within float64

/// One number of each of n records, where a layout has it (crinkle/detail/record_place.hpp).
struct Numbers {
  const unsigned char* base = nullptr;
  Divisor<std::uint64_t> block{};
  std::int64_t record_bytes = 0, offset = 0, n = 0;
  bool is_float = false, is_aligned = true;

  CRINKLE_HD double operator[](std::int64_t i) const { return is_float ? read<float>(i) : read<double>(i); }

 private:
  template <class T>
  CRINKLE_HD double read(std::int64_t i) const {
    constexpr std::int64_t bytes = sizeof(T);
    const unsigned char* const at = base + detail::offset_in_group(i, n, block, record_bytes, offset, bytes);
    alignas(T) unsigned char words[sizeof(T)];
    if (is_aligned) detail::load_bytes<bytes, bytes>(words, at);
    else detail::load_bytes<bytes, 1>(words, at);
    T x;
    __builtin_memcpy(&x, words, sizeof(T));
    return static_cast<double>(x);
  }
};

/// What is told of all samples. The first four are the least numbers of their kind, or none.
struct Facts {
  std::uint64_t bad_place, bad_weight, bad_value, first;  // sample · dimensions + axis, sample, column · n + sample; a sample that counts
  std::uint64_t n_counted, n_kept, has_shared;            // of weights above 0; of these those that are of use; some lie on one place
  std::uint64_t most;                                     // |coordinate| in the frame, as its bits
};

struct Given {
  std::int64_t n = 0, n_columns = 1;
  int n_dimensions = 2;
  Numbers places[3], weights;
  bool has_weights = false;
  std::int64_t most_of_place = 0;  // more samples of one place are of no use; 0: all
  CudaTargets frame{};             // its ratio, cosine and sine; its origin is the first sample
};

/// Numbers in the order of these bits are in their own; −0 comes before 0.
CRINKLE_HD inline std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &x, sizeof x);
  return bits;
}
CRINKLE_HD inline double number_of(std::uint64_t bits) {
  double x = 0;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
inline constexpr std::uint64_t sign = std::uint64_t{1} << 63;
CRINKLE_HD inline std::uint64_t ordered(double x) { return (bits_of(x) & sign) != 0 ? ~bits_of(x) : bits_of(x) | sign; }
CRINKLE_HD inline double from_ordered(std::uint64_t k) { return number_of((k & sign) != 0 ? k & ~sign : ~k); }

CRINKLE_HD inline double magnitude(double x) { return x < 0 ? -x : x; }
inline constexpr double infinity = std::numeric_limits<double>::infinity();

// All threads change these words; most have nothing to change.
CRINKLE_HD inline void lower(std::uint64_t& word, std::uint64_t x) {
#ifdef __CUDA_ARCH__
  if (x < *static_cast<volatile std::uint64_t*>(&word))
    atomicMin(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(x));
#else
  if (x < word) word = x;
#endif
}
CRINKLE_HD inline void raise(std::uint64_t& word, std::uint64_t x) {
#ifdef __CUDA_ARCH__
  if (x > *static_cast<volatile std::uint64_t*>(&word))
    atomicMax(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(x));
#else
  if (x > word) word = x;
#endif
}
CRINKLE_HD inline void count(std::uint64_t& word, std::uint64_t n) {
#ifdef __CUDA_ARCH__
  if (n > 0) atomicAdd(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(n));
#else
  word += n;
#endif
}

/// The samples of thread j of n_threads(n).
CRINKLE_HD inline std::int64_t n_threads(std::int64_t n) { return (n + samples_a_thread - 1) / samples_a_thread; }
template <class Use>
CRINKLE_HD void each_of_thread(std::int64_t j, std::int64_t n, const Use& use) {
  for (std::int64_t i = j, step = n_threads(n); i < n; i += step) use(i);
}

/// Extremes are [..][2]: least and most, ordered. Those of columns are followed by those of coordinates in the frame, and of weights.
inline constexpr std::int64_t more_extremes = 4;

/// For each of the extremes.
struct BeginFacts {
  Facts* facts;
  std::uint64_t* extremes;
  CRINKLE_HD void operator()(std::int64_t column) const {
    if (column == 0) *facts = {none, none, none, none, 0, 0, 0, 0};
    extremes[2 * column] = none;
    extremes[2 * column + 1] = 0;
  }
};

struct CheckPlaces {
  Given given;
  Facts* facts;
  std::uint64_t* extremes;  // of the weights
  CRINKLE_HD void operator()(std::int64_t j) const {
    std::uint64_t bad_place = none, bad_weight = none, first = none, n_counted = 0, most_weight = 0;
    each_of_thread(j, given.n, [&](std::int64_t i) {
      for (int a = given.n_dimensions - 1; a >= 0; --a) {
        const std::uint64_t number = static_cast<std::uint64_t>(i * given.n_dimensions + a);
        if (!(magnitude(given.places[a][i]) <= farthest) && number < bad_place) bad_place = number;
      }
      const double weight = given.has_weights ? given.weights[i] : 1;
      if (!(weight >= 0) || weight == infinity) bad_weight = bad_weight == none ? static_cast<std::uint64_t>(i) : bad_weight;
      if (!(weight > 0)) return;
      first = first == none ? static_cast<std::uint64_t>(i) : first;
      ++n_counted;
      most_weight = ordered(weight) > most_weight ? ordered(weight) : most_weight;
    });
    raise(extremes[1], most_weight);
    lower(facts->bad_place, bad_place);
    lower(facts->bad_weight, bad_weight);
    lower(facts->first, first);
    count(facts->n_counted, n_counted);
  }
};

struct CheckValues {
  Given given;
  Numbers values;
  std::int64_t column;
  Facts* facts;
  std::uint64_t* extremes;  // of the column
  CRINKLE_HD void operator()(std::int64_t j) const {
    std::uint64_t bad = none, least = none, most = 0;
    each_of_thread(j, given.n, [&](std::int64_t i) {
      if (given.has_weights && !(given.weights[i] > 0)) return;
      const double value = values[i];
      if (!(magnitude(value) < infinity)) bad = bad == none ? static_cast<std::uint64_t>(column * given.n + i) : bad;
      const std::uint64_t key = ordered(value);
      least = key < least ? key : least;
      most = key > most ? key : most;
    });
    lower(facts->bad_value, bad);
    lower(extremes[0], least);
    raise(extremes[1], most);
  }
};

/// Places in the frame, rounded as Frame::of rounds them. Samples that do not count are infinitely far away.
struct PutPlanes {
  Given given;
  Facts* facts;
  std::uint64_t* extremes;  // of the coordinates
  double* planes;           // [n_dimensions][n]
  CRINKLE_HD void operator()(std::int64_t j) const {
    const std::int64_t first = facts->first == none ? 0 : static_cast<std::int64_t>(facts->first);
    const double origin[2] = {given.places[0][first], given.places[1][first]};
    double largest = 0;
    std::uint64_t least[3] = {none, none, none}, most[3] = {};
    each_of_thread(j, given.n, [&](std::int64_t i) {
      double x[3] = {infinity, infinity, infinity};
      if (!given.has_weights || given.weights[i] > 0) {
        for (int a = 0; a < given.n_dimensions; ++a) x[a] = given.places[a][i];
        if (given.frame.ratio != 1) {
          const double dx = x[0] - origin[0], dy = x[1] - origin[1];
          x[0] = times(given.frame.cosine, dx) + times(given.frame.sine, dy);
          x[1] = times(given.frame.ratio, times(given.frame.cosine, dy) - times(given.frame.sine, dx));
        }
        for (int a = 0; a < given.n_dimensions; ++a) {
          largest = magnitude(x[a]) > largest ? magnitude(x[a]) : largest;
          const std::uint64_t key = ordered(x[a]);
          least[a] = key < least[a] ? key : least[a];
          most[a] = key > most[a] ? key : most[a];
        }
      }
      for (int a = 0; a < given.n_dimensions; ++a) planes[a * given.n + i] = x[a];
    });
    raise(facts->most, bits_of(largest));
    for (int a = 0; a < given.n_dimensions; ++a) {
      lower(extremes[2 * a], least[a]);
      raise(extremes[2 * a + 1], most[a]);
    }
  }
};

/// Keys along an axis of the samples in an order; with none they are in their own, which is noted.
struct PutKeys {
  const double* plane;
  const Position* order;
  Position* own;
  std::uint64_t* keys;
  CRINKLE_HD void operator()(std::int64_t p) const {
    if (order == nullptr) own[p] = static_cast<Position>(p);
    keys[p] = ordered(plane[order == nullptr ? p : order[p]] + 0.0);  // −0 is 0
  }
};

/// Samples sorted by their first coordinate, those with the same by the next, and at last by number: those on one place follow each other.
struct InOrder {
  const double* planes;  // [n_dimensions][n]
  const Position* order;
  std::int64_t n;
  int n_dimensions;

  CRINKLE_HD bool is_same(std::int64_t p, std::int64_t q) const {
    bool is = true;
    for (int a = 0; a < n_dimensions; ++a) is = is && planes[a * n + order[p]] == planes[a * n + order[q]];
    return is;
  }
  CRINKLE_HD bool is_there(std::int64_t p) const { return planes[order[p]] < infinity; }
};

struct FindKept {
  InOrder samples;
  std::int64_t most_of_place;
  Position* kept;  // [n], by sample
  Facts* facts;
  CRINKLE_HD void operator()(std::int64_t j) const {
    std::uint64_t n_kept = 0, has_shared = 0;
    each_of_thread(j, samples.n, [&](std::int64_t p) {
      const bool is_there = samples.is_there(p);
      if (is_there && p > 0 && samples.is_same(p - 1, p)) has_shared = 1;
      const bool is_kept = is_there && (most_of_place == 0 || p < most_of_place || !samples.is_same(p - most_of_place, p));
      kept[samples.order[p]] = is_kept ? 1 : 0;
      n_kept += is_kept ? 1 : 0;
    });
    raise(facts->has_shared, has_shared);
    count(facts->n_kept, n_kept);
  }
};

}  // namespace crinkle::interpolation::tree_steps
