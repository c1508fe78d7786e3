// The last table is the inner loop. Short runs go entry by entry inside every outer index, so that the destination is written in order, and
// what a few entries ahead will be read is fetched early: random reads then wait for memory together, not one after the other.
//     dst[dst_at + outer + dst_offsets[j]] = src[src_at + outer + src_offsets[j]]
// Long runs are sweeps of their own, one per entry.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu_gather.hpp"

#include <algorithm>
#include <cstring>

namespace crinkle {
namespace {

constexpr std::int64_t long_run = 4096;  // bytes
constexpr std::int64_t ahead = 24;       // entries

struct Entries {
  const GatherAxis* axis;
  std::int64_t first, last;
};

template <std::size_t run>
void copy_entries(const Entries& e, const std::byte* src, std::byte* dst) {
  const std::int64_t* from = e.axis->src_offsets.data();
  const std::int64_t* to = e.axis->dst_offsets.data();
  const std::int64_t until = std::max(e.first, e.last - ahead);
  std::int64_t j = e.first;
  for (; j < until; ++j) {
    __builtin_prefetch(src + from[j + ahead]);
    std::memcpy(dst + to[j], src + from[j], run);
  }
  for (; j < e.last; ++j) std::memcpy(dst + to[j], src + from[j], run);
}

void copy_entries(const Entries& e, const std::byte* src, std::byte* dst, std::int64_t run, const simd::Kernels& kernels) {
  switch (run) {
    case 1: return copy_entries<1>(e, src, dst);
    case 2: return copy_entries<2>(e, src, dst);
    case 4: return copy_entries<4>(e, src, dst);
    case 8: return copy_entries<8>(e, src, dst);
    case 12: return copy_entries<12>(e, src, dst);
    case 16: return copy_entries<16>(e, src, dst);
    default: break;
  }
  for (std::int64_t j = e.first; j < e.last; ++j) {
    const auto k = static_cast<std::size_t>(j);
    if (j + ahead / 4 < e.last) __builtin_prefetch(src + e.axis->src_offsets[k + ahead / 4]);
    kernels.copy(src + e.axis->src_offsets[k], dst + e.axis->dst_offsets[k], run);
  }
}

// The bytes that a sweep copies as one, where short ones are all it is made of; 0 otherwise.
std::int64_t short_run(const plan::Sweep& sweep) {
  const bool is_plain =
      sweep.regime == plan::Regime::rows && sweep.rows.segments.size() == 1 && !sweep.rows.segments[0].is_fill && !sweep.rows.box.is_fill;
  if (!is_plain) return 0;
  const Axis& row = sweep.rows.box.axes.back();
  const std::int64_t unit = sweep.rows.box.unit;
  if (row.extent > 1 && sweep.rows.segments[0].src_step != unit) return 0;
  return row.extent * unit < long_run ? row.extent * unit : 0;
}

void run_entries(const CpuStep& step, Run run, const Entries& e, std::int32_t fill) {
  const bool has_fills = fill >= 0 || !e.axis->fills.empty();
  bool has_others = has_fills;
  for (const CpuSweep& sweep : step.sweeps) {
    const std::int64_t bytes = has_fills ? 0 : short_run(sweep);
    if (bytes == 0) {
      has_others = true;
      continue;
    }
    AxisList outer;
    for (std::size_t a = sweep.outer.size(); a-- > 0;) outer.push_back(sweep.outer[a]);
    run.sweep = &sweep;
    Counter counter(outer);
    counter.seek(0, start_of(run));
    for (std::int64_t n = n_indices(outer); n > 0; --n) {
      const Spot& spot = counter.spot();
      copy_entries(e, run.src[static_cast<std::size_t>(spot.src_slot)] + spot.src,
                   run.dst[static_cast<std::size_t>(spot.dst_slot)] + spot.dst, bytes, *run.kernels);
      if (n > 1) counter.next();
    }
  }
  if (!has_others) return;
  const std::int64_t src_at = run.src_at, dst_at = run.dst_at;
  for (std::int64_t j = e.first; j < e.last; ++j) {
    const auto k = static_cast<std::size_t>(j);
    run.src_at = src_at + e.axis->src_offsets[k];
    run.dst_at = dst_at + e.axis->dst_offsets[k];
    const std::int32_t highest = std::max(fill, e.axis->fills.empty() ? -1 : e.axis->fills[k]);
    for (const CpuSweep& sweep : highest < 0 ? step.sweeps : step.fill_sweeps[static_cast<std::size_t>(highest)]) {
      if (!has_fills && short_run(sweep) > 0) continue;
      run.sweep = &sweep;
      run_part(run, 0, 1);
    }
  }
}

void run_table(const CpuStep& step, const Run& run, std::size_t g, std::int32_t fill, std::int64_t first, std::int64_t last) {
  const GatherAxis& axis = step.gathers[g];
  if (g + 1 == step.gathers.size()) return run_entries(step, run, {&axis, first, last}, fill);
  for (std::int64_t j = first; j < last; ++j) {
    const auto k = static_cast<std::size_t>(j);
    Run inner = run;
    inner.src_at += axis.src_offsets[k];
    inner.dst_at += axis.dst_offsets[k];
    const std::int32_t highest = std::max(fill, axis.fills.empty() ? -1 : axis.fills[k]);
    run_table(step, inner, g + 1, highest, 0, static_cast<std::int64_t>(step.gathers[g + 1].src_offsets.size()));
  }
}

}  // namespace

void run_gathered(const CpuStep& step, const Run& run, std::int64_t first, std::int64_t last) {
  if (first < last) run_table(step, run, 0, -1, first, last);
}

}  // namespace crinkle
