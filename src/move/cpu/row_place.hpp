// Rows: the same axis is fast on both sides. Rows, or pieces of rows where they are long, one after the other. Short rows are put together
// in the line writer's buffer, many at a time, segment by segment.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "cpu/line_writer.hpp"
#include "move/cpu/next_row.hpp"
#include "move/cpu/reversed.hpp"
#include "move/cpu/row_form.hpp"

namespace crinkle {

/// One place at work: the pieces of some rows, from the first to before the last.
class RowPlace {
 public:
  RowPlace(const Run& run, const RowForm& form, std::int64_t first, std::int64_t last, std::int64_t turn, simd::LineWriter& writer)
      : run_(&run), form_(&form), counter_(form.outer), next_(run, form.outer), writer_(writer), left_(last - first), turn_(turn) {
    if (left_ <= 0) return;
    counter_.seek(first / form.n_pieces, start_of(run));
    next_.seek(first / form.n_pieces + 1, ceil_divide(last, form.n_pieces));
    begin_piece(first % form.n_pieces);
  }

  bool is_done() const { return left_ <= 0; }
  /// The address of the next byte.
  const std::byte* out() const { return out_ + at_; }

  /// About a turn's bytes further; what is in the writer's buffer then waits for its flush().
  void turn() {
    if (at_ == 0 && is_short()) return short_rows();
    std::int64_t to = at_ + std::min(turn_, next_.at_once(form_->row_bytes - at_));
    const auto late = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out_ + to) % simd::LineWriter::line);
    if (to < end_ && late % form_->unit == 0) to -= late;  // the next turn begins on a line
    to = std::min(end_, at_ + std::max(form_->unit, (to - at_) / form_->unit * form_->unit));
    writer_.go_to(out_ + at_);
    row_bytes(at_, to);
    at_ = to;
    next_.fetch(form_->row_bytes - at_);
    if (at_ == end_) next_piece();
  }

  /// Whole lines that can be copied as they are: how many bytes, from where.
  struct Lines {
    std::int64_t bytes = 0;
    const std::byte* in = nullptr;
    std::byte* out = nullptr;
  };
  Lines lines() {
    if (is_done() || !run_->is_streaming || run_->schedule->swapped != 0 || end_ - at_ < turn_bytes) return {};
    writer_.go_to(out_ + at_);
    std::byte* line = writer_.next_line();
    if (line == nullptr) return {};
    const auto& segments = form_->rows->segments;
    const std::int64_t unit = form_->unit;
    for (std::size_t k = segments.size(); k-- > 0;) {
      const tile::Segment& s = segments[k];
      if (s.first * unit > at_) continue;
      if (s.is_fill || s.src_step != unit) return {};
      const std::int64_t until = std::min(end_, k + 1 < segments.size() ? segments[k + 1].first * unit : form_->row_bytes);
      const std::int64_t bytes = std::min(until - at_, std::max(turn_bytes, next_.at_once(form_->row_bytes - at_)));
      return {bytes / turn_bytes * turn_bytes, source(s) + (at_ - s.first * unit), line};
    }
    return {};
  }
  void skip(std::int64_t bytes) {
    writer_.wrote_lines(bytes);
    at_ += bytes;
    next_.fetch(form_->row_bytes - at_);
    if (at_ == end_) next_piece();
  }

 private:
  void begin_piece(std::int64_t piece) {
    const Spot& spot = counter_.spot();
    out_ = run_->dst[static_cast<std::size_t>(spot.dst_slot)] + spot.dst;
    piece_ = piece;
    at_ = piece * form_->piece_bytes;
    end_ = std::min(form_->row_bytes, at_ + form_->piece_bytes);
  }
  void next_piece() {
    if (--left_ <= 0) return;
    if (piece_ + 1 < form_->n_pieces) return begin_piece(piece_ + 1);
    counter_.next();
    next_.next();
    begin_piece(0);
  }

  const std::byte* source(const tile::Segment& s) const {
    const Spot& spot = counter_.spot();
    return run_->src[static_cast<std::size_t>(spot.src_slot + s.src_slot)] + spot.src + s.src_offset;
  }

  // Bytes [from, to) of this row.
  void row_bytes(std::int64_t from, std::int64_t to) {
    const auto& segments = form_->rows->segments;
    const std::int64_t unit = form_->unit;
    for (std::size_t k = 0; k < segments.size(); ++k) {
      const tile::Segment& s = segments[k];
      const std::int64_t begin = s.first * unit, end = k + 1 < segments.size() ? segments[k + 1].first * unit : form_->row_bytes;
      const std::int64_t a = std::max(from, begin), b = std::min(to, end);
      if (a < b) piece_of(s, (a - begin) / unit, (b - a) / unit);
    }
  }

  // n units of a segment, from its unit i.
  void piece_of(const tile::Segment& s, std::int64_t i, std::int64_t n) {
    const std::int64_t bytes = n * form_->unit;
    const bool is_direct = !s.is_fill && bytes >= direct_bytes;
    if (const simd::Weave* weave = is_direct ? weave_of_segment(s) : nullptr) return woven(*weave, s, i, n);
    if (is_direct && run_->schedule->swapped == 0 && s.src_step == form_->unit) return writer_.copy(source(s) + i * s.src_step, bytes);
    if (is_direct && s.src_step == -form_->unit && simd::is_unit(form_->unit))
      return writer_.reversed(source(s) + (i + n - 1) * s.src_step, n, form_->unit, form_->index);
    writer_.flush();
    for (std::int64_t done = 0; done < n;) {
      const std::int64_t some = std::min(n - done, simd::LineWriter::capacity / form_->unit);
      put(s, i + done, some, writer_.room());
      writer_.wrote(some * form_->unit);
      done += some;
      if (done < n) writer_.flush();
    }
  }

  // Whether vectors are as wide as a line: then weaving runs and fills, which go without it as well, is worth it.
  bool is_wide() const { return run_->kernels->weave_width == simd::LineWriter::line; }

  // The weave of a long row's segment: of swapped items, or of a source that runs with a step.
  const simd::Weave* weave_of_segment(const tile::Segment& s) const {
    const bool is_swap = run_->schedule->swapped != 0;
    const simd::Weave* weave = is_swap && !is_wide() ? nullptr : weave_of(*run_, 0);
    return weave != nullptr && weave->src_step() == s.src_step ? weave : nullptr;
  }
  void woven(const simd::Weave& weave, const tile::Segment& s, std::int64_t i, std::int64_t n) {
    const std::byte* base = source(s);
    writer_.woven(weave, &base, i, n, extent_of(s));
  }
  std::int64_t extent_of(const tile::Segment& s) const {
    const auto& segments = form_->rows->segments;
    const auto k = static_cast<std::size_t>(&s - segments.begin());
    return (k + 1 < segments.size() ? segments[k + 1].first : form_->row_bytes / form_->unit) - s.first;
  }

  void put(const tile::Segment& s, std::int64_t i, std::int64_t n, std::byte* out) const {
    if (s.is_fill) return run_->kernels->fill(out, n * form_->unit, pattern_of(s));
    put_from(s, source(s) + i * s.src_step, n, out);
  }

  // n units of a data segment, the first of them at `in`.
  void put_from(const tile::Segment& s, const std::byte* in, std::int64_t n, std::byte* out) const {
    const simd::Kernels& k = *run_->kernels;
    const std::int64_t unit = form_->unit;
    if (const std::int64_t item = run_->schedule->swapped; item != 0) return k.swap_bytes(in, n * unit, static_cast<int>(item), out);
    if (s.src_step == unit) return k.copy(in, out, n * unit);
    if (s.src_step == -unit) return reversed(k, in - (n - 1) * unit, n, unit, out);
    k.gather[form_->index](in, s.src_step, n, out);
  }

  const std::byte* pattern_of(const tile::Segment& s) const {
    for (int b = 0; b < 16; ++b) pattern_[b] = static_cast<std::byte>(s.pattern[b % static_cast<int>(form_->unit)]);
    return pattern_;
  }

  // Whether some segment's source lies right behind what was stored a moment ago, seen from the beginnings of their pages.
  bool is_shadowed() const {
    if (!run_->is_streaming || run_->habits.shadow == 0) return false;
    return std::any_of(form_->rows->segments.begin(), form_->rows->segments.end(), [&](const tile::Segment& s) {
      if (s.is_fill || extent_of(s) * form_->unit < simd::LineWriter::line) return false;
      const auto to = reinterpret_cast<std::uintptr_t>(out_ + s.first * form_->unit), from = reinterpret_cast<std::uintptr_t>(source(s));
      const auto behind = static_cast<std::int64_t>((to - from) % 4096);
      return behind > simd::LineWriter::line && behind < run_->habits.shadow;
    });
  }

  // Whether rows are so short that several are done at once.
  bool is_short() const {
    const std::int64_t most = run_->is_streaming || form_->has_steps ? most_short_row : most_cached_row;
    return form_->row_bytes <= most && run_->schedule->swapped == 0;
  }

  // As many whole rows as fit, segment by segment where they follow each other in the destination.
  void short_rows() {
    const bool is_tiny = form_->row_bytes < simd::LineWriter::line, is_far = run_->is_streaming && is_wide() && !is_shadowed();
    const simd::Weave* const weave = form_->has_steps || is_far || is_tiny ? weave_of(*run_, 0) : nullptr;
    const std::int64_t items = weave == nullptr ? 1 : weave->items();
    const bool is_staged = weave == nullptr && run_->is_streaming;  // else they go where they belong at once
    const std::int64_t bytes = is_staged ? short_turn : std::max(turn_, short_turn);
    const std::int64_t fit = std::min(std::max(items, bytes / form_->row_bytes / items * items), left_);
    const bool is_apart = weave == nullptr && !run_->is_streaming && !form_->is_dense && form_->pitch != 0;
    const std::int64_t n = form_->is_dense || is_apart ? std::min(fit, counter_.left()) : 1;
    writer_.go_to(out_);
    if (weave != nullptr) {
      woven_rows(*weave, n);
    } else if (is_apart) {
      segmented_rows(n, out_, form_->pitch);
    } else {
      segmented_rows(n, writer_.room(), form_->row_bytes);
      writer_.wrote(n * form_->row_bytes);
    }
    left_ -= n;
    if (left_ <= 0) return;
    const bool is_end_of_run = n == counter_.left();
    counter_.skip(n);
    begin_piece(0);
    if (is_end_of_run && run_->is_streaming && run_->habits.reach != 0) fetch_rows();
  }

  // Rows that come next, elsewhere in the source: all of a short run of them, the first of a long one.
  void fetch_rows() const {
    const std::int64_t n = form_->is_dense ? std::min(counter_.left(), left_) : 1, n_bytes = n * form_->row_bytes;
    for (const tile::Segment& s : form_->rows->segments)
      if (!s.is_fill) fetch(source(s), n == 1 ? extent_of(s) * form_->unit : n_bytes <= most_fetched ? n_bytes : first_fetched);
  }

  void segmented_rows(std::int64_t n, std::byte* out, std::int64_t pitch) const {
    const auto& segments = form_->rows->segments;
    for (std::size_t k = 0; k < segments.size(); ++k) {
      const tile::Segment& s = segments[k];
      const std::int64_t end = k + 1 < segments.size() ? segments[k + 1].first : form_->row_bytes / form_->unit;
      put_rows(s, n, end - s.first, out + s.first * form_->unit, pitch);
    }
  }

  void woven_rows(const simd::Weave& weave, std::int64_t n) {
    const std::int64_t extent = form_->is_dense ? form_->outer[0].extent : 1, first = extent - (form_->is_dense ? counter_.left() : 1);
    const Spot& spot = counter_.spot();
    const std::byte* base = run_->src[static_cast<std::size_t>(spot.src_slot)] + spot.src - first * weave.src_step();
    writer_.woven(weave, &base, first, n, extent);
  }

  // n units of a segment for n_rows rows, which are `pitch` bytes apart.
  void put_rows(const tile::Segment& s, std::int64_t n_rows, std::int64_t n, std::byte* out, std::int64_t pitch) const {
    const simd::Kernels& kernels = *run_->kernels;
    const std::int64_t unit = form_->unit, bytes = n * unit;
    if (s.is_fill && bytes > direct_bytes) {
      for (std::int64_t r = 0; r < n_rows; ++r) kernels.fill(out + r * pitch, bytes, pattern_of(s));
      return;
    }
    if (s.is_fill) {
      alignas(64) std::byte pattern[direct_bytes];
      kernels.fill(pattern, bytes, pattern_of(s));
      return kernels.copy_rows(pattern, 0, out, pitch, n_rows, bytes);
    }
    const Axis step = form_->outer.empty() ? Axis{} : form_->outer[0];
    const bool has_slots = step.src_counts == Counts::buffers;
    if (!has_slots && (s.src_step == unit || n == 1)) return kernels.copy_rows(source(s), step.src_stride, out, pitch, n_rows, bytes);
    const Spot& spot = counter_.spot();
    for (std::int64_t r = 0; r < n_rows; ++r, out += pitch) {
      const std::byte* in = run_->src[static_cast<std::size_t>(spot.src_slot + s.src_slot + (has_slots ? r * step.src_stride : 0))] +
                            spot.src + s.src_offset + (has_slots ? 0 : r * step.src_stride);
      put_from(s, in, n, out);
    }
  }

  const Run* run_;
  const RowForm* form_;
  Counter counter_;
  NextRow next_;
  simd::LineWriter& writer_;
  std::int64_t left_;  // pieces, this one included
  std::int64_t turn_;  // bytes
  std::byte* out_ = nullptr;
  std::int64_t piece_ = 0, at_ = 0, end_ = 0;  // of the row: bytes
  mutable std::byte pattern_[16] = {};
};

}  // namespace crinkle
