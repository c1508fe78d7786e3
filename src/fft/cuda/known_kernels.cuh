// The kernels of all known lengths, a table by place and kind: for the files that compile them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cuda/runtime.hpp"
#include "fft/cuda/known_real.cuh"

namespace crinkle::fft::kernel {

template <class T, int i>
using KnownAt = Known<T, known_shapes<T>[i].log_n, known_shapes<T>[i].log_lanes, known_shapes<T>[i].log_held, known_shapes<T>[i].n_blocks,
                      known_shapes<T>[i].are_columns, known_shapes<T>[i].fetched, known_shapes<T>[i].log_cluster>;
template <class P>
__global__ void __launch_bounds__(P::threads, P::n_blocks) CRINKLE_CLUSTER(P::cluster)
    known_lines_in_cluster(const __grid_constant__ CudaLines<typename P::T> lines, std::int64_t first, const char* in, char* out) {
  transform_lines<P>(lines, first, in, out);
}
// The kernel of a kind; real lines have some only as rows, and as columns that are mirrored.
template <class K, bool are_mirrored>
const void* known_kernel(KnownKind kind) {
  if constexpr (are_mirrored) {
    if (kind == KnownKind::to_real) return reinterpret_cast<const void*>(&known_lines<Folding<K, true>>);
    return reinterpret_cast<const void*>(&known_lines<Folding<K, false>>);
  } else {
    if constexpr (!K::are_columns) {
      if (kind == KnownKind::from_real) return reinterpret_cast<const void*>(&known_real_lines<K>);
      if (kind == KnownKind::to_real) return reinterpret_cast<const void*>(&known_lines_to_real<K>);
    }
    if constexpr (K::cluster > 1) return reinterpret_cast<const void*>(&known_lines_in_cluster<K>);
    else return reinterpret_cast<const void*>(&known_lines<K>);
  }
}

}  // namespace crinkle::fft::kernel

namespace crinkle::fft {

template <class T, int i = 0>
const void* known_kernel(int place, KnownKind kind) {
  if constexpr (i + 1 < n_known_shapes<T>) {
    if (place != i) return known_kernel<T, i + 1>(place, kind);
  }
  return kernel::known_kernel<kernel::KnownAt<T, i>, known_shapes<T>[i].are_mirrored>(kind);
}

template <class T>
const void* known_kernel(const CudaLines<T>& lines) {
  return known_kernel<T>(lines.known, known_kind(lines));
}

template <class T>
void allow_known(const CudaLines<T>& lines, int device) {
  gpu::allow_shared_bytes(known_kernel(lines), lines.shared_bytes(), device);
}

}  // namespace crinkle::fft
