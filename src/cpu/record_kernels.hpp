// Kernels that put records together, take them apart, and weave periods of short patterns. They keep to what row_kernels.hpp says.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/row_kernels.hpp"

namespace crinkle::simd {

struct WeaveProgram;
struct FewFields;

/// Whether RecordKernels::join puts such rows together: records of a power of two bytes.
constexpr bool joins(std::int64_t n_rows, std::int64_t unit) {
  return is_unit(unit) && n_rows >= 2 && n_rows * unit <= 32 && (n_rows & (n_rows - 1)) == 0;
}

/// A field's next bytes go to byte `phase` of a line, whose bytes before it wait; 64 bytes before those may be used.
struct FieldLines {
  std::byte* line = nullptr;
  std::byte* waiting = nullptr;
  std::int64_t phase = 0;
};

struct RecordKernels {
  using Apart = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n, const FieldLines* fields, std::int64_t n_fields,
                         std::int64_t ahead);
  using Join = std::int64_t (*)(const std::byte* const* rows, std::int64_t n_rows, std::int64_t n, std::byte* out);
  using Weave = void (*)(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out, std::int64_t out_step);
  using WeavePart = void (*)(const WeaveProgram& program, const std::byte* const* bases, std::int64_t first, std::int64_t last,
                             std::byte* out);
  using WeaveLines = void (*)(const WeaveProgram& program, const std::byte* const* bases, std::int64_t n, std::byte* out,
                              std::byte* waiting, std::int64_t phase);

  /// Records taken apart by whole lines: fields[f].line + phase + i·unit = in[i·in_stride + f·unit] for i < n, f < n_fields. What does not
  /// fill a line waits afterwards as before. Reads at least 16 bytes of every record, fetches records `ahead` bytes before they are read.
  /// Requires n·unit to be a multiple of 64, and phases of units from 4 bytes on multiples of 4. Null where an instruction set has no way.
  Apart apart_stream[n_units];
  /// The same by ordinary stores: phases are 0, lines may begin anywhere, and they are what is fetched `ahead` bytes.
  Apart apart[n_units];

  /// out[(i·n_rows + r)·unit] = rows[r][i·unit] for i < a number that is returned, at most n and less by less than 128. Requires
  /// joins(n_rows, unit). join_stream: by whole lines; requires out to be a multiple of 64.
  Join join[n_units], join_stream[n_units];

  /// The same for any n_rows, by ordinary stores of 16 bytes: less than n by less than 64 and 16 bytes of records. 16 bytes are written
  /// from the beginning of every record on.
  Join together[n_units];

  /// Both ways at once for a few fields without gaps; null where an instruction set has none.
  const FewFields* few_fields;

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

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const RecordKernels& best();
  static std::vector<const RecordKernels*> all();
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

  /// RecordKernels::join from byte `phase` of to.line on, a multiple of 64, whose lines are fetched `ahead` bytes before, 0 for none;
  /// nothing waits.
  Together together[n_units];
  /// The same by whole lines: the first `phase` bytes wait, and what does not fill a line waits afterwards.
  Together together_stream[n_units];
  /// As RecordKernels::apart and apart_stream, for any phases.
  RecordKernels::Apart apart[n_units], apart_stream[n_units];
};

}  // namespace crinkle::simd
