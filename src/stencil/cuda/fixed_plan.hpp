// What a launch brings to kernels of filters that are compiled ahead of time (fixed_filter.hpp): plain values, the same for host and
// device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "stencil/cuda/filter.hpp"

struct CUstream_st;

namespace crinkle {

/// A plan P of filter_place.cuh. E: float, or bytes. Two lists of at most 2 · radius + 1 weights, or a grid of as many rows and columns:
/// those down the rows stand at the end, those along the line where their offsets are; what is beside them is passed over.
template <class E, int radius_, bool is_grid_ = false>
struct FixedFilter {
  using In = E;
  using Out = E;
  using T = float;
  static constexpr int radius = radius_, n_weights = 2 * radius + 1;
  static constexpr int threads = 128, blocks = (radius > 4 ? 4 : 5) - (sizeof(E) == 1 ? 1 : 0), lanes = 4, width = 1,
                       rim = (radius + lanes - 1) / lanes * lanes, ahead = 2;
  static constexpr int n_down = n_weights, n_across = n_weights, first_across = -radius;
  static constexpr bool is_grid = is_grid_, is_rounded = sizeof(E) == 1, is_padded = true, line_is_constant = true, has_marks = is_rounded;

  float weights_down[static_cast<std::size_t>(n_weights)] = {};
  float weights_across[static_cast<std::size_t>(is_grid ? n_weights * n_weights : n_weights)] = {};
  double exact_weights_down[static_cast<std::size_t>(is_rounded ? n_weights : 1)] = {};
  double exact_weights_across[static_cast<std::size_t>(is_rounded ? n_weights : 1)] = {};
  std::int32_t first_down = 0, n_unused = 0, begin_across = 0, end_across = 0;
  float certain = 0.5f;
  bool line_wins = true;
  Bound rows_low = Bound::edge, rows_high = Bound::edge, line_low = Bound::edge, line_high = Bound::edge;

  CRINKLE_HD float down(int k) const { return weights_down[k]; }
  CRINKLE_HD float across(int k) const { return weights_across[k]; }
  CRINKLE_HD float grid(int j, int k) const { return weights_across[is_grid ? j * n_weights + k : 0]; }
  CRINKLE_HD double exact_down(int k) const { return exact_weights_down[k]; }
  CRINKLE_HD double exact_across(int k) const { return exact_weights_across[k]; }
  CRINKLE_HD double exact_grid(int) const { return 0; }
};

/// Given to the stream. P: FixedFilter<float or std::uint8_t, 4 or 8>, FixedFilter<float, 3, true>.
template <class P>
void launch_fixed(const P& p, const FilterTask& task, std::int64_t n_blocks, std::int64_t shared_bytes, const std::byte* in, std::byte* out,
                  CUstream_st* stream);

}  // namespace crinkle
