// Two axes in one pass over memory, by a kernel compiled for them (known_plane.cuh).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/loops.hpp"
#include "cuda/compile/kernel.hpp"
#include "fft/cuda/form.hpp"
#include "fft/cuda/plane_shape.hpp"

namespace crinkle::fft {

/// The lines of one axis of a plane.
template <class T>
struct PlaneAxis {
  CudaLines<T> lines;  // with its ends; the lane is the other axis
  Radices radices;
};
template <class T>
struct CompiledPlane {
  CudaLines<T> lines;  // the planes: loops and tables of both axes
  LinesShape shape;    // of a block, for its launch
  gpu::KernelSource source;
};

/// The kernel's source, and what it is told of planes along `loops`; none where it cannot take them: lines that are convolved, cropped,
/// padded or shifted, numbers that are read or written in parts or far apart, planes that no block holds.
template <class T>
std::optional<CompiledPlane<T>> plane_to_compile(PlaneAxis<T> first, PlaneAxis<T> second, const std::vector<Loop>& loops,
                                                 std::int64_t shared_bytes, std::int64_t shared_bytes_worker, bool has_clusters);

}  // namespace crinkle::fft
