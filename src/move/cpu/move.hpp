// A move on the CPU: schedules (plan/schedule.hpp), each cut into parts that write disjoint bytes and may run at the same time. The result
// does not depend on the number of threads.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "cpu/kernels.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"
#include "move/cpu/bundle.hpp"
#include "move/cpu/parts.hpp"
#include "move/entries.hpp"
#include "plan/packed.hpp"
#include "plan/stitch.hpp"

namespace crinkle {

/// From where on a move is cut into parts, and written past the caches. Tests lower both to reach that code with small arrays.
struct CpuLimits {
  std::int64_t parted_bytes = simd::habits().parted_bytes;  // below this a move is not worth waking a second thread
  std::int64_t streamed_bytes = 1 << 20;                    // below this the destination may still be in a core's cache when it is read
  simd::Habits habits = simd::habits();
  std::int64_t lone_streamed_bytes = 0, parted_streamed_bytes = 0;  // the same of one thread and of several, where it is more

  bool is_parted(std::int64_t n_bytes, int n_workers) const { return n_workers > 1 && n_bytes >= parted_bytes; }
  bool is_streamed(std::int64_t n_bytes, bool parted) const {
    return n_bytes >= std::max(streamed_bytes, parted ? parted_streamed_bytes : lone_streamed_bytes);
  }
  /// Rows that are only copied, and records, are streamed later than transposes.
  void keep_rows() {
    lone_streamed_bytes = habits.lone_streamed_bytes;
    parted_streamed_bytes = habits.parted_streamed_bytes;
  }
};

/// A step made ready for the CPU.
struct CpuStep {
  std::vector<CpuSchedule> schedules;
  bool is_merged = false;                                // the schedules are rows that go together, in the order of the destination
  std::vector<CpuBundle> bundles;                        // beside the schedules
  std::vector<std::vector<CpuSchedule>> fill_schedules;  // per fill of the gathered axes
  std::vector<EntryTable> gathers;
  std::int64_t n_bytes = 0;  // written by the schedules and bundles once
  CpuLimits limits;          // what a plan runs it with

  void add(CpuBundle bundle);
  std::int64_t n_entries() const;  // of the gathered axes together; 1 without any
};

/// For some kernels: others run the result as well, but without its weaves.
std::vector<CpuSchedule> schedules_of(const RowsList& list, const simd::Kernels& kernels = simd::kernels(),
                                      const planning::PackLimits& limits = {});
CpuStep cpu_step(const RowsList& entries, const Step& step, const simd::Kernels& kernels = simd::kernels(),
                 const planning::PackLimits& limits = {});

/// As run_reference (move/reference.hpp). Requires buffers that hold the spans and do not overlap.
/// Aliasing: none. Cost: one pass; allocates only what a thread keeps from then on (cpu/scratch.hpp), and for boxes of over 9 axes.
void run_cpu(const CpuStep& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor,
             const simd::Kernels& kernels = simd::kernels(), const CpuLimits& limits = {});

}  // namespace crinkle
