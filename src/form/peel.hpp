// The products of factors' pieces. Where fills are stacked, the last one lies on top: each fill is peeled off from the last to the first,
// as its own pieces times all that is left of the other axes, and the data are the product of what remains. So a constant pad of k axes is
// one box of data and two of fill an axis, not 3^k − 1.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "form/pieces.hpp"

namespace crinkle {

/// All products, one piece of every factor each, from `start` on. With fill >= 0 this fill lies where no later one does, data or not.
/// Nothing when they are more than `limit`.
std::optional<std::vector<Piece>> products_of(const std::vector<Factor>& factors, const Piece& start, std::int32_t fill, std::size_t limit);

}  // namespace crinkle
