// Running a rearrangement from one byte range into another with bounded memory, and checking the result against the definition.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crinkle/crinkle.hpp"

namespace crinkle::tool {

inline constexpr std::int64_t slab_bytes = 64 << 20;  // workspaces and progress steps are at most this long

/// dst = r(src) for a dense destination. A rearrangement of two steps runs slab by slab, so that its workspace stays within slab_bytes
/// where the destination can be cut that far. Returns the seconds that moving took; planning is not counted.
double run_in_slabs(const Rearrangement& r, std::span<const std::byte> src, std::span<std::byte> dst, Executor& executor);

/// Compares every element of dst with the source element or fill that the reference map names. Returns the index of the first destination
/// element that differs, or −1.
std::int64_t first_difference(const Rearrangement& r, std::span<const std::byte> src, std::span<const std::byte> dst);

/// The seconds that a plain copy of n_bytes takes, median of 5 runs between two buffers that are in memory. Beyond 256 MiB that many are
/// copied and the time is scaled.
double copy_seconds(std::int64_t n_bytes, Executor& executor);

}  // namespace crinkle::tool
