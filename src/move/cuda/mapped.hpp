// Moves by a kernel that is compiled for them: whole pads, rolls, slices, flips and repeats, of any number of boxes, in one launch.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "crinkle/cuda.hpp"
#include "cuda/compile/kernel.hpp"
#include "plan/pass.hpp"
#include "tile/axis_maps.hpp"

namespace crinkle {

/// A step of one source and one destination with its kernel.
struct MappedStep {
  tile::AxisMaps maps;
  gpu::Kernel kernel;
};

/// The axes of a pass as such a kernel goes through them. None where it is no such move, or one whose neighbours lie far apart in the
/// source, for which tiles in shared memory are made.
std::optional<tile::AxisMaps> mapped_axes(const planning::Pass& pass);

/// The kernel's source.
gpu::KernelSource source_of(const tile::AxisMaps& maps);

/// What fraction of a plain copy's rate the kernel is predicted to have.
double mapped_fraction(const tile::AxisMaps& maps);

/// The step, where a kernel is predicted to be faster than the library's and there is one (gpu::compiled).
std::shared_ptr<const MappedStep> mapped_step(const planning::Pass& pass, const Machine& machine, Device device);

/// Whether buffers lie where the kernel takes them from: at multiples of 16 bytes.
bool takes(const MappedStep& step, const std::byte* src, const std::byte* dst);

/// The move, given to the stream. Requires takes(); otherwise as run_cuda (move/cuda/move.hpp).
void run_mapped(const MappedStep& step, const std::byte* src, std::byte* dst, CUstream_st* stream, const char* what);

/// A line for a person.
std::string describe(const MappedStep& step);

}  // namespace crinkle
