// Steps in slabs: what they make is cut along one axis, so that one slab can be sent while the next one is computed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "crinkle/distribute.hpp"

namespace crinkle::distributed {

/// So many of every rank's part, along an axis of the array.
struct Slabs {
  int axis = -1;
  std::int64_t n = 1;
};

/// The least that a device sends at once where nothing is said (DevicesOptions::slab_bytes): docs/tuning.md.
inline constexpr std::int64_t usual_slab_bytes = 16 << 20;

/// ", in 8 slabs, each sent while the next one is computed"; nothing of one.
std::string text_of(const Slabs& slabs);
/// Slab k of n of a range: even parts.
Range slab_of(const Range& whole, std::int64_t n, std::int64_t k);
/// What makes slab k of what a part of the operation makes. Requires a cut along the slabs' axis where there are several.
Ranges slab_of(const Operation& op, const Ranges& part, const Slabs& slabs, std::int64_t k);

/// Steps of an operation, each of which makes a slab from that slab of the one before it; what the last one makes is exchanged.
struct StepsInSlabs {
  std::size_t first = 0, last = 0;
  Slabs slabs;
};
/// All that go so, in order. Slabs lie in a row in what is read and made; the busiest rank sends about so many bytes of each, or more.
std::vector<StepsInSlabs> steps_in_slabs(const DistributedOperation& operation, std::int64_t bytes);

}  // namespace crinkle::distributed
