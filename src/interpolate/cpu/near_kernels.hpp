// The innermost loops of the search for the k nearest samples of a group of targets, one table of functions per instruction set. Lanes are
// boxes, samples, then targets. Squares are those of metric.hpp, to the bit, so every table finds the same samples.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace crinkle::simd {

/// A box that targets lie in, and how far, squared, a sample may be from it to matter.
struct NearBox {
  double least[3], most[3];
  double square;
};

/// Samples that may be near some targets, and those of them that are near one. Arrays have room for 16 more.
struct NearCandidates {
  static constexpr std::int64_t slots = 4096;  // a candidate's number fits the low bits of a square

  double* place[3] = {};           // [n], infinity behind the last
  std::int64_t* at = nullptr;      // [n]: in which slot of the leaves a candidate lies
  double* squares = nullptr;       // [n] of the distances from one target
  double* keys = nullptr;          // squares within a bound, their low bits a candidate's number: unsorted, [n]
  std::int64_t* sorted = nullptr;  // the same, as bits
  std::int64_t n = 0;
};

/// Weights and sums of targets side by side. With fewer neighbours than k, the rest have squares of infinity and the first one's values.
struct NearTargets {
  static constexpr std::int64_t together = 64;

  std::int64_t n = 0, k = 0, n_columns = 1;
  const double* squares = nullptr;                 // [k][together], nearest first
  const double* values = nullptr;                  // [n_columns][k][together]
  const double* scales = nullptr;                  // [k][together]: the samples' own weights, or none
  double* weights = nullptr;                       // [k][together]: room for the weights
  const double *least = nullptr, *most = nullptr;  // [n_columns]
  double smoothing = 0, power = 2;                 // the first a square
  double* out = nullptr;                           // [n_columns][together]
};

/// The loops for 2 dimensions and those for 3.
struct NearLoops {
  /// squares[t] = min(squares[t], the greatest of the squares of the distances of target t from n places). Planes of targets, n_targets of
  /// them, have room for 8 more; places are [n][n_dimensions].
  void (*reach)(const double* places, std::int64_t n, const double* const* targets, std::int64_t n_targets, double* squares);
  /// Which boxes of `nodes` are within box.square of the box: node i has boxes 4i … 4i + 3, [least, most of every axis][4] of them
  /// together. Writes their numbers to `to`, which has room for 4n.
  std::int64_t (*open)(const double* boxes, const std::int64_t* nodes, std::int64_t n, const NearBox& box, std::int64_t* to);
  /// Makes candidates of the samples of leaves, [axis][8] each, that are within box.square of the box.
  void (*collect)(const double* leaves, const std::int64_t* nodes, std::int64_t n, const NearBox& box, NearCandidates& candidates);
  /// The squares of all candidates' distances from q, and the keys of those within the bound. Returns the number of these.
  std::int64_t (*measure)(const NearCandidates& candidates, const double* q, double bound);
};

struct NearKernels {
  const char* target;
  NearLoops loops[2];
  /// Sorts the first n keys.
  void (*sort)(const NearCandidates& candidates, std::int64_t n);
  /// out = Σ w z / Σ w of every target, added up nearest first.
  void (*sum)(const NearTargets& targets);

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const NearKernels& best();
  static std::vector<const NearKernels*> all();
};

}  // namespace crinkle::simd
