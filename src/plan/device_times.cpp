// SPDX-License-Identifier: BSD-3-Clause
#include "plan/device_times.hpp"

#include <algorithm>

namespace crinkle::planning {

DeviceTimes predicted_times(const MoveFacts& move, const Machine& gpu) {
  const auto seconds = [](double bytes, double gb_per_s) { return bytes / (gb_per_s * 1e9); };
  const auto moved = static_cast<double>(move.bytes_moved);
  const double on_bus = seconds(static_cast<double>(std::max(move.source_bytes, move.destination_bytes)), gpu.host_gb_per_s);
  return {seconds(moved, move.cpu_move_gb_per_s), gpu.start_up_s + std::max(seconds(2 * moved, move.cpu_copy_gb_per_s), on_bus)};
}

}  // namespace crinkle::planning
