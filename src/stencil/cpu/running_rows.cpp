// Sums of columns, kept from row to row: a row comes in, another one leaves. Along a row a sum of those slides likewise.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/running_rows.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "cpu/scratch.hpp"
#include "stencil/cpu/extended_line.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t least_running_row = 16384, times_summed = 4;  // numbers of a block of a line that is longer
constexpr std::int64_t numbers_of_a_chunk = std::int64_t{1} << 16, running_chunks = 2;

struct RunningSpace {  // kept from one run to the next
  ExtendedLine line;
  std::vector<std::int32_t> times;  // that a row is seen
};

class RunningRows {
 public:
  RunningRows(const SweepPlan& plan, const std::byte* source, std::byte* destination, const simd::RunningKernels& kernels,
              RunningSpace& space)
      : axes_(plan.shape.axes),
        n_(axes_.size()),
        width_(plan.shape.width),
        sweep_(*plan.running),
        pass_(plan.passes[0]),
        region_(pass_.tiles.region),
        source_(source),
        destination_(destination),
        kernels_(kernels),
        from_(kernels.of(pass_.source.type.number)),
        to_(kernels.of(pass_.destination.type.number)),
        space_(space),
        rows_are_last_(n_ > 1 && axes_[n_ - 2].array_axis > axes_[n_ - 1].array_axis) {
    const std::int64_t columns = region_.high[n_ - 1] - region_.low[n_ - 1];
    const std::int64_t room = std::max<std::int64_t>(1, std::max(least_running_row / width_, times_summed * sweep_.n(1)));
    n_columns_ = std::max<std::int64_t>(1, ceil_divide(columns, std::max<std::int64_t>(1, columns / room)));
    n_blocks_ = ceil_divide(columns, n_columns_);
    n_rows_ = n_ > 1 ? region_.high[n_ - 2] - region_.low[n_ - 2] : 1;
    for (std::size_t a = 0; a + 2 < n_; ++a) n_outer_ = multiply(n_outer_, region_.high[a] - region_.low[a]);
  }

  std::int64_t n_units() const { return multiply(multiply(n_blocks_, n_outer_), n_rows_); }
  /// Ranges of the units for so many threads: of a range many rows, beside those that its first row sees.
  std::int64_t n_chunks(std::int64_t n_workers) const {
    const std::int64_t n = n_units(), most = multiply(n, n_columns_ * width_) / numbers_of_a_chunk + 1;
    const std::int64_t wanted = n_workers * (n / (n_workers * running_chunks) > 2 * sweep_.n(0) ? running_chunks : 1);
    return n_workers == 1 ? 1 : std::min({n, wanted, most});
  }

  void run(std::int64_t first, std::int64_t end) {
    set_space();
    for (std::int64_t unit = first; unit < end; ++unit) {
      const std::int64_t y = (n_ > 1 ? region_.low[n_ - 2] : 0) + unit % n_rows_;
      if (unit == first || unit % n_rows_ == 0) {
        begin(unit / n_rows_);
        sum_rows_of(y);
      } else {
        exchange(row_at(y + sweep_.last[0]), row_at(y - 1 + sweep_.first[0]));
      }
      make(out_ + (n_ > 1 ? y * pass_.destination.strides[n_ - 2] : 0));
    }
  }

 private:
  void set_space() {
    const auto n_sums = static_cast<std::size_t>((n_columns_ + sweep_.n(1) - 1) * width_ + simd::running_padding);
    const auto n_made = static_cast<std::size_t>(n_columns_ * width_ + simd::running_padding);
    sums_ = static_cast<std::int32_t*>(simd::Scratch::of_this_thread().get((n_sums + n_made) * sizeof(std::int32_t)));
    std::fill_n(sums_, n_sums + n_made, 0);
    made_ = sums_ + n_sums;
  }

  // The block of columns and the rows outside.
  void begin(std::int64_t above) {
    const std::int64_t block = above % n_blocks_;
    std::int64_t outer = above / n_blocks_;
    low_ = region_.low[n_ - 1] + block * n_columns_;
    n_here_ = std::min(n_columns_, region_.high[n_ - 1] - low_);
    in_ = source_ + pass_.source.offset;
    out_ = destination_ + pass_.destination.offset + low_ * pass_.destination.strides[n_ - 1];
    for (std::size_t a = n_ > 1 ? n_ - 2 : 0; a-- > 0;) {
      const std::int64_t n = region_.high[a] - region_.low[a], i = region_.low[a] + outer % n;
      outer /= n;
      in_ += i * pass_.source.strides[a];
      out_ += i * pass_.destination.strides[a];
    }
    space_.line.set(axes_[n_ - 1], low_ + sweep_.first[1], low_ + n_here_ + sweep_.last[1]);
  }

  std::int64_t row_at(std::int64_t y) const {
    if (n_ == 1) return 0;
    const SweepAxis& axis = axes_[n_ - 2];
    return detail::bounded(axis.faces.low.bound, axis.faces.high.bound, y, axis.extent);
  }
  const std::byte* row(std::int64_t i, std::int64_t column) const {
    return in_ + (n_ > 1 ? i * pass_.source.strides[n_ - 2] : 0) + column * pass_.source.strides[n_ - 1];
  }
  static std::int32_t value_at(const SweepAxis& axis, std::int64_t face) {
    return static_cast<std::int32_t>((face == detail::at_low_face ? axis.faces.low : axis.faces.high).value);
  }
  // Of a row, what lies beyond a constant face of the line.
  std::int32_t beside(std::int64_t i, std::int64_t face) const {
    return i < 0 && rows_are_last_ ? value_at(axes_[n_ - 2], i) : value_at(axes_[n_ - 1], face);
  }

  // Every row that row y sees, once.
  void sum_rows_of(std::int64_t y) {
    const std::int64_t extent = n_ > 1 ? axes_[n_ - 2].extent : 1;
    std::fill_n(sums_, (n_here_ + sweep_.n(1) - 1) * width_, 0);
    low_beside_ = high_beside_ = 0;
    space_.times.assign(static_cast<std::size_t>(extent) + 2, 0);
    for (std::int64_t k = sweep_.first[0]; k <= sweep_.last[0]; ++k) {
      const std::int64_t i = row_at(y + k);
      ++space_.times[static_cast<std::size_t>(i >= 0 ? i : i == detail::at_low_face ? extent : extent + 1)];
    }
    for (std::int64_t i = 0; i < extent + 2; ++i)
      add(i < extent ? i : i == extent ? detail::at_low_face : detail::at_high_face, space_.times[static_cast<std::size_t>(i)]);
  }

  // Row i, or beyond a face of the rows, so many times.
  void add(std::int64_t i, std::int32_t times) {
    if (times == 0) return;
    low_beside_ += times * beside(i, detail::at_low_face);
    high_beside_ += times * beside(i, detail::at_high_face);
    for (const ExtendedLine::Run& run : space_.line.runs) {
      std::int32_t* const sums = sums_ + run.to * width_;
      if (i >= 0) {
        from_.add(row(i, run.from), run.n * width_, times, sums);
      } else {
        const std::int32_t value = times * value_at(axes_[n_ - 2], i);
        std::for_each_n(sums, run.n * width_, [&](std::int32_t& sum) { sum += value; });
      }
    }
  }

  void exchange(std::int64_t in, std::int64_t out) {
    if (in == out) return;
    if (in < 0 || out < 0) {
      add(out, -1);
      add(in, 1);
      return;
    }
    for (const ExtendedLine::Run& run : space_.line.runs)
      from_.exchange(row(in, run.from), row(out, run.from), run.n * width_, sums_ + run.to * width_);
  }

  void make(std::byte* to) {
    space_.line.fill(sums_, width_, low_beside_, high_beside_);
    const std::int32_t* sums = sums_;
    if (sweep_.n(1) > 1) {
      kernels_.slide(sums_, n_here_, width_, sweep_.n(1), made_);
      sums = made_;
    }
    (sweep_.is_float32 ? to_.scale_float32 : to_.scale_float64)(sums, n_here_ * width_, sweep_.factor, to);
  }

  const std::vector<SweepAxis>& axes_;
  std::size_t n_;
  std::int64_t width_;
  const RunningSweep& sweep_;
  const MemoryPass& pass_;
  const Region& region_;
  const std::byte* source_;
  std::byte* destination_;
  const simd::RunningKernels& kernels_;
  const simd::RunningKernels::Element &from_, &to_;
  RunningSpace& space_;
  bool rows_are_last_;  // among the array's axes: a constant face of theirs counts before one of the line
  std::int64_t n_columns_ = 1, n_blocks_ = 1, n_rows_ = 1, n_outer_ = 1;
  std::int64_t low_ = 0, n_here_ = 0;
  const std::byte* in_ = nullptr;
  std::byte* out_ = nullptr;
  std::int32_t *sums_ = nullptr, *made_ = nullptr;
  std::int32_t low_beside_ = 0, high_beside_ = 0;  // sums beyond constant faces of the line
};

}  // namespace

void run_running(const SweepPlan& plan, const std::byte* source, std::byte* destination, Executor& executor,
                 const simd::RunningKernels& kernels) {
  RunningSpace none;
  const RunningRows all(plan, source, destination, kernels, none);
  const std::int64_t n_units = all.n_units();
  if (n_units == 0) return;
  const std::int64_t n_chunks = all.n_chunks(executor.n_workers());
  const auto chunk = [&](std::int64_t c) {
    thread_local RunningSpace space;
    RunningRows(plan, source, destination, kernels, space).run(part_begin(n_units, n_chunks, c), part_begin(n_units, n_chunks, c + 1));
  };
  executor.parallel_for(n_chunks, std::cref(chunk));  // of one pointer: nothing is allocated
}

}  // namespace crinkle
