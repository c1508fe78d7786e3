// Blocks: different axes are fast. A task is a tile of columns (neighbours in the source) and all or a stretch of the down chain; it is
// gone through in strips of a few dozen source rows, each along the whole tile, so that the source is read in few long streams:
//     column c of strip r0:   columns[c] + (r0 + r) · element  =  rows[r] + c · element,   0 ≤ r < strip.
// If all columns begin on a line, strips leave the registers as whole lines. Otherwise each column keeps what does not fill a line yet
// in a line of its own or, where an instruction set has no way, in a stage, in front of the next strip's bytes. The stage is emptied one
// group of columns late: its stores are then done. Short columns that follow each other without a gap are put together where their ends
// share lines (move/cpu/joined.hpp). Units of one and two bytes, and on processors that follow few streams all units, go through a pipe
// instead: rows are read a page at a time into a stage while the block before leaves it. Items whose bytes are reversed on the way wait so
// for a strip at a time, in rows of their own that stay in the cache.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "cpu/strips.hpp"
#include "cpu/tables.hpp"
#include "move/cpu/block_form.hpp"
#include "move/cpu/joined.hpp"
#include "move/cpu/parts.hpp"
#include "move/cpu/pipe.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t n_set_rows = 8;  // of one set of the first cache: as many ways
constexpr std::int64_t n_streams = 32;  // source rows read in turn: more than that the hardware does not fetch ahead

class Task {
 public:
  Task(const Run& run, const BlockForm& form, simd::Scratch& memory) : run_(run), form_(form) {
    const std::int64_t n = form.most_tile_columns();
    const std::int64_t staged = form.is_piped ? simd::stage_bytes(form.strip, std::min(n, form.n_block_columns), form.element) : 0;
    const std::int64_t joined = form.is_joined ? ceil_divide(JoinedColumns::buffer_bytes(*run.schedule), cache_line) * cache_line : 0;
    const std::int64_t bytes = std::max(ceil_divide(n * form.pitch(), cache_line) * cache_line + cache_line + 2 * staged, joined),
                       swapped = run.schedule->swapped == 0 ? 0 : form.strip * swapped_pitch(n),
                       tables = (Pipe::n_alive + 1) * n * static_cast<std::int64_t>(sizeof(std::byte*));
    stage_ = static_cast<std::byte*>(memory.get(static_cast<std::size_t>(bytes + swapped + tables)));
    swapped_ = stage_ + bytes;
    stage_columns_ = reinterpret_cast<std::byte**>(swapped_ + swapped);
    columns_ = first_columns_ = stage_columns_ + n;
    if (form.is_joined) joined_.emplace(run, stage_);
    if (form.is_piped) pipe_.emplace(run.kernels->table_staged[log2()], stage_ + n * form.pitch(), staged);
  }
  ~Task() { finish(); }
  // Lets what is in the pipe out.
  void finish() {
    if (pipe_) pipe_->flush();
  }

  void run(const Spot& outer, std::int64_t tile, std::int64_t cut) {
    const planning::Schedule& schedule = *run_.schedule;
    const std::int64_t e = form_.element;
    const std::int64_t first = form_.tile_begin(tile), last = form_.tile_begin(tile + 1);
    n_columns_ = last - first;
    columns_ = first_columns_ + n_tasks_++ % Pipe::n_alive * form_.most_tile_columns();
    const std::int64_t n_strips = ceil_divide(form_.n_down, form_.strip);
    std::int64_t begin = n_strips * cut / form_.n_cuts * form_.strip;
    std::int64_t end = std::min(form_.n_down, n_strips * (cut + 1) / form_.n_cuts * form_.strip);
    const std::int64_t head = rows_to_line(outer), stop = form_.n_down - (head == 0 ? 0 : cache_line / e - head);
    const bool is_last_cut = cut + 1 == form_.n_cuts;
    begin = std::min(stop, begin + head);
    end = is_last_cut ? stop : std::min(stop, end + head);

    Counter along(schedule.along);
    along.seek(first, {});
    std::uintptr_t low_bits = 0, all_bits = cache_line - 1;  // of the phases: in any, in all
    for (std::int64_t c = 0; c < n_columns_; ++c) {
      const Spot& a = along.spot();
      std::byte* at = run_.dst[static_cast<std::size_t>(outer.dst_slot + a.dst_slot)] + outer.dst + a.dst + begin * e;
      const auto phase = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) % cache_line);
      columns_[c] = at;
      stage_columns_[c] = stage_ + c * pitch() + phase;
      low_bits |= static_cast<std::uintptr_t>(phase);
      all_bits &= static_cast<std::uintptr_t>(phase);
      along.next();
    }
    Counter down(schedule.down);
    down.seek(begin, {outer.src + first * e, 0, outer.src_slot, 0});
    if (joined_ && (low_bits != 0 || is_odd())) {
      finish();  // the buffer lies where the pipe's stages are
      return joined_->put(down, columns_, n_columns_);
    }
    if (head > 0 && is_last_cut) seams(outer, first, last, begin, head);
    if (run_.is_streaming && !is_odd() && low_bits == all_bits && low_bits % static_cast<std::uintptr_t>(e) == 0 && low_bits != 0) {
      begin += to_lines(down, std::min(end - begin, (cache_line - static_cast<std::int64_t>(low_bits)) / e));
      low_bits = 0;
    }
    if (pipe_ && low_bits % std::min<std::uintptr_t>(4, static_cast<std::uintptr_t>(e)) == 0) return piped(down, begin, end, low_bits == 0);
    finish();
    const bool is_direct = !run_.is_streaming || (low_bits == 0 && !form_.is_staged && form_.strip <= n_streams &&
                                                  (!is_odd() || form_.element % cache_line == 0));
    const auto odd_shift = form_.is_of_runs ? run_.kernels->table_runs_shift : run_.kernels->table_odd_shift;
    const auto shift = is_odd() || low_bits % static_cast<std::uintptr_t>(e) != 0 ? nullptr : run_.kernels->table_shift[log2()];
    for (std::int64_t r = begin; r < end; r += form_.strip) {
      const std::int64_t n = std::min(form_.strip, end - r);
      set_rows(down, n);
      if (is_direct) {
        direct(n, (r - begin) * e);
      } else if (form_.is_odd_kept) {
        odd_shift(rows_, n, columns_, n_columns_, (r - begin) * e, e, stage_, r == begin, r + n == end,
                  form_.is_of_runs ? runs_ahead() : ahead(n));
      } else if (shift != nullptr) {
        shift(rows_, n, columns_, n_columns_, (r - begin) * e, stage_, r == begin, r + n == end, ahead(n));
      } else {
        staged(n, (r - begin) * e, r + n == end);
      }
    }
  }

 private:
  bool is_odd() const { return !simd::is_unit(form_.element); }
  std::int64_t pitch() const { return form_.pitch(); }

  std::size_t log2() const { return simd::unit_index(form_.element); }

  // The next n rows, those of items whose bytes are reversed in a copy.
  void set_rows(Counter& down, std::int64_t n) {
    for (std::int64_t k = 0; k < n; ++k, down.next()) rows_[k] = run_.src[static_cast<std::size_t>(down.spot().src_slot)] + down.spot().src;
    if (run_.schedule->swapped != 0) swap_rows(n);
  }

  // The first n rows of columns that all begin at one place inside a line: what follows begins on lines. Returns n.
  std::int64_t to_lines(Counter& down, std::int64_t n) {
    rows_ = head_rows_;  // the pipe may still read the others
    set_rows(down, n);
    simd::transpose(*run_.kernels, {rows_, n, columns_, n_columns_}, 0, 0, form_.element);
    rows_ = strip_rows_[0];
    for (std::int64_t c = 0; c < n_columns_; ++c) {
      columns_[c] += n * form_.element;
      stage_columns_[c] = stage_ + c * pitch();
    }
    return n;
  }

  // Of columns that follow each other: the rows before the first line of each, 0 where all begin on lines or on none.
  std::int64_t rows_to_line(const Spot& outer) const {
    if (!form_.has_seams) return 0;
    const auto phase = static_cast<std::int64_t>(
        reinterpret_cast<std::uintptr_t>(run_.dst[static_cast<std::size_t>(outer.dst_slot)] + outer.dst) % cache_line);
    return phase % form_.element == 0 && phase != 0 ? (cache_line - phase) / form_.element : 0;
  }

  // The lines that hold the end of one column and the beginning of the next: those rows, one column later, are further rows. What is
  // before the first line and behind the last comes element by element.
  void seams(const Spot& outer, std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t head) {
    const std::int64_t e = form_.element, tail = cache_line / e - head, stop = form_.n_down - tail;
    const bool is_end = last == form_.n_along;
    Counter down(run_.schedule->down);
    const std::byte* const* const rows = seam_rows_;
    const auto set = [&](std::int64_t from, std::int64_t n, std::int64_t column, const std::byte** to) {
      down.seek(from, {outer.src + column * e, 0, outer.src_slot, 0});
      for (std::int64_t k = 0; k < n; ++k, down.next()) to[k] = run_.src[static_cast<std::size_t>(down.spot().src_slot)] + down.spot().src;
    };
    if (first == 0) {
      std::byte* to = columns_[0] - begin * e;
      set(0, head, 0, seam_rows_);
      simd::transpose(*run_.kernels, {rows, head, &to, 1}, 0, 0, e);
    }
    if (is_end) {
      std::byte* to = columns_[n_columns_ - 1] + (stop - begin) * e;
      set(stop, tail, last - 1, seam_rows_);
      simd::transpose(*run_.kernels, {rows, tail, &to, 1}, 0, 0, e);
    }
    const std::int64_t n = n_columns_ - (is_end ? 1 : 0);
    if (n == 0) return;
    set(stop, tail, first, seam_rows_);
    set(0, head, first + 1, seam_rows_ + tail);
    run_.kernels->table_stream[log2()](rows, tail + head, columns_, n, (stop - begin) * e, simd::strip_ahead(rows, tail));
  }

  void piped(Counter& down, std::int64_t begin, std::int64_t end, bool on_lines) {
    const std::int64_t e = form_.element;
    for (std::int64_t r = begin; r < end; r += form_.strip) {
      const std::byte** rows = strip_rows_[n_strips_++ % 2];
      const std::int64_t n = std::min(form_.strip, end - r);
      for (std::int64_t k = 0; k < n; ++k, down.next())
        rows[k] = run_.src[static_cast<std::size_t>(down.spot().src_slot)] + down.spot().src;
      pipe_->push_strip({rows, n, columns_, n_columns_, 0, (r - begin) * e, nullptr, stage_, on_lines, r == begin, r + n == end},
                        form_.n_block_columns, e);
    }
  }

  // A line more than a row, so that rows do not share a set of the cache.
  std::int64_t swapped_pitch(std::int64_t n_columns) const { return (ceil_divide(n_columns * form_.element, cache_line) + 1) * cache_line; }

  // This strip's rows with the bytes of their items reversed.
  void swap_rows(std::int64_t n) {
    const std::int64_t bytes = n_columns_ * form_.element;
    for (std::int64_t k = 0; k < n; ++k) {
      std::byte* to = swapped_ + k * swapped_pitch(n_columns_);
      run_.kernels->swap_bytes(rows_[k], bytes, static_cast<int>(run_.schedule->swapped), to);
      rows_[k] = to;
    }
  }

  // Rows r … of this strip into the stage.
  void stage(std::int64_t r, std::int64_t n_rows) const {
    simd::transpose(*run_.kernels, {rows_ + r, n_rows, stage_columns_, n_columns_}, 0, r * form_.element, form_.element);
  }

  void direct(std::int64_t n, std::int64_t out_offset) {
    const std::int64_t whole = run_.is_streaming ? n * form_.element / cache_line * cache_line / form_.element : 0;
    if (whole > 0 && is_odd()) {
      run_.kernels->table_runs_stream(rows_, whole, columns_, n_columns_, out_offset, form_.element, runs_ahead());
    } else if (whole > 0) {
      run_.kernels->table_stream[log2()](rows_, whole, columns_, n_columns_, out_offset, ahead(whole));
    }
    if (whole == n) return;
    for (std::int64_t r = whole; r < n; ++r) rows_[r - whole] = rows_[r];
    simd::transpose(*run_.kernels, {rows_, n - whole, columns_, n_columns_}, 0, out_offset + whole * form_.element, form_.element);
  }

  std::int64_t ahead(std::int64_t n_rows) const { return simd::strip_ahead(rows_, n_rows); }

  // Rows that follow each other in the source, or that are long, are fetched as far ahead as the next row elsewhere.
  std::int64_t runs_ahead() const {
    const Axis& row = run_.schedule->down[0];
    const std::int64_t bytes = n_columns_ * form_.element, reach = std::max(run_.habits.reach, run_.habits.ahead);
    const bool is_contiguous = row.src_counts == Counts::bytes && row.src_stride == bytes;
    return is_contiguous || bytes >= 8 * reach ? reach : 0;
  }

  // Few rows at a time, along the whole tile; the columns leave when all of the strip are there.
  void staged(std::int64_t n, std::int64_t out_offset, bool is_last) {
    for (std::int64_t r = 0; r < n; r += n_set_rows) stage(r, std::min(n_set_rows, n - r));
    simd::leave_stage(*run_.kernels, {stage_, pitch(), columns_, n_columns_}, out_offset, n * form_.element, out_offset == 0, is_last);
  }

  const Run& run_;
  const BlockForm& form_;
  std::byte* stage_ = nullptr;
  std::byte* swapped_ = nullptr;
  std::byte** columns_ = nullptr;
  std::byte** stage_columns_ = nullptr;
  std::byte** first_columns_ = nullptr;
  const std::byte* strip_rows_[2][BlockForm::most_rows];
  const std::byte *head_rows_[cache_line], *seam_rows_[cache_line];
  const std::byte** rows_ = strip_rows_[0];
  std::optional<Pipe> pipe_;
  std::optional<JoinedColumns> joined_;
  std::int64_t n_tasks_ = 0, n_strips_ = 0;
  std::int64_t n_columns_ = 0;
};

}  // namespace

void run_blocks(const Run& run, std::int64_t part, std::int64_t n_parts) {
  const BlockForm form = block_form_of(run, n_parts);
  const std::int64_t n = n_indices(form.outer) * form.n_tiles * form.n_cuts;
  const std::int64_t first = begin_of(n, part, n_parts), last = begin_of(n, part + 1, n_parts);
  if (first == last) return;
  Task task(run, form, simd::Scratch::of_this_thread());
  const std::int64_t n_inner = form.n_tiles * form.n_cuts;
  Counter outer(form.outer);
  outer.seek(first / n_inner, start_of(run));
  for (std::int64_t t = first; t < last; ++t) {
    const std::int64_t inner = t % n_inner;
    task.run(outer.spot(), inner / form.n_cuts, inner % form.n_cuts);
    if (inner + 1 == n_inner) outer.next();
  }
}

}  // namespace crinkle
