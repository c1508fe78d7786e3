// Lines that are copied. Lines of packed storage follow each other without a gap, so the line writer puts the end of one and the beginning
// of the next into one line of memory. Where much is copied, several places are under way in turn, as in move/cpu/rows.cpp, each a share of
// the lines.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "cpu/line_writer.hpp"
#include "crinkle/detail/small_vector.hpp"
#include "triangle/cpu/convert.hpp"

namespace crinkle {
namespace {

using simd::Habits;

constexpr std::int64_t turn_bytes = 512;           // of a place that has no whole lines of memory ahead of it
constexpr std::int64_t together_bytes = 16 << 10;  // of one place, copied without looking up
constexpr std::int64_t least_place = 64 << 10;     // bytes worth a place of their own

/// The bytes of some lines, one line after the other.
class Place {
 public:
  Place(const TriangleRun& run, const TrianglePiece& piece, LineRange range)
      : run_(&run),
        piece_(&piece),
        lines_{piece.part, piece.to.are_columns},
        line_(range.first),
        last_(range.last),
        writer_(*run.kernels, run.is_streaming, run.habits.ahead) {
    if (!is_done()) begin_line();
  }

  bool is_done() const { return line_ >= last_; }

  /// Whole lines of memory that can be copied as they are: how many bytes; 0 where the next byte begins none.
  std::int64_t whole() {
    writer_.go_to(out_);
    return writer_.next_line() == nullptr ? 0 : bytes_ / turn_bytes * turn_bytes;
  }
  const std::byte* in() const { return in_; }
  std::byte* out() const { return out_; }
  void skip(std::int64_t bytes) {
    writer_.wrote_lines(bytes);
    pass(bytes);
  }

  /// Up to where a line of memory begins, or the end of this line.
  void turn() {
    writer_.go_to(out_);
    std::int64_t n = std::min(bytes_, 2 * turn_bytes);
    const auto late = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out_ + n) % simd::LineWriter::line);
    if (n < bytes_) n -= late;
    writer_.copy(in_, n);
    pass(n);
  }
  void copy_all() {
    while (!is_done()) {
      writer_.go_to(out_);
      writer_.copy(in_, bytes_);
      pass(bytes_);
    }
  }
  void finish() { writer_.finish(); }

 private:
  void begin_line() {
    const std::int64_t begin = lines_.begin(line_);
    in_ = run_->from(piece_->from.start(line_) + begin);
    out_ = run_->to(piece_->to.start(line_) + begin);
    bytes_ = (lines_.end(line_) - begin) * run_->element;
  }
  void pass(std::int64_t bytes) {
    in_ += bytes;
    out_ += bytes;
    bytes_ -= bytes;
    if (bytes_ == 0 && ++line_ < last_) begin_line();
  }

  const TriangleRun* run_;
  const TrianglePiece* piece_;
  tile::PartByLines lines_;
  std::int64_t line_, last_;
  simd::LineWriter writer_;
  const std::byte* in_ = nullptr;
  std::byte* out_ = nullptr;
  std::int64_t bytes_ = 0;  // left of the line
};

using Places = detail::SmallVector<Place, Habits::most_places>;

// Copies as much as all places that are still at work can copy as it is; false where one of them cannot.
bool copy_together(const TriangleRun& run, Places& places) {
  const std::byte* in[Habits::most_places];
  std::byte* out[Habits::most_places];
  Place* at_work[Habits::most_places];
  std::int64_t n_rows = 0, bytes = together_bytes;
  for (Place& place : places) {
    if (place.is_done()) continue;
    const std::int64_t whole = place.whole();
    if (whole == 0) return false;
    bytes = std::min(bytes, whole);
    in[n_rows] = place.in();
    out[n_rows] = place.out();
    at_work[n_rows++] = &place;
  }
  if (n_rows == 0) return false;
  run.kernels->stream_rows(in, out, n_rows, bytes, run.habits.ahead);
  for (std::int64_t r = 0; r < n_rows; ++r) at_work[r]->skip(bytes);
  return true;
}

}  // namespace

void copy_lines(const TriangleRun& run, const TrianglePiece& piece, LineRange range) {
  if (range.first >= range.last) return;
  const tile::PartByLines lines{piece.part, piece.to.are_columns};
  TrianglePart own = piece.part;  // the pairs of this range alone
  (lines.are_columns ? own.j_begin : own.i_begin) = range.first;
  (lines.are_columns ? own.j_end : own.i_end) = range.last;
  const tile::PartByLines here{common_part(own, own), lines.are_columns};
  const int most_here = run.is_streaming ? run.habits.n_places() : 1;
  const std::int64_t n_here = std::clamp<std::int64_t>(count_pairs(here.part) * run.element / least_place, 1, most_here);
  Places places;
  for (std::int64_t k = 0; k < n_here; ++k) places.emplace_back(run, piece, lines_of(here, k, n_here));
  if (n_here == 1) places[0].copy_all();
  while (std::any_of(places.begin(), places.end(), [](const Place& p) { return !p.is_done(); })) {
    while (copy_together(run, places)) {}
    for (Place& place : places)
      if (!place.is_done() && place.whole() == 0) place.turn();
  }
  for (Place& place : places) place.finish();
}

}  // namespace crinkle
