// The row after the one at work: while the last bytes of a row are moved, the first of the next are sent for, where rows do not follow each
// other in the source. The processor fetches ahead inside a run, but not from one run to another.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdlib>

#include "base/checked.hpp"
#include "move/cpu/parts.hpp"

namespace crinkle {

class NextRow {
 public:
  NextRow(const Run& run, const AxisList& outer) : run_(&run), counter_(outer), reach_(run.habits.reach) {}

  /// Rows after the `row`-th of `n_rows` follow from here on.
  void seek(std::int64_t row, std::int64_t n_rows) {
    left_ = n_rows - row;
    if (reach_ != 0 && left_ > 0) counter_.seek(row, start_of(*run_));
    fetched_ = 0;
  }
  void next() {
    if (reach_ == 0 || --left_ <= 0) return;
    counter_.next();
    fetched_ = 0;
  }

  /// How many bytes may be moved at once, of `left` that are left of this row.
  std::int64_t at_once(std::int64_t left) const {
    if (reach_ == 0 || left_ <= 0) return left;
    return left > reach_ ? left - reach_ : std::min<std::int64_t>(left, step);
  }

  /// Fetches the next row's beginning while `left` bytes of this row are left.
  void fetch(std::int64_t left) {
    if (reach_ == 0 || left_ <= 0 || left >= reach_) return;
    const std::int64_t until = reach_ - left, from = fetched_;
    if (until <= from) return;
    fetched_ = until;
    const auto& rows = run_->schedule->rows;
    const std::int64_t unit = rows.box.unit, row_units = rows.box.axes.back().extent;
    for (std::size_t k = 0; k < rows.segments.size(); ++k) {
      const tile::Segment& s = rows.segments[k];
      const std::int64_t end = k + 1 < rows.segments.size() ? rows.segments[k + 1].first : row_units;
      const std::int64_t a = std::max(ceil_divide(from, unit), s.first) - s.first, b = std::min(ceil_divide(until, unit), end) - s.first;
      if (s.is_fill || a >= b) continue;
      const Spot& spot = counter_.spot();
      const std::byte* in = run_->src[static_cast<std::size_t>(spot.src_slot + s.src_slot)] + spot.src + s.src_offset;
      const std::int64_t first = a * s.src_step, last = (b - 1) * s.src_step;
      crinkle::fetch(in + std::min(first, last), std::abs(last - first) + unit);
    }
  }

 private:
  static constexpr std::int64_t step = 1024;  // bytes moved, and sent for, in turn
  const Run* run_;
  Counter counter_;
  std::int64_t reach_, left_ = 0, fetched_ = 0;
};

}  // namespace crinkle
