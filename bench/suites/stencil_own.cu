// SPDX-License-Identifier: BSD-3-Clause
#include "suites/stencil_own.hpp"

#include "crinkle/stencil_loops.cuh"

namespace crinkle::bench {

bool own_on_gpu(const Sweep& of, const std::byte* from, std::byte* to, CUstream_st* stream) {
  return with_any_own(of, from, to, [=](const auto& stencil, const auto& out) { sweep(stencil, out, stream); });
}

}  // namespace crinkle::bench
