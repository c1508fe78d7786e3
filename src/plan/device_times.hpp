// How long a move of files takes on the CPU and through a GPU, as far as facts tell: what decides --device auto. A pure function; it asks
// no device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan/machine.hpp"

namespace crinkle::planning {

struct MoveFacts {
  std::int64_t bytes_moved = 0;  // read and written by all steps
  std::int64_t source_bytes = 0, destination_bytes = 0;
  double cpu_move_gb_per_s = 0;  // (bytes read + bytes written) / time of such a move on the CPU
  double cpu_copy_gb_per_s = 0;  // and of a plain copy
};

struct DeviceTimes {
  double cpu_s = 0, gpu_s = 0;
  bool is_for_gpu() const noexcept { return gpu_s < cpu_s; }
};

/// cpu_s = bytes_moved / cpu_move_gb_per_s
/// gpu_s = start_up_s + max(2 · bytes_moved / cpu_copy_gb_per_s, max(source_bytes, destination_bytes) / host_gb_per_s)
/// The CPU packs what it reads and unpacks what it writes, each a copy, while both directions of the bus are busy. Requires rates above 0.
DeviceTimes predicted_times(const MoveFacts& move, const Machine& gpu);

}  // namespace crinkle::planning
