// Boxes whose runs are short on both sides, in blocks. A block takes a part of some axes, so that it is a few long runs of the source and a
// few long runs of the destination; it is put together in the caches, in the order of the destination (move/cpu/packed.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "plan/schedule.hpp"

namespace crinkle::planning {

/// How large blocks are, in bytes, and boxes that are worth them. Blocks grow along the side whose runs are further from what is wanted.
struct PackLimits {
  std::int64_t least_box = 1 << 20;
  std::int64_t block = 64 << 10;
  std::int64_t dst_run = 2048, src_run = 1024;            // wanted
  std::int64_t least_dst_run = 256, least_src_run = 128;  // at least 64
};

struct Packed {
  Schedule schedule;  // of whole blocks
  Boxes rest;         // what they leave of the box
};

/// None where no block has long runs on both sides, elements are a line or more or overlap in the source, and where the rows are of several
/// segments, a fill, or of many buffers. Requires: simplified, stitched rows. A pure function.
std::optional<Packed> packed_schedule(const tile::Rows& rows, const PackLimits& limits = {});

}  // namespace crinkle::planning
