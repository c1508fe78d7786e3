// What is checked of buffers before a move: how many, how long, and that no destination shares a byte with anything else.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "crinkle/plan.hpp"

namespace crinkle {

/// How sources and destinations lie to each other: no byte in common, or every source where the destination of its number is.
enum class Aliasing : std::uint8_t { apart, in_place };

/// Throws bad_shape for the wrong number of buffers or one that does not hold its span, overlap where a destination shares bytes in another
/// way.
Aliasing check_buffers(const std::vector<ByteSpan>& source_spans, std::span<const ConstBuffer> src,
                       const std::vector<ByteSpan>& destination_spans, std::span<const Buffer> dst);

/// Throws bad_shape for buffers whose values are no elements or records of the plan. Requires as many buffers as check_buffers() asks for.
void check_values(const ValueForms& source_forms, std::span<const ConstBuffer> src, const ValueForms& destination_forms,
                  std::span<const Buffer> dst);

}  // namespace crinkle
