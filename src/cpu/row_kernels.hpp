// Kernels of rows, one table of functions per instruction set, and what all kernels of moves keep to. A unit is 1, 2, 4, 8 or 16 bytes that
// stay together; arrays of functions are indexed by log2 of the unit. Strides are signed and in bytes, addresses have any alignment unless
// said otherwise.
// Every kernel, but `pack` for its odd elements,
//   - writes exactly the bytes that its equation names, maybe some of them twice;
//   - reads the bytes that its equation names and, between two of them, bytes that lie less than 16 after the first;
//   - allocates nothing, throws nothing, needs in and out disjoint, and does nothing where a count is 0.
// Streaming kernels write whole 64-byte lines by non-temporal stores, all stores of a line next to each other; nothing inside orders those
// stores, so a thread calls `fence` once when it has done its part. Where a machine has no such stores they are ordinary ones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::simd {

inline constexpr int n_units = 5;  // 1, 2, 4, 8, 16 bytes
constexpr bool is_unit(std::int64_t bytes) { return bytes >= 1 && bytes <= 16 && (bytes & (bytes - 1)) == 0; }
constexpr std::size_t unit_index(std::int64_t bytes) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(bytes)));
}

struct RowKernels {
  using Reverse = void (*)(const std::byte* in, std::int64_t n, std::byte* out);
  using Gather = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n, std::byte* out);
  using Copy = void (*)(const std::byte* in, std::byte* out, std::int64_t bytes);
  using SwapBytes = void (*)(const std::byte* in, std::int64_t bytes, int item_bytes, std::byte* out);
  using Fill = void (*)(std::byte* out, std::int64_t bytes, const std::byte* pattern16);
  using Fence = void (*)();
  using Pack = void (*)(const std::byte* in, const std::int32_t* offsets, std::int64_t n, std::int64_t element, std::byte* out);
  using CopyRows = void (*)(const std::byte* in, std::int64_t in_stride, std::byte* out, std::int64_t out_stride, std::int64_t n_rows,
                            std::int64_t bytes);
  using StreamRows = void (*)(const std::byte* const* in, std::byte* const* out, std::int64_t n_rows, std::int64_t bytes,
                              std::int64_t ahead);
  using StreamFrom = void (*)(const std::byte* in, std::byte* out, std::int64_t bytes, std::int64_t ahead);
  using StreamReversed = void (*)(const std::byte* in, std::int64_t n, std::byte* out, std::int64_t ahead);
  using Drain = void (*)(std::byte* stage, std::int64_t pitch, std::byte* const* columns, std::int64_t n_columns, std::int64_t out_at,
                         std::int64_t n_lines);

  const char* target;  // "AVX3" (AVX-512), "AVX2"; "EMU128" or "SCALAR": plain C++

  /// out[i] = in[i]
  Copy copy;

  /// out[i] = in[i], whole lines streamed, from any address, fetched `ahead` bytes before it is read; 0 for none
  StreamFrom stream_from;

  /// out[i] = buffer[i], whole lines streamed. Requires buffer ≡ out modulo 64.
  Copy stream;

  /// out[r·out_stride + i] = in[r·in_stride + i] for r < n_rows, i < bytes
  CopyRows copy_rows;

  /// out[r][i] = in[r][i], i < bytes, by whole lines, rows in turn, fetched `ahead` bytes before they are read; 0 for none. Requires
  /// bytes and all out[r] to be multiples of 64.
  StreamRows stream_rows;

  /// Sends n_lines lines of each stage row to columns[c], rounded down to a line, plus out_at; rows lie `pitch` apart. The line after these
  /// lines goes to the row's front. Requires stage and pitch to be multiples of 64.
  Drain drain;

  /// out[i] = pattern16[i mod 16]
  Fill fill;

  /// out[i] = in[n−1−i], i counting units
  Reverse reverse[n_units];

  /// The same, whole lines streamed, `in` fetched `ahead` bytes before it is read; 0 for none.
  StreamReversed stream_reversed[n_units];

  /// out = in with the bytes of every item reversed. Requires bytes to be a multiple of item_bytes ≥ 1. Quickest for items of up to 16
  /// bytes.
  SwapBytes swap_bytes;

  /// out[i·unit] = in[i·in_stride]; 0 repeats one unit
  Gather gather[n_units];

  /// out[i·element + b] = in[offsets[i] + b] for i < n, b < element ≤ 64. Elements shorter than 16 bytes are read and written as the next
  /// unit: up to 7 bytes behind an element are read, and as many behind the last one overwritten.
  Pack pack;

  /// Orders all streaming stores of this thread before its later stores.
  Fence fence;

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const RowKernels& best();
  static std::vector<const RowKernels*> all();
};

}  // namespace crinkle::simd
