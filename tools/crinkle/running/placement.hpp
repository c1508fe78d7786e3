// Where a move runs: on the device that was asked for, or, of the CPU and a GPU, on the one with the smaller predicted time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "command_line/options.hpp"
#include "crinkle/crinkle.hpp"

namespace crinkle::tool {

/// A device and, for a person, why that one: "on the CPU: …". The predicted times are in it where they decided.
struct Place {
  Device device;
  std::string why;
  bool is_predicted = false;

  bool is_gpu() const noexcept { return device.kind == Device::Kind::cuda; }
};

struct Placement {
  std::string device = "auto", device_memory;

  void add_to(Command& c);
  /// The device that was asked for, if one was; `why_not` a GPU, or "". Throws what parse_device throws, bad_notation for --device-memory
  /// that is no number of bytes or for no GPU, and unsupported for a GPU that cannot do it.
  std::optional<Place> asked(const std::string& why_not) const;
  /// asked(), or the device that is predicted to be the faster for the map, which writes result_bytes. CUDA is called only where that pays
  /// for its start alone.
  Place choose(const Rearrangement& map, std::int64_t result_bytes, const std::string& why_not, Executor& executor) const;
  /// Of --device-memory; 0 where it was left out. Throws bad_notation.
  std::int64_t memory_bytes() const;
};

/// dst = r(src) through a GPU, with at most slab_bytes() between its steps (run.hpp). Returns the seconds that it took.
double move_through_gpu(const Rearrangement& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Device device,
                        std::int64_t device_memory, Executor& executor);

}  // namespace crinkle::tool
