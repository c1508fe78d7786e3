// Short columns of a transposition that follow each other in the destination without a gap, and whose ends therefore share lines: some of
// them at a time are put together in a buffer, which leaves by whole lines.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/checked.hpp"
#include "cpu/line_writer.hpp"
#include "cpu/tables.hpp"
#include "move/cpu/parts.hpp"

namespace crinkle {

class JoinedColumns {
 public:
  /// Whether a streamed schedule's columns are short and follow each other, enough of them to be joined.
  static bool are_in(const planning::Schedule& schedule) {
    std::int64_t bytes = n_indices(schedule.down) * schedule.element;
    if (bytes > most_column || schedule.along[0].dst_counts != Counts::bytes || schedule.along[0].dst_stride != bytes) return false;
    const auto join = [&](const Axis& axis) {
      if (axis.dst_counts == Counts::bytes && axis.dst_stride == bytes) bytes *= axis.extent;
    };
    for (const Axis& axis : schedule.along) join(axis);
    for (std::size_t a = schedule.outer.size(); a-- > 0;) join(schedule.outer[a]);
    return bytes >= least_joined;
  }
  /// The bytes of the buffer that joined columns need.
  static std::int64_t buffer_bytes(const planning::Schedule& schedule) {
    return most_columns(schedule) * n_indices(schedule.down) * schedule.element;
  }

  JoinedColumns(const Run& run, std::byte* buffer)
      : run_(&run),
        element_(run.schedule->element),
        n_down_(n_indices(run.schedule->down)),
        most_(most_columns(*run.schedule)),
        buffer_(buffer),
        writer_(*run.kernels, true, 0) {}
  ~JoinedColumns() { writer_.finish(); }
  JoinedColumns(const JoinedColumns&) = delete;
  JoinedColumns& operator=(const JoinedColumns&) = delete;

  /// All rows, whose counter begins at `down`, to columns. Rows of columns behind those in the buffer are sent for as they are read.
  void put(const Counter& down, std::byte* const* columns, std::int64_t n_columns) {
    const std::int64_t e = element_, column_bytes = n_down_ * e;
    std::byte* in_buffer[joined_row];
    for (std::int64_t k = 0; k < most_; ++k) in_buffer[k] = buffer_ + k * column_bytes;
    for (std::int64_t c = 0, n = 0; c < n_columns; c += n) {
      const std::int64_t most = std::min(most_, n_columns - c);
      for (n = 1; n < most && columns[c + n] == columns[c + n - 1] + column_bytes;) ++n;
      const std::int64_t n_next = std::min(most_, n_columns - c - n);
      Counter row = down;
      for (std::int64_t r = 0; r < n_down_; r += n_rows) {
        const std::byte* rows[n_rows];
        const std::int64_t n_here = std::min(n_rows, n_down_ - r);
        for (std::int64_t k = 0; k < n_here; ++k, row.next())
          rows[k] = run_->src[static_cast<std::size_t>(row.spot().src_slot)] + row.spot().src;
        simd::transpose(*run_->kernels, {rows, n_here, in_buffer, n}, c * e, r * e, e);
        for (std::int64_t k = 0; k < n_here; ++k) fetch(rows[k] + (c + n) * e, n_next * e);
      }
      writer_.go_to(columns[c]);
      writer_.copy(buffer_, n * column_bytes);
    }
  }

 private:
  // A buffer has so many bytes of each row.
  static constexpr std::int64_t joined_row = 1024, most_column = 1024, least_joined = 4096;
  static constexpr std::int64_t n_rows = 16;  // put in place, and sent for, at once

  static std::int64_t most_columns(const planning::Schedule& schedule) { return ceil_divide(joined_row, schedule.element); }

  const Run* run_;
  std::int64_t element_, n_down_, most_;
  std::byte* buffer_;
  simd::LineWriter writer_;
};

}  // namespace crinkle
