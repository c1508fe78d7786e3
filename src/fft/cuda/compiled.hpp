// Kernels compiled for the lines of one plan: their source, of the headers that kernels compiled beforehand have too (known.cuh).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  gpu::KernelSource source;
  std::optional<gpu::Kernel> kernel;  // none: those of the library are to be used
};

/// `lines` as kernels that learn them take them, in so many shapes at most (shapes_of), without kernels. Of `wanted`, whose lines they
/// are, the radices, reads, writes and what follows them are said. None where no kernel can be made.
template <class T>
std::vector<CompiledLines<T>> lines_to_compile(const CudaLines<T>& lines, LinesWanted wanted, std::size_t most);

/// The first of them with its kernel, where that pays (kernel_options).
template <class T>
CompiledLines<T> compiled_lines(const CudaLines<T>& lines, const LinesWanted& wanted, Device device);

/// The quickest of some shapes of one work by running each in memory of its own; the first stays unless another is clearly faster. None
/// where there is no memory for it, or no choice. What was chosen is kept for the process. `reach` are loops inside the work of a block:
/// how far they go in the arrays, besides the lanes and loops of its lines.
template <class T>
std::optional<CompiledLines<T>> quickest_of(std::vector<CompiledLines<T>> all, const std::vector<CudaLoop>& reach, Device device);
/// The same of lines.
template <class T>
std::optional<CompiledLines<T>> quickest_lines(const CudaLines<T>& lines, const LinesWanted& wanted, Device device);
inline constexpr std::size_t most_shapes = 6;  // that are measured

/// A struct of CUDA C++ that is a plan of lines of a shape (known_plan.cuh); `more` are lines of its own.
template <class T>
std::string plan_text(const std::string& name, const CudaLines<T>& lines, const LinesWanted& wanted, const LinesShape& shape,
                      const std::string& more);
/// A source whose kernel is `call`(lines, first, in, out) of transforms, with those structs; launched in clusters of so many blocks.
gpu::KernelSource transform_source(std::string name, const char* header, const std::string& plans, const std::string& first_plan,
                                   const std::string& call, std::int64_t together);
/// The source for lines of a shape.
template <class T>
gpu::KernelSource source_of(const CudaLines<T>& lines, const LinesWanted& wanted, const LinesShape& shape);

/// Their launch, given to the stream; lines that come ahead are taken by as many blocks as run at once on a device of so many
/// multiprocessors.
template <class T>
void launch_compiled(const CudaLines<T>& lines, const gpu::Kernel& kernel, const LinesShape& shape, const std::byte* in, std::byte* out,
                     std::int64_t multiprocessors, CUstream_st* stream);

}  // namespace crinkle::fft
