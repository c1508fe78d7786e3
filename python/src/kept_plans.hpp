// Plans of computations that calls from Python keep for the next ones, as they keep those of moves (plan_cache.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "crinkle/fft.hpp"
#include "crinkle/sweeper.hpp"
#include "view.hpp"

namespace crinkle::python {

/// One of the last plans, which have tables of sines (on a GPU in its memory), or a new one. Throws what FftPlan throws.
std::shared_ptr<const FftPlan> fft_plan(const FftRequest& request, Device device);
/// The same of convolutions. Throws what ConvolvePlan throws.
std::shared_ptr<const ConvolvePlan> convolve_plan(const ConvolveRequest& request, Device device);

/// Given to the stream of the arrays, which lie on one GPU, by one of the last sweepers or a new one. Throws what Sweeper throws.
void run_kept_sweeper(const Sweep& sweep, const View& source, const View& destination);

/// Forgets them, and frees what those of a GPU hold there.
void clear_kept_plans();

}  // namespace crinkle::python
