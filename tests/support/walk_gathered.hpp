// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "support/walked.hpp"
#include "tile/gathered_tile.hpp"

namespace crinkle::testing {

/// Walks one block as the kernel walks it that knows the most of what the tile grants; every fourth block also as the kernel that suits
/// every tile, which must do the same.
Fault walk_gathered(const tile::GatheredTile& tile, std::uint32_t index, const Span& span, const std::function<void(Unit, Unit)>& write);

}  // namespace crinkle::testing
