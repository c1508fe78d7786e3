// Pixels of few narrow channels to planes and back, by a kernel that is compiled for them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "move/cuda/compiled.hpp"
#include "tile/channel_tile.hpp"

namespace crinkle {

/// The tile of a pass that is one such move.
std::optional<tile::ChannelTile> channel_tile(const planning::Pass& pass);

gpu::KernelSource source_of(const tile::ChannelTile& tile);

/// What fraction of a plain copy's rate the kernel is predicted to have.
double channel_fraction(const tile::ChannelTile& tile);

std::optional<CompiledForm> channel_form(const planning::Pass& pass, const Machine& machine);

}  // namespace crinkle
