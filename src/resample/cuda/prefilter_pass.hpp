// One axis of a spline's prefilter, as plain numbers. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/form.hpp"

struct CUstream_st;

namespace crinkle::resampling {

inline constexpr int prefilter_segment = 32;  // elements of a segment, and lines of a block
inline constexpr std::int64_t prefilter_shared_bytes =
    prefilter_segment * (prefilter_segment + 1) * std::int64_t{8} + 2 * prefilter_segment * std::int64_t{8};

struct PrefilterPass {
  std::int64_t n_lines = 1;
  Loop loops[most_form_axes];  // over lines
  std::int32_t n_loops = 0;
  std::int64_t in = 0, out = 0;                      // along a line, bytes
  FormAxis axis;                                     // extent and faces
  std::int64_t before = 0, behind = 0;               // coefficients outside that are kept
  bool are_rows_in = false, are_rows_out = false;    // neighbours of a line lie closer than lines
  bool is_aligned = false, is_made_aligned = false;  // the elements that are read and made, at multiples of their size
  double* kept = nullptr;                            // [segments][n_lines]
  unsigned long long* n_not_finite = nullptr;        // counts the elements that are NaN or infinite, if there
};

/// Given to the stream. `in` and `out` are where the first elements lie.
template <class E>
void launch_prefilter(const PrefilterPass& pass, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle::resampling
