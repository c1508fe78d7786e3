// Whether a map on bytes is its own inverse, decided from its boxes: only such a map can run in place without keeping books, for its bytes
// then change places in pairs and what is not moved stays. One box is its own inverse exactly where its canonical form is that of the box
// with source and destination swapped. In a list each box needs a partner like that (itself or another), or else the list, composed with
// itself, has to be the identity.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "form/simplify.hpp"

namespace crinkle::planning {

inline constexpr std::size_t most_paired_boxes = 64;

/// Per box the index of the box that moves its bytes back: itself, another one, or no_partner where only several boxes together do.
using Partners = detail::SmallVector<std::int32_t, 4>;
inline constexpr std::int32_t no_partner = -1;

/// Nothing unless map(map(place)) = place for every place that the boxes write, places of both sides counted from the same address.
/// Requires simplified boxes that write no byte twice. Nothing also for more than most_paired_boxes boxes, for slots that change places
/// with bytes and for a list whose composition is too long to tell.
std::optional<Partners> partners_of(const Boxes& boxes);

/// Why partners_of() has nothing: an example of a place that does not come back, where one is near.
std::string why_not_its_own_inverse(const Boxes& boxes);

}  // namespace crinkle::planning
