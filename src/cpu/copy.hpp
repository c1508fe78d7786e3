// Plain copies: what a move is measured against. Three ways to bring n bytes from one place to another,
//     memcpy        what the C library does: ordinary stores, below some size at least
//     streamed      full cache lines by non-temporal stores, one after the other
//     interleaved   the same, a line of each of four pages in turn, prefetched 256 bytes ahead
// The last keeps several DRAM pages and fill buffers busy at once and is usually the fastest that a machine can do.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "crinkle/executor.hpp"

namespace crinkle {

enum class CopyKind : std::uint8_t { memcpy, streamed, interleaved };
inline constexpr std::array copy_kinds = {CopyKind::memcpy, CopyKind::streamed, CopyKind::interleaved};

/// "memcpy", "streamed", "interleaved"
const char* name_of(CopyKind kind) noexcept;

/// How full lines are stored: the widest that this machine has is the default; narrower ones are for tests.
enum class LineStore : std::uint8_t { portable, sse2, avx2, avx512 };
LineStore widest_line_store() noexcept;

/// dst[i] = src[i] for 0 ≤ i < n_bytes, any alignment. Requires n_bytes ≥ 0 and a `store` that the machine has.
/// Aliasing: none. Cost: one pass; what it wrote is visible to every thread that is told of its return.
void copy_plain(CopyKind kind, std::byte* dst, const std::byte* src, std::int64_t n_bytes, LineStore store = widest_line_store());

/// The same on all workers: each copies one part of whole pages of the destination.
void copy_plain(CopyKind kind, std::byte* dst, const std::byte* src, std::int64_t n_bytes, Executor& executor);

}  // namespace crinkle
