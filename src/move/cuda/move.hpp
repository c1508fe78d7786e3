// A move on a GPU: for every alignment of the buffers one launch where it is small (small_tiles.hpp), else a few, one per unit and kind of
// tile (a kernel for all kinds would need the registers of the most demanding one, and run half as many blocks at a time). Tiles are
// chosen, built and, where they are no parameter, in the device's memory before anything runs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "crinkle/cuda.hpp"
#include "move/entries.hpp"
#include "plan/involution.hpp"
#include "plan/pass.hpp"

namespace crinkle {

/// One launch, of tiles of one kind and unit: the one of most blocks is its parameter, the others are a table at these bytes of the step's
/// memory.
struct CudaLaunch {
  const void* kernel = nullptr;
  std::uint32_t n_blocks = 0;
  std::uint32_t threads = 0;
  std::int64_t shared_bytes = 0;
  std::vector<std::byte> tile;
  std::int32_t n_further = 0;
  std::uint32_t n_before = 0;  // blocks of those
  bool is_mixed = false;       // which then lie evenly among all
  std::int64_t first_blocks_at = 0, further_at = 0;
};

using CudaLaunches = std::vector<CudaLaunch>;

/// A step made ready for a GPU.
struct CudaStep {
  std::array<CudaLaunches, planning::alignments.size()> variants;
  DeviceMemory tables;
  DeviceMemory slots;  // of moves between more buffers than a launch carries: their pointers, written by each run
  std::int64_t grid_limit = 0;
};

/// Uploads what the launches need. Throws out_of_memory and device.
CudaStep cuda_step(const planning::Pass& pass, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device);

/// The same, in tiles however little it moves.
CudaStep cuda_step_of_tiles(const planning::Pass& pass, const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations,
                            int device);

/// A step with index arrays, one unit a thread: the boxes of the pass, and of each fill simplified ones. Throws what cuda_step() throws,
/// and unsupported for more axes and arrays than a tile has.
CudaStep cuda_gather_step(const planning::Pass& pass, const std::vector<Boxes>& fill_boxes, std::span<const EntryTable> arrays,
                          const Machine& machine, std::int64_t n_sources, std::int64_t n_destinations, int device);

/// A map that is its own inverse, within its buffers: run_cuda() gets them as sources and as destinations. Requires partners_of() the
/// boxes, all of whose offsets count from one address.
CudaStep cuda_exchange_step(const Boxes& boxes, const planning::Partners& partners, const Machine& machine, std::int64_t n_buffers,
                            int device);

/// As run_reference (move/reference.hpp), on the step's device, which is the calling thread's own. Requires buffers that hold the spans,
/// do not overlap, and that the device can reach. Aliasing: none, but for an exchange step, whose sources are its destinations. Cost: one
/// pass; neither allocates nor waits. Moves between more buffers than a launch carries (8 a side) must not run on two streams at once.
void run_cuda(const CudaStep& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst, CUstream_st* stream,
              const char* what);

}  // namespace crinkle
