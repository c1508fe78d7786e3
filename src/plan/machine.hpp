// A machine is what a planner knows about the machine that will run its plan: plain facts, no pointers, no probing while planning. A laptop
// plans, explains and checks for a GPU that it does not own, and a test lowers a limit to reach the code behind it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crinkle/detail/small_vector.hpp"

namespace crinkle {

enum class MachineKind : std::uint8_t { cpu, gpu };

/// How fast a copy is that was measured.
struct CopyRate {
  std::int64_t bytes = 0;  // copied: read once, written once
  double gb_per_s = 0;     // (bytes read + bytes written) / time
};

struct Machine {
  std::string name;
  MachineKind kind = MachineKind::cpu;
  std::int32_t sector_bytes = 64;        // what memory traffic is counted in
  std::int64_t shared_bytes_block = 0;   // at most, per block
  std::int64_t shared_bytes_worker = 0;  // at most, per multiprocessor
  std::int32_t threads_block = 1;        // at most
  std::int32_t workers = 1;              // multiprocessors, or cores
  std::int64_t grid_limit = 0x7FFFFFFF;  // blocks of one launch
  std::int64_t memory_bytes = 0;
  bool are_tiles_mixed = false;  // blocks of all tiles of a step take turns, where destinations lie in memories of several devices
  detail::SmallVector<CopyRate, 6> copies;  // ascending in bytes
  double host_gb_per_s = 0;                 // of a GPU: between it and pinned host memory, each way
  double start_up_s = 0;                    // of a GPU: of a program's first call

  /// The machine this program runs on: cores, memory and lines of the cache as the system tells.
  static Machine this_cpu();
  /// One NVIDIA H200.
  static Machine h200();
  /// "this", "h200". Throws unsupported for any other name, listing these.
  static Machine named(std::string_view name);

  /// Rate of a plain copy of so many bytes, interpolated in log(bytes); 0 where nothing has been measured.
  double copy_gb_per_s(std::int64_t bytes) const;
};

}  // namespace crinkle
