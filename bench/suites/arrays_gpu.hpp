// The two arrays of a benchmark on a GPU: what moves between them is compared with its definition on the device, then timed by the device's
// clock in turns with copies between the same arrays.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/turns.hpp"
#include "crinkle/crinkle.hpp"
#include "suites/operation.hpp"
#include "suites/permute.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {

/// Seconds between the begin and the end of what is given to the stream, by the device.
/// Requires the device to be the thread's own.
Clock clock_of(Device device, const Stream& stream);

class GpuArrays {
 public:
  /// Throws what DeviceMemory throws.
  GpuArrays(std::int64_t capacity_bytes, Device device);

  const std::byte* source() const noexcept { return static_cast<const std::byte*>(source_.data()); }
  std::byte* filled() const noexcept { return static_cast<std::byte*>(source_.data()); }  // the source, to be written
  std::byte* destination() const noexcept { return static_cast<std::byte*>(destination_.data()); }
  const Stream& stream() const noexcept { return stream_; }

  /// Random data, another destination, the move once. Throws std::runtime_error, naming `what`, unless every byte that the boxes write is
  /// as they define and the 4 KiB behind the destination are as they were.
  void check(const std::string& what, const ArrayBytes& bytes, const Boxes& boxes, std::uint64_t seed, const std::function<void()>& move);

  /// The driver's copy of the first n bytes, and a kernel's of as many of them as are whole vectors of 16.
  std::vector<Contender> copies(std::int64_t n_bytes) const;
  void take_turns(std::vector<Contender>& contenders, const Effort& effort) const;

  /// A row for each move, which all read and write `moved_bytes` together, in turns with copies of as many, at most `larger_bytes` long.
  std::vector<Row> timed(std::vector<Contender> moves, std::int64_t moved_bytes, std::int64_t larger_bytes, const Effort& effort) const;

 private:
  Device device_;
  DeviceMemory source_, destination_, lowest_;
  Stream stream_;
  Clock clock_;
};

}  // namespace crinkle::bench
