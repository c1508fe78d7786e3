// The library's kernel of any lines through shared memory, for walks: as launch_lines chooses it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/stages.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "fft/cuda/lines.cuh"
#pragma GCC diagnostic pop

namespace crinkle::fft {

template <class T>
void transform_staged(const Radices& radices, const CudaLines<T>& lines, const char* in, char* out) {
  if (cuda_held(radices, lines.n) > most_held) kernel::staged_lines<T, true, many_held>(lines, 0, in, out);
  else if (has_sums(radices.back())) kernel::staged_lines<T, true>(lines, 0, in, out);
  else kernel::staged_lines<T, false>(lines, 0, in, out);
}

}  // namespace crinkle::fft
