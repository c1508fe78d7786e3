// Runs of bytes at the places of a table: the inner loop of gathers and scatters.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/line_writer.hpp"
#include "move/entries.hpp"

namespace crinkle {

struct EntryRange {
  std::int64_t first = 0, last = 0;
};

/// From one place to another on both sides, in bytes.
struct Distance {
  std::int64_t src = 0, dst = 0;
};

/// dst[table.dst[j] + i] = src[table.src[j] + i] for all j in `entries`, 0 ≤ i < bytes. `to_next` is where the same entries come again, and
/// is sent for towards the end. What goes through `writer` is in the destination after its finish().
/// Requires bytes > 0 and kernels and is_streaming to be those of `writer`.
void copy_runs(const EntryTable& table, EntryRange entries, const std::byte* src, std::byte* dst, Distance to_next, std::int64_t bytes,
               const simd::Kernels& kernels, bool is_streaming, simd::LineWriter& writer);

}  // namespace crinkle
