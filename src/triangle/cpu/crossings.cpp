// Lines that cross: a transposition whose columns, the destination's lines, begin anywhere in a line of memory, and end or begin along the
// diagonal. A tile of columns is gone through in strips of a few source lines, each along the whole tile, so that the source is read in few
// long streams (as in move/cpu/blocks.cpp):
//     column q, strip p0:   dst + (to.start(q) + p0 + k) · e  =  src + (from.start(p0 + k) + q) · e,   0 ≤ k < strip.
// In every strip some columns are there as a whole, and those near the diagonal in part: rows of the triangle end there, whole are those
// from some q on; its columns begin there, whole are those up to some q. Whole ones leave by whole lines, what does not fill one waits for
// the next strip; a column's last whole strip lets it all out. The few elements of the others go through two small stages, row by row, so
// that nothing is read that is no pair.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/line_writer.hpp"
#include "cpu/scratch.hpp"
#include "cpu/strips.hpp"
#include "cpu/tables.hpp"
#include "move/cpu/pipe.hpp"
#include "triangle/cpu/convert.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t n_tile_columns = 4096;
constexpr std::int64_t stage_bytes = 1 << 20;  // half of a core's second cache
constexpr std::int64_t n_group_columns = 32;
constexpr std::int64_t prefetch_ahead = 256;  // bytes
constexpr std::int64_t most_rows = 256;
constexpr std::int64_t piped_stage = 1 << 18;  // of two stages, which fill a quarter of it each

// Whether strips go through a pipe: single bytes, and all units where few source streams are followed (move/cpu/block_form.cpp).
bool is_piped(const TriangleRun& run) {
  if (!run.is_streaming || !simd::is_unit(run.element) || run.kernels->table_staged[simd::unit_index(run.element)] == nullptr) return false;
  if (reinterpret_cast<std::uintptr_t>(run.dst) % static_cast<std::uintptr_t>(run.element) != 0) return false;
  return run.element == 1 || run.habits.stages_rows;
}

// Rows of a strip: 128 bytes of destination where that is few enough rows, always whole lines (move/cpu/block_form.cpp).
std::int64_t strip_rows(const TriangleRun& run) {
  const std::int64_t element = run.element;
  if (element >= cache_line) return 1;
  if (is_piped(run)) return std::clamp(run.habits.strip, cache_line, most_rows) / element;
  const std::int64_t whole_line = cache_line / std::gcd(cache_line, element);
  return ceil_divide(std::clamp<std::int64_t>(128 / element, 8, 16), whole_line) * whole_line;
}

class Crossing {
 public:
  Crossing(const TriangleRun& run, const TrianglePiece& piece, const std::optional<TriangleLines>& beside, simd::Scratch& memory)
      : run_(run),
        piece_(piece),
        beside_(beside),
        columns_in_{piece.part, piece.to.are_columns},
        rows_in_{piece.part, piece.from.are_columns},
        strip_(strip_rows(run)),
        pitch_(ceil_divide(strip_ * run.element, cache_line) * cache_line + 2 * cache_line),
        writer_(*run.kernels, run.is_streaming, 0) {
    const bool is_unit = simd::is_unit(run.element);
    if (is_unit && reinterpret_cast<std::uintptr_t>(run.dst) % static_cast<std::uintptr_t>(run.element) == 0)
      shift_ = run.kernels->table_shift[simd::unit_index(run.element)];
    is_of_runs_ = run.element >= cache_line;
    const bool has_pipe = is_piped(run), is_staged = run.is_streaming && shift_ == nullptr && !is_of_runs_ && !has_pipe;
    n_block_columns_ = std::min(page_bytes, piped_stage / strip_) / run.element;
    const std::int64_t stage = has_pipe ? simd::stage_bytes(strip_, n_block_columns_, run.element) : 0;
    const std::int64_t waiting = is_staged ? pitch_ : cache_line;
    most_columns_ = std::min(n_tile_columns, stage_bytes / waiting);
    square_pitch_ = is_of_runs_ ? 0 : ceil_divide(strip_ * run.element, cache_line) * cache_line;
    const std::int64_t square = strip_ * square_pitch_, table = most_columns_ * std::int64_t{sizeof(std::byte*)};
    waiting_ =
        static_cast<std::byte*>(memory.get(static_cast<std::size_t>((most_columns_ + 1) * waiting + 2 * square + 2 * stage + 2 * table)));
    square_in_ = waiting_ + (most_columns_ + 1) * waiting;
    square_out_ = square_in_ + square;
    if (has_pipe) pipe_.emplace(run.kernels->table_staged[simd::unit_index(run.element)], square_out_ + square, stage);
    columns_ = reinterpret_cast<std::byte**>(square_out_ + square + 2 * stage);
    stage_columns_ = columns_ + most_columns_;
  }

  void run(LineRange range) {
    for (std::int64_t q = range.first; q < range.last; q += most_columns_) tile(q, std::min(range.last, q + most_columns_));
  }

 private:
  // Columns [a, b), whole in this strip; whether it is their first or last one.
  struct Group {
    std::int64_t a, b;
    bool is_first, is_last;
  };

  bool end_at_diagonal() const { return !columns_in_.are_columns; }

  void tile(std::int64_t q0, std::int64_t q1) {
    q0_ = q0;
    const std::int64_t gap = piece_.part.gap;
    const std::int64_t first = columns_in_.begin(q0), last = columns_in_.end(q1 - 1);
    for (std::int64_t q = q0; q < q1; ++q) {
      columns_[q - q0] = run_.to(piece_.to.start(q) + first);
      stage_columns_[q - q0] =
          waiting_ + (q - q0) * pitch_ + static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(columns_[q - q0]) % cache_line);
    }
    const auto whole_begin = [&](std::int64_t p1) { return std::clamp(p1 + gap - 1, q0, q1); };
    const auto whole_end = [&](std::int64_t p0) { return std::clamp(p0 - gap + 1, q0, q1); };
    std::int64_t before = q0;  // columns that began before this strip end here
    for (std::int64_t p0 = first; p0 < last; p0 += strip_) {
      const std::int64_t p1 = std::min(last, p0 + strip_);
      if (end_at_diagonal()) {
        const std::int64_t here = whole_begin(p1), next = p1 == last ? q1 : whole_begin(std::min(last, p1 + strip_));
        whole(p0, p1, first, {here, next, p0 == first, true});
        whole(p0, p1, first, {next, q1, p0 == first, false});
        part(p0, p1, std::max(q0, p0 + gap), here);
      } else {
        const std::int64_t here = whole_end(p0);
        whole(p0, p1, first, {q0, before, false, p1 == last});
        whole(p0, p1, first, {before, here, true, p1 == last});
        part(p0, p1, here, std::min(q1, p1 - gap));
        before = here;
      }
      if (beside_) copy_beside(p0, p1, q0, q1);
    }
    if (pipe_) pipe_->flush();
    writer_.finish();
  }

  void whole(std::int64_t p0, std::int64_t p1, std::int64_t first, const Group& g) {
    if (g.a >= g.b) return;
    const std::int64_t n = p1 - p0, n_columns = g.b - g.a, e = run_.element, out_at = (p0 - first) * e, c = g.a - q0_;
    if (pipe_) rows_ = strip_rows_[n_groups_++ % 2];  // those of the group before are still read
    for (std::int64_t k = 0; k < n; ++k) rows_[k] = run_.from(piece_.from.start(p0 + k) + g.a);
    if (pipe_) {
      pipe_->push_strip({rows_, n, columns_ + c, n_columns, 0, out_at, nullptr, waiting_ + c * cache_line, false, g.is_first, g.is_last},
                        n_block_columns_, e);
    } else if (!run_.is_streaming) {
      simd::transpose(*run_.kernels, {rows_, n, columns_ + c, n_columns}, 0, out_at, e);
    } else if (is_of_runs_) {
      run_.kernels->table_runs_shift(rows_, n, columns_ + c, n_columns, out_at, e, waiting_ + c * cache_line, g.is_first, g.is_last,
                                     prefetch_ahead);
    } else if (shift_ != nullptr) {
      shift_(rows_, n, columns_ + c, n_columns, out_at, waiting_ + c * cache_line, g.is_first, g.is_last, simd::strip_ahead(rows_, n));
    } else {
      staged(n, c, n_columns, out_at, g);
    }
  }

  void staged(std::int64_t n, std::int64_t first, std::int64_t n_columns, std::int64_t out_at, const Group& g) {
    const std::int64_t e = run_.element;
    std::int32_t offsets[most_rows];
    const bool is_packed = !simd::is_unit(e) && can_pack(n, n_columns, offsets);
    for (std::int64_t c = 0; c < n_columns; c += n_group_columns) {
      const std::int64_t some = std::min(n_group_columns, n_columns - c);
      if (is_packed) {
        for (std::int64_t k = c; k < c + some; ++k) run_.kernels->pack(rows_[0] + k * e, offsets, n, e, stage_columns_[first + k]);
      } else {
        simd::transpose(*run_.kernels, {rows_, n, stage_columns_ + first + c, some}, c * e, 0, e);
      }
      simd::leave_stage(*run_.kernels, {waiting_ + (first + c) * pitch_, pitch_, columns_ + first + c, some}, out_at, n * e, g.is_first,
                        g.is_last);
    }
  }

  // Sets `offsets` of the strip's rows from the first, for Kernels::pack; false where they are too far apart, or what it reads behind an
  // element is not there.
  bool can_pack(std::int64_t n, std::int64_t n_columns, std::int32_t* offsets) const {
    constexpr std::int64_t behind = 8, far = std::int64_t{1} << 31;
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t apart = rows_[k] - rows_[0];
      if (apart <= -far || apart >= far || run_.src + run_.src_bytes - rows_[k] < n_columns * run_.element + behind) return false;
      offsets[k] = static_cast<std::int32_t>(apart);
    }
    return true;
  }

  // Columns [a, b), of which only a part is in this strip.
  void part(std::int64_t p0, std::int64_t p1, std::int64_t a, std::int64_t b) {
    if (a >= b) return;
    const std::int64_t e = run_.element;
    if (is_of_runs_) {
      for (std::int64_t p = p0; p < p1; ++p)
        for (std::int64_t q = std::max(a, rows_in_.begin(p)); q < std::min(b, rows_in_.end(p)); ++q)
          run_.kernels->copy(run_.from(piece_.from.start(p) + q), run_.to(piece_.to.start(q) + p), e);
      return;
    }
    const std::byte* rows[most_rows];
    for (std::int64_t p = p0; p < p1; ++p) {
      rows[p - p0] = square_in_ + (p - p0) * square_pitch_;
      const std::int64_t begin = std::max(a, rows_in_.begin(p)), end = std::min(b, rows_in_.end(p));
      if (begin < end)
        run_.kernels->copy(run_.from(piece_.from.start(p) + begin), square_in_ + (p - p0) * square_pitch_ + (begin - a) * e,
                           (end - begin) * e);
    }
    std::byte* squares[most_rows];
    for (std::int64_t q = a; q < b; ++q) squares[q - a] = square_out_ + (q - a) * square_pitch_;
    simd::transpose(*run_.kernels, {rows, p1 - p0, squares, b - a}, 0, 0, e);
    for (std::int64_t q = a; q < b; ++q) {
      const std::int64_t begin = std::max(p0, columns_in_.begin(q)), end = std::min(p1, columns_in_.end(q));
      run_.kernels->copy(squares[q - a] + (begin - p0) * e, run_.to(piece_.to.start(q) + begin), (end - begin) * e);
    }
  }

  void copy_beside(std::int64_t p0, std::int64_t p1, std::int64_t q0, std::int64_t q1) {
    for (std::int64_t p = p0; p < p1; ++p) {
      std::int64_t begin = std::max(q0, rows_in_.begin(p)), end = std::min(q1, rows_in_.end(p));
      if (begin == p) ++begin;  // of the diagonal, which the crossing writes
      if (end == p + 1) --end;
      if (begin >= end) continue;
      writer_.go_to(run_.to(beside_->start(p) + begin));
      writer_.copy(run_.from(piece_.from.start(p) + begin), (end - begin) * run_.element);
    }
  }

  const TriangleRun& run_;
  const TrianglePiece& piece_;
  const std::optional<TriangleLines>& beside_;
  tile::PartByLines columns_in_, rows_in_;  // the piece by the destination's lines and by the source's
  std::int64_t strip_, pitch_;              // rows; bytes of a column's stage
  simd::LineWriter writer_;
  simd::Kernels::TableShift shift_ = nullptr;
  bool is_of_runs_ = false;
  std::int64_t most_columns_ = 0, square_pitch_ = 0, q0_ = 0;
  std::byte* waiting_ = nullptr;  // [columns] lines or stages: what does not fill a line yet
  std::byte *square_in_ = nullptr, *square_out_ = nullptr;
  std::byte **columns_ = nullptr, **stage_columns_ = nullptr;
  std::optional<Pipe> pipe_;
  std::int64_t n_block_columns_ = 0, n_groups_ = 0;
  const std::byte* strip_rows_[2][most_rows];
  const std::byte** rows_ = strip_rows_[0];
};

}  // namespace

void cross_lines(const TriangleRun& run, const TrianglePiece& piece, const std::optional<TriangleLines>& beside, LineRange range) {
  if (range.first >= range.last) return;
  Crossing(run, piece, beside, simd::Scratch::of_this_thread()).run(range);
}

}  // namespace crinkle
