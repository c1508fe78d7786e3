// The machines that crinkle knows. Where their numbers come from: docs/tuning.md.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "crinkle/error.hpp"

namespace crinkle {

Machine Machine::this_cpu() {
  Machine machine;
  machine.name = "this";
  machine.workers = static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
  machine.memory_bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
#if defined(_SC_LEVEL1_DCACHE_LINESIZE)
  if (const long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE); line > 0) machine.sector_bytes = static_cast<std::int32_t>(line);
#endif
  return machine;
}

Machine Machine::h200() {
  Machine machine;
  machine.name = "h200";
  machine.kind = MachineKind::gpu;
  machine.sector_bytes = 32;
  machine.shared_bytes_block = 227 * 1024;
  machine.shared_bytes_worker = 228 * 1024;
  machine.threads_block = 1024;
  machine.workers = 132;
  machine.memory_bytes = 139ll << 30;
  machine.copies = {{16ll << 20, 3310}, {64ll << 20, 3660}, {256ll << 20, 4120}, {1ll << 30, 4210}, {4ll << 30, 4270}};
  machine.host_gb_per_s = 50;  // assumed: PCIe 5.0 x16 has 63 less its protocol
  machine.start_up_s = 0.33;   // the driver's start and a context
  return machine;
}

Machine Machine::named(std::string_view name) {
  if (name == "this") return this_cpu();
  if (name == "h200") return h200();
  throw Error(ErrorCode::unsupported, "no machine is called '" + std::string(name) + "'; known are: this, h200");
}

double Machine::copy_gb_per_s(std::int64_t bytes) const {
  if (copies.empty()) return 0;
  if (bytes <= copies.front().bytes) return copies.front().gb_per_s;
  for (std::size_t i = 1; i < copies.size(); ++i) {
    if (bytes > copies[i].bytes) continue;
    const double at = std::log2(static_cast<double>(bytes) / static_cast<double>(copies[i - 1].bytes)) /
                      std::log2(static_cast<double>(copies[i].bytes) / static_cast<double>(copies[i - 1].bytes));
    return copies[i - 1].gb_per_s + at * (copies[i].gb_per_s - copies[i - 1].gb_per_s);
  }
  return copies.back().gb_per_s;
}

}  // namespace crinkle
