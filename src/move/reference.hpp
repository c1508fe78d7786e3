// The definition of a move. Everything else is compared with it byte for byte.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// For every box and all 0 ≤ i_a < extent_a:
///     dst[dst_slot][dst_offset + Σ i_a·dst_stride_a] = src[src_slot][src_offset + Σ i_a·src_stride_a]   (unit bytes), or the pattern.
/// Requires the buffers to hold the boxes' spans; `src` and `dst` are the buffers' origins, one per slot.
void run_reference(const Boxes& boxes, std::span<const std::byte* const> src, std::span<std::byte* const> dst);

/// A step: its boxes for every combination of the gathered axes' entries.
void run_reference(const Step& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst);

/// All steps, one after the other, through a workspace of workspace_bytes.
void run_reference(const Steps& steps, std::span<const std::byte* const> src, std::span<std::byte* const> dst, std::byte* workspace);

}  // namespace crinkle
