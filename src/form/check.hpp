// These functions say what a list of boxes touches: slots, byte spans, and whether two elements of a layout share a byte.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

enum class Side : std::uint8_t { source, destination };

inline std::int64_t stride_of(const Axis& a, Side side) { return side == Side::source ? a.src_stride : a.dst_stride; }
inline Counts counts_of(const Axis& a, Side side) { return side == Side::source ? a.src_counts : a.dst_counts; }

/// Throws bad_shape for boxes that do not hold together: another unit than 1, 2, 4, 8 or 16, a negative extent, a buffer before the first,
/// two axes of a side that count buffers; too_large for more than max_axes axes.
void check_boxes(const Boxes& boxes);

/// One more than the highest slot that the boxes name on a side; at least 1.
std::int64_t count_slots(const Boxes& boxes, Side side);

/// Per slot, the bytes from the first to one past the last that a side touches; {0, 0} for an untouched slot. Throws too_large.
std::vector<ByteSpan> spans_of(const Boxes& boxes, Side side, std::int64_t n_slots);
std::vector<ByteSpan> spans_of(const Steps& steps, Side side, std::int64_t n_slots);

/// Throws overlap unless, axes sorted by stride, every stride steps over all that the smaller ones reach.
void check_no_overlap(const Layout& layout);

std::int64_t n_bytes_of(const Box& box);  // bytes written; throws too_large

}  // namespace crinkle
