// The innermost loops of the CPU executor, one table of functions per instruction set. A unit is 1, 2, 4, 8 or 16 bytes that stay together;
// arrays of functions are indexed by log2 of the unit. Strides are signed and in bytes, addresses have any alignment unless said otherwise.
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
/// Whether Kernels::join puts such rows together: records of a power of two bytes.
constexpr bool joins(std::int64_t n_rows, std::int64_t unit) {
  return is_unit(unit) && n_rows >= 2 && n_rows * unit <= 32 && (n_rows & (n_rows - 1)) == 0;
}
constexpr std::int64_t most_odd_rows = 64;  // of table_odd_shift: a strip of whole lines has no more
struct WeaveProgram;

/// A block of a transposition that goes through a stage: columns[c] + out_at + r·unit = rows[r] + in_at + c·unit.
struct StagedBlock {
  const std::byte* const* rows = nullptr;
  std::int64_t n_rows = 0;
  std::byte* const* columns = nullptr;
  std::int64_t n_columns = 0;
  std::int64_t in_at = 0, out_at = 0;
  std::byte* stage = nullptr;            // stage_bytes(…), a multiple of 64
  std::byte* carry = nullptr;            // as in table_shift
  bool on_lines = false;                 // all columns begin on one
  bool is_first = true, is_last = true;  // of its columns' blocks
};
constexpr std::int64_t stage_bytes(std::int64_t n_rows, std::int64_t n_columns, std::int64_t unit) {
  const std::int64_t word = unit < 4 ? 4 : unit;  // narrower units are staged as words
  return (n_rows * unit / word + 1) * (((n_columns * unit + 63) / 64 * (word / unit) + 1) * 64);
}

/// Where the next bytes of a field go: to byte `phase` of a line, whose bytes before it wait; 64 bytes before those may be used.
struct FieldLines {
  std::byte* line = nullptr;
  std::byte* waiting = nullptr;
  std::int64_t phase = 0;
};

struct FewFields;

struct Kernels {
  using Transpose = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n_rows, std::int64_t n_columns, std::byte* out,
                             std::int64_t out_stride);
  using TransposeStream = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n_rows, std::int64_t n_columns, std::byte* out,
                                   std::int64_t out_stride, std::int64_t ahead);
  using Reverse = void (*)(const std::byte* in, std::int64_t n, std::byte* out);
  using Gather = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n, std::byte* out);
  using Copy = void (*)(const std::byte* in, std::byte* out, std::int64_t bytes);
  using SwapBytes = void (*)(const std::byte* in, std::int64_t bytes, int item_bytes, std::byte* out);
  using Fill = void (*)(std::byte* out, std::int64_t bytes, const std::byte* pattern16);
  using Fence = void (*)();
  using WeaveLines = void (*)(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out,
                              std::byte* waiting, std::int64_t phase);
  using Apart = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n, const FieldLines* fields, std::int64_t n_fields,
                         std::int64_t ahead);
  using Join = std::int64_t (*)(const std::byte* const* rows, std::int64_t n_rows, std::int64_t n, std::byte* out);
  using WeavePart = void (*)(const WeaveProgram& program, const std::byte* const* bases, std::int64_t first, std::int64_t last,
                             std::byte* out);
  using Weave = void (*)(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::int64_t out_step);

  using TableTranspose = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                                  std::int64_t in_at, std::int64_t out_at);
  using TableStream = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                               std::int64_t out_at, std::int64_t ahead);
  using TableRuns = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                             std::int64_t in_at, std::int64_t out_at, std::int64_t element);
  using TableRunsStream = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                                   std::int64_t out_at, std::int64_t element, std::int64_t ahead);
  using TableRunsShift = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                                  std::int64_t out_at, std::int64_t element, std::byte* carry, bool is_first, bool is_last,
                                  std::int64_t ahead);
  using TableShift = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                              std::int64_t out_at, std::byte* carry, bool is_first, bool is_last, std::int64_t ahead);
  using TableStaged = void (*)(const StagedBlock* in, const StagedBlock* out, const StagedBlock* next);
  using Pack = void (*)(const std::byte* in, const std::int32_t* offsets, std::int64_t n, std::int64_t element, std::byte* out);
  using CopyRows = void (*)(const std::byte* in, std::int64_t in_stride, std::byte* out, std::int64_t out_stride, std::int64_t n_rows,
                            std::int64_t bytes);
  using StreamRows = void (*)(const std::byte* const* in, std::byte* const* out, std::int64_t n_rows, std::int64_t bytes,
                              std::int64_t ahead);
  using StreamFrom = void (*)(const std::byte* in, std::byte* out, std::int64_t bytes, std::int64_t ahead);
  using StreamReversed = void (*)(const std::byte* in, std::int64_t n, std::byte* out, std::int64_t ahead);
  using Drain = void (*)(std::byte* stage, std::int64_t pitch, std::byte* const* columns, std::int64_t n_columns, std::int64_t out_at,
                         std::int64_t n_lines);

  const char* target;  // "AVX3" (AVX-512), "AVX2", "SSE4"; "EMU128" or "SCALAR": plain C++

  /// out[c·out_stride + r·unit] = in[r·in_stride + c·unit] for all r < n_rows, c < n_columns, by ordinary stores. Rows that follow each
  /// other without a gap, in (in_stride = n_columns·unit) or out (out_stride = n_rows·unit), may be as short as one likes: records to
  /// planes and back.
  Transpose transpose[n_units];

  /// The same by whole lines. Requires n_rows·unit, out and out_stride to be multiples of 64. Prefetches each row `ahead` bytes before it
  /// is read; 0 for none.
  TransposeStream transpose_stream[n_units];

  /// columns[c] + out_at + r·unit = rows[r] + in_at + c·unit for all r < n_rows, c < n_columns, by ordinary stores.
  TableTranspose table_transpose[n_units];

  /// The same by whole lines, in_at = 0. Requires n_rows·unit and all columns[c] + out_at to be multiples of 64.
  TableStream table_stream[n_units];

  /// The same by whole lines where columns begin anywhere in a line at a multiple of the unit; null where an instruction set has no way.
  /// `carry`, 64 bytes per column and a multiple of 64, keeps what is not yet a line between calls on one set of columns, whose n_rows·unit
  /// are multiples of 64 but in the last of them.
  TableShift table_shift[n_units];

  /// The same by way of a stage that stays in cache, rows read in long turns: reads `in`, writes `out`, which was read by an earlier call,
  /// and prefetches the beginning of `next`; each may be null, and `in` and `out` have stages of their own.
  TableStaged table_staged[n_units];

  /// Records taken apart by whole lines: fields[f].line + phase + i·unit = in[i·in_stride + f·unit] for i < n, f < n_fields. What does not
  /// fill a line waits afterwards as before. Reads at least 16 bytes of every record, fetches records `ahead` bytes before
  /// they are read.
  /// Requires n·unit to be a multiple of 64, and phases of units from 4 bytes on multiples of 4. Null where an instruction set has no way.
  Apart apart_stream[n_units];
  /// The same by ordinary stores: phases are 0, lines may begin anywhere, and they are what is fetched `ahead` bytes.
  Apart apart[n_units];

  /// The same as table_transpose for elements of any size that is no unit.
  TableRuns table_runs;

  /// The same by whole lines, in_at = 0; rows are fetched `ahead` bytes before they are read, 0 for none. Requires element and all
  /// columns[c] + out_at to be multiples of 64.
  TableRunsStream table_runs_stream;

  /// The same for any columns, and elements of at least 64 bytes. What does not fill a line yet waits in the column's line of `carry`, 64 ·
  /// (n_columns + 1) bytes, for the next call's rows; is_first: nothing waits yet; is_last: nothing stays.
  TableRunsShift table_runs_shift;

  /// The same as table_shift for elements of less than a line that are no unit; columns begin anywhere. Requires n_rows ≤ most_odd_rows.
  /// Null where an instruction set has no way.
  TableRunsShift table_odd_shift;

  /// out[i·element + b] = in[offsets[i] + b] for i < n, b < element ≤ 64. Elements shorter than 16 bytes are read and written as the next
  /// unit: up to 7 bytes behind an element are read, and as many behind the last one overwritten.
  Pack pack;

  /// out[r·out_stride + i] = in[r·in_stride + i] for r < n_rows, i < bytes
  CopyRows copy_rows;

  /// out[r][i] = in[r][i], i < bytes, by whole lines, rows in turn, fetched `ahead` bytes before they are read; 0 for none. Requires
  /// bytes and all out[r] to be multiples of 64.
  StreamRows stream_rows;

  /// Of stage rows `pitch` apart, n_lines lines each go to columns[c], rounded down to a line, plus out_at; the line after them goes to the
  /// row's front. Requires stage and pitch to be multiples of 64.
  Drain drain;

  /// out[i] = in[n−1−i], i counting units
  Reverse reverse[n_units];

  /// The same, whole lines streamed, `in` fetched `ahead` bytes before it is read; 0 for none.
  StreamReversed stream_reversed[n_units];

  /// out[i·unit] = in[i·in_stride]; 0 repeats one unit
  Gather gather[n_units];

  /// out[i] = in[i]
  Copy copy;

  /// out = in with the bytes of every item reversed. Requires bytes to be a multiple of item_bytes ≥ 1. Quickest for items of up to 16
  /// bytes.
  SwapBytes swap_bytes;

  /// out[i] = buffer[i], whole lines streamed. Requires buffer ≡ out modulo 64.
  Copy stream;

  /// out[i] = in[i], whole lines streamed, from any address, fetched `ahead` bytes before it is read; 0 for none
  StreamFrom stream_from;

  /// out[i] = pattern16[i mod 16]
  Fill fill;

  /// out[(i·n_rows + r)·unit] = rows[r][i·unit] for i < a number that is returned, at most n and less by less than 128. Requires
  /// joins(n_rows, unit). join_stream: by whole lines; requires out to be a multiple of 64.
  Join join[n_units], join_stream[n_units];

  /// Both ways at once for a few fields without gaps; null where an instruction set has none.
  const FewFields* few_fields;

  /// The same for any n_rows, by ordinary stores of 16 bytes: less than n by less than 64 and 16 bytes of records. 16 bytes are written
  /// from the beginning of every record on.
  Join together[n_units];

  /// n periods of a program (cpu/weave.hpp), period i from bases[b] + i·steps[b] to out + i·out_step.
  /// weave_stream: by whole lines; requires out and out_step to be multiples of 64.
  Weave weave, weave_stream;
  /// Vectors first ≤ v < last of one period, the first of them to `out`.
  WeavePart weave_part;
  /// The same from byte `phase` ≥ 1 of a line on: `out` is that line, of which the first `phase` bytes wait in `waiting`; 64 bytes before
  /// it may be used. What does not fill a line waits there afterwards. Requires out_step to be a multiple of 64. Null for vectors of 16
  /// bytes.
  WeaveLines weave_lines;
  int weave_width;  // bytes of a program's vectors: 64 or 16

  /// Orders all streaming stores of this thread before its later stores.
  Fence fence;
};

/// Records of n_fields units without gaps, 64/unit of them at a time, by permutations of whole vectors: has() says of which.
struct FewFields {
  using Together = std::int64_t (*)(const std::byte* const* rows, std::int64_t n_rows, std::int64_t n, const FieldLines& to,
                                    std::int64_t ahead);

  static constexpr std::size_t least = 2, most = 16;
  static constexpr bool has(std::int64_t n_fields, std::int64_t unit) {
    return is_unit(unit) && n_fields >= std::int64_t{least} && n_fields <= std::int64_t{most} && (n_fields <= 9 || n_fields % 2 == 0) &&
           n_fields * unit <= 128;
  }

  /// Kernels::join from byte `phase` of to.line on, a multiple of 64, whose lines are fetched `ahead` bytes before, 0 for none; nothing
  /// waits.
  Together together[n_units];
  /// The same by whole lines: the first `phase` bytes wait, and what does not fill a line waits afterwards.
  Together together_stream[n_units];
  /// As Kernels::apart and apart_stream, for any phases.
  Kernels::Apart apart[n_units], apart_stream[n_units];
};

/// The table of the best instruction set that this machine has.
const Kernels& kernels();

/// All tables whose instruction set this machine has, best first; the last one is plain C++.
std::vector<const Kernels*> all_kernels();

}  // namespace crinkle::simd
