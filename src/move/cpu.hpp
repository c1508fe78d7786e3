// A move on the CPU: sweeps (plan/sweep.hpp), each cut into parts that write disjoint bytes and may run at the same time. The result does
// not depend on the number of threads.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cpu/kernels.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"
#include "move/cpu_bundle.hpp"
#include "move/cpu_entries.hpp"
#include "move/cpu_parts.hpp"
#include "plan/packed.hpp"
#include "plan/stitch.hpp"

namespace crinkle {

/// From where on a move is cut into parts, and written past the caches. Tests lower both to reach that code with small arrays.
/// EPYC (family 26, two cores), 2026-11-22, bench/small.cpp: on two threads copies and flips of 256 KiB took 1.2 times as long as on one,
/// transposes as long; from 2 MiB on two were faster. Several threads stream from there: what one leaves in its own cache, another one's
/// next part may need.
struct CpuLimits {
  std::int64_t parted_bytes = 2 << 20;    // below this a move is not worth waking a second thread
  std::int64_t streamed_bytes = 1 << 20;  // below this the destination may still be in a core's cache when it is read
  simd::Habits habits = simd::habits();
  std::int64_t lone_streamed_bytes = 0;  // of a move on one thread, where it is more than streamed_bytes

  bool is_parted(std::int64_t n_bytes, int n_workers) const { return n_workers > 1 && n_bytes >= parted_bytes; }
  bool is_streamed(std::int64_t n_bytes, bool parted) const {
    return n_bytes >= streamed_bytes && (parted || n_bytes >= lone_streamed_bytes);
  }
};

/// A step made ready for the CPU.
struct CpuStep {
  std::vector<CpuSweep> sweeps;
  bool is_merged = false;                          // the sweeps are rows that go together, in the order of the destination
  std::vector<CpuBundle> bundles;                  // beside the sweeps
  std::vector<std::vector<CpuSweep>> fill_sweeps;  // per fill of the gathered axes
  std::vector<EntryTable> gathers;
  std::int64_t n_bytes = 0;  // written by the sweeps and bundles once
  CpuLimits limits;          // what a plan runs it with

  void add(CpuBundle bundle);
  std::int64_t n_entries() const;    // of the gathered axes together; 1 without any
  std::int64_t table_bytes() const;  // of weaves and pack tables
};

/// For some kernels: others run the result as well, but without its weaves.
std::vector<CpuSweep> sweeps_of(const RowsList& list, const simd::Kernels& kernels = simd::kernels(), const plan::PackLimits& limits = {});
CpuStep cpu_step(const RowsList& entries, const Step& step, const simd::Kernels& kernels = simd::kernels(),
                 const plan::PackLimits& limits = {});

/// As run_reference (move/reference.hpp). Requires buffers that hold the spans and do not overlap.
/// Aliasing: none. Cost: one pass; allocates only what a thread keeps from then on (cpu/scratch.hpp), and for boxes of over 9 axes.
void run_cpu(const CpuStep& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor,
             const simd::Kernels& kernels = simd::kernels(), const CpuLimits& limits = {});

}  // namespace crinkle
