// Loops over all pairs and triplets of n things, on the threads of an executor:
//
//     for_each_pair(n, [&](std::int64_t i, std::int64_t j) { … });                       // 0 ≤ i < j < n
//     for_each_triplet(n, [&](std::int64_t i, std::int64_t j, std::int64_t k) { … });    // 0 ≤ i < j < k < n
//
// THE FIRST INDEX IS THE SMALLEST HERE, and the last one runs fastest, as in SciPy's condensed order; the cells of simplex.hpp, rows and
// columns of a lower triangle, have the largest first. The numbers of all pairs are cut into parts of the same size, and pair_of finds the
// pair a part begins with. Several parts run at once, so the body may be called by several threads at once; it is not copied.
// Loops of a GPU: simplex_loops.cuh.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "crinkle/error.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/simplex.hpp"

namespace crinkle {

namespace detail {

inline constexpr std::uint64_t most_cells = 0x7FFFFFFFFFFFFFFF;

inline void check_side(std::int64_t n, const char* what) {
  if (n >= 0) return;
  throw Error(ErrorCode::bad_shape, std::to_string(n) + " things cannot have " + what + "; give 0 or more");
}
[[noreturn]] inline void throw_too_many(std::int64_t n, const char* what, std::uint64_t most) {
  throw Error(ErrorCode::too_large, "the " + std::string(what) + " of " + std::to_string(n) +
                                        " things are more than 2^63 - 1; give at most " + std::to_string(most) + " things");
}

/// How many pairs n things have. Throws bad_shape where n < 0, too_large where they do not fit 63 bits.
inline std::int64_t count_pairs(std::int64_t n, Diagonal diagonal) {
  check_side(n, "pairs");
  const std::uint64_t gap = diagonal == Diagonal::without ? 1 : 0, most = pair_of<IntegerRoot>(most_cells).i + gap;
  if (static_cast<std::uint64_t>(n) > most) throw_too_many(n, "pairs", most);
  return n == 0 ? 0 : static_cast<std::int64_t>(triangle_number(static_cast<std::uint64_t>(n) - gap));
}

/// How many triplets n things have. Throws as count_pairs.
inline std::int64_t count_triplets(std::int64_t n, Diagonal diagonal) {
  check_side(n, "triplets");
  const std::uint64_t gap = diagonal == Diagonal::without ? 2 : 0, most = triplet_of<IntegerRoot>(most_cells).i + gap;
  if (static_cast<std::uint64_t>(n) > most) throw_too_many(n, "triplets", most);
  return n < static_cast<std::int64_t>(gap) ? 0 : static_cast<std::int64_t>(tetrahedron_number(static_cast<std::uint64_t>(n) - gap));
}

/// ⌈n / tile⌉. Throws bad_shape where tile < 1.
inline std::int64_t count_tiles(std::int64_t n, std::int64_t tile) {
  if (tile < 1) throw Error(ErrorCode::bad_shape, "tiles of " + std::to_string(tile) + " things; give 1 or more");
  return n / tile + (n % tile != 0 ? 1 : 0);
}

/// Calls run(begin, end) for parts of [0, count), eight a worker: an executor may hand them out one by one, and bodies may take longer for
/// some.
template <class Run>
void in_parts(std::int64_t count, Executor& executor, const Run& run) {
  const std::int64_t n_parts = std::min<std::int64_t>(count, 8 * static_cast<std::int64_t>(executor.n_workers()));
  if (n_parts == 0) return;
  const std::int64_t each = count / n_parts, n_longer = count % n_parts;
  executor.parallel_for(n_parts, [&](std::int64_t part) {
    const std::int64_t begin = part * each + std::min(part, n_longer);
    run(begin, begin + each + (part < n_longer ? 1 : 0));
  });
}

}  // namespace detail

/// body(i, j) once for all 0 ≤ i < j < n, with the diagonal i ≤ j; for an i the js of a part rise one by one. n = 0 and 1 are legal.
/// Throws, before any call, bad_shape for n < 0, too_large for n(n − 1)/2 (or n(n + 1)/2) above 2^63 − 1; and what the body throws.
/// Cost: one root per part, eight parts a thread; no allocation per pair.
template <class Body>
void for_each_pair(std::int64_t n, const Body& body, Executor& executor = default_executor(), Diagonal diagonal = Diagonal::without) {
  const std::int64_t n_pairs = detail::count_pairs(n, diagonal), gap = diagonal == Diagonal::without ? 1 : 0, last_row = n - gap - 1;
  detail::in_parts(n_pairs, executor, [&](std::int64_t begin, std::int64_t end) {
    // The upper triangle from its first pair on is the lower one from its last pair back.
    const auto from_last = pair_of(static_cast<std::uint64_t>(n_pairs - 1 - begin));
    std::int64_t i = last_row - static_cast<std::int64_t>(from_last.i), j = last_row - static_cast<std::int64_t>(from_last.j) + gap;
    for (std::int64_t left = end - begin; left > 0;) {
      const std::int64_t stop = std::min(n, j + left);
      left -= stop - j;
      for (; j < stop; ++j) body(i, j);
      ++i;
      j = i + gap;
    }
  });
}

/// body(i, j, k) once for all 0 ≤ i < j < k < n, with the diagonals i ≤ j ≤ k; for an i and j the ks of a part rise one by one.
/// Throws and costs as for_each_pair; too_large for n(n − 1)(n − 2)/6 (or n(n + 1)(n + 2)/6) above 2^63 − 1.
template <class Body>
void for_each_triplet(std::int64_t n, const Body& body, Executor& executor = default_executor(), Diagonal diagonal = Diagonal::without) {
  const std::int64_t n_triplets = detail::count_triplets(n, diagonal), gap = diagonal == Diagonal::without ? 1 : 0;
  const std::int64_t last_layer = n - 2 * gap - 1;
  detail::in_parts(n_triplets, executor, [&](std::int64_t begin, std::int64_t end) {
    const auto from_last = triplet_of(static_cast<std::uint64_t>(n_triplets - 1 - begin));
    std::int64_t i = last_layer - static_cast<std::int64_t>(from_last.i), j = last_layer - static_cast<std::int64_t>(from_last.j) + gap;
    std::int64_t k = last_layer - static_cast<std::int64_t>(from_last.k) + 2 * gap;
    for (std::int64_t left = end - begin; left > 0;) {
      const std::int64_t stop = std::min(n, k + left);
      left -= stop - k;
      for (; k < stop; ++k) body(i, j, k);
      if (++j == n - gap) {
        ++i;
        j = i + gap;
      }
      k = j + gap;
    }
  });
}

/// All (i, j) of [i_begin, i_end) × [j_begin, j_end). On the diagonal both ranges are the same, and the body asks for i < j itself;
/// elsewhere every i is less than every j.
struct PairTile {
  std::int64_t i_begin, i_end, j_begin, j_end;
  bool is_on_diagonal;
};

/// body(PairTile) for tiles of `tile` things a side (the last ones may be shorter), which together have every pair 0 ≤ i ≤ j < n once.
/// Throws as for_each_pair, and bad_shape for tile < 1. Neighbours in a part mostly share the range of j.
template <class Body>
void for_each_pair_tile(std::int64_t n, std::int64_t tile, const Body& body, Executor& executor = default_executor()) {
  detail::count_pairs(n, Diagonal::with);
  const TriangleMap<std::uint64_t> map(static_cast<std::uint64_t>(detail::count_tiles(n, tile)));
  detail::in_parts(static_cast<std::int64_t>(map.size()), executor, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t w = begin; w < end; ++w) {
      const auto cell = map.at(static_cast<std::uint64_t>(w));
      const std::int64_t i = static_cast<std::int64_t>(cell.j) * tile, j = static_cast<std::int64_t>(cell.i) * tile;
      body(PairTile{i, i + std::min(tile, n - i), j, j + std::min(tile, n - j), cell.i == cell.j});
    }
  });
}

/// The same of triplets; on a diagonal two or three of the ranges are the same, and the body asks for i < j < k itself.
struct TripletTile {
  std::int64_t i_begin, i_end, j_begin, j_end, k_begin, k_end;
  bool is_on_diagonal;
};

/// body(TripletTile) for tiles which together have every triplet 0 ≤ i ≤ j ≤ k < n once. Throws as for_each_triplet, and bad_shape for
/// tile < 1.
template <class Body>
void for_each_triplet_tile(std::int64_t n, std::int64_t tile, const Body& body, Executor& executor = default_executor()) {
  detail::count_triplets(n, Diagonal::with);
  const TetrahedronMap<std::uint64_t> map(static_cast<std::uint64_t>(detail::count_tiles(n, tile)));
  detail::in_parts(static_cast<std::int64_t>(map.size()), executor, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t w = begin; w < end; ++w) {
      const auto cell = map.at(static_cast<std::uint64_t>(w));
      const std::int64_t i = static_cast<std::int64_t>(cell.k) * tile, j = static_cast<std::int64_t>(cell.j) * tile;
      const std::int64_t k = static_cast<std::int64_t>(cell.i) * tile;
      const bool is_on_diagonal = cell.i == cell.j || cell.j == cell.k;
      body(TripletTile{i, i + std::min(tile, n - i), j, j + std::min(tile, n - j), k, k + std::min(tile, n - k), is_on_diagonal});
    }
  });
}

}  // namespace crinkle
