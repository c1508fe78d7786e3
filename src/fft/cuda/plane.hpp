// Two axes in one pass over memory, by a kernel compiled for them (known_plane.cuh).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/loops.hpp"
#include "fft/cuda/compiled.hpp"
#include "fft/cuda/form.hpp"
#include "fft/cuda/plane_shape.hpp"
#include "fft/pass.hpp"

namespace crinkle::fft {

/// The lines of one axis of a plane.
template <class T>
struct PlaneAxis {
  CudaLines<T> lines;  // with its ends; the lane is the other axis
  Radices radices;
};

/// Planes along `loops` as kernels take them, in so many shapes at most (plane_shapes), without kernels: `lines` has loops and tables of
/// both axes, `shape` is a block's for its launch. None where no kernel can take them: lines that are convolved, cropped, padded or
/// shifted, numbers that are read or written in parts or far apart, planes that no block holds.
template <class T>
std::vector<CompiledLines<T>> planes_to_compile(PlaneAxis<T> first, PlaneAxis<T> second, const std::vector<Loop>& loops,
                                                std::int64_t shared_bytes, std::int64_t shared_bytes_worker, bool has_clusters,
                                                std::size_t most);

/// Long complex lines in one pass, as planes of the two parts that they would go through memory for; null where no kernel takes them so, or
/// where it does not pay. Its bits are those of two passes.
std::unique_ptr<Pass> make_cuda_long_line(const Axis& axis, FftReal real, Device device);

}  // namespace crinkle::fft
