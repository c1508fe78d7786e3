// What a launch brings to kernels of filters that are compiled ahead of time (fixed_filter.hpp): plain values, the same for host and
// device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "stencil/cuda/filter.hpp"

struct CUstream_st;

namespace crinkle {

/// Lists: two of at most 2 · radius + 1 weights, or exactly as many and no constant beyond the line; one down the rows, likewise; a grid of
/// as many rows and columns.
enum class FixedKind : std::uint8_t { lists, exact_lists, down, exact_down, grid };

/// A plan P of filter_place.cuh. E: float, or bytes. Weights down the rows stand at the end, those along the line where their offsets are;
/// what is beside them is passed over.
template <class E, int radius_, FixedKind kind_ = FixedKind::lists>
struct FixedFilter {
  using In = E;
  using Out = E;
  using T = float;
  static constexpr int radius = radius_, n_weights = 2 * radius + 1;
  static constexpr FixedKind kind = kind_;
  static constexpr bool is_grid = kind == FixedKind::grid, is_rounded = sizeof(E) == 1, has_marks = is_rounded;
  static constexpr bool line_is_constant = kind != FixedKind::exact_lists;
  static constexpr bool is_exact = kind == FixedKind::exact_lists || kind == FixedKind::exact_down, is_padded = !is_exact;
  static constexpr int n_down = n_weights, n_across = kind == FixedKind::down || kind == FixedKind::exact_down ? 0 : n_weights,
                       first_across = -radius;
  static constexpr int threads = 0, most_threads = 256, blocks = 2, lanes = radius > 8 ? 2 : 4, width = 1,
                       rim = n_across > 0 ? (radius + lanes - 1) / lanes *lanes : 0, ahead = n_across > 0 || lanes < 4 ? 2 : 4;

  float weights_down[static_cast<std::size_t>(n_weights)] = {};
  float weights_across[static_cast<std::size_t>(is_grid ? n_weights * n_weights : n_weights)] = {};
  double exact_weights_down[static_cast<std::size_t>(is_rounded ? n_weights : 1)] = {};
  double exact_weights_across[static_cast<std::size_t>(is_rounded ? n_weights : 1)] = {};
  std::int32_t first_down = 0, n_unused = 0, begin_across = 0, end_across = 0;
  float certain = 0.5f;
  bool line_wins = true;
  Bound rows_low = Bound::edge, rows_high = Bound::edge, line_low = Bound::edge, line_high = Bound::edge;

  /// Of a multiprocessor, by its registers.
  static constexpr int threads_at_once = kind < FixedKind::down && radius == 4 && sizeof(E) == 4 ? 640 : most_threads * blocks;

  CRINKLE_HD float down(int k) const { return weights_down[k]; }
  CRINKLE_HD float across(int k) const { return weights_across[k]; }
  CRINKLE_HD float grid(int j, int k) const { return weights_across[is_grid ? j * n_weights + k : 0]; }
  CRINKLE_HD double exact_down(int k) const { return exact_weights_down[k]; }
  CRINKLE_HD double exact_across(int k) const { return exact_weights_across[k]; }
  CRINKLE_HD double exact_grid(int) const { return 0; }
};

struct FixedGrid {
  std::int64_t blocks, threads, shared_bytes;
};
/// Given to the stream. P: FixedFilter of float, 4, 8 or 20, lists or down; of std::uint8_t, 4 or 8, lists; of float, 3, a grid.
template <class P>
void launch_fixed(const P& p, const FilterTask& task, const FixedGrid& grid, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle
