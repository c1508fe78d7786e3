// Kernels of lines that a butterfly reads or writes: of few_held numbers a thread, reading, writing or both, and of most_held, doing both.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/lines.cuh"

namespace crinkle::fft {

template <class T>
const void* direct_few_kernel(bool reads, bool writes) {
  if (!reads) return reinterpret_cast<const void*>(&kernel::direct_lines<T, few_held, false, true>);
  if (!writes) return reinterpret_cast<const void*>(&kernel::direct_lines<T, few_held, true, false>);
  return reinterpret_cast<const void*>(&kernel::direct_lines<T, few_held, true, true>);
}

template <class T>
const void* direct_most_kernel() {
  return reinterpret_cast<const void*>(&kernel::direct_lines<T, most_held, true, true>);
}

}  // namespace crinkle::fft
