// Is a result right? A walk over every destination element of a list of boxes, in plain nested loops that share no code with the planner
// and the executors: the two fastest axes in blocks of 32, so that large arrays take seconds.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "crinkle/axis.hpp"
#include "crinkle/executor.hpp"

namespace crinkle::bench {

/// The first destination byte of the boxes' units that is not dst[…] = src[…] (axis.hpp), or −1.
/// Requires boxes without slots, and buffers that hold their spans.
std::int64_t first_wrong_byte(const Boxes& boxes, const std::byte* src, const std::byte* dst, Executor& executor);

/// The bytes that the boxes write; that of the destination where they cover it, for boxes that are disjoint.
std::int64_t bytes_written(const Boxes& boxes);

/// dst[i_order(0), i_order(1), …] = src[i_0, i_1, …] as one box, straight from the equation.
Box permuted_box(const std::int64_t* extents, const std::int64_t* order, std::size_t rank, std::int64_t element_bytes);

}  // namespace crinkle::bench
