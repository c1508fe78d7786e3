// Kernels compiled for the lines of one plan: their source, of the headers that kernels compiled beforehand have too (known.cuh).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "crinkle/device.hpp"
#include "cuda/compile/kernel.hpp"
#include "fft/cuda/form.hpp"
#include "fft/cuda/shape.hpp"

namespace crinkle::fft {

/// Lines and how a kernel goes about them.
template <class T>
struct CompiledLines {
  CudaLines<T> lines;  // with the shape's lanes and threads; its ends are constants of the kernel
  LinesShape shape;
  std::optional<gpu::Kernel> kernel;  // none: those of the library are to be used
};

/// `lines` as kernels that learn them take them. Of `wanted`, whose lines they are, the radices, reads, writes and what follows them are
/// said. No kernel where none can be made or none pays.
template <class T>
CompiledLines<T> compiled_lines(const CudaLines<T>& lines, LinesWanted wanted, Device device);

/// The source for lines of a shape.
template <class T>
gpu::KernelSource source_of(const CudaLines<T>& lines, const LinesWanted& wanted, const LinesShape& shape);

}  // namespace crinkle::fft
