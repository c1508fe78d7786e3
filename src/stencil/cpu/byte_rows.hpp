// Rows of a picture of bytes: a row of the source, with what its faces say beside it, becomes numbers once and stays in a ring for as many
// rows as the stencil reaches. Channels are columns of their own. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "crinkle/executor.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

inline constexpr std::int64_t ring_bytes = 384 << 10, least_row = 1024, longest_row = 16384;  // a second cache; elements
inline constexpr std::int64_t row_padding = 64;                                               // numbers that are read behind the last one

template <class N>
class ByteRows {
 public:
  using Widen = void (*)(const std::byte* from, std::int64_t n, N* to);

  /// `reach`: of the plan's stages. Requires a source of bytes whose lines are dense, and one pass.
  ByteRows(const SweepPlan& plan, const ByteReach& reach, const std::byte* source, std::byte* destination, Widen widen,
           std::vector<N*>& space)
      : reach_(reach),
        axes_(plan.shape.axes),
        n_(axes_.size()),
        line_(n_ - 1),
        width_(plan.shape.width),
        pass_(plan.passes[0]),
        region_(pass_.tiles.region),
        source_(source),
        destination_(destination),
        widen_(widen),
        rows_(space) {
    const std::int64_t columns = region_.high[line_] - region_.low[line_];
    const std::int64_t room = std::clamp<std::int64_t>(ring_bytes / (n_ring() * std::int64_t{sizeof(N)}), least_row, longest_row) / width_;
    n_columns_ = std::clamp<std::int64_t>(ceil_divide(columns, std::max<std::int64_t>(1, ceil_divide(columns, room))), 1, room);
    n_blocks_ = ceil_divide(columns, n_columns_);
    n_rows_ = n_ > 1 ? region_.high[n_ - 2] - region_.low[n_ - 2] : 1;
    for (std::size_t a = 0; a + 2 < n_; ++a) n_outer_ = multiply(n_outer_, region_.high[a] - region_.low[a]);
  }

  std::int64_t n_units() const { return multiply(multiply(n_blocks_, n_outer_), n_rows_); }
  std::int64_t elements_of_a_unit() const { return n_columns_ * width_; }

  /// Rows [first, end) of all units; each is made by make(y, n elements, to), which finds rows around it by row().
  template <class Make>
  void run(std::int64_t first, std::int64_t end, const Make& make) {
    set_rows();
    for (std::int64_t unit = first; unit < end; ++unit) {
      const std::int64_t above = unit / n_rows_, y = (n_ > 1 ? region_.low[n_ - 2] : 0) + unit % n_rows_;
      const bool is_first = unit == first || unit % n_rows_ == 0;
      if (is_first) begin(above);
      for (std::int64_t i = is_first ? y - reach_.below[0] : y + reach_.above[0]; i <= y + reach_.above[0]; ++i) load_row(i, row(i));
      make(y, n_here_ * width_, out_ + (n_ > 1 ? y * pass_.destination.strides[n_ - 2] : 0));
    }
  }

  /// The numbers of row y of the source from `reach` columns in front of the block on.
  N* row(std::int64_t y) const {
    const std::int64_t n = n_ring();
    return rows_[static_cast<std::size_t>((y % n + n) % n)];
  }
  /// A row for sums.
  N* sums() const { return rows_.back(); }
  std::int64_t place_of(std::int64_t column) const { return (reach_.below[1] + column) * width_; }
  std::int64_t elements_beside() const { return (reach_.below[1] + reach_.above[1]) * width_; }

 private:
  std::int64_t n_ring() const { return reach_.below[0] + reach_.above[0] + 1; }
  std::int64_t padded_columns() const { return n_columns_ + reach_.below[1] + reach_.above[1]; }

  void set_rows() {
    const std::int64_t pitch = ceil_divide(padded_columns() * width_ + 2 * row_padding, 32) * 32;
    const auto n = static_cast<std::size_t>((n_ring() + 1) * pitch);
    auto* const memory = static_cast<N*>(simd::Scratch::of_this_thread().get(n * sizeof(N)));
    std::fill_n(memory, n, N{0});
    rows_.clear();
    for (std::int64_t r = 0; r <= n_ring(); ++r) rows_.push_back(memory + r * pitch);
  }

  // The block of columns and the rows outside.
  void begin(std::int64_t above) {
    const std::int64_t block = above % n_blocks_;
    std::int64_t outer = above / n_blocks_;
    low_ = region_.low[line_] + block * n_columns_;
    n_here_ = std::min(n_columns_, region_.high[line_] - low_);
    in_ = source_ + pass_.source.offset;
    out_ = destination_ + pass_.destination.offset + low_ * pass_.destination.strides[line_];
    for (std::size_t a = n_ > 1 ? n_ - 2 : 0; a-- > 0;) {
      const std::int64_t n = region_.high[a] - region_.low[a], i = region_.low[a] + outer % n;
      outer /= n;
      in_ += i * pass_.source.strides[a];
      out_ += i * pass_.destination.strides[a];
    }
  }

  static std::int64_t found(const SweepAxis& axis, std::int64_t i) {
    if (i >= 0 && i < axis.extent) return i;
    return detail::bounded(axis.faces.low.bound, axis.faces.high.bound, i, axis.extent);
  }
  static N value_at(const SweepAxis& axis, std::int64_t face) {
    return static_cast<N>((face == detail::at_low_face ? axis.faces.low : axis.faces.high).value);
  }

  // Cells [low − below, low + n + above) of row y. Of two constant faces the array's last axis' one counts.
  void load_row(std::int64_t y, N* to) const {
    const SweepAxis& axis = axes_[line_];
    const std::int64_t begin = low_ - reach_.below[1], end = low_ + n_here_ + reach_.above[1];
    const std::int64_t row = n_ > 1 ? found(axes_[n_ - 2], y) : 0;
    const std::byte* const from = in_ + (n_ > 1 && row >= 0 ? row * pass_.source.strides[n_ - 2] : 0);
    if (row < 0) {
      std::fill_n(to, (end - begin) * width_, value_at(axes_[n_ - 2], row));
      if (axes_[n_ - 2].array_axis > axis.array_axis) return;
    }
    const std::int64_t first = std::clamp<std::int64_t>(0, begin, end), last = std::clamp(axis.extent, first, end);
    if (row >= 0 && last > first)
      widen_(from + first * pass_.source.strides[line_], (last - first) * width_, to + (first - begin) * width_);
    const auto fill = [&](std::int64_t x) {
      const std::int64_t i = found(axis, x);
      N* const cell = to + (x - begin) * width_;
      if (i < 0) std::fill_n(cell, width_, value_at(axis, i));
      else if (row >= 0) widen_(from + i * pass_.source.strides[line_], width_, cell);
    };
    for (std::int64_t x = begin; x < first; ++x) fill(x);
    for (std::int64_t x = last; x < end; ++x) fill(x);
  }

  ByteReach reach_;
  const std::vector<SweepAxis>& axes_;
  std::size_t n_, line_;
  std::int64_t width_;
  const MemoryPass& pass_;
  const Region& region_;
  const std::byte* source_;
  std::byte* destination_;
  Widen widen_;
  std::vector<N*>& rows_;  // a ring of as many as the stencil reaches, and one for sums
  std::int64_t n_columns_ = 1, n_blocks_ = 1, n_rows_ = 1, n_outer_ = 1;
  std::int64_t low_ = 0, n_here_ = 0;
  const std::byte* in_ = nullptr;
  std::byte* out_ = nullptr;
};

/// Calls body(first, end) for ranges of the units, on all threads.
template <class Body>
void for_byte_rows(std::int64_t n_units, std::int64_t elements_of_a_unit, Executor& executor, const Body& body) {
  constexpr std::int64_t chunks_of_a_thread = 2, least_elements_of_a_chunk = std::int64_t{1} << 16;
  if (n_units == 0) return;
  const std::int64_t most = multiply(n_units, elements_of_a_unit) / least_elements_of_a_chunk + 1;
  const std::int64_t n_chunks = executor.n_workers() == 1 ? 1 : std::min({n_units, executor.n_workers() * chunks_of_a_thread, most});
  const auto chunk = [&](std::int64_t c) { body(part_begin(n_units, n_chunks, c), part_begin(n_units, n_chunks, c + 1)); };
  executor.parallel_for(n_chunks, std::cref(chunk));  // of one pointer: nothing is allocated
}

}  // namespace crinkle
