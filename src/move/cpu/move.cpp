// Which schedule runs where: small moves on the calling thread, large ones in a few parts per worker; non-temporal stores where the
// destination is too large to stay in a core's cache.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/move.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "base/checked.hpp"
#include "cpu/line_writer.hpp"
#include "form/check.hpp"
#include "move/cpu/gather.hpp"
#include "move/cpu/joined.hpp"
#include "move/cpu/parts.hpp"
#include "plan/packed.hpp"
#include "plan/phases.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t least_folded = 32 << 10;  // bytes that repay some 200 µs of planning after a few runs
constexpr std::int64_t most_shares = 2;          // of a move that one part may have to do at once
// Bytes of runs that are short: of rows and columns, of those that begin inside lines.
constexpr std::int64_t short_run = 256, off_line_run = 4096;
// Processors that follow many streams read elements that are no unit in turn, those below 8 bytes from rows of any length;
// not those of short rows, nor short columns that have to be joined. Without vectors of 64 bytes those from 16 bytes on are, of a page or
// more.
constexpr std::int64_t most_squares = 8, odd_row = 1024, most_odd = 16, long_rows = 4096;
constexpr std::int64_t long_record = 128;  // bytes
// A next row nearer than this is in a cache when it is sent for, and sending for it costs.
constexpr std::int64_t far_bytes = 16 << 20;

// Columns a multiple of this apart share one set of the first cache, and are streamed earlier.
constexpr std::int64_t crowded_pitch = 4096, crowded_streamed_bytes = 128 << 10, most_ways = 16;

void run_schedules(const CpuStep& step, Sources src, Destinations dst, const simd::Kernels& kernels, const CpuLimits& limits,
                   bool is_streaming, std::int64_t part, std::int64_t n_parts) {
  const Run base{nullptr, src, dst, &kernels, is_streaming, 0, 0, limits.habits};
  for (const CpuBundle& bundle : step.bundles) run_bundle(bundle, base, part, n_parts);
  if (step.is_merged && is_streaming) {
    run_merged(base, step.schedules, part, n_parts);
    return kernels.fence();
  }
  const std::int64_t parted_bytes = std::min(limits.parted_bytes, step.n_bytes / n_parts * most_shares);
  std::int64_t n_small = 0;
  for (const CpuSchedule& schedule : step.schedules) {
    const Run run = base.of(schedule);
    if (schedule.n_bytes >= parted_bytes || n_parts == 1) {
      run_part(run, part, n_parts);
    } else if (n_small++ % n_parts == part) {  // small ones are dealt out whole
      run_part(run, 0, 1);
    }
  }
  if (is_streaming) kernels.fence();
}

}  // namespace

void run_part(const Run& run, std::int64_t part, std::int64_t n_parts) {
  switch (run.schedule->regime) {
    case planning::Regime::rows: return run_rows(run, part, n_parts);
    case planning::Regime::blocks: return run_blocks(run, part, n_parts);
    case planning::Regime::interlace:
    case planning::Regime::deinterlace: return run_records(run, part, n_parts);
    case planning::Regime::packed: return run_packed(run, part, n_parts);
    case planning::Regime::scattered: return run_scattered(run, part, n_parts);
  }
}

namespace {

bool is_stepped(const planning::Schedule& schedule) {
  const auto& segments = schedule.rows.segments;
  return schedule.swapped == 0 && segments.size() == 1 && !segments[0].is_fill && std::abs(segments[0].src_step) != schedule.rows.box.unit;
}

// Whether a row is one element many times.
bool repeats_elements(const planning::Schedule& schedule) {
  return schedule.regime == planning::Regime::rows && is_stepped(schedule) && schedule.rows.segments[0].src_step == 0;
}

// Bytes of a row of elements that are no unit, from which on it is better read in turn than packed.
std::int64_t long_odd_row(std::int64_t element, const simd::Kernels& kernels) {
  if (simd::habits().stages_rows) return std::numeric_limits<std::int64_t>::max();
  if (kernels.table_odd_shift != nullptr) return element < most_squares ? 0 : odd_row;
  return element < most_odd ? std::numeric_limits<std::int64_t>::max() : long_rows;
}

// Bytes of a field, below which records are better packed.
std::int64_t least_fields(const planning::Schedule& schedule) { return is_reversed(schedule) ? short_run : short_fields; }

// Whether a schedule's runs are so short that packing it in the caches is faster, if it can be packed.
bool has_short_runs(const planning::Schedule& schedule, const simd::Kernels& kernels) {
  const std::int64_t down = n_indices(schedule.down) * schedule.element, along = n_indices(schedule.along) * schedule.element;
  switch (schedule.regime) {
    case planning::Regime::rows: return is_stepped(schedule) && schedule.rows.box.axes.back().extent * schedule.element <= most_short_row;
    case planning::Regime::blocks: {
      const std::int64_t first_along = schedule.along[0].extent * schedule.element;
      const bool is_off_line = down % simd::LineWriter::line != 0, is_odd = !simd::is_unit(schedule.element);
      return (is_odd && (JoinedColumns::are_in(schedule) || first_along < long_odd_row(schedule.element, kernels))) ||
             (along < short_run && down < off_line_run) ||
             (is_off_line && (down < short_run || (down < most_short_row && first_along < short_run)));
    }
    case planning::Regime::interlace: return schedule.along[0].extent * schedule.element < least_fields(schedule);
    case planning::Regime::deinterlace: return schedule.down[0].extent * schedule.element < least_fields(schedule);
    default: return false;
  }
}

// Whether a pattern that repeats has neither a weave nor another good way, so that packing is faster, too.
bool is_unwoven(const CpuSchedule& schedule, const simd::Kernels& kernels) {
  if (is_reversed(schedule) || (!schedule.weaves.empty() && schedule.weaves[0].is_for(kernels))) return false;
  switch (schedule.regime) {
    case planning::Regime::rows: return is_stepped(schedule);
    case planning::Regime::interlace: return true;
    case planning::Regime::deinterlace: {
      const std::int64_t n_fields = n_indices(schedule.along), record = n_fields * schedule.element;
      return !simd::LineWriter::takes_apart(kernels, schedule.element, n_fields, record) && record < long_record;
    }
    default: return false;
  }
}

class Schedules {
 public:
  Schedules(const simd::Kernels& kernels, const planning::PackLimits& limits) : kernels_(kernels), limits_(limits) {}

  void push(const tile::Rows& rows) {
    if (const auto folded = n_bytes_of(rows.box) >= least_folded ? planning::folded_schedule(rows, most_short_row) : std::nullopt) {
      CpuSchedule schedule{*folded};
      schedule.weaves = weaves_of(schedule, kernels_.weave_width);
      if (!schedule.weaves.empty() && schedule.weaves[0].is_for(kernels_)) return list_.push_back(std::move(schedule));
    }
    CpuSchedule schedule{planning::choose_schedule(rows, simd::habits().long_run)};
    if (repeats_elements(schedule)) {
      schedule.weaves = weaves_of(schedule, kernels_.weave_width);
      if (!is_unwoven(schedule, kernels_)) return list_.push_back(std::move(schedule));
    }
    if (has_short_runs(schedule, kernels_) && push_packed(rows)) return;
    schedule.weaves = weaves_of(schedule, kernels_.weave_width);
    if (is_unwoven(schedule, kernels_) && push_packed(rows)) return;
    list_.push_back(std::move(schedule));
  }
  std::vector<CpuSchedule> take() { return std::move(list_); }

 private:
  bool push_packed(const tile::Rows& rows) {
    const std::optional<planning::Packed> packed = planning::packed_schedule(rows, limits_);
    if (!packed) return false;
    CpuSchedule schedule{packed->schedule};
    schedule.tables = pack_tables_of(schedule);
    list_.push_back(std::move(schedule));
    for (const Box& rest : packed->rest) push(tile::rows_of(rest));
    return true;
  }

  const simd::Kernels& kernels_;
  const planning::PackLimits& limits_;
  std::vector<CpuSchedule> list_;
};

}  // namespace

std::vector<CpuSchedule> schedules_of(const RowsList& list, const simd::Kernels& kernels, const planning::PackLimits& limits) {
  Schedules schedules(kernels, limits);
  for (const tile::Rows& rows : planning::with_phases_together(list)) {
    if (!planning::is_better_apart(rows)) {
      schedules.push(rows);
      continue;
    }
    for (const Box& box : boxes_of(rows)) schedules.push(tile::rows_of(box));
  }
  return schedules.take();
}

namespace {

bool has_crowded_columns(const planning::Schedule& schedule) {
  return schedule.regime == planning::Regime::blocks && schedule.along[0].dst_counts == Counts::bytes &&
         schedule.along[0].dst_stride % crowded_pitch == 0 && n_indices(schedule.along) > most_ways;
}

}  // namespace

CpuStep cpu_step(const RowsList& entries, const Step& step, const simd::Kernels& kernels, const planning::PackLimits& limits) {
  CpuStep made;
  made.schedules = schedules_of(entries, kernels, limits);
  made.is_merged = is_merged(made.schedules);
  for (const Boxes& fills : step.fill_boxes) made.fill_schedules.push_back(schedules_of(stitch(fills), kernels, limits));
  made.gathers = tables_of(step.gathers);
  for (const planning::Schedule& s : made.schedules) made.n_bytes += s.n_bytes;
  // Transposed rows of a power of two fall into few sets of the caches: they are streamed earlier than rows that are only copied, and than
  // records.
  const auto is_of_rows = [](const planning::Schedule& s) {
    return s.regime == planning::Regime::rows || s.regime == planning::Regime::interlace || s.regime == planning::Regime::deinterlace;
  };
  if (!made.schedules.empty() && std::all_of(made.schedules.begin(), made.schedules.end(), is_of_rows)) made.limits.keep_rows();
  if (!made.schedules.empty() && std::all_of(made.schedules.begin(), made.schedules.end(), has_crowded_columns))
    made.limits.streamed_bytes = std::min(made.limits.streamed_bytes, crowded_streamed_bytes);
  if (made.n_bytes < far_bytes) made.limits.habits.reach = 0;
  return made;
}

void CpuStep::add(CpuBundle bundle) {
  n_bytes = crinkle::add(n_bytes, bundle.n_bytes);
  bundles.push_back(std::move(bundle));
  if (schedules.empty()) limits.keep_rows();
}

std::int64_t CpuStep::n_entries() const {
  std::int64_t n = 1;
  for (const EntryTable& g : gathers) n = multiply(n, g.n_entries);
  return n;
}

void run_cpu(const CpuStep& step, Sources src, Destinations dst, Executor& executor, const simd::Kernels& kernels,
             const CpuLimits& limits) {
  if (!step.gathers.empty()) {
    const std::int64_t n_bytes = multiply(step.n_bytes, step.n_entries());
    const bool is_parted = limits.is_parted(n_bytes, executor.n_workers()), is_streaming = limits.is_streamed(n_bytes, is_parted);
    const std::int64_t n_parts = is_parted ? parts_per_worker * executor.n_workers() : 1;
    const auto run = [&](std::int64_t p) {
      run_gathered(step, {nullptr, src, dst, &kernels, is_streaming, 0, 0, limits.habits}, p, n_parts);
      if (is_streaming) kernels.fence();
    };
    executor.parallel_for(n_parts, std::ref(run));  // a reference fits into std::function, so that running allocates nothing
    return;
  }
  const bool is_parted = limits.is_parted(step.n_bytes, executor.n_workers());
  const bool is_streaming = limits.is_streamed(step.n_bytes, is_parted);
  if (!is_parted) return run_schedules(step, src, dst, kernels, limits, is_streaming, 0, 1);
  const std::int64_t n_parts = parts_per_worker * executor.n_workers();
  const auto run = [&](std::int64_t part) { run_schedules(step, src, dst, kernels, limits, is_streaming, part, n_parts); };
  executor.parallel_for(n_parts, std::ref(run));
}

}  // namespace crinkle
