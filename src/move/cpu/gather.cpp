// The last table is the inner loop. Runs of bytes go entry by entry inside every outer index (move/cpu/gather_runs.hpp), so that the
// destination is written in order; whatever else an entry is made of are schedules of their own.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/gather.hpp"

#include <algorithm>

#include "move/cpu/gather_runs.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_run = 16384;   // bytes; longer runs are copied as fast one by one
constexpr std::int64_t least_part = 4096;  // bytes that a part should write side by side

// The bytes that a schedule copies as one, where such runs are all it is made of; 0 otherwise.
std::int64_t run_bytes(const planning::Schedule& schedule) {
  const tile::Rows& rows = schedule.rows;
  if (schedule.regime != planning::Regime::rows || schedule.swapped > 0 || rows.segments.size() != 1 || rows.segments[0].is_fill) return 0;
  const Axis& row = rows.box.axes.back();
  const std::int64_t unit = rows.box.unit;
  if (row.extent > 1 && (rows.segments[0].src_step != unit || row.dst_stride != unit)) return 0;
  return row.extent * unit < most_run ? row.extent * unit : 0;
}

struct GatheredPart {
  std::int64_t index = 0, count = 1;
  EntryRange of(std::int64_t n) const { return {begin_of(n, index, count), begin_of(n, index + 1, count)}; }
};

class Gathering {
 public:
  Gathering(const CpuStep& step, const Run& run) : step_(&step), writer_(*run.kernels, run.is_streaming, 0) {}

  // Runs this part of the entries of table g, and all entries of later tables; `fill` is the highest of those of earlier ones' entries.
  void run_table(const Run& run, std::size_t g, std::int32_t fill, GatheredPart part) {
    const EntryTable& table = step_->gathers[g];
    if (g + 1 == step_->gathers.size()) return run_last_table(run, table, fill, part);
    const EntryRange range = part.of(table.n_entries);
    for (std::int64_t j = range.first; j < range.last; ++j) run_table(at_entry(run, table, j), g + 1, std::max(fill, table.fill(j)), {});
  }

  void finish() { writer_.finish(); }

 private:
  static Run at_entry(Run run, const EntryTable& table, std::int64_t j) {
    run.src_at += table.src[j];
    run.dst_at += table.dst[j];
    return run;
  }

  void run_last_table(const Run& run, const EntryTable& table, std::int32_t fill, GatheredPart part) {
    const EntryRange range = part.of(table.n_entries);
    if (fill >= 0 || !table.fills.empty()) {
      for (EntryRange same = range; same.first < range.last; same.first = same.last) {  // entries that are all data, or the same fill
        const std::int32_t of_range = table.fill(same.first);
        same.last = same.first + 1;
        while (same.last < range.last && table.fill(same.last) == of_range) ++same.last;
        const std::int32_t highest = std::max(fill, of_range);
        if (highest < 0) {
          run_runs(run, table, same);
          run_others(run, table, same, step_->schedules);
        } else {
          run_fills(run, table, same, step_->fill_schedules[static_cast<std::size_t>(highest)]);
        }
      }
      return;
    }
    for (const CpuSchedule& schedule : step_->schedules) {
      const std::int64_t bytes = run_bytes(schedule), n_outer = n_indices(schedule.outer);
      if (bytes == 0) continue;
      // Entries side by side are few bytes where a short table is taken along the fast axis: then parts share the outer indices.
      const bool is_by_outer = part.count > 1 && n_outer >= part.count && table.n_entries / part.count * bytes < least_part;
      copy_schedule(run, schedule, bytes, table, is_by_outer ? EntryRange{0, table.n_entries} : range,
                    is_by_outer ? part.of(n_outer) : EntryRange{0, n_outer});
    }
    run_others(run, table, range, step_->schedules);
  }

  void run_runs(const Run& run, const EntryTable& table, EntryRange range) {
    for (const CpuSchedule& schedule : step_->schedules) {
      if (const std::int64_t bytes = run_bytes(schedule); bytes > 0)
        copy_schedule(run, schedule, bytes, table, range, {0, n_indices(schedule.outer)});
    }
  }

  void copy_schedule(Run run, const CpuSchedule& schedule, std::int64_t bytes, const EntryTable& table, EntryRange entries,
                     EntryRange indices) {
    if (entries.first >= entries.last || indices.first >= indices.last) return;
    const AxisList outer = outer_of(schedule);
    run.schedule = &schedule;
    Counter counter(outer);
    counter.seek(indices.first, start_of(run));
    for (std::int64_t n = indices.last - indices.first; n > 0; --n) {
      const Spot spot = counter.spot();
      if (n > 1) counter.next();
      const Spot& next = counter.spot();
      const std::byte* src = run.src[static_cast<std::size_t>(spot.src_slot)];
      std::byte* dst = run.dst[static_cast<std::size_t>(spot.dst_slot)];
      const bool is_near = next.src_slot == spot.src_slot && next.dst_slot == spot.dst_slot;
      const Distance to_next = is_near ? Distance{next.src - spot.src, next.dst - spot.dst} : Distance{};
      copy_runs(table, entries, src + spot.src, dst + spot.dst, to_next, bytes, *run.kernels, run.is_streaming, writer_);
    }
  }

  void run_others(const Run& run, const EntryTable& table, EntryRange range, const std::vector<CpuSchedule>& schedules) {
    if (std::all_of(schedules.begin(), schedules.end(), [](const CpuSchedule& schedule) { return run_bytes(schedule) > 0; })) return;
    for (std::int64_t j = range.first; j < range.last; ++j) {
      const Run entry = at_entry(run, table, j);
      for (const CpuSchedule& schedule : schedules)
        if (run_bytes(schedule) == 0) run_part(entry.of(schedule), 0, 1);
    }
  }

  void run_fills(const Run& run, const EntryTable& table, EntryRange range, const std::vector<CpuSchedule>& schedules) {
    for (std::int64_t j = range.first; j < range.last; ++j) {
      const Run entry = at_entry(run, table, j);
      for (const CpuSchedule& schedule : schedules) run_part(entry.of(schedule), 0, 1);
    }
  }

  const CpuStep* step_;
  simd::LineWriter writer_;  // carries on over outer indices and tables
};

}  // namespace

void run_gathered(const CpuStep& step, const Run& run, std::int64_t part, std::int64_t n_parts) {
  if (step.n_entries() == 0) return;
  Gathering gathering(step, run);
  gathering.run_table(run, 0, -1, {part, n_parts});
  gathering.finish();
}

}  // namespace crinkle
