// Transpositions in strips of rows share this: how far ahead a strip is fetched, and how columns leave the stage in which they wait
// for lines of memory to be whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/kernels.hpp"

namespace crinkle::simd {

/// Rows a multiple of a page apart fall into one set of the cache: what is fetched early is lost before it is used.
inline std::int64_t strip_ahead(const std::byte* const* rows, std::int64_t n_rows) {
  constexpr std::int64_t page = 4096, ahead = 256;  // bytes
  return n_rows >= 2 && (rows[1] - rows[0]) % page == 0 ? 0 : ahead;
}

/// Columns in a stage, `pitch` bytes apart, each from the byte of a line on where it begins in memory.
struct StagedColumns {
  std::byte* stage = nullptr;
  std::int64_t pitch = 0;
  std::byte* const* columns = nullptr;  // in memory
  std::int64_t n = 0;
};

/// A strip brings `bytes` bytes a column, staged behind what waits, to columns[c] + out_at: whole lines leave, and the rest waits in
/// front. is_first: nothing waits yet; is_last: nothing stays.
inline void leave_stage(const Kernels& kernels, const StagedColumns& staged, std::int64_t out_at, std::int64_t bytes, bool is_first,
                        bool is_last) {
  constexpr std::int64_t line = 64;
  if (!is_first && !is_last) return kernels.drain(staged.stage, staged.pitch, staged.columns, staged.n, out_at, bytes / line);
  for (std::int64_t c = 0; c < staged.n; ++c) {
    std::byte* const from = staged.stage + c * staged.pitch;
    const auto phase = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(staged.columns[c]) % line);
    const std::int64_t all = phase + bytes, lines = all / line * line;
    std::byte* const to = staged.columns[c] - phase + out_at;
    const std::int64_t begin = is_first ? phase : 0, end = is_last ? all : lines;
    if (end > begin) kernels.stream(from + begin, to + begin, end - begin);
    if (!is_last && all > lines) std::memcpy(from, from + lines, line);
  }
}

}  // namespace crinkle::simd
