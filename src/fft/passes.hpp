// The passes of a transform of several axes, each an axis, and on a GPU perhaps two axes at once (fft/cuda/plane.cpp).
//     complex            axis by axis, the first pass from `in` to `out`, the others in `out`
//     real to complex    the last of the axes first, which halves it, then the others in `out`
//     complex to real    the others into a workspace, then the last, from there to `out`
// All float16 data between two axes is float32, in a workspace.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "fft/pass.hpp"
#include "fft/predict.hpp"
#include "fft/sizes.hpp"

namespace crinkle::fft {

struct Passes {
  std::vector<std::unique_ptr<Pass>> all;
  std::vector<Cost> costs;                  // of each
  std::int64_t between = 0, of_passes = 0;  // bytes of the workspace: of an array between, and of a pass

  std::int64_t workspace_bytes() const;
  void run(const std::byte* in, std::byte* out, std::byte* workspace, Worker by) const;
};

/// Throws too_large, out_of_memory.
Passes make_passes(const FftRequest& request, const Sizes& sizes, double factor, bool may_be_in_place, Device device);

/// The extents of an input that are read: as far as the N of every axis go.
Extents read_extents(Extents extents, const Sizes& sizes);

}  // namespace crinkle::fft
