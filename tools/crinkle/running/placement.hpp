// Work runs on the device that was asked for, or, of the CPU and a GPU, on the one with the smaller predicted time. Also how moves
// run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/crinkle.hpp"
#include "crinkle/devices.hpp"
#include "plan/device_times.hpp"
#include "running/work.hpp"

namespace crinkle::tool {

/// A device and, for a person, why that one: "on the CPU: …". The predicted times are in it where they decided.
struct Place {
  Device device;
  std::string why;
  bool is_predicted = false;        // a GPU that nobody asked for
  std::vector<Device> others = {};  // further GPUs, that take parts of it, too

  bool is_gpu() const noexcept { return device.kind == Device::Kind::cuda; }
};

/// The device that --device asks for, or the faster one, as `times` predicts. CUDA is called only where that pays for its start alone.
/// Throws what parse_devices throws.
Place place_for(const std::string& device, const std::function<planning::DeviceTimes()>& times);

/// How moves run.
struct Running : WorkOptions {
  std::string device_memory;

  void add_to(Command& c, const std::string& verify_help = "compare everything with the definition before an output appears");
  /// Refuses wrong words; `why_not` a GPU, or "". Throws what WorkOptions::check throws, bad_notation for --device-memory
  /// that is no number of bytes or for no GPU, and unsupported for a GPU that cannot do it.
  void check(const std::string& output, const std::string& why_not) const;
  /// For the map, which writes result_bytes. Requires check().
  Place choose(const Rearrangement& map, std::int64_t result_bytes, const std::string& why_not, Executor& executor) const;
  /// The most bytes of the host's memory between the steps of a move, and of a device's memory, 0 where nothing says it.
  std::int64_t slab_bytes() const;
  std::int64_t device_bytes() const;
};

/// Throws unsupported for what cannot be cut into parts for several GPUs.
void check_cut(const Operation& operation);

/// dst = r(src) through a GPU, or several. Returns the seconds that it took. Throws unsupported for several and a move that is not cut.
double move_through_gpu(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, const Place& place,
                        const Running& running, Executor& executor);

}  // namespace crinkle::tool
