// A row of the source, with what its faces say beside it, becomes numbers of 16 bits once and stays in a ring for as many rows as the
// stencil reaches; a row of the result is one sum of rows, or two. Channels are columns of their own.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/integer_rows.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/checked.hpp"
#include "cpu/scratch.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t elements_of_a_block = 8192, longest_block = 16384;  // a ring of three such rows stays in a second cache
constexpr std::int64_t integer_chunks_of_a_thread = 2, least_elements_of_a_chunk = std::int64_t{1} << 16;

// A thread's pointers; kept from one run to the next.
struct IntegerSpace {
  std::vector<std::int16_t*> ring;
  std::vector<const std::int16_t*> from;
};

class IntegerRows {
 public:
  IntegerRows(const SweepPlan& plan, const std::byte* source, std::byte* destination, const simd::IntegerKernels& kernels,
              IntegerSpace& space)
      : sweep_(*plan.integer),
        axes_(plan.shape.axes),
        n_(axes_.size()),
        line_(n_ - 1),
        width_(plan.shape.width),
        pass_(plan.passes[0]),
        region_(pass_.tiles.region),
        source_(source),
        destination_(destination),
        kernels_(kernels),
        space_(space) {
    const std::int64_t columns = region_.high[line_] - region_.low[line_];
    n_columns_ =
        columns <= longest_block / width_ ? std::max<std::int64_t>(columns, 1) : std::max<std::int64_t>(1, elements_of_a_block / width_);
    n_blocks_ = ceil_divide(columns, n_columns_);
    n_rows_ = n_ > 1 ? region_.high[n_ - 2] - region_.low[n_ - 2] : 1;
    for (std::size_t a = 0; a + 2 < n_; ++a) n_outer_ = multiply(n_outer_, region_.high[a] - region_.low[a]);
  }

  std::int64_t n_units() const { return multiply(multiply(n_blocks_, n_outer_), n_rows_); }
  std::int64_t elements_of_a_unit() const { return n_columns_ * width_; }

  void run(std::int64_t first, std::int64_t end) {
    set_space();
    for (std::int64_t unit = first; unit < end; ++unit) {
      const std::int64_t row = unit % n_rows_, above = unit / n_rows_;
      if (unit == first || row == 0) begin(above);
      make_row((n_ > 1 ? region_.low[n_ - 2] : 0) + row);
    }
  }

 private:
  std::int64_t n_ring() const { return sweep_.below[0] + sweep_.above[0] + 1; }
  std::int64_t padded_columns() const { return n_columns_ + sweep_.below[1] + sweep_.above[1]; }

  void set_space() {
    const std::int64_t pitch = ceil_divide(padded_columns() * width_ + 2 * simd::integer_padding, 32) * 32;
    const auto n = static_cast<std::size_t>((n_ring() + 1) * pitch);
    auto* const memory = static_cast<std::int16_t*>(simd::Scratch::of_this_thread().get(n * sizeof(std::int16_t)));
    std::fill_n(memory, n, std::int16_t{0});
    space_.ring.resize(static_cast<std::size_t>(n_ring()));
    for (std::size_t r = 0; r < space_.ring.size(); ++r) space_.ring[r] = memory + static_cast<std::int64_t>(r) * pitch;
    sums_ = memory + n_ring() * pitch;
    space_.from.resize(static_cast<std::size_t>(std::max(sweep_.down.n_points(), sweep_.across.n_points())));
  }

  // The block of columns and the rows outside; no row is in the ring.
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
    is_ring_empty_ = true;
  }

  std::int16_t* ring(std::int64_t y) const {
    const std::int64_t n = n_ring();
    return space_.ring[static_cast<std::size_t>((y % n + n) % n)];
  }

  void make_row(std::int64_t y) {
    for (std::int64_t i = is_ring_empty_ ? y - sweep_.below[0] : y + sweep_.above[0]; i <= y + sweep_.above[0]; ++i) load_row(i, ring(i));
    is_ring_empty_ = false;
    if (sweep_.down.n_points() > 0) {
      for (std::size_t k = 0; k < sweep_.down.rows.size(); ++k) space_.from[k] = ring(y + sweep_.down.rows[k]);
      kernels_.sum(sum_of(sweep_.down, (n_here_ + sweep_.below[1] + sweep_.above[1]) * width_), sums_);
    }
    for (std::size_t k = 0; k < sweep_.across.rows.size(); ++k) {
      const std::int16_t* const row = sweep_.down.n_points() > 0 ? sums_ : ring(y + sweep_.across.rows[k]);
      space_.from[k] = row + (sweep_.below[1] + sweep_.across.columns[k]) * width_;
    }
    std::byte* const to = out_ + (n_ > 1 ? y * pass_.destination.strides[n_ - 2] : 0);
    const auto sum = pass_.destination.type.number == Number::uint8 ? kernels_.sum_uint8 : kernels_.sum_int16;
    sum(sum_of(sweep_.across, n_here_ * width_), sweep_.division, to);
  }
  simd::IntegerSum sum_of(const IntegerList& list, std::int64_t n) const {
    return {space_.from.data(), list.weights.data(), list.n_points(), n, list.are_ones};
  }

  static std::int64_t found(const SweepAxis& axis, std::int64_t i) {
    if (i >= 0 && i < axis.extent) return i;
    return detail::bounded(axis.faces.low.bound, axis.faces.high.bound, i, axis.extent);
  }
  static std::int16_t value_at(const SweepAxis& axis, std::int64_t face) {
    return static_cast<std::int16_t>((face == detail::at_low_face ? axis.faces.low : axis.faces.high).value);
  }

  // Cells [low − below, low + n + above) of row y. Of two constant faces the array's last axis' one counts.
  void load_row(std::int64_t y, std::int16_t* to) const {
    const SweepAxis& axis = axes_[line_];
    const std::int64_t begin = low_ - sweep_.below[1], end = low_ + n_here_ + sweep_.above[1];
    const std::int64_t row = n_ > 1 ? found(axes_[n_ - 2], y) : 0;
    const std::byte* const from = in_ + (n_ > 1 && row >= 0 ? row * pass_.source.strides[n_ - 2] : 0);
    if (row < 0) {
      std::fill_n(to, (end - begin) * width_, value_at(axes_[n_ - 2], row));
      if (axes_[n_ - 2].array_axis > axis.array_axis) return;
    }
    const std::int64_t first = std::clamp<std::int64_t>(0, begin, end), last = std::clamp(axis.extent, first, end);
    if (row >= 0 && last > first)
      kernels_.widen(from + first * pass_.source.strides[line_], (last - first) * width_, to + (first - begin) * width_);
    const auto fill = [&](std::int64_t x) {
      const std::int64_t i = found(axis, x);
      std::int16_t* const cell = to + (x - begin) * width_;
      if (i < 0) std::fill_n(cell, width_, value_at(axis, i));
      else if (row >= 0) kernels_.widen(from + i * pass_.source.strides[line_], width_, cell);
    };
    for (std::int64_t x = begin; x < first; ++x) fill(x);
    for (std::int64_t x = last; x < end; ++x) fill(x);
  }

  const IntegerSweep& sweep_;
  const std::vector<SweepAxis>& axes_;
  std::size_t n_, line_;
  std::int64_t width_;
  const MemoryPass& pass_;
  const Region& region_;
  const std::byte* source_;
  std::byte* destination_;
  const simd::IntegerKernels& kernels_;
  IntegerSpace& space_;
  std::int64_t n_columns_ = 1, n_blocks_ = 1, n_rows_ = 1, n_outer_ = 1;
  std::int64_t low_ = 0, n_here_ = 0;
  const std::byte* in_ = nullptr;
  std::byte* out_ = nullptr;
  std::int16_t* sums_ = nullptr;
  bool is_ring_empty_ = true;
};

}  // namespace

void run_integers(const SweepPlan& plan, const std::byte* source, std::byte* destination, Executor& executor,
                  const simd::IntegerKernels& kernels) {
  IntegerSpace none;
  const IntegerRows all(plan, source, destination, kernels, none);
  const std::int64_t n_units = all.n_units();
  if (n_units == 0) return;
  const std::int64_t most = multiply(n_units, all.elements_of_a_unit()) / least_elements_of_a_chunk + 1;
  const std::int64_t n_chunks =
      executor.n_workers() == 1 ? 1 : std::min({n_units, executor.n_workers() * integer_chunks_of_a_thread, most});
  const auto body = [&](std::int64_t c) {
    thread_local IntegerSpace space;
    const std::int64_t each = n_units / n_chunks, longer = n_units % n_chunks, first = each * c + std::min(c, longer);
    IntegerRows(plan, source, destination, kernels, space).run(first, first + each + (c < longer ? 1 : 0));
  };
  executor.parallel_for(n_chunks, std::cref(body));  // of one pointer: nothing is allocated
}

}  // namespace crinkle
