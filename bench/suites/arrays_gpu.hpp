// The two arrays of a benchmark on a GPU: what moves between them is compared with its definition on the device, then timed by the device's
// clock in turns with copies between the same arrays.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/timing.hpp"
#include "crinkle/crinkle.hpp"
#include "suites/effort.hpp"
#include "suites/indexed.hpp"
#include "suites/operation.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {

/// Seconds between the begin and the end of what is given to the stream, by the device.
/// Requires the device to be the thread's own.
Clock clock_of(Device device, const Stream& stream);

/// How all that run on a stream take turns: hot in trains of runs that follow each other for a millisecond or more, whose gap before the
/// first, some microseconds, is below 1 %; cold one by one.
class GpuTurns {
 public:
  GpuTurns(Device device, Stream stream);
  GpuTurns(const GpuTurns&) = delete;
  GpuTurns& operator=(const GpuTurns&) = delete;
  static constexpr double train_seconds = 1e-3;
  static constexpr std::int64_t times_the_cache = 4;  // two would do if what was used longest ago were always what goes
  static constexpr int cold_runs = 16;

  /// take_hot_and_cold() by the device's clock. A cold run stands behind a pass that reads `times_the_cache` times the second-level cache
  /// and between two events of its own, and is given to the stream while that pass goes on; a sample is the mean of `cold_runs` of them, or
  /// of as few as take a millisecond together. Throws what DeviceMemory throws.
  void take(std::vector<Contender>& contenders, const Effort& effort);

 private:
  struct Evictor {
    DeviceMemory array, sink;
  };
  Clock cold_clock();

  Device device_;
  Stream stream_;
  Clock hot_clock_;
  std::optional<Evictor> evictor_;  // from the first cold run on
};

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

  /// The same with the loop over an index array on the host, which also says what stays as it was.
  void check(const std::string& what, const ArrayBytes& bytes, const Indexed& indexed, std::uint64_t seed,
             const std::function<void()>& move);

  /// The driver's copy of the first n bytes, and a kernel's of as many whole vectors of 16 as they touch.
  std::vector<Contender> copies(std::int64_t n_bytes) const;
  void take_turns(std::vector<Contender>& contenders, const Effort& effort) { turns_.take(contenders, effort); }

  /// A row for each move, which all read and write `moved_bytes` together, in turns with copies of as many, at most `larger_bytes` long.
  std::vector<Row> timed(std::vector<Contender> moves, std::int64_t moved_bytes, std::int64_t larger_bytes, const Effort& effort);

 private:
  /// The arrays filled, the move run; throws as check() does where first_wrong() is not −1.
  void check_result(const std::string& what, const ArrayBytes& bytes, std::uint64_t seed, const std::function<void()>& move,
                    const std::function<std::int64_t()>& first_wrong);

  Device device_;
  DeviceMemory source_, destination_, lowest_;
  Stream stream_;
  GpuTurns turns_;
};

}  // namespace crinkle::bench
