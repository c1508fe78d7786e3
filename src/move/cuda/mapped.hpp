// Moves whose axes are mapped one by one, by a kernel that is compiled for them: whole pads, rolls, slices, flips and repeats, of any
// number of boxes, in one launch.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "move/cuda/compiled.hpp"
#include "tile/axis_maps.hpp"

namespace crinkle {

/// The axes of a pass as such a kernel goes through them. None where it is no such move, or one whose neighbours lie far apart in the
/// source, for which tiles in shared memory are made.
std::optional<tile::AxisMaps> mapped_axes(const planning::Pass& pass);

/// The kernel's source.
gpu::KernelSource source_of(const tile::AxisMaps& maps);

/// The same for the kernel of the library that takes maps. None where they are too many, or too long.
std::optional<tile::FewMaps> few_maps(const tile::AxisMaps& maps);

/// What fraction of a plain copy's rate the kernel is predicted to have (of that of the library: ahead), and the library's tiles at most.
double mapped_fraction(const tile::AxisMaps& maps, bool is_ahead = false);
double most_fixed_fraction(const tile::AxisMaps& maps);

/// None also for what the library copies as fast as anything is copied.
std::optional<CompiledForm> mapped_form(const planning::Pass& pass, const Machine& machine);

}  // namespace crinkle
