// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/block_form.hpp"

#include <algorithm>
#include <numeric>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/habits.hpp"
#include "move/cpu/joined.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t n_tile_columns = 4096;  // of which a long run is read from every row
// If columns begin inside lines, a line of every column is kept, which is to stay in the second cache: so many bytes of every row, from
// least to most columns.
constexpr std::int64_t kept_row = 16 << 10, least_kept_columns = 256, most_kept_columns = 2048;
// Columns that wait in a stage take so many bytes of every row and of every column: half of that cache.
constexpr std::int64_t staged_row = 4096, staged_column = 256, n_direct_columns = 1024;
// Columns a multiple of 4096 bytes apart want four lines at a time. Two stages of this size fill half of the second cache.
constexpr std::int64_t piped_stage = 1 << 18;
constexpr std::int64_t least_with_seams = 256;  // bytes of a column
constexpr std::int64_t swapped_bytes = 2048;    // of a row, a strip of which waits in the cache with the bytes of its items reversed

bool is_off_line(const planning::Schedule& schedule) {
  const Axis& column = schedule.along[0];
  return column.dst_counts == Counts::bytes && column.dst_stride % cache_line != 0;
}

// Whether rows share a set of a cache whose ways are a page long.
bool shares_set(const planning::Schedule& schedule) {
  const Axis& row = schedule.down[0];
  return row.src_counts == Counts::bytes && row.src_stride % page_bytes == 0;
}

// Whether columns begin inside lines, and not all at one place there, from which a few elements reach the next line.
bool begins_off_line(const Run& run) {
  const Spot start = start_of(run);
  const auto phase = reinterpret_cast<std::uintptr_t>(run.dst[static_cast<std::size_t>(start.dst_slot)] + start.dst) % cache_line;
  if (phase == 0) return false;
  const planning::Schedule& schedule = *run.schedule;
  return !simd::is_unit(schedule.element) || phase % static_cast<std::uintptr_t>(schedule.element) != 0 ||
         std::any_of(schedule.along.begin(), schedule.along.end(),
                     [](const Axis& a) { return a.dst_counts != Counts::bytes || a.dst_stride % cache_line != 0; });
}

// Columns from which on all rows of a long tile are read by whole lines.
std::int64_t columns_to_line(const Run& run, const BlockForm& f) {
  const planning::Schedule& schedule = *run.schedule;
  const auto keeps_lines = [](const Axis& a) { return a.src_counts == Counts::bytes && a.src_stride % cache_line == 0; };
  if (!run.is_streaming || !simd::is_unit(f.element) || f.is_joined || f.n_along * f.element < page_bytes || schedule.swapped != 0 ||
      !std::all_of(schedule.down.begin(), schedule.down.end(), keeps_lines) || !std::all_of(f.outer.begin(), f.outer.end(), keeps_lines))
    return 0;
  const Spot start = start_of(run);
  const auto phase = static_cast<std::int64_t>(
      reinterpret_cast<std::uintptr_t>(run.src[static_cast<std::size_t>(start.src_slot)] + start.src) % cache_line);
  return phase % f.element == 0 && phase != 0 ? (cache_line - phase) / f.element : 0;
}

// Whether vectors are lines: columns that begin inside one then leave the registers by whole lines.
bool has_whole_lines(const Run& run) { return run.kernels->table_shift[simd::unit_index(run.schedule->element)] != nullptr; }

// Rows of a strip: 128 bytes of destination where that is few enough rows, always whole lines. Columns that begin inside a line, and
// vectors of half a line, want fewer.
std::int64_t strip_rows(const Run& run) {
  const std::int64_t element = run.schedule->element, whole_line = cache_line / std::gcd(cache_line, element);
  const bool is_narrow = simd::is_unit(element) && element >= 4 && !has_whole_lines(run);
  const std::int64_t wanted = std::clamp<std::int64_t>(128 / element, 8, is_narrow || is_off_line(*run.schedule) ? 16 : 128);
  return ceil_divide(wanted, whole_line) * whole_line;
}

// Rows of a strip of runs. Where few source streams are followed, reading the source in its order is as fast as a copy, but for single
// lines to columns that share a bank of the memory. Elsewhere shorter runs go eight at a time.
std::int64_t run_rows(const planning::Schedule& schedule, const simd::Habits& habits) {
  const Axis& column = schedule.along[0];
  const bool shares_bank = column.dst_counts == Counts::bytes && column.dst_stride % (page_bytes / 2) == 0;
  const bool is_single = habits.stages_rows ? schedule.element > cache_line || !shares_bank : schedule.element >= 1024;
  return is_single ? 1 : 8;
}

// Whether units of four bytes and more want the stage where few streams are followed: rows end before anything is fetched ahead, rows or
// columns share a set of the cache or a bank of the memory, or columns begin inside a line. Elsewhere long rows in turn are as fast or
// faster. By vectors of half a line only short rows gain.
bool wants_stage(const Run& run, std::int64_t n_along) {
  const planning::Schedule& schedule = *run.schedule;
  const Axis& column = schedule.along[0];
  const bool is_short = n_along * schedule.element < page_bytes;
  if (!has_whole_lines(run)) return is_short;
  const bool shares_bank = column.dst_counts == Counts::bytes && column.dst_stride % page_bytes == 0;
  return is_short || shares_set(schedule) || shares_bank || is_off_line(schedule);
}

// Whether columns wait in a stage: vectors of half a line have no other way where columns begin inside lines, and few ways for rows that
// share a set.
bool wants_columns_staged(const Run& run, std::int64_t n_along) {
  const planning::Schedule& schedule = *run.schedule;
  const bool has_few_ways = n_along * schedule.element >= page_bytes / 2 && shares_set(schedule);
  return simd::is_unit(schedule.element) && !has_whole_lines(run) && (has_few_ways || is_off_line(schedule) || begins_off_line(run));
}

// The most columns of a tile.
std::int64_t most_columns(const Run& run, const BlockForm& f) {
  if (f.is_joined || !run.is_streaming) return n_tile_columns;
  const bool is_kept = f.is_odd_kept || (simd::is_unit(f.element) && has_whole_lines(run));
  if (!f.is_piped && !is_kept) return f.is_staged ? staged_row / f.element : n_direct_columns;
  if (is_off_line(*run.schedule) || begins_off_line(run)) return std::clamp(kept_row / f.element, least_kept_columns, most_kept_columns);
  return n_tile_columns;
}

}  // namespace

BlockForm block_form_of(const Run& run, std::int64_t n_parts) {
  const planning::Schedule& schedule = *run.schedule;
  BlockForm f;
  f.element = schedule.element;
  f.strip = std::min(BlockForm::most_rows, strip_rows(run));
  f.n_down = n_indices(schedule.down);
  f.n_along = n_indices(schedule.along);
  f.is_piped = run.is_streaming && schedule.swapped == 0 && simd::is_unit(f.element) &&
               run.kernels->table_staged[simd::unit_index(f.element)] != nullptr &&
               (f.element < 4 || (run.habits.stages_rows && wants_stage(run, f.n_along)));
  f.is_of_runs = run.is_streaming && f.element >= cache_line;
  f.is_odd_kept = f.is_of_runs || (run.is_streaming && !simd::is_unit(f.element) && run.kernels->table_odd_shift != nullptr);
  f.is_joined = run.is_streaming && schedule.swapped == 0 && !f.is_of_runs && JoinedColumns::are_in(schedule);
  if (f.is_of_runs) f.strip = run_rows(schedule, run.habits);
  f.is_staged = run.is_streaming && schedule.swapped == 0 && !f.is_piped && !f.is_joined && wants_columns_staged(run, f.n_along);
  if (f.is_staged) f.strip = staged_column / f.element;
  if (f.is_piped) {
    f.strip = std::clamp(run.habits.strip, cache_line, BlockForm::most_rows) / f.element;
    f.n_block_columns = std::min<std::int64_t>(page_bytes, piped_stage / f.strip) / f.element;
  }
  f.n_tiles = ceil_divide(f.n_along, most_columns(run, f));
  if (schedule.swapped != 0) f.n_tiles = std::max(f.n_tiles, ceil_divide(f.n_along * f.element, swapped_bytes));
  f.outer = outer_of(schedule);
  const Axis& column = schedule.along[0];
  f.has_seams = run.is_streaming && schedule.swapped == 0 && simd::is_unit(f.element) && !f.is_joined && schedule.along.size() == 1 &&
                column.dst_counts == Counts::bytes && column.dst_stride == f.n_down * f.element && column.dst_stride % cache_line == 0 &&
                column.dst_stride >= least_with_seams;
  const std::int64_t n_tasks = n_indices(f.outer) * f.n_tiles;
  const std::int64_t shares = ceil_divide(n_parts, n_tasks);  // of a task, so that there is one for every part
  if (f.is_joined) {
    f.n_tiles = std::min(f.n_along, f.n_tiles * shares);
  } else {
    f.n_cuts = std::clamp<std::int64_t>(shares, 1, ceil_divide(f.n_down, 4 * f.strip));
  }
  f.n_to_line = columns_to_line(run, f);
  if (f.n_to_line > 0) f.n_tiles += 1;
  return f;
}

std::int64_t BlockForm::tile_begin(std::int64_t tile) const {
  if (n_to_line == 0) return n_along * tile / n_tiles;
  if (tile == 0 || tile == n_tiles) return tile == 0 ? 0 : n_along;
  const std::int64_t line = cache_line / element;
  return n_to_line + (n_along - n_to_line) / line * (tile - 1) / (n_tiles - 1) * line;
}

std::int64_t BlockForm::most_tile_columns() const {
  return n_to_line == 0 ? ceil_divide(n_along, n_tiles) : std::min(n_along, ceil_divide(n_along, n_tiles - 1) + 2 * cache_line / element);
}

}  // namespace crinkle
