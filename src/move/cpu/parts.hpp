// The CPU's schedules share this: where buffers lie, counting through axes, and the shape of a part that one thread does.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/held_bytes.hpp"
#include "base/loops.hpp"
#include "cpu/habits.hpp"
#include "cpu/kernels.hpp"
#include "cpu/weave.hpp"
#include "move/cpu/packed.hpp"
#include "plan/schedule.hpp"

namespace crinkle {

inline constexpr std::int64_t parts_per_worker = 4;

using Sources = std::span<const std::byte* const>;
using Destinations = std::span<std::byte* const>;

/// A place on both sides.
struct Spot {
  std::int64_t src = 0, dst = 0;
  std::int64_t src_slot = 0, dst_slot = 0;

  void step(const Axis& axis, std::int64_t times) {
    (axis.src_counts == Counts::bytes ? src : src_slot) += times * axis.src_stride;
    (axis.dst_counts == Counts::bytes ? dst : dst_slot) += times * axis.dst_stride;
  }
};

/// Counts through all indices of some axes, a place at a time. Ensures: next() costs a step of one axis on average.
class Counter {
 public:
  /// `axes` fastest first.
  explicit Counter(const AxisList& axes) : axes_(&axes), index_(axes.size(), 0) {}

  void seek(std::int64_t n, Spot from) {
    spot_ = from;
    split_index<Fastest::first>(
        n, axes_->size(), [this](std::size_t a) { return extent(a); },
        [this](std::size_t a, std::int64_t i) { spot_.step((*axes_)[a], index_[a] = i); });
  }
  void next() {
    step_index<Fastest::first>(
        index_, axes_->size(), [this](std::size_t a) { return extent(a); },
        [this](std::size_t a, std::int64_t by) { spot_.step((*axes_)[a], by); });
  }
  /// `n` more of the fastest axis; requires that many left of it.
  void skip(std::int64_t n) {
    if (n == 0 || axes_->empty()) return;
    const Axis& axis = (*axes_)[0];
    index_[0] += n - 1;
    spot_.step(axis, n - 1);
    next();
  }
  /// Indices left of the fastest axis, this one included.
  std::int64_t left() const { return axes_->empty() ? 1 : (*axes_)[0].extent - index_[0]; }
  const Spot& spot() const { return spot_; }

 private:
  // The slowest axis goes on beyond its end.
  std::int64_t extent(std::size_t a) const {
    return a + 1 == axes_->size() ? std::numeric_limits<std::int64_t>::max() : (*axes_)[a].extent;
  }

  const AxisList* axes_;
  detail::SmallVector<std::int64_t, 9> index_;
  Spot spot_;
};

inline std::int64_t n_indices(const AxisList& axes) {
  std::int64_t n = 1;
  for (const Axis& a : axes) n *= a.extent;
  return n;
}

/// A schedule's outer axes, fastest first.
inline AxisList outer_of(const planning::Schedule& schedule) {
  AxisList outer = schedule.outer;
  std::reverse(outer.begin(), outer.end());
  return outer;
}

/// The beginning of part p of n_parts equal ones of n; part p ends where the next begins.
inline std::int64_t begin_of(std::int64_t n, std::int64_t p, std::int64_t n_parts) { return n / n_parts * p + n % n_parts * p / n_parts; }

/// A schedule made ready for the CPU. Its weaves (move/cpu/weave.cpp), where a short pattern repeats:
///     rows         one: of a short row of pieces, or of an element of rows whose source runs with a step
///     interlace    one: of a record;   base f is field f
///     deinterlace  one for every field: of an element of it
struct CpuSchedule : planning::Schedule {
  CpuSchedule() = default;
  explicit CpuSchedule(planning::Schedule schedule) : planning::Schedule(std::move(schedule)) {}

  std::vector<simd::Weave> weaves;
  PackTables tables;  // of packed

  std::int64_t held_bytes() const { return held_by(static_cast<const planning::Schedule&>(*this)) + held_by(weaves, tables); }
};

/// The weaves of a schedule, by vectors of `width` bytes.
std::vector<simd::Weave> weaves_of(const planning::Schedule& schedule, int width);

constexpr std::int64_t short_fields = 2048;    // bytes of a field in records that lie together: then lines are often cut
constexpr std::int64_t most_short_row = 1024;  // bytes: such rows are put together many at a time

/// One schedule over given buffers.
struct Run {
  const planning::Schedule* schedule = nullptr;
  Sources src;
  Destinations dst;
  const simd::Kernels* kernels = nullptr;
  bool is_streaming = false;            // by non-temporal stores
  std::int64_t src_at = 0, dst_at = 0;  // where the schedule's offsets count from
  simd::Habits habits = {};
  const CpuSchedule* ready = nullptr;  // the schedule with what was made ready for it, where that was

  /// The same of another schedule.
  Run of(const CpuSchedule& other) const {
    Run run = *this;
    run.schedule = run.ready = &other;
    return run;
  }
};

/// Sends for n bytes that will be read soon. They may lie anywhere: the address is a number. The empty statement keeps GCC from taking a
/// function that does nothing else for one without effects, whose calls it drops (seen with 12.2).
inline void fetch(const std::byte* from, std::int64_t n) {
  const auto first = reinterpret_cast<std::uintptr_t>(from);
  for (std::int64_t at = 0; at < n; at += 64)
    __builtin_prefetch(reinterpret_cast<const std::byte*>(first + static_cast<std::uintptr_t>(at)));
  asm volatile("");
}
/// The same for the second cache, and for what is read some thousand bytes later.
inline void fetch_early(const std::byte* from, std::int64_t n) {
  const auto first = reinterpret_cast<std::uintptr_t>(from);
  for (std::int64_t at = 0; at < n; at += 64)
    __builtin_prefetch(reinterpret_cast<const std::byte*>(first + static_cast<std::uintptr_t>(at)), 0, 2);
  asm volatile("");
}

/// The k-th weave of a run's schedule, where it is there and these kernels can run it.
inline const simd::Weave* weave_of(const Run& run, std::size_t k) {
  const bool is_there = run.ready != nullptr && k < run.ready->weaves.size() && run.ready->weaves[k].is_for(*run.kernels);
  return is_there ? &run.ready->weaves[k] : nullptr;
}

inline Spot start_of(const Run& run) {
  const planning::Schedule& s = *run.schedule;
  return {run.src_at + s.src_offset, run.dst_at + s.dst_offset, s.src_slot, s.dst_slot};
}

/// Part p of n of a schedule. Parts write disjoint bytes, whatever n is. Ensures: no allocation for boxes of up to 9 axes.
void run_rows(const Run& run, std::int64_t part, std::int64_t n_parts);
void run_blocks(const Run& run, std::int64_t part, std::int64_t n_parts);
void run_records(const Run& run, std::int64_t part, std::int64_t n_parts);
void run_packed(const Run& run, std::int64_t part, std::int64_t n_parts);
/// Schedules of rows in one go, where is_merged() says so and the destination is streamed.
bool is_merged(std::span<const CpuSchedule> schedules);
void run_merged(const Run& run, std::span<const CpuSchedule> schedules, std::int64_t part, std::int64_t n_parts);
void run_scattered(const Run& run, std::int64_t part, std::int64_t n_parts);
void run_part(const Run& run, std::int64_t part, std::int64_t n_parts);  // of whatever regime it is

}  // namespace crinkle
