// SPDX-License-Identifier: BSD-3-Clause
#include "plan/packed.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/checked.hpp"
#include "base/sizes.hpp"
#include "form/check.hpp"
#include "form/simplify.hpp"

namespace crinkle::planning {
namespace {

using Chain = std::vector<std::size_t>;  // axes that follow each other on a side, fastest first

// How much of every axis a block takes; of one whose source repeats, a single index.
class Blocking {
 public:
  Blocking(const AxisList& axes, std::int64_t element, const PackLimits& limits)
      : axes_(axes), limits_(limits), element_(element), n_bytes_(element), extents_(axes.size(), 1) {
    down_ = chain_of(Side::destination);
    along_ = chain_of(Side::source);
    while (dst_run() < limits.dst_run || src_run() < limits.src_run) {
      const bool is_down = dst_run() * limits.src_run < src_run() * limits.dst_run;
      if (!grow(is_down ? down_ : along_) && !grow(is_down ? along_ : down_)) break;
    }
    has_long_runs_ = dst_run() >= limits.least_dst_run && src_run() >= limits.least_src_run;
    // As equal as they can be, so that little is left of an axis.
    for (std::size_t a = 0; a < axes.size(); ++a) extents_[a] = axes[a].extent / ceil_divide(axes[a].extent, extents_[a]);
    has_long_runs_ = has_long_runs_ && dst_run() >= cache_line;
  }
  bool has_long_runs() const { return has_long_runs_; }
  std::int64_t extent(std::size_t axis) const { return extents_[axis]; }

 private:
  Chain chain_of(Side side) const {
    Chain chain;
    for (std::int64_t run = element_;;) {
      std::size_t a = 0;
      while (a < axes_.size() && std::abs(stride_of(axes_[a], side)) != run) ++a;
      if (a == axes_.size()) return chain;
      chain.push_back(a);
      run *= axes_[a].extent;
    }
  }
  std::int64_t src_run() const { return run_of(along_); }
  std::int64_t dst_run() const { return run_of(down_); }
  std::int64_t run_of(const Chain& chain) const {
    std::int64_t run = element_;
    for (const std::size_t a : chain) {
      run *= extents_[a];
      if (extents_[a] < axes_[a].extent) break;
    }
    return run;
  }
  // Twice as much of the first axis that is not whole yet.
  bool grow(const Chain& chain) {
    for (const std::size_t a : chain) {
      if (extents_[a] == axes_[a].extent) continue;
      const std::int64_t to = std::min(axes_[a].extent, 2 * extents_[a]);
      if (n_bytes_ / extents_[a] * to > limits_.block) return false;
      n_bytes_ = n_bytes_ / extents_[a] * to;
      extents_[a] = to;
      return true;
    }
    return false;
  }

  const AxisList& axes_;
  const PackLimits& limits_;
  std::int64_t element_, n_bytes_;
  std::vector<std::int64_t> extents_;
  Chain down_, along_;
  bool has_long_runs_ = false;
};

// Makes the bytes that both sides keep together the element.
std::int64_t take_element(AxisList& axes, std::int64_t unit) {
  for (const Axis* a = axes.begin(); a != axes.end();) {
    if (a->src_stride == unit && a->dst_stride == unit) {
      unit *= a->extent;
      axes.erase(a);
      a = axes.begin();
    } else {
      ++a;
    }
  }
  return unit;
}

}  // namespace

std::optional<Packed> packed_schedule(const tile::Rows& rows, const PackLimits& limits) {
  const Box& box = rows.box;
  if (n_bytes_of(box) < limits.least_box || box.is_fill || rows.segments.size() != 1 || rows.segments[0].is_fill) return {};
  AxisList axes;
  for (std::size_t a = 0; a < box.axes.size(); ++a) {
    Axis axis = box.axes[a];
    if (a + 1 == box.axes.size()) axis.src_stride = rows.segments[0].src_step;
    if (axis.extent == 1) continue;
    if (axis.src_counts != Counts::bytes || axis.dst_counts != Counts::bytes) return {};
    axes.push_back(axis);
  }
  const std::int64_t element = take_element(axes, box.unit);
  const auto overlaps = [&](const Axis& a) { return a.src_stride != 0 && std::abs(a.src_stride) < element; };
  if (element >= cache_line || std::any_of(axes.begin(), axes.end(), overlaps)) return {};
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.dst_stride < b.dst_stride; });
  const Blocking blocking(axes, element, limits);
  if (!blocking.has_long_runs()) return {};

  Packed packed;
  Schedule& schedule = packed.schedule;
  schedule = schedule_of(box);
  schedule.regime = Regime::packed;
  schedule.element = element;
  schedule.n_bytes = element;
  // Axis by axis: whole blocks stay in the box, what they leave of the axis is a box of its own.
  Box whole = box;
  whole.axes.clear();
  for (std::size_t a = axes.size(); a-- > 0;) whole.axes.push_back(axes[a]);
  if (element > box.unit) whole.axes.push_back({element / box.unit, box.unit, box.unit});
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::int64_t part = blocking.extent(a), n = axes[a].extent / part * part;
    const std::size_t in_box = axes.size() - 1 - a;
    if (n < axes[a].extent) {
      Box rest = whole;
      rest.axes[in_box].extent = axes[a].extent - n;
      rest.src_offset += n * axes[a].src_stride;
      rest.dst_offset += n * axes[a].dst_stride;
      simplify(rest);
      packed.rest.push_back(rest);
      whole.axes[in_box].extent = n;
    }
    schedule.n_bytes = multiply(schedule.n_bytes, n);
    if (part > 1) schedule.block.push_back({part, axes[a].src_stride, axes[a].dst_stride});
    if (n > part) schedule.outer.push_back({n / part, axes[a].src_stride * part, axes[a].dst_stride * part});
  }
  std::reverse(schedule.outer.begin(), schedule.outer.end());
  return packed;
}

}  // namespace crinkle::planning
