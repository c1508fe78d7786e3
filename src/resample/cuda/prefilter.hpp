// The coefficients of splines on a GPU: a pass an axis (prefilter.cuh). Of floats the first one counts numbers that are not finite, and the
// host waits for the count. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "base/held_bytes.hpp"
#include "crinkle/resample.hpp"
#include "resample/cuda/prefilter_pass.hpp"

namespace crinkle::resampling {

struct CudaPrefilter {
  std::vector<PrefilterPass> passes;
  std::int64_t own_bytes = 0;        // between passes; behind them the count, and what passes keep
  std::int64_t workspace_bytes = 0;  // of all three

  std::int64_t held_bytes() const { return held_by(passes); }
};

/// Requires a checked resampling of what check_for_cuda() lets pass. Throws too_large.
CudaPrefilter cuda_prefilter_of(const Resampling& resampling);

/// The coefficients [coefficient_extents()] to `to`, given to the stream. `source` begins at byte 0 of its layout; `own` lies at a multiple
/// of 64 bytes. Of floats it waits, and throws unsupported where one is not finite; in a graph that is captured nobody could be told, and
/// such numbers spread along their lines.
void launch(const Resampling& resampling, const CudaPrefilter& prefilter, const std::byte* source, std::byte* to, std::byte* own,
            CUstream_st* stream);

}  // namespace crinkle::resampling
